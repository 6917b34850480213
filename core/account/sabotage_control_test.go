//go:build !js

package account

import "testing"

// controlled spoil the certificate of the bound "control": a term left out, of the wrong sign, or
// a rounding the other way.
var controlled = []sabotage{
	{file: "objective/control_pieces.go", text: "w*(square/2-s.epsilon+rise-t)", instead: "w*(square/2-s.epsilon-t+0*rise)"},
	{file: "objective/control_pieces.go", text: "value := w*w*square/2 + w*", instead: "value := w*"},
	{file: "objective/control_pieces.go", text: "(1 + kappa) / ((1 + w) * kappa)", instead: "1 / (1 + w)"},
	{file: "objective/control_pieces.go", text: "value := (w*w+w)*square/2 - w*s.epsilon", instead: "value := w*w*square/2 - w*s.epsilon"},
	{file: "objective/control_pieces.go", text: "math.Min(s.epsilon/a/a-0.5, 1/s.rate.most(low, high))", instead: "s.epsilon/a/a-0.5"},
	{file: "objective/control_pieces.go", text: "e := math.Expm1(bend * h * h / 2)", instead: "e := 0 * bend"},
	{file: "objective/control_pieces.go", text: " + s.rate.bend(one.low, one.high)", instead: ""},
	{file: "objective/control.go", text: "1/(low*low) + 1/", instead: "0*low + 1/"},
	{file: "objective/control_levels.go", text: "slope/(1+kappa)\n", instead: "0*slope\n"},
	{file: "objective/control_levels.go", text: "at.best = at.u + ma + at.x\n\ty", instead: "at.best = at.u + at.x\n\ty"},
	{file: "objective/control_levels.go", text: "density * (drop - growth*other), ", instead: "density * drop, "},
	{file: "objective/control_levels.go", text: "v, u, size = 0, s.epsilon/ma-ma/2", instead: "v, size = 0"},
	{file: "objective/control_levels.go", text: "u := (s.epsilon-rise)/ma - ma/2", instead: "u := s.epsilon/ma - ma/2"},
	{file: "objective/control_levels.go", text: "gain := unit * special.NormalMassFrom(u, wide)", instead: "gain := unit * special.NormalMassFrom(u, width)"},
	{file: "objective/control_levels.go", text: "loss := unit * growth", instead: "loss := 2 * unit * growth"},
	{file: "objective/control_levels.go", text: "return end{low, high, s.most(c, low, high)}", instead: "return end{low, low, 0}"},
	{file: "objective/control_levels.go", text: "share := 1 - math.Expm1(v)/s.rate.most(low.a, high.a)", instead: "share := 1 - 2*math.Expm1(v)/s.rate.most(low.a, high.a)"},
	{file: "objective/control_levels.go", text: "(math.Max(0, uTo)*growth + s.m*last.a*(1+growth))", instead: "(math.Max(0, uTo) * growth)"},
	{file: "objective/control_levels.go", text: "bound := most - least +", instead: "bound := -least +"},
	{file: "objective/control_levels.go", text: "(loss+gain)*(1+roundSlope)", instead: "(0*loss+gain)*(1+roundSlope)"},
	{file: "objective/control_levels.go", text: "least := s.leastBend(low, from, to)", instead: "least := most"},
	{file: "objective/control_levels.go", text: "upper.best >= lower.best ||", instead: "upper.best < lower.best ||"},
	{file: "objective/control_gaps.go", text: "func (n node) charge() float64 { return n.below + n.strip + n.end.tail }", instead: "func (n node) charge() float64 { return n.strip + n.end.tail }"},
	{file: "objective/control_gaps.go", text: "n.late = s.floor - value + slack", instead: "n.late = -value + slack"},
	{file: "objective/control_gaps.go", text: "arch := bend * width * width / 2", instead: "arch := 0 * bend * width * width"},
	{file: "objective/control_gaps.go", text: "bound := left.below + math.Min", instead: "bound := right.below + math.Min"},
	{file: "objective/control_gaps.go", text: "most = (near+far)/2 + arch/4", instead: "most = (near+far)/2 + 0*arch"},
	{file: "objective/control_gaps.go", text: "rest += pieces[i].free", instead: "rest += 0"},
	{file: "objective/control_gaps.go", text: "below += one.free", instead: "below += 0"},
	{file: "objective/control_gaps.go", text: "below = math.Min(below, g.left.below)", instead: "below = g.right.below"},
	{file: "objective/control_gaps.go", text: "bound = last.below + s.newPiece(last.a, upper.a).free + last.end.tail", instead: "bound = last.below + last.end.tail"},
	{file: "objective/control_search.go", text: "bound := math.Max(nodes[len(nodes)-1].charge(), s.belowValley(nodes[0], upper))", instead: "bound := 0.0"},
	{file: "objective/control_search.go", text: "\t\t\tbound = g.bound\n", instead: "\t\t\tbound = s.floor\n"},
	{file: "objective/control_search.go", text: "s.pieces(first, nodes)", instead: "s.pieces(lower.a, nodes)"},
	{file: "objective/control_nodes.go", text: "return before + math.Log((1-gap)*p+gap*share)", instead: "return value + math.Log(p)"},
	{file: "objective/control_nodes.go", text: "share = math.Max(0, math.Min(p, share))", instead: "share = 0"},
	{file: "objective/control_nodes.go", text: "((1-gap)*whole + gap*share)", instead: "(1 - gap) * whole"},
	{file: "objective/control_nodes.go", text: "math.Log1p(sum+math.Exp(tail))", instead: "math.Log1p(sum+0*tail)"},
}

// TestSabotagedControlIsCaught spoils each in turn and asks that a test of package objective
// fails: all of them for CLOISTER_AUDIT=long, else the first.
func TestSabotagedControlIsCaught(t *testing.T) {
	spoilEach(t, controlled, "Control|Pieces|Parabolas", func(i int) bool { return i == 0 })
}
