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
	{file: "objective/control_pieces.go", text: "eta*(c-s.x-m*a) +", instead: "0*c +"},
	{file: "objective/control_pieces.go", text: "(m*m*a*a/2-epsilon+tangent)", instead: "(m*m*a*a/2-epsilon+0*tangent)"},
	{file: "objective/control_pieces.go", text: "(m*m*a*a/2-epsilon+tangent)", instead: "(-m*m*a*a/2-epsilon+tangent)"},
	{file: "objective/control_pieces.go", text: "+ s.rise - s.logKappa - ref", instead: "- ref"},
	{file: "objective/control_pieces.go", text: "math.Min(steep, 1/most)", instead: "steep"},
	{file: "objective/control_pieces.go", text: "e := math.Expm1(bend * h * h / 2)", instead: "e := 0 * bend"},
	{file: "objective/control_pieces.go", text: "+ p.rate.bend(s.low, s.high, eta*p.m)", instead: ""},
	{file: "objective/control_pieces.go", text: "left := epsilon - math.Log1p(most)", instead: "left := epsilon"},
	{file: "objective/control.go", text: "if e < -1 {\n\t\tleft = high", instead: "if e > -1 {\n\t\tleft = high"},
	{file: "objective/control.go", text: "if e > 1 {", instead: "if e < 1 {"},
	{file: "objective/control_search.go", text: "half = (b.most - b.least) / 2", instead: "half = 0 * b.most"},
	{file: "objective/control_search.go", text: "\tmost := math.Max(atLeast, atMost)", instead: "\tmost := math.Min(atLeast, atMost)"},
	{file: "objective/control_search.go", text: "if low >= s.last {", instead: "if high >= s.first {"},
	{file: "objective/control_search.go", text: "c, rough = math.Min(low, s.first), true", instead: "rough = true"},
	{file: "objective/control_search.go", text: "free(p.newPiece(b.low, b.high, epsilon, reference))", instead: "_ = free"},
	{file: "objective/control_search.go", text: "p.boxAt(pieces, b, b.least, b.most,", instead: "p.boxAt(pieces, b, b.most, b.least,"},
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
				t, spoiltFor(t, s, strings.ReplaceAll(text, s.text, s.instead), "Control|Pieces|Boxes|Parabolas"),
				"%q instead of %q in %s goes unseen", s.instead, s.text, s.file,
			)
		})
	}
}
