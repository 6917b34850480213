//go:build !js

package account

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// controlled spoil the certificate of the bound "control": a term left out, of the wrong sign, or
// a rounding the other way.
var controlled = []sabotage{
	{file: "objective/control_pieces.go", text: "w*(square/2-s.epsilon+rise-t)", instead: "w*(square/2-s.epsilon-t+0*rise)"},
	{file: "objective/control_pieces.go", text: "value := w*w*square/2 + w*", instead: "value := w*"},
	{file: "objective/control_pieces.go", text: "(1 + kappa) / ((1 + w) * kappa)", instead: "1 / (1 + w)"},
	{file: "objective/control_pieces.go", text: "value := (w*w+w)*square/2 - w*s.epsilon", instead: "value := w*w*square/2 - w*s.epsilon"},
	{file: "objective/control_pieces.go", text: "e := math.Expm1(bend * h * h / 2)", instead: "e := 0 * bend"},
	{file: "objective/control_pieces.go", text: " + s.rate.bend(one.low, one.high)", instead: ""},
	{file: "objective/control.go", text: "1/(low*low) + 1/", instead: "0*low + 1/"},
	{file: "objective/control_levels.go", text: "slope/(1+kappa)\n", instead: "0*slope\n"},
	{file: "objective/control_levels.go", text: "at.v = rise - t", instead: "at.v = rise + t"},
	{file: "objective/control_levels.go", text: "at.c = at.u + ma + at.x\n\ty", instead: "at.c = at.u + at.x\n\ty"},
	{file: "objective/control_levels.go", text: "density * (drop - growth*other), ", instead: "density * drop, "},
	{file: "objective/control_levels.go", text: "offset = (s.epsilon-rise)/ma", instead: "offset = s.epsilon/ma"},
	{file: "objective/control_levels.go", text: "upper.c >= lower.c ||", instead: "upper.c < lower.c ||"},
	{file: "objective/control_levels.go", text: "math.Min(one, other) * (1 - roundSlope), math.Max(one, other)", instead: "math.Min(one, other) * (1 - roundSlope), math.Min(one, other)"},
	{file: "objective/control_levels.go", text: "most = s.slope(near, from.v)", instead: "most = s.slope(near+far, high.at.v)"},
	{file: "objective/control_search.go", text: "n.charge = below + n.end.hockey - n.hockey", instead: "n.charge = below + n.end.hockey"},
	{file: "objective/control_search.go", text: "rise, fall := most-before.loss", instead: "rise, fall := most-after.loss"},
	{file: "objective/control_search.go", text: "before.below+one.free, lower.a", instead: "before.below, lower.a"},
	{file: "objective/control_search.go", text: "before.below+h[0].free", instead: "before.below"},
	{file: "objective/control_search.go", text: "bound = math.Max(bound, peak)", instead: "_ = peak"},
	{file: "objective/control_search.go", text: "bound = s.floor + rest - nodes[0].hockey", instead: "bound = rest"},
	{file: "objective/control_search.go", text: "bound := last.below + s.newPiece(last.a, upper.a).free", instead: "bound := last.below"},
	{file: "objective/control_nodes.go", text: "return before + math.Log((1-gap)*p+gap*share)", instead: "return value + math.Log(p)"},
	{file: "objective/control_nodes.go", text: "share = math.Max(0, math.Min(p, share))", instead: "share = 0"},
	{file: "objective/control_nodes.go", text: "((1-gap)*whole + gap*share)", instead: "(1 - gap) * whole"},
	{file: "objective/control_nodes.go", text: "math.Log1p(sum+math.Exp(tail))", instead: "math.Log1p(sum+0*tail)"},
}

// TestSabotagedControlIsCaught spoils each in turn and asks that a test of package objective
// fails: all of them for CLOISTER_AUDIT=long, else the first.
func TestSabotagedControlIsCaught(t *testing.T) {
	long := os.Getenv("CLOISTER_AUDIT") == "long"
	for i, s := range controlled {
		source, err := os.ReadFile(s.file)
		require.NoError(t, err)
		text := string(source)
		require.Equal(t, 1, strings.Count(text, s.text), "%s: %q", s.file, s.text)
		if !long && (testing.Short() || i > 0) {
			continue
		}
		t.Run(s.file+" "+strconv.Itoa(i), func(t *testing.T) {
			assert.NotEmpty(
				t, spoiltFor(t, s, strings.ReplaceAll(text, s.text, s.instead), "Control|Pieces|Parabolas"),
				"%q instead of %q in %s goes unseen", s.instead, s.text, s.file,
			)
		})
	}
}
