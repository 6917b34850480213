package search

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// lawOf is report noisy min by its formula, ties to the first, for these losses:
// a softmax for Gumbel noise; for geometric noise in units of 1/T the sum over
// what the winner's noise is, the others staying behind it.
func lawOf(losses []int64, law Law, epsilon, span, t float64) []float64 {
	p := make([]float64, len(losses))
	if law == Gumbel {
		sum := 0.0
		for i, f := range losses {
			p[i] = math.Exp(-epsilon / span * float64(f))
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
		return p
	}
	rate := epsilon / (span * t)
	least := losses[0]
	for _, f := range losses {
		least = min(least, f)
	}
	for i, f := range losses {
		for k := math.Max(0, t*float64(f-least)) - 1; k*rate < 40+t*float64(f-least)*rate; k++ {
			if k < 0 {
				continue
			}
			mass := math.Exp(-k*rate) * -math.Expm1(-rate)
			for j, u := range losses {
				if j == i {
					continue
				}
				// the other's noise must be at most this, or below it if it is first
				room := k - t*float64(f-u)
				if j < i {
					room--
				}
				if room < 0 {
					mass = 0
					break
				}
				mass *= -math.Expm1(-(room + 1) * rate)
			}
			p[i] += mass
		}
	}
	return p
}

func TestReferenceNoisyMinLaws(t *testing.T) {
	seen := 0
	for _, c := range golden.OfKind[caseO](t, "O", "noisy-min") {
		var params struct {
			Noise             string
			Losses, Neighbour []int64
			Adjacency         string
			Epsilon           float64
		}
		var want struct {
			PMF       []float64
			Neighbour []float64 `json:"pmf_neighbour"`
			Ratio     float64   `json:"max_abs_log_ratio"`
		}
		require.NoError(t, json.Unmarshal(c.Params, &params))
		require.NoError(t, json.Unmarshal(c.Expected, &want))
		law, denominator := Geometric, 1.0
		switch {
		case params.Noise == "gumbel":
			law = Gumbel
		case params.Noise == "exponential":
			continue // continuous permute-and-flip is not offered
		case strings.HasSuffix(params.Noise, "8"):
			denominator = 8
		}
		span := 1.0
		if params.Adjacency == "replace-one" {
			span = 2
		}
		seen++
		pmf := lawOf(params.Losses, law, params.Epsilon, span, denominator)
		neighbour := lawOf(params.Neighbour, law, params.Epsilon, span, denominator)
		ratio := 0.0
		for i := range pmf {
			assert.InEpsilon(t, want.PMF[i], pmf[i], 1e-9, c.ID)
			assert.InEpsilon(t, want.Neighbour[i], neighbour[i], 1e-9, c.ID)
			ratio = math.Max(ratio, math.Abs(math.Log(pmf[i]/neighbour[i])))
		}
		assert.InDelta(t, want.Ratio, ratio, 1e-9, c.ID)
		assert.LessOrEqual(t, ratio, params.Epsilon+1e-9, "%s is ε-DP", c.ID)
	}
	assert.GreaterOrEqual(t, seen, 20)
}

type caseO struct {
	ID, Kind         string
	Params, Expected json.RawMessage
}

// Scorecards of unequal losses, ties among them: 9, and 27.
var (
	fewProblem = Problem{
		Shape:     Shape{Levels: []int{1, 1}, Bound: 1},
		Positives: []int64{1},
		Negatives: []int64{2},
	}
	lawProblem = Problem{
		Shape:     Shape{Levels: []int{1, 2}, Bound: 1},
		Positives: []int64{1, 4},
		Negatives: []int64{3, 2},
	}
)

// The lazy search has the law of report noisy min, in either order of the
// attributes, and also when every bound is 0: 10^6 draws with CLOISTER_AUDIT=long.
// On a coarse lattice, T = 1, ties are common.
func TestAuditLazySearchHasTheLawOfNoisyMin(t *testing.T) {
	seed := uint64(100)
	for _, c := range []struct {
		problem     Problem
		law         Law
		epsilon     float64
		denominator int64
		draws       int
	}{
		{fewProblem, Geometric, 0.5, 1, 20_000},
		{lawProblem, Geometric, 1.5, 1, 5_000},
		{lawProblem, Geometric, 1.5, 64, 5_000},
		{lawProblem, Gumbel, 1.5, 64, 5_000},
	} {
		all := scorecards(c.problem.Shape)
		index := map[string]int{}
		for i, w := range all {
			index[key(w)] = i
		}
		for _, span := range []int64{1, 2} {
			pmf := lawOf(losses(c.problem), c.law, c.epsilon, float64(span), float64(c.denominator))
			for _, order := range [][]int{{0, 1}, {1, 0}} {
				for _, blind := range []bool{false, true} {
					seed++
					n := Noise{
						Law:         c.law,
						Epsilon:     c.epsilon,
						Span:        span,
						Denominator: c.denominator,
						Source:      randomtest.New(seed),
					}
					t.Run(
						fmt.Sprintf(
							"%s T=%d Δ=%d %v blind=%v", c.law, c.denominator, span, order, blind,
						),
						func(t *testing.T) {
							draws := testLong(t, c.draws, 1_000_000)
							expected := make([]float64, len(all))
							for i := range expected {
								expected[i] = float64(draws) * pmf[i]
							}
							p := c.problem
							p.Order = order
							observed := make([]int, len(all))
							for range draws {
								d, err := newDescent(context.Background(), p, n, Options{})
								require.NoError(t, err)
								d.blind = blind
								require.NoError(t, d.run())
								observed[index[key(d.best)]]++
							}
							assert.Greater(t, chiSquare(observed, expected), falseAlarm)
						},
					)
				}
			}
		}
	}
}

// At the least ε and the finest unit of bounds, Gumbel noise is a million times the
// losses: every one of 81 points is drawn alike often. Noise past its bounds would
// leave some of them out.
func TestAuditGumbelSearchIsUniformAtTheLeastEpsilon(t *testing.T) {
	p := Problem{
		Shape:     Shape{Levels: []int{2, 2}, Bound: 1},
		Positives: []int64{3, 1, 0, 2}, Negatives: []int64{0, 2, 4, 1},
	}
	all := scorecards(p.Shape)
	require.Len(t, all, 81)
	index := map[string]int{}
	for i, w := range all {
		index[key(w)] = i
	}
	n := Noise{
		Law: Gumbel, Epsilon: 0x1p-40 * MostDenominator, Span: 1, Denominator: MostDenominator,
		Source: randomtest.New(81),
	}
	draws := testLong(t, 8_000, 1_000_000)
	observed, expected := make([]int, len(all)), make([]float64, len(all))
	for i, mass := range lawOf(losses(p), Gumbel, n.Epsilon, 1, 1) {
		expected[i] = float64(draws) * mass
	}
	for range draws {
		w, _, err := Minimise(context.Background(), p, n, Options{})
		require.NoError(t, err)
		observed[index[key(w)]]++
	}
	assert.Greater(t, chiSquare(observed, expected), falseAlarm)
}

func key(w Points) string {
	b := make([]byte, len(w))
	for i, v := range w {
		b[i] = byte(v + 'a')
	}
	return string(b)
}

// The proximal centre on three points has the law of the reference, and its
// neighbours' laws are as far apart as ε allows.
func TestReferenceProximalCentreOutputs(t *testing.T) {
	draws := testLong(t, 20_000, 1_000_000)
	seen := 0
	for i, c := range golden.OfKind[caseO](t, "O", "proximal-centre-outputs") {
		var params struct {
			Losses, Neighbour []int64
			Adjacency         string
			Epsilon           float64
			Version           string
			Denominator       int64
		}
		var want struct {
			PMF       []float64
			Neighbour []float64 `json:"pmf_neighbour"`
		}
		require.NoError(t, json.Unmarshal(c.Params, &params))
		require.NoError(t, json.Unmarshal(c.Expected, &want))
		shift := params.Denominator
		if params.Adjacency == "replace-one" {
			shift *= 2
		}
		if params.Version != "integer" || float64(shift) < params.Epsilon {
			continue
		}
		seen++
		noise, err := random.NewLatticeCentre(params.Epsilon, uint64(shift), 1, 1)
		require.NoError(t, err, c.ID)
		for side, found := range [][]int64{params.Losses, params.Neighbour} {
			expected := [][]float64{want.PMF, want.Neighbour}[side]
			src := randomtest.New(uint64(300 + 2*i + side))
			observed, scaled := make([]int, 3), make([]float64, 3)
			for range draws {
				var centre [1]int64
				weight, err := noise.Draw(src, centre[:])
				require.NoError(t, err)
				costs := Centre(params.Denominator, 1, weight, centre[:])
				for v, f := range found { // the losses of three points, as costs
					costs.Costs[0][v] += params.Denominator * f
				}
				w, _, err := Minimise(context.Background(), Problem{
					Shape: Shape{
						Levels: []int{1},
						Bound:  1,
					}, Positives: []int64{0}, Negatives: []int64{0},
				}, costs, Options{})
				require.NoError(t, err)
				observed[w[0]+1]++
			}
			for v := range scaled {
				scaled[v] = expected[v] * float64(draws)
			}
			assert.Greater(t, chiSquare(observed, scaled), falseAlarm, "%s side %d", c.ID, side)
		}
	}
	assert.GreaterOrEqual(t, seen, 6)
}

// The same words give the same scorecard natively and under WebAssembly, whose
// Exp and Log differ in the last place: no float decides anything.
func TestNoisySearchDoesNotDependOnThePlatform(t *testing.T) {
	digest := uint64(14695981039346656037)
	dice := newDice(11)
	for i := range 300 {
		p := dice.problem(1 << 40)
		for _, law := range []Law{Geometric, Gumbel} {
			w, certificate, err := Minimise(context.Background(), p, Noise{
				Law: law, Epsilon: 0.1, Span: 1, Denominator: 64, Source: randomtest.New(uint64(i)),
			}, Options{})
			require.NoError(t, err)
			for _, v := range w {
				digest = (digest ^ uint64(v+16)) * 1099511628211
			}
			digest = (digest ^ uint64(certificate.Loss)) * 1099511628211
		}
	}
	assert.Equal(t, uint64(0xbd017f363ffa9599), digest)
}
