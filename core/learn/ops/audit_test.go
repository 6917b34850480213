package ops

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/curve"
	"cloister/core/account/pld"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// column is n records (1, y) and, where there is one, another.
func column(n int, y float64, more ...float64) learn.Problem {
	var x [][]float64
	var labels []float64
	for range n {
		x, labels = append(x, []float64{1}), append(labels, y)
	}
	for _, y := range more {
		x, labels = append(x, []float64{1}), append(labels, y)
	}
	return problemOf(learntest.Problem(learntest.Schema(1, 0), x, labels))
}

// ratio is the log-likelihood ratio of what a run gave out, but for the lattices: what tells
// the two data sets apart best.
func ratio(t *testing.T, p Plan, told Told, theta float64, from, to oneColumn) float64 {
	t.Helper()
	first, err := p.EigenvalueMargin()
	require.NoError(t, err)
	c, second, err := p.After(told.Eigenvalue)
	require.NoError(t, err)
	square := func(x float64) float64 { return x * x / 2 }
	log := func(d oneColumn) float64 {
		h := d.s + told.Lambda
		mean := d.b / h
		variance := 1/(told.Gamma*h) + told.SigmaOut*told.SigmaOut
		return -square((told.Eigenvalue-d.s)/first.Sigma()) -
			square((told.LogRadius-math.Log1p(math.Abs(d.b/(d.s+c.Lambda))))/second.Sigma()) -
			square(theta-mean)/variance - math.Log(variance)/2
	}
	return log(to) - log(from)
}

// The real program, samplers and lattices included, on two neighbours: what can be seen is
// within the price; and a sample of four times the precision, a test with half the noise, and
// one without margins are seen.
func TestAudit(t *testing.T) {
	if testing.Short() {
		t.Skip("audited natively")
	}
	g := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 2, Delta: 0.01}
	plan, err := NewPlan(g, 1, 1)
	require.NoError(t, err)
	event, err := plan.Event()
	require.NoError(t, err)
	price, err := account.Of(event, account.Auto, pld.Options{})
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim: func(epsilon float64) (float64, error) {
			return curve.DeltaUpper(price, epsilon)
		},
		Epsilons: audittest.Grid(2, 16), Runs: audittest.Runs(4000),
		Thresholds: []float64{-2, -1, 0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 6},
	}
	const n, y = 100, 0.9
	from := oneColumn{n, n * y}
	to := oneColumn{n + 1, n*y - 1}
	trial := func(p learn.Problem, plan Plan) audittest.Trial {
		return func(source random.Source) (float64, error) {
			model, told, _, err := Fit(t.Context(), p, plan, source, nil)
			if err != nil {
				return 0, err
			}
			return ratio(t, plan, told, model.Coefficients[0], from, to), nil
		}
	}
	without, with := column(n, y), column(n, y, -1)
	audit.Holds(t, "honest", trial(without, plan), trial(with, plan))
	for name, spoil := range map[string]func(p *Plan){
		"a sample sixteen times as precise":  func(p *Plan) { p.Renyi *= 16 },
		"a radius with a tenth of the noise": func(p *Plan) { p.RadiusRatio *= 10 },
		"an eigenvalue with a tenth":         func(p *Plan) { p.EigenvalueRatio *= 10 },
	} {
		spoilt := plan
		spoil(&spoilt)
		audit.Catches(t, name, trial(without, spoilt), trial(with, spoilt))
	}
}

func BenchmarkFit(b *testing.B) { // 20,000 records, 20 columns
	var x [][]float64
	var y []float64
	draw := randomUnit(3)
	for range 20_000 {
		row := make([]float64, 20)
		for j := range row {
			row[j] = (draw() - 0.5) / 3
		}
		x, y = append(x, row), append(y, 2*draw()-1)
	}
	p := problemOf(learntest.Problem(learntest.Schema(20, 0), x, y))
	p.Data = learntest.Dense(p.Data)
	p = problemOf(p)
	plan := planFor(b, p, 1)
	for b.Loop() {
		_, _, _, err := Fit(b.Context(), p, plan, random.Secure(), nil)
		require.NoError(b, err)
	}
}

func randomUnit(seed uint64) func() float64 {
	source := randomtest.New(seed)
	return func() float64 { return learntest.Uniform(source) }
}
