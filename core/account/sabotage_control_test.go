//go:build !js

package account

import "testing"

// controlled spoil the certificate of the bound "control": a term left out, of the wrong sign, or
// a rounding the other way.
var controlled = []sabotage{
	{file: "objective/control_pieces.go", text: "w*(square/2-s.epsilon+rise-t)", instead: "w*(square/2-s.epsilon-t+0*rise)", by: "TestControlPiecesAreRoundedUp"},
	{file: "objective/control_pieces.go", text: "value := w*w*square/2 + w*", instead: "value := w*"},
	{file: "objective/control_pieces.go", text: "(1 + kappa) / ((1 + w) * kappa)", instead: "1 / (1 + w)"},
	{file: "objective/control_pieces.go", text: "value := (w*w+w)*square/2 - w*s.epsilon", instead: "value := w*w*square/2 - w*s.epsilon"},
	{file: "objective/control_pieces.go", text: "math.Min(s.epsilon/a/a-0.5, 1/s.rate.most(low, high))", instead: "s.epsilon/a/a-0.5"},
	{file: "objective/control_pieces.go", text: "e, round := math.Expm1(rise), ", instead: "e, round := 0*rise, "},
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
	{file: "objective/control_levels.go", text: "share := 1 - math.Expm1(v)/kappa +", instead: "share := 1 - 2*math.Expm1(v)/kappa +"},
	{file: "objective/control_levels.go", text: "math.Max(0, uTo)*growth + ma*(1+growth) +", instead: "math.Max(0, uTo)*growth +"},
	{file: "objective/control_levels.go", text: "bound := most - s.leastBend(", instead: "bound := 0*most - s.leastBend("},
	{file: "objective/control_levels.go", text: "math.Min(bound, loss+gain)", instead: "math.Min(bound, 0*loss+gain)"},
	{file: "objective/control_levels.go", text: "bound := most - s.leastBend(low, from, to, size)", instead: "bound := 0 * (most - s.leastBend(low, from, to, size))"},
	{file: "objective/control_levels.go", text: "upper.best >= lower.best ||", instead: "upper.best < lower.best ||"},
	{file: "objective/control_gaps.go", text: "func (n node) charge() float64 { return n.below + n.strip + n.end.tail }", instead: "func (n node) charge() float64 { return n.strip + n.end.tail }"},
	{file: "objective/control_gaps.go", text: "n.late = s.floor - value + slack", instead: "n.late = -value + slack"},
	{file: "objective/control_gaps.go", text: "arch := bend * width * width / 2", instead: "arch := 0 * bend * width * width"},
	{file: "objective/control_gaps.go", text: "bound := left.below + math.Min", instead: "bound := right.below + math.Min"},
	{file: "objective/control_gaps.go", text: "most = (near+far)/2 + arch/4", instead: "most = (near+far)/2 + 0*arch"},
	{file: "objective/control_gaps.go", text: "rest += pieces[i].free", instead: "rest += 0"},
	{file: "objective/control_gaps.go", text: "below += one.free", instead: "below += 0 * one.free"},
	{file: "objective/control_gaps.go", text: "below = math.Min(below, g.left.below)", instead: "below = g.right.below"},
	{file: "objective/control_gaps.go", text: "bound = last.below + s.newPiece(last.a, upper.a).free + last.end.tail", instead: "bound = last.below + last.end.tail"},
	{file: "objective/control_search.go", text: "bound := math.Max(nodes[len(nodes)-1].charge(), s.belowValley(nodes[0], upper))", instead: "bound := 0.0"},
	{file: "objective/control_search.go", text: "\t\t\tbound = g.bound\n", instead: "\t\t\tbound = s.floor\n"},
	{file: "objective/control_search.go", text: "s.pieces(first, nodes)", instead: "s.pieces(lower.a, nodes)"},
	{file: "objective/control_nodes.go", text: "return before + math.Log((1-gap)*p+gap*share)", instead: "return value + math.Log(p)"},
	{file: "objective/control_nodes.go", text: "share = math.Max(0, math.Min(p, share))", instead: "share = 0"},
	{file: "objective/control_nodes.go", text: "((1-gap)*whole + gap*share)", instead: "(1 - gap) * whole"},
	{file: "objective/control_nodes.go", text: "math.Log1p(sum+math.Exp(tail))", instead: "math.Log1p(sum+0*tail)"},

	// Roundings: left out, or the other way.
	{file: "objective/control_pieces.go", text: "const roundPiece = 0x1p-48", instead: "const roundPiece = 0.0"},
	{file: "objective/control_pieces.go", text: "const roundPiece = 0x1p-48", instead: "const roundPiece = -0x1p-48"},
	{file: "objective/control_pieces.go", text: "math.Exp(value+round+exponent)\n\treturn one\n}\n\n// dual", instead: "math.Exp(value+0*round+exponent)\n\treturn one\n}\n\n// dual"},
	{file: "objective/control_pieces.go", text: "scale * factor * math.Exp(value+round+exponent)", instead: "scale * factor * math.Exp(value+0*round+exponent)"},
	{file: "objective/control_pieces.go", text: "return round, 2 * h", instead: "return 0 * round, 2 * h"},
	{file: "objective/control_pieces.go", text: "return y + round + roundPiece*(y+4/(y*y)), 2", instead: "return y + 0*round, 2"},
	{file: "objective/control_pieces.go", text: "*(1+z/72*(1+z/110))", instead: "*(1+z/72)"},
	{file: "objective/control_pieces.go", text: "*(1+z*9/616*(1+z*11/1170))", instead: "*(1+z*9/616)"},
	{file: "objective/control_pieces.go", text: "math.Max(one.high-one.middle, one.middle-one.low)", instead: "(one.high - one.low) / 2"},
	{file: "objective/control.go", text: "if a > 0.25 && a < 0.75 {", instead: "if false {"},
	{file: "objective/control_levels.go", text: "true, w, math.Log1p(1/w), w*ma", instead: "true, w, math.Log1p(1/w) * 2, w*ma"},
	{file: "objective/control_levels.go", text: "const roundSlope = 0x1p-48", instead: "const roundSlope = 0.0"},
	{file: "objective/control_levels.go", text: "const roundSlope = 0x1p-48", instead: "const roundSlope = -0x1p-48"},
	{file: "objective/control_levels.go", text: " + s.round(0, ma*size)*(1+1/kappa)", instead: ""},
	{file: "objective/control_levels.go", text: " * (1 + s.round(u, (1+u)*size))", instead: ""},
	{file: "objective/control_levels.go", text: "s.round(far, (1+far)*size)*(1+far+ma)*(1+growth)", instead: "0*far"},
	{file: "objective/control_levels.go", text: "s.round(far, (1+far+near)*size)", instead: "0 * near"},
	{file: "objective/control_levels.go", text: " - room*most)", instead: " - 0*most)"},
	{file: "objective/control_levels.go", text: " - room*math.Exp(vTo))", instead: ")"},
	{file: "objective/control_levels.go", text: "0x1p-46 * density", instead: "0 * density"},
	{file: "objective/control_levels.go", text: "0x1p-46 * unit", instead: "0 * unit"},
	{file: "objective/control_levels.go", text: "value, slack = value-minus, slack+more", instead: "value, slack = value-minus, slack-more"},
	{file: "objective/control_levels.go", text: "0x1p-48*turns", instead: "0*turns"},
	{file: "objective/control_levels.go", text: "0x1p-48*turns", instead: "-0x1p-48*turns"},
	{file: "objective/control_gaps.go", text: "s.floor - value + slack", instead: "s.floor - value + 0*slack"},
	{file: "objective/control_gaps.go", text: "s.floor - value + slack", instead: "s.floor - value - slack"},
	{file: "objective/control_search.go", text: "(1 + 0x1p-44)", instead: "1"},
	{file: "objective/control_search.go", text: "(1 + 0x1p-44)", instead: "(1 - 0x1p-44)"},
	{file: "objective/control_search.go", text: "round := roundPiece *", instead: "round := 0 * roundPiece *"},
	{file: "objective/control_search.go", text: "u*(u+(s.epsilon+rise)/ma)", instead: "u*u"},
	{file: "objective/control_search.go", text: "const roundSums = 0x1p-28", instead: "const roundSums = 0"},
	{file: "objective/control_search.go", text: "const roundSums = 0x1p-28", instead: "const roundSums = -0x1p-28"},
	{file: "objective/control_nodes.go", text: " + 0x1p-46*p", instead: ""},
	{file: "objective/control_nodes.go", text: " + 0x1p-46*p", instead: " - 0x1p-46*p"},
	{file: "objective/control_nodes.go", text: " + 0x1p-48*(1+alpha)", instead: ""},
	{file: "objective/control_nodes.go", text: " + 0x1p-48*(1+alpha)", instead: " - 0x1p-48*(1+alpha)"},
	{file: "objective/control_nodes.go", text: " + 0x1p-48*whole", instead: ""},
	{file: "objective/control_nodes.go", text: " + 0x1p-48*whole", instead: " - 0x1p-48*whole"},
}

// TestSabotagedControlIsCaught spoils each in turn and asks that a test of package objective
// fails.
func TestSabotagedControlIsCaught(t *testing.T) {
	spoilEach(t, controlled, "Control|Pieces|Parabolas")
}
