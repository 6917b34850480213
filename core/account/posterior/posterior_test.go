package posterior

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/account/golden"
	"cloister/core/nativetest"
	"cloister/core/special"
)

type golds struct {
	ID, Kind string
	Params   struct {
		Epsilon, Delta, Kappa, A, Alpha, Rdp, Mu float64

		Test float64         `json:"mu_test"`
		X    json.RawMessage // a number, or the rows of a table
	}
	Expected struct {
		LogDelta  *float64 `json:"log_delta"`
		Rdp       *float64
		Infinite  bool
		Possible  bool
		A         float64
		Alpha     float64
		Ratio     float64
		Published float64 `json:"epsilon_published"`
		There     float64 `json:"delta_exact_there"`
		Exact     float64 `json:"epsilon_exact"`
	}
}

// Golden values Q (mpmath, 30 digits).
func TestReferenceQ(t *testing.T) {
	seen := map[string]int{}
	for _, c := range golden.Cases[golds](t, "Q") {
		p, want := c.Params, c.Expected
		x := 0.0
		_ = json.Unmarshal(p.X, &x)
		seen[c.Kind]++
		switch c.Kind {
		case "pair_delta":
			got := Pair{p.Kappa, p.A}.LogDeltaUpper(p.Epsilon)
			if want.LogDelta == nil {
				assert.Less(t, got, -1e300, c.ID)
				continue
			}
			assert.GreaterOrEqual(t, got, *want.LogDelta, "%s %+v", c.ID, p)
			assert.InDelta(t, *want.LogDelta, got, 1e-8, "%s %+v", c.ID, p)
		case "pair_rdp":
			got := Pair{p.Kappa, p.A}.Renyi(p.Alpha)
			if want.Infinite {
				assert.Equal(t, math.Inf(1), got)
				continue
			}
			assert.GreaterOrEqual(t, got, *want.Rdp, c.ID)
			assert.InEpsilon(t, *want.Rdp, got, 1e-9, c.ID)
		case "ops_shift":
			a, ok := Shift(p.Epsilon, p.Delta, x)
			require.Equal(t, want.Possible, ok, "%s %+v", c.ID, p)
			if ok {
				assert.LessOrEqual(t, a, want.A, c.ID)
				assert.InEpsilon(t, want.A, a, 1e-8, c.ID)
			}
		case "shift_at_order":
			a, ok := ShiftAtOrder(p.Alpha, p.Rdp, x)
			require.Equal(t, want.Possible, ok, "%s %+v", c.ID, p)
			if ok {
				assert.LessOrEqual(t, a, want.A, c.ID)
				assert.InEpsilon(t, want.A, a, 1e-8, c.ID)
				assert.LessOrEqual(t, Bound{x, a}.Renyi(p.Alpha), p.Rdp)
			}
		case "order_budget":
			alpha, r, ok := OrderBudget(p.Epsilon, p.Delta, p.Test)
			require.True(t, ok, c.ID)
			assert.InEpsilon(t, want.Ratio, 2*r/alpha, 1e-8, c.ID)
			// The maximum is flat in α; given α, r is a number.
			assert.InEpsilon(t, want.Alpha, alpha, 0.02, c.ID)
			at := func(alpha float64) float64 {
				return p.Epsilon - p.Test*p.Test*alpha/2 - math.Log1p(-1/alpha) +
					math.Log(alpha*p.Delta)/(alpha-1)
			}
			assert.InEpsilon(t, *want.Rdp, at(want.Alpha), 1e-8, c.ID)
			assert.InEpsilon(t, r, at(alpha), 1e-8, c.ID)
		case "gauss_then_pair":
			got := afterGaussian(p.Mu, Pair{p.Kappa, p.A}, p.Epsilon)
			if c.ID == "Q-v0146" {
				// The file has …0190096, which lacks what lies beyond |v| = 9 or so. In
				// 30 digits, over |v| < 30, it is the number here.
				*want.LogDelta = -67.4090187987503381
			}
			assert.InDelta(t, *want.LogDelta, math.Log(got), 1e-7, c.ID)
		case "published_ops_bound":
			there := Bound{x, p.A}.LogDeltaUpper(want.Published)
			assert.InDelta(t, math.Log(want.There), there, 1e-7, c.ID)
			log := math.Log(2 / p.Delta)
			assert.InEpsilon(t, want.Published,
				p.A*math.Sqrt(log)+(1+log)*x/2+p.A*p.A/(2*(1+x)), 1e-8, c.ID)
			exact, err := curve.EpsilonUpper(Bound{x, p.A}, p.Delta)
			require.NoError(t, err)
			assert.InEpsilon(t, want.Exact, exact, 1e-8, c.ID)
		}
	}
	for kind, n := range map[string]int{
		"pair_delta": 85, "pair_rdp": 22, "ops_shift": 13, "shift_at_order": 14, "order_budget": 5,
		"gauss_then_pair": 10, "published_ops_bound": 15,
	} {
		assert.Equal(t, n, seen[kind], kind)
	}
}

// Where e^ε is +∞ and what it multiplies 0, and where the ends of the region are differences of
// large numbers: golden values of mpmath, in 120 digits. One of these was −31.2.
func TestLargeEpsilonAndShift(t *testing.T) {
	for _, c := range []struct{ kappa, a, epsilon, logDelta float64 }{
		{9.8230955278514793e-08, 48.557897774588511, 966.45684247302177, -6.6780649096025100425e-6},
		{1e-5, 50, 900, -1.4947387968245495779e-12},
		{-1e-5, 50, 900, -1.4895320037817151085e-12},
		{-0.01, 60, 1500, -6.3423453866996846878e-8},
		{0.01, 60, 2000, -8.9219546286445267291},
		{0.001, 40, 709, -0.012979114522652216134},
		{0.3, 40, 760, -8.7235627456821897148},
		{1e-6, 1000, 498000, -0.02309596428981010106},
	} {
		got := Pair{c.kappa, c.a}.LogDeltaUpper(c.epsilon)
		assert.GreaterOrEqual(t, got, c.logDelta, "%+v", c)
		assert.InDelta(t, c.logDelta, got, 1e-9, "%+v", c)
	}
	// The rounding of the roots, at shifts that only an absurd ε affords.
	for _, c := range []struct{ kappa, a, epsilon, logDelta float64 }{
		{1.0653929484967044e-05, 35191.325084187469, 619214775.22851276, -0.85664403292332473954},
		{1.5704781632819542e-05, 45521.563079997119, 1036219235.0502201, -6.0856151590441035124},
		{-3.0963849111862771e-06, 42435.038797761961, 900362728.40696883, -0.58129732592186970596},
		{1.1033570387068736e-07, 29999.329103273602, 449979794.63533807, -0.69240171027441371262},
	} {
		got := Pair{c.kappa, c.a}.LogDeltaUpper(c.epsilon)
		assert.GreaterOrEqual(t, got, c.logDelta, "%+v", c)
		assert.InDelta(t, c.logDelta, got, 1e-5, "%+v", c)
	}
	assert.Zero(t, Pair{1e-3, 1e5}.LogDeltaUpper(1e11), "beyond what was measured")

	// A shift that (ε, δ) affords is one that costs no more by the two normal laws alone.
	a, ok := Shift(800, 1e-6, 1e-6)
	require.True(t, ok)
	assert.InDelta(t, 35.5, a, 1, "a²/2 + 4.75a is about 800")
}

// afterGaussian is E[g(ε − ℓ)], ℓ the loss of a Gaussian mechanism of ratio mu.
func afterGaussian(mu float64, p Pair, epsilon float64) float64 {
	knots := []float64{}
	for v := -30.0; v <= 30; v += 0.125 {
		knots = append(knots, v)
	}
	value, _, _ := special.Adaptive(func(v float64) float64 {
		return special.NormalDensity(v) *
			math.Exp(p.LogDeltaUpper(epsilon-(mu*mu/2+mu*v)))
	}, knots, 1e-11, 0)
	return value
}

// loss is that of P's point u.
func (p Pair) loss(u float64) float64 {
	k, a := p.Leverage, p.Shift
	return -math.Log1p(k)/2 + k*u*u/2 - a*u + a*a/(2*(1+k))
}

// A second derivation: δ as a sum over the loss, and D_α as an integral of the two densities.
func TestPairBySumsOverTheLoss(t *testing.T) {
	nativetest.Only(t)
	for _, p := range []Pair{
		{0.5, 0.3}, {0.01, 0.5}, {-0.3, 0.4}, {-0.01, 0.02}, {0.2, 0}, {-0.2, 0}, {0.3, 2.5},
		{-0.5, 3},
	} {
		for _, epsilon := range []float64{-1, -0.1, 0, 0.03, 0.4, 1.5} {
			sum, h := 0.0, 1e-4
			for u := -9.0; u < 9; u += h {
				if l := p.loss(u); l > epsilon {
					sum += h * special.NormalDensity(u) * -math.Expm1(epsilon-l)
				}
			}
			got := math.Exp(p.LogDeltaUpper(epsilon))
			assert.InDelta(t, sum, got, 1e-5*sum+1e-12, "%+v at ε = %g", p, epsilon)
		}
		for _, alpha := range []float64{1.2, 2, 2.9} {
			sum, h := 0.0, 1e-3
			for u := -25.0; u < 25; u += h {
				sum += h * math.Exp(special.LogNormalDensity(u)+(alpha-1)*p.loss(u))
			}
			if (alpha-1)*p.Leverage < 0.7 {
				assert.InEpsilon(t, math.Log(sum)/(alpha-1), p.Renyi(alpha), 1e-5, "%+v", p)
			}
		}
	}
}

// Property: with the residual fixed, leverages and residuals that are no larger cost no more,
// and what is near 0 or the end of the range gives no number that is not one.
func TestPairIsMonotone(t *testing.T) {
	for _, e := range []float64{0.01, 0.2, 1, 4} {
		for _, epsilon := range []float64{0, 0.01, 0.3, 2} {
			for _, sign := range []float64{1, -1} {
				before, order := math.Inf(-1), 0.0
				for x := 1e-9; x < 1; x *= 1.3 {
					p := Pair{sign * x, math.Sqrt(x) * e}
					got := p.LogDeltaUpper(epsilon)
					require.GreaterOrEqual(t, got, before-1e-11, "%+v at %g", p, epsilon)
					require.LessOrEqual(t, got, (Pair{p.Leverage, p.Shift * 1.01}).
						LogDeltaUpper(epsilon)+1e-11)
					require.LessOrEqual(t, got, 0.0)
					before = got
					renyi := p.Renyi(1.9)
					require.GreaterOrEqual(t, renyi, order*(1-1e-12))
					order = renyi
				}
			}
		}
	}
	for _, bad := range []Pair{
		{-1, 1}, {math.NaN(), 1}, {0.1, math.NaN()}, {0.1, math.Inf(1)}, {0.1, -1},
	} {
		assert.Zero(t, bad.LogDeltaUpper(1), "%+v", bad)
		assert.Equal(t, math.Inf(1), bad.Renyi(2), "%+v", bad)
	}
	assert.Zero(t, Pair{0.1, 1}.LogDeltaUpper(math.NaN()))
	assert.Zero(t, Bound{1, 1}.LogDeltaUpper(1))
	assert.Zero(t, Bound{2, 1}.LogDeltaUpper(1))
	for _, epsilon := range []float64{0, 1e-300, 1e-9, 1, 50, 1e3, 1e9} {
		for _, p := range []Pair{
			{1e-300, 1e-300}, {-1e-12, 1e-12}, {0.9, 30}, {-0.9, 30}, {1e-5, 200},
		} {
			got := p.LogDeltaUpper(epsilon)
			assert.False(t, math.IsNaN(got) || got > 0, "%+v at %g: %g", p, epsilon, got)
		}
	}
}

// What one record replaced costs is more than one added or removed, and less than twice.
func TestShiftReplaced(t *testing.T) {
	one, ok := Shift(1, 1e-6, 1e-5)
	require.True(t, ok)
	for _, x := range []float64{1e-5, 1e-3, 0.02} {
		two, ok := ShiftReplaced(1, 1e-6, x)
		require.True(t, ok)
		assert.Less(t, two, one*0.52)
		assert.Greater(t, two, one*0.35)
		// Through group privacy, by hand, at one ε₁.
		log := special.LogAddExp(Pair{-x, two}.LogDeltaUpper(0.5),
			0.5+Pair{x, two * (1 + x)}.LogDeltaUpper(0.5))
		assert.LessOrEqual(t, Bound{x, two}.logReplaced(1), log+1e-12)
	}
	_, ok = ShiftReplaced(0.1, 1e-6, 0.1)
	assert.False(t, ok)
}

// A bound is that of the worse pair, and of one record replaced that of the best way by way of a
// third data set, added up as group privacy adds them.
func TestBoundIsTheWorsePair(t *testing.T) {
	worse := map[bool]int{}
	for _, b := range []Bound{{1e-3, 0.1}, {0.1, 0.01}, {0.3, 0.5}, {0.02, 2}, {0.4, 1e-6}} {
		for _, epsilon := range []float64{0, 0.05, 0.3, 1, 4} {
			with := Pair{b.Leverage, b.Shift}.LogDeltaUpper(epsilon)
			without := Pair{-b.Leverage, b.Shift}.LogDeltaUpper(epsilon)
			worse[with > without]++
			assert.Equal(t, math.Max(with, without), b.LogDeltaUpper(epsilon), "%+v", b)

			least := 0.0
			for k := range 1601 {
				first := epsilon * float64(k) / 1600
				least = math.Min(least, math.Log(
					math.Exp(Pair{-b.Leverage, b.Shift}.LogDeltaUpper(first))+math.Exp(first+
						Pair{b.Leverage, b.Shift * (1 + b.Leverage)}.LogDeltaUpper(epsilon-first))))
			}
			assert.GreaterOrEqual(t, b.logReplaced(epsilon), least-1e-10, "%+v at %g", b, epsilon)
		}
	}
	assert.Greater(t, min(worse[true], worse[false]), 3, "either is the worse somewhere")
}

// Of data sets with one record more or less, drawn at random, the closed form is what the two
// d-dimensional normal laws have: golden values Q, ops_record, whose numbers are from the
// determinant and the inverse of the d × d matrices.
func TestRecordsOfReferenceQ(t *testing.T) {
	type record struct {
		Kind     string
		Params   struct{ Gamma float64 }
		Expected struct {
			Leverage, Residual float64
			LeverageWithout    float64             `json:"leverage_without"`
			ResidualWithout    float64             `json:"residual_without"`
			Added              map[string]*float64 `json:"log_delta_added"`
			Removed            map[string]*float64 `json:"log_delta_removed"`
			Added2             float64             `json:"rdp2_added"`
			Removed2           float64             `json:"rdp2_removed"`
		}
	}
	cases := golden.OfKind[record](t, "Q", "ops_record")
	for _, c := range cases {
		e := c.Expected
		shift := func(h, e float64) float64 { return math.Sqrt(c.Params.Gamma*h) * math.Abs(e) }
		added := Pair{-e.Leverage, shift(e.Leverage, e.Residual)}
		removed := Pair{e.LeverageWithout, shift(e.LeverageWithout, e.ResidualWithout)}
		for key, want := range e.Added {
			var epsilon float64
			require.NoError(t, parse(key, &epsilon))
			if want == nil {
				assert.Less(t, added.LogDeltaUpper(epsilon), -1e300, "δ is 0")
				continue
			}
			assert.InDelta(t, *want, added.LogDeltaUpper(epsilon), 1e-6)
		}
		for key, want := range e.Removed {
			var epsilon float64
			require.NoError(t, parse(key, &epsilon))
			if want == nil {
				assert.Less(t, removed.LogDeltaUpper(epsilon), -1e300, "δ is 0")
				continue
			}
			assert.InDelta(t, *want, removed.LogDeltaUpper(epsilon), 1e-6)
		}
		assert.InEpsilon(t, e.Added2, added.Renyi(2), 1e-8)
		assert.InEpsilon(t, e.Removed2, removed.Renyi(2), 1e-8)
	}
	assert.Len(t, cases, 5)
}

func BenchmarkPair(b *testing.B) {
	for b.Loop() {
		Pair{0.01, 0.3}.LogDeltaUpper(1)
	}
}

func BenchmarkShift(b *testing.B) {
	for b.Loop() {
		Shift(1, 1e-6, 0.001)
	}
}

func parse(text string, x *float64) error { return json.Unmarshal([]byte(text), x) }
