//go:build !js

package audittest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A Sabotage is a source file with a fault put in: Text, which must be there
// once, becomes Instead. Those that name the test By which they are seen are tried in every run
// of the tests.
type Sabotage struct{ File, Text, Instead, By string }

// Caught runs the tests of the current package that watch names on the spoilt
// source, which is put over the file for that run only, and returns those that
// fail. It ends the test where the text is not found once or the source does not
// compile.
func (s Sabotage) Caught(t *testing.T, watch string) (failed []string) {
	t.Helper()
	source := s.Spoilt(t)
	folder := t.TempDir()
	changed, overlay := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json")
	path, err := filepath.Abs(s.File)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{changed: []byte(source), overlay: tree} {
		if err := os.WriteFile(name, text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	run := exec.Command(
		"go", "test", "-count=1", "-vet=off", "-ldflags=-s -w", "-failfast", "-overlay", overlay,
		"-run", watch, "-skip", "Sabotage", ".",
	)
	run.Env = append(os.Environ(), "CLOISTER_AUDIT=")
	out, err := run.CombinedOutput()
	if strings.Contains(string(out), "[build failed]") ||
		strings.Contains(string(out), "no tests to run") {
		t.Fatal(string(out))
	}
	for line := range strings.Lines(string(out)) {
		if name, found := strings.CutPrefix(line, "--- FAIL: "); found {
			failed = append(failed, strings.TrimSpace(name))
		}
	}
	if err != nil && len(failed) == 0 { // a panic
		failed = append(failed, string(out))
	}
	return failed
}

// Spoilt is the whole spoilt source.
func (s Sabotage) Spoilt(t *testing.T) string {
	t.Helper()
	source, err := os.ReadFile(s.File)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), s.Text); n != 1 {
		t.Fatalf("%s has %q %d times: it must be there once", s.File, s.Text, n)
	}
	return strings.Replace(string(source), s.Text, s.Instead, 1)
}

// Sabotages asks that each fault of a table is seen by the test that it names, or else by the tests
// of the current package that watch names. Every one has to be where the table says it is. It takes
// a build each, so that only the long form (make audit) tries all, and otherwise those that name
// their test are, of which there must be one.
func Sabotages(t *testing.T, watch string, table []Sabotage) {
	if !slices.ContainsFunc(table, func(s Sabotage) bool { return s.By != "" }) {
		t.Error("no fault of the table names its test, and so none would be tried")
	}
	for i, s := range table {
		s.Spoilt(t)
		if !Long() && (testing.Short() || s.By == "") {
			continue
		}
		by := watch
		if s.By != "" {
			by = "^" + s.By + "$"
		}
		t.Run(s.File+" "+strconv.Itoa(i), func(t *testing.T) {
			if len(s.Caught(t, by)) == 0 {
				t.Errorf("%q instead of %q in %s goes unseen by %s", s.Instead, s.Text, s.File, by)
			}
		})
	}
}
