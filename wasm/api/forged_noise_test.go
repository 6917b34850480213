package api_test

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/learn"
	"cloister/core/nativetest"
)

// Where the file does not say how noise comes into the coefficients (steps may be of any length,
// and output perturbation's result may have been moved to a ball), no amount of it can be called
// untrue. Then nothing is claimed of it either: of steps never, and of output perturbation not
// once there is so much that what is left would be noise.
func TestNoiseThatCannotBeCheckedIsNotClaimed(t *testing.T) {
	nativetest.Only(t)
	paths, err := filepath.Glob(filepath.Join(filesFolder, "releases", "*.json"))
	require.NoError(t, err)
	steps, moved := 0, 0
	for _, file := range paths {
		if strings.HasSuffix(file, ".says.json") {
			continue
		}
		kind := kindOf(read(t, file))
		for _, by := range []float64{1, 0x1p120} {
			tree := read(t, file)
			multiply(tree, noiseFields, by)
			r, ok := restate(tree)
			if !ok || kind == "moments" || r.Model.Selected != nil {
				continue
			}
			found := r.Verify()
			k := slices.IndexFunc(found, func(f learn.Finding) bool { return f.Claim == "noise" })
			if k < 0 {
				assert.NotEqual(t, 1.0, by, file)
				continue // it is not said to fit a model at all
			}
			unchecked := strings.HasPrefix(found[k].Text, "Not checked: ")
			switch {
			case kind == "gradient-descent" || kind == "subsampled-gaussian":
				steps++
				assert.True(t, unchecked, "%s: %s", file, found[k].Text)
			case kind == "gaussian":
				moved++
				assert.Equal(t, by > 1, unchecked, "%s: %s", file, found[k].Text)
			case by > 1:
				assert.False(t, found[k].True, "%s: %s", file, found[k].Text)
			default:
				assert.False(t, unchecked, "%s: %s", file, found[k].Text)
			}
		}
	}
	assert.Greater(t, steps, 10)
	assert.GreaterOrEqual(t, moved, 10)
}
