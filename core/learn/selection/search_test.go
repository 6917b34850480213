package selection

import (
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/glm"
	"cloister/core/learn/amp"
	"cloister/core/learn/audittest"
	"cloister/core/learn/learntest"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

// A search among prices that are known: p + q·ε^power, for each run's ε, and below need no noise.
// What is feasible is found however flat the price is, next to the largest that is; and a refusal
// is of a price that is too high at the least.
func TestASearchFindsWhatThereIs(t *testing.T) {
	const whole = 1.0
	found, refused, infeasible := 0, 0, 0
	for _, p := range []float64{0, 0.5, 0.9, 0.97, 0.99, 0.998, 0.9999, 1.001, 1.5} {
		for _, power := range []float64{0.03, 0.1, 0.5, 1, 2, 4} {
			for _, need := range []float64{0, 0.002, 0.05, 0.3} {
				cost := func(epsilon float64) float64 { return p + 2*math.Pow(epsilon, power) }
				calls := 0
				plan, err := search(
					privacy.Guarantee{Epsilon: whole},
					func(epsilon float64) (Plan, float64, error) {
						calls++
						assert.GreaterOrEqual(t, epsilon, whole/leastShare*(1-1e-12))
						switch {
						case epsilon >= need:
						case power < 1: // of a fit whose λ is named
							return Plan{}, 0, &calibrate.UnattainableError{}
						default:
							return Plan{}, 0, &calibrate.InfeasibleError{}
						}
						return Plan{Each: privacy.Guarantee{Epsilon: epsilon}}, cost(epsilon), nil
					},
				)
				what := fmt.Sprintf("%g + 2ε^%g from %g: %d calls", p, power, need, calls)
				least := math.Max(need, whole/leastShare)
				best := math.Min(whole, math.Pow(math.Max(0, whole-p)/2, 1/power))
				assert.LessOrEqual(t, calls, 26, what)
				var none *calibrate.InfeasibleError
				var never *calibrate.UnattainableError
				var parameter *privacy.ParameterError
				switch {
				case err == nil:
					found++
					assert.LessOrEqual(t, cost(plan.Each.Epsilon), whole, what)
					close := cost(plan.Each.Epsilon) >= whole*(1-2*nearly)
					assert.True(t, close || plan.Each.Epsilon > best*(1-nearly), what)
				case errors.As(err, &parameter):
					refused++
					assert.Greater(t, cost(whole/leastShare), whole, what)
					assert.LessOrEqual(t, need, whole/leastShare, what)
				case errors.As(err, &none), errors.As(err, &never):
					infeasible++
					assert.Less(t, best, least*(1+nearly), what)
				default:
					assert.NoError(t, err, what)
				}
			}
		}
	}
	assert.Greater(t, min(found, refused, infeasible), 20)
}

// λ = 0.1 among the candidates makes the price hardly fall with each run's ε. Such a choice is
// refused, or found, at few prices: each takes half a second. What is refused costs too much at the
// least ε, and at larger ones. (Two ε, on either side of where it can be; CLOISTER_AUDIT=long:
// four.)
func TestWhatIsRefusedCostsTooMuchWhateverIsLeft(t *testing.T) {
	if testing.Short() {
		t.Skip("natively: a price takes half a second, and three times that under js/wasm")
	}
	for _, c := range []struct {
		epsilon float64
		most    int // prices asked for
		found   bool
	}{{0.1, 3, false}, {1, 3, false}, {1.32, 11, true}, {1.4, 10, true}} {
		if (c.epsilon == 0.1 || c.epsilon == 1.4) && !audittest.Long() {
			continue
		}
		asked := Asked{clinicAsked(c.epsilon), []Candidate{{"amp", 0.1}, {"amp", 1}, {"amp", 10}}}
		assert.Equal(t, !c.found, asked.hopeless(), "ε = %g", c.epsilon)
		calls := 0
		plan, err := search(
			asked.Guarantee, func(epsilon float64) (Plan, float64, error) {
				calls++
				return asked.at(epsilon)
			},
		)
		t.Logf("ε = %g: %d prices, %g, %v", c.epsilon, calls, plan.Each.Epsilon, err)
		assert.LessOrEqual(t, calls, c.most, "ε = %g", c.epsilon)
		assert.Equal(t, c.found, err == nil, "ε = %g", c.epsilon)
		if err == nil {
			continue
		}
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter)
		assert.Equal(t, "epsilon", parameter.Field)
		for _, share := range []float64{leastShare, 30, 2} {
			_, price, err := asked.at(c.epsilon / share)
			require.NoError(t, err)
			assert.Greater(t, price, c.epsilon, "ε = %g, a %gth of it", c.epsilon, share)
		}
	}
}

// What is refused before any search is refused by the search too: choices drawn about where λ alone
// costs as much as the whole. (Few of them; CLOISTER_AUDIT=long: 300 fresh ones.)
func TestWhatIsRefusedAtOnceIsRefusedByTheSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("natively: a search takes seconds")
	}
	seed, draws := uint64(1), 8
	if audittest.Long() {
		seed, draws = uint64(time.Now().UnixNano()), 300
	}
	source := randomtest.New(seed)
	below := func(n int) int { return int(learntest.Uniform(source) * float64(n)) }
	between := func(low, high float64) float64 {
		return low * math.Pow(high/low, learntest.Uniform(source))
	}
	huber, err := glm.NewHuber(0.5)
	require.NoError(t, err)
	clinic := learntest.Clinic().Data
	refused := map[privacy.Adjacency]int{}
	for range draws {
		asked := clinicAsked(between(0.1, 3))
		asked.Guarantee.Delta = between(1e-9, 1e-2)
		asked.Guarantee.Adjacency = privacy.AddRemove
		if below(2) == 0 {
			asked.Guarantee.Adjacency = privacy.ReplaceOne
		}
		asked.Loss = []glm.Loss{glm.Logistic{}, huber, glm.Squared{}}[below(3)]
		if below(3) == 0 {
			asked.Schema, asked.Loss = learntest.Numeric(clinic, 0, 10).Schema, glm.Squared{}
		}
		bounds := objective.Applicable(asked.Loss.Class())
		asked.Tuning.Bound = bounds[below(len(bounds))]
		asked.Tuning.Lambda = 1
		request, err := amp.Requested(asked)
		require.NoError(t, err)
		loudest, _, err := request.Loudest()
		require.NoError(t, err)
		// log(1 + βR²/λ) is from 0.4 to 1.5 times ε.
		rise := asked.Guarantee.Epsilon * between(0.4, 1.5)
		lambda := objective.Curvature(loudest) / math.Expm1(rise)
		asked.Tuning.Lambda = 0
		choice := Asked{asked, []Candidate{{"amp", lambda}, {"amp", lambda * between(1, 30)}}}
		if below(3) == 0 {
			choice.Candidates = append(choice.Candidates, Candidate{Method: "steps"})
		}
		if !choice.hopeless() {
			continue
		}
		refused[asked.Guarantee.Adjacency]++
		plan, err := search(asked.Guarantee, choice.at)
		assert.Error(t, err, "seed %d: %+v, %+v: %+v", seed, asked, choice.Candidates, plan.Each)
	}
	t.Logf("seed %d: %v of %d are refused at once", seed, refused, draws)
	assert.Positive(t, refused[privacy.AddRemove])
	assert.Positive(t, refused[privacy.ReplaceOne])
}

// A candidate at fault is named though all together would be refused.
func TestAFaultIsNamedBeforeTheWholeIsRefused(t *testing.T) {
	for _, c := range []struct {
		candidate Candidate
		field     string
	}{
		{Candidate{"nonsense", 1}, "candidates[1].method"},
		{Candidate{"amp", -5}, "candidates[1].lambda"},
		{Candidate{"amp", math.Inf(1)}, "candidates[1].lambda"},
		{Candidate{"amp", math.NaN()}, "candidates[1].lambda"},
		{Candidate{"amp", 1e-300}, "candidates[1].lambda"},
		{Candidate{"steps", 0}, "candidates[1].records"},
	} {
		asked := clinicAsked(0.1)
		asked.Records = 0
		_, err := Choose(Asked{asked, []Candidate{{"amp", 0.1}, c.candidate}})
		var wrong *privacy.ParameterError
		require.ErrorAs(t, err, &wrong)
		assert.Equal(t, c.field, wrong.Field)
	}
}
