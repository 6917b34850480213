package pate

import (
	"fmt"
	"math"
	"os"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/distance"
	"cloister/core/nativetest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// labelLaw is the law of one query's label with ideal noise, by its definition.
func labelLaw(votes []int, sigma float64) []float64 {
	normal := func(x float64) float64 { return math.Erfc(-x/math.Sqrt2) / 2 }
	p := make([]float64, len(votes))
	const step = 1.0 / 32
	for j := range votes {
		for t := -9.0; t <= 9; t += step {
			value := math.Exp(-t*t/2) / math.Sqrt(2*math.Pi) * step
			for k, n := range votes {
				if k != j {
					value *= normal(t + float64(votes[j]-n)/sigma)
				}
			}
			p[j] += value
		}
	}
	return p
}

// outputs are the laws of all that a plan gives out for some votes: by noisy distance, of each
// list of labels.
type outputs struct {
	at     map[int64]float64
	passed []float64
	failed []float64
}

func outputsOf(
	p Plan, m *meter, votes [][]int, law func(row []int, sigma float64) []float64,
) outputs {
	lists := func(sigma float64) []float64 {
		all := []float64{1}
		for _, row := range votes {
			var next []float64
			for _, one := range law(row, sigma) {
				for _, before := range all {
					next = append(next, before*one)
				}
			}
			all = next
		}
		return all
	}
	out := outputs{passed: lists(p.Sigma), failed: lists(p.Fallback), at: map[int64]float64{}}
	d, total := int64(m.distance(votes)), 0.0
	far := int64(12*p.TestSigma) + 2
	mass := func(j int64) float64 {
		x := float64(j) / p.TestSigma
		return math.Exp(-x * x / 2)
	}
	for j := -far; j <= far; j++ {
		total += mass(j)
	}
	for j := -far; j <= far; j++ {
		out.at[d+j] = mass(j) / total
	}
	return out
}

// delta is δ(ε) of one law against another.
func (o outputs) delta(other outputs, needs int64, epsilon float64) float64 {
	sum, factor := 0.0, math.Exp(epsilon)
	for z, here := range o.at {
		there := other.at[z]
		p, q := o.failed, other.failed
		if z >= needs {
			p, q = o.passed, other.passed
		}
		for k := range p {
			sum += math.Max(0, here*p[k]-factor*there*q[k])
		}
	}
	return sum
}

// Everything that a plan gives out, computed from its definition for all votes of a few teachers
// and all of one teacher's changes, costs no more than the plan's event is priced at. With half of
// the noise of the test or of the fallback, or a quarter of that of labels after a test, it costs
// more. (CLOISTER_AUDIT=long: 400 fresh plans.)
func TestAuditOfAllThatAPlanGivesOut(t *testing.T) {
	nativetest.Only(t)
	seed, plans := uint64(5), 60
	if os.Getenv("CLOISTER_AUDIT") == "long" {
		seed, plans = uint64(time.Now().UnixNano()), 400
	}
	tested, compared, closest := audited(t, seed, plans, func(p Plan) Plan { return p })
	t.Logf("seed %d: %d plans, %d comparisons, closest %.4f", seed, tested, compared, closest)
	require.LessOrEqual(t, closest, 1.0, "seed %d", seed)
	require.Greater(t, closest, 0.6)
	for name, spoilt := range map[string]func(Plan) Plan{
		"of the test":        func(p Plan) Plan { p.TestSigma /= 2; return p },
		"of labels after it": func(p Plan) Plan { p.Sigma /= 4; return p },
		"of other labels":    func(p Plan) Plan { p.Fallback /= 2; return p },
	} {
		_, _, closest := audited(t, 5, 60, spoilt)
		assert.Greater(t, closest, 1.0, "less noise %s", name)
	}
}

// audited compares what is given out with what the plan is priced at. given is what is run in
// place of a plan. closest is how large a part of its price the truth is; above 1 it is that of the
// first claim that is too small.
func audited(
	t *testing.T, seed uint64, plans int, given func(Plan) Plan,
) (tested, compared int, closest float64) {
	source := randomtest.New(seed)
	uniform := func(from, to float64) float64 {
		word, _ := source.Uint64()
		return from * math.Exp(math.Log(to/from)*float64(word>>11)/0x1p53)
	}
	for range plans {
		classes := 2 + int(uniform(1, 2.5)) - 1
		queries := int(uniform(1, 3.2))
		teachers := int(uniform(3, 16))
		if classes > 2 {
			queries, teachers = 1, min(teachers, 9)
		}
		if queries == 3 {
			teachers = min(teachers, 7)
		}
		shape := Shape{Queries: queries, Classes: classes, Teachers: teachers}
		p, err := NewPlan(
			privacy.ReplaceOne, shape, uniform(1, 5), uniform(1.05, 60), uniform(1e-3, 3),
			uniform(0.1, 3), uniform(1e-6, 0.3),
		)
		if err != nil {
			continue
		}
		test, err := distance.New(p.TestSigma, p.Failure)
		require.NoError(t, err)
		var rows [][]int
		if classes == 2 {
			for n := range teachers + 1 {
				rows = append(rows, []int{n, teachers - n})
			}
		} else {
			for n := range teachers + 1 {
				for m := range teachers + 1 - n {
					rows = append(rows, []int{n, m, teachers - n - m})
				}
			}
		}
		all := [][][]int{nil}
		for range queries {
			var next [][][]int
			for _, votes := range all {
				for _, row := range rows {
					next = append(next, append(votes[:len(votes):len(votes)], row))
				}
			}
			all = next
		}
		known := map[string][]float64{}
		law := func(row []int, sigma float64) []float64 {
			key := fmt.Sprint(row, sigma)
			if known[key] == nil {
				known[key] = labelLaw(row, sigma)
			}
			return known[key]
		}
		laws, meter := make([]outputs, len(all)), newMeter(p)
		for k, votes := range all {
			laws[k] = outputsOf(given(p), meter, votes, law)
		}
		price, err := account.Of(p.Event(), account.Auto, pld.Options{})
		require.NoError(t, err)
		epsilons := []float64{0.1, 0.5, 1, 2, 4}
		worst := make([]float64, len(epsilons))
		for i := range all {
			for j := range all {
				if !oneTeacher(all[i], all[j]) {
					continue
				}
				for e, epsilon := range epsilons {
					worst[e] = math.Max(worst[e], laws[i].delta(laws[j], test.Needs(), epsilon))
				}
			}
		}
		tested++
		for e, epsilon := range epsilons {
			most := math.Exp(price.LogDeltaUpper(epsilon))
			part := worst[e] / (most*(1+1e-9) + 1e-12)
			if part > 1 {
				t.Logf("%v > %v of %+v at ε = %v", worst[e], most, p, epsilon)
				return tested, compared, part
			}
			if most < 0.9 {
				closest = math.Max(closest, part)
			}
			compared++
		}
	}
	return tested, compared, closest
}

// oneTeacher reports whether the votes differ by at most one teacher's.
func oneTeacher(a, b [][]int) bool {
	for i, row := range a {
		moved := 0
		for j, n := range row {
			moved += max(n-b[i][j], b[i][j]-n)
		}
		if moved > 2 {
			return false
		}
	}
	return true
}
