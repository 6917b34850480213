//go:build !js

package account

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// sabotage is one allowance of the certificate, spoilt: left out, or of the wrong
// sign. The text is in the file as often as times says (0: once). Of those that name the test by
// which they are seen, the first in each package is tried by make test.
type sabotage struct {
	file, text, instead string
	times               int
	by                  string
}

// sabotages spoil the gates and allowances of curve/certified.go, most of them both ways,
// and limits that events promise by theorem. They are in no order.
// TestEveryAllowanceHasASabotage checks that each row of its table has one.
var sabotages = []sabotage{
	{
		file:    "curve/certified.go",
		text:    "if Failed(computed) || computed > 0 {",
		instead: "if computed > 0 {",
	},
	{file: "curve/certified.go", text: "if !(computed >= 0) {", instead: "if computed < 0 {"},
	{
		file:    "curve/certified.go",
		text:    "if !(lower >= 0 && lower <= upper) {",
		instead: "if lower > upper {",
	},
	{
		file:    "curve/certified.go",
		text:    "!(lower <= upper) {\n\t\treturn math.Inf(-1), 0",
		instead: "lower > upper {\n\t\treturn math.Inf(-1), 0",
	},
	{
		file:    "curve/certified.go",
		text:    "return !(sum >= 1-allowance)",
		instead: "return sum < 1-allowance",
	},
	{
		file:    "curve/certified.go",
		text:    "logDelta+0x1p-43+0x1p-49*math.Abs(logDelta)",
		instead: "logDelta",
		by:      "TestAllowanceOfTheGaussianProfile",
	},
	{
		file:    "curve/certified.go",
		text:    "logDelta+0x1p-43+0x1p-49*math.Abs(logDelta)",
		instead: "logDelta-0x1p-43-0x1p-49*math.Abs(logDelta)",
	},
	{file: "curve/certified.go", text: "(1 + 0x1p-46)", instead: "1"},
	{file: "curve/certified.go", text: "(1 + 0x1p-46)", instead: "(1 - 0x1p-46)"},
	{file: "curve/certified.go", text: "epsilon - c - 0x1p-51", instead: "epsilon - c - 0"},
	{file: "curve/certified.go", text: "epsilon - c - 0x1p-51", instead: "epsilon - c + 0x1p-51"},
	{file: "curve/certified.go", text: "y+y*0x1p-51+math.SmallestNonzeroFloat64", instead: "y"},
	{file: "curve/certified.go", text: "y+y*0x1p-51+math", instead: "y-y*0x1p-51+math"},
	{file: "curve/certified.go", text: "return x - 0x1p-51*math.Abs(x)", instead: "return x"},
	{
		file:    "curve/certified.go",
		text:    "return x - 0x1p-51*math.Abs(x)",
		instead: "return x + 0x1p-51*math.Abs(x)",
	},

	{file: "objective/gaussian.go", text: "mu/2 - 0x1p-51*(scaled+mu/2)", instead: "mu/2"},
	{
		file:    "objective/gaussian.go",
		text:    "mu/2 - 0x1p-51*(scaled+mu/2)",
		instead: "mu/2 + 0x1p-51*(scaled+mu/2)",
	},
	{
		file:    "objective/lower.go",
		text:    "return value - 0x1p-43 - 0x1p-49*math.Abs(value)",
		instead: "return value",
	},
	{
		file:    "objective/lower.go",
		text:    "return value - 0x1p-43 - 0x1p-49*math.Abs(value)",
		instead: "return value + 0x1p-43 + 0x1p-49*math.Abs(value)",
	},
	{file: "objective/lower.go", text: "down = 1 - 0x1p-50", instead: "down = 1"},
	{file: "objective/lower.go", text: "down = 1 - 0x1p-50", instead: "down = 1 + 0x1p-50"},
	{
		file:    "objective/closed.go",
		text:    "limit := e.Sensitivity / e.Scale * (1 + 0x1p-51)",
		instead: "limit := e.Sensitivity / e.Scale",
	},
	{
		file:    "objective/closed.go",
		text:    "limit := e.Sensitivity / e.Scale * (1 + 0x1p-51)",
		instead: "limit := e.Sensitivity / e.Scale * (1 - 0x1p-51)",
	},
	{file: "objective/closed.go", text: "1/e.Scale*(1+0x1p-50)", instead: "1/e.Scale*(1-0x1p-50)"},
	{
		file:    "objective/closed.go",
		text:    "math.Abs(e.LogOdds()) * (1 + 0x1p-48)",
		instead: "math.Abs(e.LogOdds())",
	},
	{
		file:    "objective/closed.go",
		text:    "math.Abs(e.LogOdds()) * (1 + 0x1p-48)",
		instead: "math.Abs(e.LogOdds()) * (1 - 0x1p-48)",
	},
	{
		file:    "objective/closed.go",
		text:    "gaussianDirection{mu * (1 + 0x1p-50)}",
		instead: "gaussianDirection{mu}",
	},
	{
		file:    "objective/closed.go",
		text:    "gaussianDirection{mu * (1 + 0x1p-50)}",
		instead: "gaussianDirection{mu * (1 - 0x1p-50)}",
	},
	{
		file:    "objective/closed.go",
		text:    "(1 + float64(len(e.Sigmas))*0x1p-50)",
		instead: "(1 - float64(len(e.Sigmas))*0x1p-50)",
	},
	{file: "objective/minima.go", text: "muOut *= 1 + 0x1p-50", instead: "muOut *= 1"},
	{file: "objective/minima.go", text: "muOut *= 1 + 0x1p-50", instead: "muOut *= 1 - 0x1p-50"},
	{file: "objective/lattice.go", text: "(24 * square) * (1 + 0x1p-40)", instead: "(24 * square)"},
	{
		file:    "objective/lattice.go",
		text:    "(24 * square) * (1 + 0x1p-40)",
		instead: "(24 * square) * (1 - 0x1p-40)",
	},
	{file: "objective/bound.go", text: "product *= 1 + 0x1p-51", instead: "product *= 1"},
	{file: "objective/bound.go", text: "product *= 1 + 0x1p-51", instead: "product *= 1 - 0x1p-51"},
	{file: "objective/convolution.go", text: "return value + estimate", instead: "return value"},
	{
		file:    "objective/convolution.go",
		text:    "return value + estimate",
		instead: "return value - estimate",
	},

	{file: "rdp/mass.go", text: "lost > 0 {", instead: "lost > 2 {"},
	{file: "rdp/mass.go", text: "lost > 0 {", instead: "lost < 0 {"},
	{
		file:    "rdp/mass.go",
		text:    "math.FMA(a, b, -product) > 0",
		instead: "math.FMA(a, b, -product) < 0",
	},
	{file: "rdp/noise.go", text: "0x1p-1022) * (1 + 0x1p-50)", instead: "0x1p-1022)"},
	{
		file:    "rdp/noise.go",
		text:    "0x1p-1022) * (1 + 0x1p-50)",
		instead: "0x1p-1022) * (1 - 0x1p-50)",
	},
	{file: "rdp/noise.go", text: "{ return 0x1p-49 * (1 + largest) }", instead: "{ return 0 }"},
	{
		file:    "rdp/noise.go",
		text:    "{ return 0x1p-49 * (1 + largest) }",
		instead: "{ return -0x1p-49 * (1 + largest) }",
	},
	{
		file:    "rdp/subsampled.go",
		text:    "const relativeSlack = 1e-12",
		instead: "const relativeSlack = 0.0",
	},
	{
		file:    "rdp/subsampled.go",
		text:    "const relativeSlack = 1e-12",
		instead: "const relativeSlack = -1e-12",
		by:      "TestAllowanceOfCurves",
	},
	{
		file:    "curve/renyi.go",
		text:    "math.Log1p(1 / (alpha - 1))",
		instead: "-math.Log1p(-1 / alpha)",
	},
	{file: "curve/renyi.go", text: "computed + orderSlack*terms)\n", instead: "computed)\n"},
	{
		file:    "curve/renyi.go",
		text:    "computed + orderSlack*terms)\n",
		instead: "computed - orderSlack*terms)\n",
	},
	{file: "curve/renyi.go", text: "computed+orderSlack*terms)", instead: "computed)"},
	{
		file:    "curve/renyi.go",
		text:    "computed+orderSlack*terms)",
		instead: "computed-orderSlack*terms)",
	},
	{file: "price.go", text: "worst+0x1p-40*(1+math.Abs(worst))", instead: "worst"},
	{
		file:    "price.go",
		text:    "worst+0x1p-40*(1+math.Abs(worst))",
		instead: "worst-0x1p-40*(1+math.Abs(worst))",
	},
	{file: "price.go", text: "return worst * (1 + 0x1p-40), nil", instead: "return worst, nil"},
	{file: "price.go", text: "if !(c.mass < delta) {", instead: "if false {"},
	{
		file:    "price.go",
		text:    "c.failures.There)*(1+0x1p-48)",
		instead: "c.failures.There)",
	},
	{
		file:    "price.go",
		text:    "c.failures.There)*(1+0x1p-48)",
		instead: "c.failures.There)*(1-0x1p-48)",
	},
	{
		file:    "price.go",
		text:    "epsilon + 0x1p-50*(math.Abs(log)+math.Abs(epsilon))",
		instead: "epsilon - 0x1p-50*(math.Abs(log)+math.Abs(epsilon))",
	},
	{
		file:    "price.go",
		text:    "curve.RoundUp(math.Min(0, logDelta))",
		instead: "math.Min(0, logDelta)",
	},
	{
		file:    "filter/filter.go",
		text:    "failures.There * (1 + 0x1p-48)\n\t}\n\tmass = rdp.SumUp(mass, failed*(1+0x1p-48))",
		instead: "failures.There\n\t}\n\tmass = rdp.SumUp(mass, failed)",
	},
	{file: "filter/filter.go", text: "failed*(1+0x1p-48)", instead: "failed*(1-0x1p-47)"},
	{
		file:    "pld/distribution.go",
		text:    "math.Log(d.failure) + 0x1p-50*math.Abs(math.Log(d.failure))",
		instead: "math.Log(d.failure) - 0x1p-44*math.Abs(math.Log(d.failure))",
	},
	{
		file:    "pld/distribution.go",
		text:    "log -= 0x1p-48 * (1 + math.Abs(logDelta))",
		instead: "log -= 0 * (1 + math.Abs(logDelta))",
	},
	{
		file:    "pld/distribution.go",
		text:    "log -= 0x1p-48 * (1 + math.Abs(logDelta))",
		instead: "log += 0x1p-48 * (1 + math.Abs(logDelta))",
	},
	{file: "filter/filter.go", text: "limit*(1-1e-12))", instead: "limit)"},
	{file: "filter/filter.go", text: "limit*(1-1e-12))", instead: "limit*(1+1e-12))"},
	{file: "filter/odometer.go", text: "(order-1))*(1-1e-12))", instead: "(order-1)))"},

	{file: "pld/loss.go", text: "const massError = 0x1p-40", instead: "const massError = 0x1p-60"},
	{
		file:    "pld/loss.go",
		text:    "ends(lower-2*massError, upper+2*massError)",
		instead: "ends(lower, upper)",
	},
	{
		file:    "pld/loss.go",
		text:    "ends(lower-2*massError, upper+2*massError)",
		instead: "ends(lower+2*massError, upper-2*massError)",
	},
	{file: "pld/loss.go", text: "round = 0x1p-50 * math.Max", instead: "round = 0 * math.Max"},
	{
		file:    "pld/loss.go",
		text:    "round = 0x1p-50 * math.Max",
		instead: "round = -0x1p-50 * math.Max",
	},
	{file: "pld/loss.go", text: "4*massError + 0x1p-52*float64(n)", instead: "1"},
	{file: "pld/loss.go", text: "if x >= to {", instead: "if !(x < to) {"},
	{file: "pld/loss.go", text: "logarithm(l.infinite+l.dust)", instead: "logarithm(l.infinite)"},
	{
		file:    "pld/basic.go",
		text:    "return ends(b.lower(d, epsilon), upper+massError)",
		instead: "return ends(b.lower(d, epsilon), upper-massError)",
	},
	{
		file:    "pld/basic.go",
		text:    "return ends(b.lower(d, epsilon), upper+massError)",
		instead: "return ends(b.lower(d, epsilon), upper)",
	},
	{file: "pld/gaussian.go", text: "x -= 0x1p-51", instead: "x -= 0"},
	{file: "pld/gaussian.go", text: "x -= 0x1p-51", instead: "x += 0x1p-51"},
	{file: "pld/normal.go", text: "0x1p-53 * (32 + 4*reach*reach)", instead: "0 * reach"},
	{
		file:    "pld/normal.go",
		text:    "0x1p-53 * (32 + 4*reach*reach)",
		instead: "-0x1p-53 * (32 + 4*reach*reach)",
	},
	{
		file:    "pld/normal.go",
		text:    "0x1p-53 * math.Abs(s) * (16 + 8*reach)",
		instead: "0 * reach",
		by:      "TestTheRatioOfABinIsWithinItsSlack",
	},
	{
		file:    "pld/end.go",
		text:    "return mass + math.Log(-math.Expm1(-room)) + 0x1p-50",
		instead: "return mass + math.Log(-math.Expm1(-room)) - 0x1p-50",
		by:      "TestWhatIsBeyondAWindowIsBounded",
	},
	{
		file:    "pld/end.go",
		text:    "if room >= math.Log1p(1/r) {",
		instead: "if room >= 0 {",
		by:      "TestWhatIsBeyondAWindowIsBounded",
	},
	{file: "pld/laplace.go", text: "slack := 0x1p-51", instead: "slack := 0"},
	{file: "pld/laplace.go", text: "slack := 0x1p-51", instead: "slack := -0x1p-51"},
	{file: "pld/subsampled.go", text: "level -= 0x1p-50", instead: "level -= 0"},
	{file: "pld/subsampled.go", text: "level -= 0x1p-50", instead: "level += 0x1p-50"},
	{
		file:    "pld/subsampled.go",
		text:    "ask := -level + 0x1p-48",
		instead: "ask := -level - 0x1p-48",
		by:      "TestAllowanceOfPositions",
	},
	{file: "pld/measure.go", text: "share+0x1p-48", instead: "share"},
	{file: "pld/measure.go", text: "share+0x1p-48", instead: "share-0x1p-48"},
	{
		file:    "pld/measure.go",
		text:    "(infinite+c.infinite)*(1+4*massError)",
		instead: "(infinite+c.infinite)",
	},
	{
		file:    "pld/measure.go",
		text:    "(infinite+c.infinite)*(1+4*massError)",
		instead: "(infinite+c.infinite)*(1-4*massError)",
	},
	{
		file:    "pld/measure.go",
		text:    "if sum := m.infinite + m.sum(); curve.LosesMass",
		instead: "if sum := 1.0; curve.LosesMass",
	},
	{file: "pld/measure.go", text: "sum <= 1+wholeness", instead: "sum <= 2+wholeness"},
	{
		file:    "pld/events.go",
		text:    "c.unknown = c.unknown || !intact(added) || !intact(removed)",
		instead: "_ = intact",
	},
	{file: "pld/events.go", text: "(4*c.terms+8)*0x1p-53", instead: "0.0"},
	{file: "pld/events.go", text: "(4*c.terms+8)*0x1p-53", instead: "-(4*c.terms+8)*0x1p-53"},
	{file: "pld/events.go", text: "(2*c.rhos+32)*0x1p-53", instead: "32*0x1p-53"},
	{file: "pld/events.go", text: "(2*c.rhos+32)*0x1p-53", instead: "-(2*c.rhos+32)*0x1p-53"},
	{
		file:    "pld/basic.go",
		text:    "return 0x1p-40 + float64(len(d.runs))*0x1p-51",
		instead: "return 0x1p-40",
	},
	{
		file:    "pld/basic.go",
		text:    "return 0x1p-40 + float64(len(d.runs))*0x1p-51",
		instead: "return -0x1p-40",
	},
	{file: "pld/basic.go", text: "float64(len(b.runs)) * 0x1p-42", instead: "0"},
	{
		file:    "pld/basic.go",
		text:    "float64(len(b.runs)) * 0x1p-42",
		instead: "-float64(len(b.runs)) * 0x1p-42",
	},
	{file: "filter/filter.go", text: "limit -= 0x1p-48 *", instead: "limit -= 0 *"},
	{file: "filter/filter.go", text: "limit -= 0x1p-48 *", instead: "limit += 0x1p-48 *"},
	{file: "pld/chords.go", text: "way * 0x1p-50 * round", instead: "way * 0 * round"},
	{file: "pld/chords.go", text: "way * 0x1p-50 * round", instead: "-way * 0x1p-50 * round"},
	{file: "pld/promise.go", text: "const u = 1 + 0x1p-50", instead: "const u = 1"},
	{file: "pld/promise.go", text: "const u = 1 + 0x1p-50", instead: "const u = 1 - 0x1p-50"},
	{file: "pld/promise.go", text: "(1 + 0x1p-49)\n", instead: "1\n"},
	{file: "pld/promise.go", text: "(1 + 0x1p-49)\n", instead: "(1 - 0x1p-49)\n"},
	{
		file:    "objective/replace_sample.go",
		text:    "float64(k) - 0x1p-50*float64(p.most)",
		instead: "float64(k)",
	},
	{
		file:    "objective/replace_sample.go",
		text:    "float64(k) - 0x1p-50*float64(p.most)",
		instead: "float64(k) + 0x1p-50*float64(p.most)",
	},
	{file: "pld/promise.go", text: "0x1p-49*round", instead: "-0x1p-49*round"},
	{
		file:    "pld/promise.go",
		text:    "math.Expm1(float64(b.index-a.index)*g.step)",
		instead: "math.Expm1(float64(b.index-a.index)*g.step*1.01)",
	},
	{
		file:    "pld/sheet.go",
		text:    "c.upper.finish(c.highest, c.entry, c.entry)",
		instead: "c.upper.finish(c.highest, 0, 0)",
	},
	{
		file:    "pld/sheet.go",
		text:    "c.upper.finish(c.highest, c.entry, c.entry)",
		instead: "c.upper.finish(c.highest, -c.entry, 0)",
	},
	{
		file:    "pld/sheet.go",
		text:    "c.lower.finish(c.lowest, -c.entry, 0)",
		instead: "c.lower.finish(c.lowest, 0, 0)",
	},
	{
		file:    "pld/sheet.go",
		text:    "c.lower.finish(c.lowest, -c.entry, 0)",
		instead: "c.lower.finish(c.lowest, c.entry, 0)",
	},
	{file: "pld/sheet.go", text: "total += k*log + sign*", instead: "total += k*log + 0*sign*"},
	{file: "pld/sheet.go", text: "total += k*log + sign*", instead: "total += k*log - sign*"},
	{
		file:    "pld/end.go",
		text:    "e.slack += k * (massError +",
		instead: "e.slack += 0 * k * (massError +",
	},
	{
		file:    "pld/end.go",
		text:    "e.slack += k * (massError +",
		instead: "e.slack -= k * (massError +",
	},
	{
		file:    "pld/end.go",
		text:    "special.LogAddExp(inside, e.logBeyond(epsilon)) + e.slack",
		instead: "inside + e.slack",
	},
	{
		file:    "pld/end.go",
		text:    "e.part(n, u)-e.wrapped()-underflow",
		instead: "e.part(n, u)-underflow",
	},
	{
		file:    "pld/end.go",
		text:    "special.LogAddExp(total, e.logInfinite()) + massError",
		instead: "total + massError",
	},
	{
		file:    "pld/distribution.go",
		text:    "before := epsilon - (a+b)",
		instead: "before := epsilon - 0*(a+b)",
	},
	{
		file:    "pld/distribution.go",
		text:    "math.Min(0, a+special.LogAddExp(upper, before+logT))",
		instead: "math.Min(0, 0*a+special.LogAddExp(upper, before+logT))",
		by:      "TestAllowanceOfLattices",
	},
	{
		file:    "pld/distribution.go",
		text:    "reachedEpsilon(lower, (upper+(a+b))*",
		instead: "reachedEpsilon(lower, (upper+0*(a+b))*",
	},

	{
		file:    "objective/closed.go",
		text:    "case privacy.NoisyMin:\n\t\treturn pureProfile(e.Epsilon), true",
		instead: "case privacy.NoisyMin:\n\t\treturn pureProfile(e.Epsilon * (1 - 0x1p-40)), true",
	},
	{
		file:    "objective/closed.go",
		text:    "case privacy.ProximalCentre:\n\t\treturn pureProfile(e.Epsilon), true",
		instead: "case privacy.ProximalCentre:\n\t\treturn pureProfile(e.Epsilon * (1 - 0x1p-40)), true",
	},
	{
		file:    "rdp/noise.go",
		text:    "rho, worst := halfSquare(epsilon/2), pure(epsilon)",
		instead: "rho, worst := halfSquare(epsilon/2.001), pure(epsilon)",
	},
	{
		file:    "rdp/noise.go",
		text:    "rho, worst := halfSquare(epsilon/2), pure(epsilon)",
		instead: "rho, worst := halfSquare(epsilon/2), pure(epsilon*0.999)",
	},
	{
		file:    "rdp/of.go",
		text:    "if e.Noise == privacy.GumbelNoise {",
		instead: "if e.Noise == privacy.GeometricNoise {",
	},
	{
		file:    "pld/events.go",
		text:    "if e.Noise != privacy.GumbelNoise {",
		instead: "if e.Noise == privacy.GumbelNoise {",
	},
	{
		file:    "pld/events.go",
		text:    "most: pureLoss(e.Epsilon), apart",
		instead: "most: pureLoss(e.Epsilon * 0.999), apart",
	},

	{file: "objective/loss.go", text: "{ return 0x1p-48 *", instead: "{ return 0 *"},
	{file: "objective/loss.go", text: "{ return 0x1p-48 *", instead: "{ return -0x1p-48 *"},
	{file: "selection/negativebinomial.go", text: ") + 1e-14\n", instead: ")\n"},
	{file: "selection/negativebinomial.go", text: ") + 1e-14\n", instead: ") - 1e-14\n"},
	{file: "selection/negativebinomial.go", text: "* (1 + 1e-14)\n", instead: "* 1\n"},
	{file: "selection/negativebinomial.go", text: "* (1 + 1e-14)\n", instead: "* (1 - 1e-14)\n"},
	{file: "selection/poisson.go", text: "(1 + 0x1p-50)", instead: "1"},
	{file: "selection/poisson.go", text: "(1 + 0x1p-50)", instead: "(1 - 0x1p-50)"},
	{file: "selection/poisson.go", text: "* (1 + 1e-12)", instead: "* 1", times: 2},
	{file: "selection/poisson.go", text: "* (1 + 1e-12)", instead: "* (1 - 1e-12)", times: 2},
	{file: "curve/chords.go", text: "* (1 + 0x1p-48)", instead: ""},
	{file: "curve/chords.go", text: "* (1 + 0x1p-48)", instead: "* (1 - 0x1p-48)"},
	{file: "curve/chords.go", text: "(1-share)*a + share*b", instead: "share*a + (1-share)*b"},
	{file: "rdp/curve.go", text: "math.Nextafter(alpha, 2*alpha)", instead: "1 + s"},
	{file: "selection/liutalwar.go", text: "const up = 1 + 1e-14", instead: "const up = 1"},
	{file: "selection/liutalwar.go", text: "const up = 1 + 1e-14", instead: "const up = 1 - 1e-14"},
	{file: "pld/loss.go", text: "subnormal = 4 * math", instead: "subnormal = 0 * math"},
	{
		file:    "pld/convex.go",
		text:    "slack := objective.LossSlack(math.Max(math.Abs(a), math.Abs(b)), end) + 0x1p-48",
		instead: "slack := 0.0",
	},
	{
		file:    "pld/convex.go",
		text:    "slack := objective.LossSlack(math.Max(math.Abs(a), math.Abs(b)), end) + 0x1p-48",
		instead: "slack := -objective.LossSlack(a, end)",
	},
	{file: "filter/odometer.go", text: "(order-1))*(1-1e-12))", instead: "(order-1))*(1+1e-12))"},

	{file: "pld/distribution.go", text: "y-y*0x1p-50-math.SmallestNonzeroFloat64", instead: "y"},
	{
		file:    "pld/distribution.go",
		text:    "y-y*0x1p-50-math.SmallestNonzeroFloat64",
		instead: "y+y*0x1p-50",
	},
	{file: "pld/distribution.go", text: "y+y*0x1p-50+math.SmallestNonzeroFloat64", instead: "y"},
	{
		file:    "pld/distribution.go",
		text:    "y+y*0x1p-50+math.SmallestNonzeroFloat64",
		instead: "y-y*0x1p-50",
	},
	{
		file:    "pld/distribution.go",
		text:    "round := 0x1p-50 * math.Abs(logDelta)",
		instead: "round := 0.0",
	},
	{
		file:    "pld/distribution.go",
		text:    "round := 0x1p-50 * math.Abs(logDelta)",
		instead: "round := -0x1p-50 * math.Abs(logDelta)",
	},
	{
		file:    "pld/distribution.go",
		text:    "round := 0x1p-50 * math.Abs(log)",
		instead: "round := 0.0",
	},
	{
		file:    "pld/distribution.go",
		text:    "round := 0x1p-50 * math.Abs(log)",
		instead: "round := -0x1p-50 * math.Abs(log)",
	},
	{
		file:    "pld/distribution.go",
		text:    "+ b + 0x1p-48*(1+math.Abs(logDelta))",
		instead: "+ 0*b + 0x1p-48*(1+math.Abs(logDelta))",
	},
	{file: "pld/distribution.go", text: "+ b + 0x1p-48*(1+math.Abs(logDelta))", instead: "+ b"},
	{
		file:    "pld/distribution.go",
		text:    "+ b + 0x1p-48*(1+math.Abs(logDelta))",
		instead: "+ b - 0x1p-48*(1+math.Abs(logDelta))",
	},
	{file: "pld/distribution.go", text: ".Lower-(a+b)*(1+0x1p-40)", instead: ".Lower-(a+b)", by: "TestAllowanceOfDeltasOnLattices"},
	{
		file:    "pld/distribution.go",
		text:    ".Lower-(a+b)*(1+0x1p-40)",
		instead: ".Lower-(a+b)*(1-0x1p-40)",
	},
	{
		file:    "pld/distribution.go",
		text:    "epsilon + (a+b)*(1+0x1p-40) + 0x1p-50*math.Abs(epsilon)",
		instead: "epsilon + (a+b) + 0x1p-50*math.Abs(epsilon)",
	},
	{
		file:    "pld/distribution.go",
		text:    "epsilon + (a+b)*(1+0x1p-40) + 0x1p-50*math.Abs(epsilon)",
		instead: "epsilon + (a+b)*(1+0x1p-40)",
	},
	{
		file:    "pld/distribution.go",
		text:    "epsilon + (a+b)*(1+0x1p-40) + 0x1p-50*math.Abs(epsilon)",
		instead: "epsilon + (a+b)*(1+0x1p-40) - 0x1p-50*math.Abs(epsilon)",
	},
	{file: "pld/distribution.go", text: ".LogLower - b\n", instead: ".LogLower - 0*b\n"},
	{
		file:    "pld/distribution.go",
		text:    "special.LogDiffExp(log, logT) - 0x1p-48",
		instead: "special.LogDiffExp(log, logT)",
	},
	{
		file:    "pld/distribution.go",
		text:    "special.LogDiffExp(log, logT) - 0x1p-48",
		instead: "special.LogDiffExp(log, logT) + 0x1p-48",
	},
	{
		file:    "pld/distribution.go",
		text:    "(a+b)*(1+0x1p-50) - 0x1p-50*math.Abs(epsilon)",
		instead: "(a+b)*(1+0x1p-50)",
	},
	{
		file:    "pld/distribution.go",
		text:    "(a+b)*(1+0x1p-50) - 0x1p-50*math.Abs(epsilon)",
		instead: "(a+b)*(1+0x1p-50) + 0x1p-50*math.Abs(epsilon)",
	},
	{
		file:    "pld/distribution.go",
		text:    "(a+b)*(1+0x1p-50) - 0x1p-50*math.Abs(epsilon)",
		instead: "(a+b) - 0x1p-50*math.Abs(epsilon)",
	},
	{file: "pld/distribution.go", text: "a += 0x1p-40", instead: "a += 0"},
	{file: "pld/distribution.go", text: "a += 0x1p-40", instead: "a -= 0x1p-40"},
	{file: "pld/distribution.go", text: "(upper+(a+b))*(1+0x1p-50)", instead: "(upper + (a + b))"},
	{
		file:    "pld/distribution.go",
		text:    "(upper+(a+b))*(1+0x1p-50)",
		instead: "(upper+(a+b))*(1-0x1p-50)",
	},
	{
		file:    "pld/basic.go",
		text:    "ends(log-d.sumError(), log+d.sumError())",
		instead: "ends(log+d.sumError(), log+d.sumError())",
	},
	{
		file:    "pld/basic.go",
		text:    "ends(log-d.sumError(), log+d.sumError())",
		instead: "ends(log-d.sumError(), log-d.sumError())",
	},
	{file: "pld/basic.go", text: "part -= 0x1p-50", instead: "part -= 0"},
	{file: "pld/basic.go", text: "part -= 0x1p-50", instead: "part += 0x1p-50"},
	{
		file:    "pld/basic.go",
		text:    "return d.logSurely() - d.sumError()",
		instead: "return d.logSurely()",
	},
	{
		file:    "pld/basic.go",
		text:    "return d.logSurely() - d.sumError()",
		instead: "return d.logSurely() + d.sumError()",
	},
	{
		file:    "pld/basic.go",
		text:    "l.infinite + l.dust }) + d.sumError()",
		instead: "l.infinite + l.dust })",
	},
	{
		file:    "pld/basic.go",
		text:    "l.infinite + l.dust }) + d.sumError()",
		instead: "l.infinite }) + d.sumError()",
	},
	{
		file:    "pld/basic.go",
		text:    "l.infinite + l.dust }) + d.sumError()",
		instead: "l.infinite + l.dust }) - d.sumError()",
	},
	{
		file:    "pld/direction.go",
		text:    "ends(gain-slack, gain+slack)",
		instead: "ends(gain+slack, gain+slack)",
	},
	{
		file:    "pld/direction.go",
		text:    "ends(gain-slack, gain+slack)",
		instead: "ends(gain-slack, gain-slack)",
	},
	{file: "pld/direction.go", text: "return -0x1p-50, 0", instead: "return 0, 0"},
	{file: "pld/direction.go", text: "ceiling+0x1p-40*math.Abs(ceiling)", instead: "ceiling"},
	{
		file:    "pld/direction.go",
		text:    "ceiling+0x1p-40*math.Abs(ceiling)",
		instead: "ceiling-0x1p-40*math.Abs(ceiling)",
	},
	{
		file:    "pld/direction.go",
		text:    "math.Log(2*g.total*g.high)",
		instead: "math.Log(g.total*g.high/2)",
	},
	{file: "pld/loss.go", text: "round+0x1p-50*a.reach", instead: "round"},
	{file: "pld/loss.go", text: "a.loss + a.reach + slack", instead: "a.loss + slack"},
	{file: "pld/gaussian.go", text: "slack += 0x1p-51", instead: "slack += 0"},
	{file: "pld/gaussian.go", text: "slack += 0x1p-51", instead: "slack -= 0x1p-51"},
	{file: "pld/subsampled.go", text: "x - 0x1p-51*(math.Abs(x)+s.shift)", instead: "x"},
	{
		file:    "pld/subsampled.go",
		text:    "x - 0x1p-51*(math.Abs(x)+s.shift)",
		instead: "x + 0x1p-51*(math.Abs(x)+s.shift)",
	},
	{
		file:    "pld/subsampled.go",
		text:    "slack = 2*slack*part + 0x1p-46",
		instead: "slack = 0*part + 0x1p-46",
	},
	{
		file:    "pld/subsampled.go",
		text:    "slack = 2*slack*part + 0x1p-46",
		instead: "slack = 2*slack*part + 0",
	},
	{
		file:    "pld/subsampled.go",
		text:    "slack = 2*slack*part + 0x1p-46",
		instead: "slack = -2*slack*part - 0x1p-46",
	},
	{file: "pld/subsampled.go", text: "-(y + 0x1p-49", instead: "-(y + 0"},
	{file: "pld/subsampled.go", text: "-(y + 0x1p-49", instead: "-(y - 0x1p-49"},
	{
		file:    "pld/convex.go",
		text:    "level - 2*objective.LossSlack",
		instead: "level + 2*objective.LossSlack",
	},
	{file: "pld/convex.go", text: "x -= 0x1p-46", instead: "x += 0x1p-46"},
	{file: "pld/convex.go", text: "objective.LossSlack(a, anchor) + 0x1p-47", instead: "0.0"},
	{
		file:    "pld/convex.go",
		text:    "objective.LossSlack(a, anchor) + 0x1p-47",
		instead: "-objective.LossSlack(a, anchor)",
	},
	{file: "pld/staircase.go", text: "slack := 0x1p-50", instead: "slack := 0"},
	{file: "pld/staircase.go", text: "slack := 0x1p-50", instead: "slack := -0x1p-50"},
	{
		file:    "pld/measure.go",
		text:    "round := 0x1p-50 * (math.Abs(a.loss) + a.reach)",
		instead: "round := 0 * (math.Abs(a.loss) + a.reach)",
	},
	{
		file:    "pld/measure.go",
		text:    "round := 0x1p-50 * (math.Abs(a.loss) + a.reach)",
		instead: "round := -0x1p-50 * (math.Abs(a.loss) + a.reach)",
	},
	{file: "pld/end.go", text: "k * (m.slip + 0x1p-49*m.reach())", instead: "0"},
	{
		file:    "pld/end.go",
		text:    "k * (m.slip + 0x1p-49*m.reach())",
		instead: "-k * (m.slip + 0x1p-49*m.reach())",
	},
	{file: "pld/end.go", text: "logMost(r) + 0x1p-50*", instead: "logMost(r) + 0*"},
	{file: "pld/end.go", text: "logMost(r) + 0x1p-50*", instead: "logMost(r) - 0x1p-50*"},
	{file: "pld/end.go", text: "e.slack += float64(n) *", instead: "e.slack += 0 * float64(n) *"},
	{file: "pld/end.go", text: "e.slack += float64(n) *", instead: "e.slack -= float64(n) *"},
	{
		file:    "pld/sheet.go",
		text:    "s.body.logDeltaUpper(epsilon))+massError)",
		instead: "s.body.logDeltaUpper(epsilon))-massError)",
	},
	{
		file:    "pld/sheet.go",
		text:    "s.body.logDeltaLower(epsilon)) - massError",
		instead: "s.body.logDeltaLower(epsilon)) + massError",
	},
	{file: "pld/sheet.go", text: "return 2 * runs * e *", instead: "return 0 * runs * e *"},
	{file: "pld/sheet.go", text: "(16*runs + 200) * u", instead: "0 * u"},
	{file: "pld/sheet.go", text: "e := 2.1*gamma + 8*u", instead: "e := 0 * u"},
	{file: "pld/events.go", text: "mu * (1 - 0x1p-48)", instead: "mu"},
	{file: "pld/events.go", text: "mu * (1 - 0x1p-48)", instead: "mu * (1 + 0x1p-48)"},
	{
		file:    "pld/events.go",
		text:    "concentratedProfile(rho * (1 + slack))",
		instead: "concentratedProfile(rho)",
	},
	{
		file:    "pld/events.go",
		text:    "concentratedProfile(rho * (1 + slack))",
		instead: "concentratedProfile(rho * (1 - slack))",
	},
	{file: "pld/events.go", text: "math.Sqrt(2*rho) * (1 - slack)", instead: "math.Sqrt(2 * rho)"},
	{
		file:    "pld/events.go",
		text:    "math.Sqrt(2*rho) * (1 - slack)",
		instead: "math.Sqrt(2*rho) * (1 + slack)",
	},
	{file: "pld/events.go", text: "log += 0x1p-44", instead: "log += 0"},
	{file: "pld/events.go", text: "log += 0x1p-44", instead: "log -= 0x1p-44"},
	{
		file:    "pld/promise.go",
		text:    "case !ok:\n\t\treturn math.Inf(1)",
		instead: "case !ok:\n\t\treturn at(76)",
	},

	{file: "objective/closed.go", text: "a * shift * (1 + 0x1p-51)", instead: "a * shift"},
	{
		file:    "objective/closed.go",
		text:    "a * shift * (1 + 0x1p-51)",
		instead: "a * shift * (1 - 0x1p-51)",
	},
	{
		file:    "objective/closed.go",
		text:    "special.Log1mExp(-0x1p-50*a*shift)",
		instead: "special.Log1mExp(-0x1p-150*a*shift)",
	},
	{file: "objective/direction.go", text: "* (1 + 0x1p-46), true", instead: "* 1, true"},
	{
		file:    "objective/direction.go",
		text:    "* (1 + 0x1p-46), true",
		instead: "* (1 - 0x1p-46), true",
	},
	{file: "objective/lower.go", text: "x += 0x1p-47", instead: "x += 0"},
	{file: "objective/lower.go", text: "x += 0x1p-47", instead: "x -= 0x1p-47"},
	{file: "objective/lower.go", text: "y-y*0x1p-51-math.SmallestNonzeroFloat64", instead: "y"},
	{
		file:    "objective/lower.go",
		text:    "y-y*0x1p-51-math.SmallestNonzeroFloat64",
		instead: "y+y*0x1p-51",
	},
}

// watch are the tests that have to see it, by package.
const watch = "Allowance|GaveUp|ReachOf|Gates|LostMass|MassAbove|AtomsAreRounded"

// TestSabotagedAllowancesAreCaught spoils every allowance in turn.
func TestSabotagedAllowancesAreCaught(t *testing.T) {
	spoilEach(t, slices.Concat(sabotages, transforms), watch)
}

// spoilEach spoils each in turn, and asks that the test that it names fails, or one of the
// watching tests of its package. Each takes a build, so that all are done by make audit
// (CLOISTER_AUDIT=long), without it the first in each package of those that name a test, of which
// there must be one, and none for -short. But each has to be where the table says it is.
func spoilEach(t *testing.T, table []sabotage, watch string) {
	t.Helper()
	assert.True(
		t, slices.ContainsFunc(table, func(s sabotage) bool { return s.by != "" }),
		"no fault of the table names its test, and so none would be tried",
	)
	long := os.Getenv("CLOISTER_AUDIT") == "long"
	tried := map[string]bool{} // a package
	for i, s := range table {
		source, err := os.ReadFile(s.file)
		require.NoError(t, err)
		text := string(source)
		require.Equal(t, max(1, s.times), strings.Count(text, s.text), "%s: %q", s.file, s.text)
		if !long && (testing.Short() || s.by == "" || tried[filepath.Dir(s.file)]) {
			continue
		}
		tried[filepath.Dir(s.file)] = true
		by := watch
		if s.by != "" {
			by = "^" + s.by + "$"
		}
		t.Run(s.file+" "+strconv.Itoa(i), func(t *testing.T) {
			assert.NotEmpty(
				t, spoiltFor(t, s, strings.ReplaceAll(text, s.text, s.instead), by),
				"%q instead of %q in %s goes unseen by %s", s.instead, s.text, s.file, by,
			)
		})
	}
}

// spoiltFor runs the watching tests of a file's package on a changed source, and returns
// the names of those that fail. What package curve adds is seen in the bounds of
// package objective too.
func spoiltFor(t *testing.T, s sabotage, source, watch string) (failed []string) {
	t.Helper()
	folder := t.TempDir()
	changed, overlay := filepath.Join(folder, "changed.go"), filepath.Join(folder, "overlay.json")
	path, err := filepath.Abs(s.file)
	require.NoError(t, err)
	tree, err := json.Marshal(map[string]map[string]string{"Replace": {path: changed}})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(changed, []byte(source), 0o600))
	require.NoError(t, os.WriteFile(overlay, tree, 0o600))
	run := exec.Command(
		"go", "test", "-count=1", "-vet=off", "-ldflags=-s -w", "-failfast", "-overlay", overlay,
		"-run", watch, "-skip", "Sabotaged", "./"+filepath.Dir(s.file),
	)
	if filepath.Dir(s.file) == "curve" {
		run.Args = append(run.Args, "./objective")
	}
	out, err := run.CombinedOutput()
	require.NotContains(t, string(out), "[build failed]", string(out))
	for line := range strings.Lines(string(out)) {
		if name, found := strings.CutPrefix(line, "--- FAIL: "); found {
			failed = append(failed, name)
		}
	}
	if err == nil {
		require.Contains(t, string(out), "ok", string(out))
	} else if len(failed) == 0 {
		// Whatever else ends a program, a lack of memory for one, catches nothing.
		require.Contains(t, string(out), "panic:", string(out))
		failed = append(failed, "panic")
	}
	return failed
}
