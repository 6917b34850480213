package rdp

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// reference reads the cases of one golden-value file, or skips.
func reference[T any](t *testing.T, letter string) []T {
	t.Helper()
	folder := os.Getenv("CLOISTER_REFERENCE")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "reference")
	}
	text, err := os.ReadFile(filepath.Join(folder, letter+".json"))
	if err != nil {
		t.Skipf("no reference values: %v", err)
	}
	var file struct{ Cases []T }
	require.NoError(t, json.Unmarshal(text, &file))
	require.NotEmpty(t, file.Cases)
	return file.Cases
}

func TestSubsampledGaussianReference(t *testing.T) {
	type params struct {
		Q, Sigma, Alpha float64
	}
	type one struct {
		ID       string
		Kind     string
		Params   params
		Expected struct{ RDP float64 }
	}
	worst := 0.0
	for _, c := range reference[one](t, "H") {
		if c.Kind != "rdp" {
			continue
		}
		got := newSubsampledGaussian(c.Params.Q, c.Params.Sigma).at(c.Params.Alpha)
		rel := got/c.Expected.RDP - 1
		worst = math.Max(worst, math.Abs(rel))
		if math.Abs(rel) > 1e-10 || rel < -1e-13 {
			t.Errorf("%s %+v: got %.17g, want %.17g (relative %.2g)", c.ID, c.Params, got, c.Expected.RDP, rel)
		}
	}
	t.Logf("worst relative difference %.2g", worst)
}
