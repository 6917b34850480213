//go:build !js

package account

// transforms spoil what package pld adds for the Fourier transform, for moments and for what
// is at +∞, and the factors of closed forms, chords and rates that are next to 0.
// Terms there that cannot be spoilt so that it shows are named in curve/certified.go.
var transforms = []sabotage{
	{file: "pld/fft.go", text: "return 10.5 * 0x1p-53 *", instead: "return 0 *"},
	{file: "pld/fft.go", text: "return 10.5 * 0x1p-53 *", instead: "return -10.5 * 0x1p-53 *"},
	{file: "pld/fft.go", text: "float64(len(t.stages)+1)", instead: "float64(len(t.stages))", by: "TestAllowanceOfEntries"},
	{
		file:    "pld/sheet.go",
		text:    "(errors+(power+gamma)*moduli)",
		instead: "(errors+power*moduli)",
	},
	{
		file:    "pld/sheet.go",
		text:    "(errors+(power+gamma)*moduli)",
		instead: "(errors+(power-gamma)*moduli)",
	},
	{
		file:    "pld/sheet.go",
		text:    "(errors+(power+gamma)*moduli)",
		instead: "((power+gamma)*moduli)",
	},
	{file: "pld/sheet.go", text: "*(1+0x1p-20) + 1e-300", instead: "+ 1e-300"},
	{file: "pld/sheet.go", text: "e := 2.1*gamma + 8*u", instead: "e := 2.1*gamma"},
	{file: "pld/sheet.go", text: "e := 2.1*gamma + 8*u", instead: "e := 2.1*gamma - 8*u"},
	{file: "pld/sheet.go", text: "3 * body * f.size", instead: "2 * body * f.size"},
	{file: "pld/sheet.go", text: "f.size += 1.5 * k", instead: "f.size += 1.3 * k"},
	{file: "pld/sheet.go", text: "modulus + body\n", instead: "modulus\n"},
	{
		file:    "pld/sheet.go",
		text:    "e.ceiling -= k * math.Ln2",
		instead: "e.ceiling += k / 2 * math.Log(largest)",
	},
	{
		file:    "pld/sheet.go",
		text:    "d.whole.momentError(t)+0x1p-50*math.Abs(log)",
		instead: "0x1p-50*math.Abs(log)",
	},
	{file: "pld/sheet.go", text: "sign*(k+2)*(", instead: "sign*k*("},
	{file: "pld/end.go", text: "return massError + 0x1p-53*", instead: "return 0x1p-53*"},
	{
		file:    "pld/end.go",
		text:    "return massError + 0x1p-53*",
		instead: "return -massError + 0x1p-53*",
	},
	{
		file:    "pld/end.go",
		text:    "0x1p-53*float64(len(m.mass)) +",
		instead: "0x1p-153*float64(len(m.mass)) +",
	},
	{
		file:    "pld/end.go",
		text:    "0x1p-50*(800+math.Abs(t)*m.reach())",
		instead: "0x1p-50*(math.Abs(t)*m.reach())",
	},
	{file: "pld/end.go", text: "0x1p-50*(800+math.Abs(t)*m.reach())", instead: "0x1p-50*800"},
	{file: "pld/end.go", text: "e.logInfinite()) + massError", instead: "e.logInfinite())"},
	{
		file:    "pld/end.go",
		text:    "e.logInfinite()) + massError",
		instead: "e.logInfinite()) - massError",
	},
	{file: "objective/closed.go", text: "(1 + float64(len(e.Parts))*0x1p-50)", instead: "1"},
	{
		file:    "objective/closed.go",
		text:    "(1 + float64(len(e.Parts))*0x1p-50)",
		instead: "(1 - float64(len(e.Parts))*0x1p-50)",
	},
	{file: "objective/closed.go", text: "(1 + float64(len(e.Sigmas))*0x1p-50)", instead: "1"},
	{file: "objective/closed.go", text: "1/e.Scale*(1+0x1p-50)", instead: "1/e.Scale"},
	{
		file:    "objective/closed.go",
		text:    "by := s.by + 0x1p-51*(s.by+math.Abs(epsilon))",
		instead: "by := s.by",
	},
	{
		file:    "objective/closed.go",
		text:    "by := s.by + 0x1p-51*",
		instead: "by := s.by - 0x1p-51*",
	},
	{
		file:    "objective/closed.go",
		text:    "epsilon+s.by-0x1p-51*(s.by+math.Abs(epsilon))",
		instead: "epsilon+s.by",
	},
	{
		file:    "objective/closed.go",
		text:    "epsilon+s.by-0x1p-51*",
		instead: "epsilon+s.by+0x1p-51*",
	},
	{file: "rdp/subsampled.go", text: "q = math.Max(q, 1e-120)", instead: "q = math.Max(q, 0)"},
	{
		file:    "rdp/subsampled.go",
		text:    "q = math.Max(q, 1e-120)",
		instead: "q = math.Min(q, 1e-120)",
	},
}
