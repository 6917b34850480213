// Package golden holds what tests of the accountant's packages compare with: values that
// other people's programs computed, and arithmetic in 400 bits for computing further ones.
// Only those tests may import it.
package golden

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Cases are those of one file of reference values, "K" for K.json, in the folder that
// CLOISTER_REFERENCE names, or beside the repository. Where it is absent the test is
// skipped, saying so; a file that cannot be read, or has no cases, fails it.
func Cases[T any](t testing.TB, name string) []T {
	t.Helper()
	folder := os.Getenv("CLOISTER_REFERENCE")
	if folder == "" {
		folder = filepath.Join(root(), "..", "shared", "reference")
	}
	text, err := os.ReadFile(filepath.Join(folder, name+".json"))
	if os.IsNotExist(err) {
		t.Skipf("no reference values: %v", err)
	}
	var file struct{ Cases []T }
	if err == nil {
		err = json.Unmarshal(text, &file)
	}
	if err != nil {
		t.Fatalf("reference values %s: %v", name, err)
	}
	if len(file.Cases) == 0 {
		t.Fatalf("reference values %s: no cases", name)
	}
	return file.Cases
}

// OfKind are those of Cases that are of one kind, of which there must be one. Cases of other
// kinds may have another form.
func OfKind[T any](t testing.TB, name, kind string) (cases []T) {
	t.Helper()
	for _, raw := range Cases[json.RawMessage](t, name) {
		var head struct{ Kind string }
		if err := json.Unmarshal(raw, &head); err != nil {
			t.Fatalf("reference values %s: %v", name, err)
		}
		if head.Kind != kind {
			continue
		}
		var c T
		if err := json.Unmarshal(raw, &c); err != nil {
			t.Fatalf("reference values %s, %s: %v", name, kind, err)
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		t.Fatalf("reference values %s: no cases of kind %s", name, kind)
	}
	return cases
}

// root is the repository's folder, from that of a package: the one with go.mod.
func root() string {
	folder := "."
	for range 8 {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		folder = filepath.Join("..", folder)
	}
	return folder
}
