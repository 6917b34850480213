package evaluate

import (
	"math"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// record is a held-out one: its feature and its label's code.
type record struct{ x, y float64 }

// neighbours are two files, others beside, chosen so that as many numbers differ,
// and by as much, as the event pays for, or nearly so.
type neighbours struct {
	name          string
	of            int // of fixtures
	theta         []float64
	adjacency     privacy.Adjacency
	first, second []record
	total         float64 // by how much all numbers differ, in records
}

// The cases of the audit. A record that is surely of one class loses next to
// nothing if it is of that class, and 1 nat, where losses are cut off, if not.
var everyCase = []neighbours{
	{"two classes", 0, nil, privacy.AddRemove, nil, []record{{1, -1}}, 2},
	{"two classes", 0, nil, privacy.ReplaceOne, []record{{1, 1}}, []record{{1, -1}}, 2.98},
	{"three classes", 3, nil, privacy.AddRemove, nil, []record{{1, 0}}, 2},
	{
		"three classes",
		3,
		[]float64{-20, 5, 0, -40, 20, -5},
		privacy.ReplaceOne,
		[]record{{1, 2}},
		[]record{{1, 0}},
		3,
	},
	// Predicted to be as far off as can be.
	{"a number", 5, []float64{4, -2}, privacy.AddRemove, nil, []record{{0, 1}}, 4},
	// At most 2 + t₁ + t₂ + |t₁² − t₂²| + |e₁² − e₂²| = 5.25 of the 6 that are paid for, at
	// t₁ = 1 and t₂ = 1/2, each in a bin of its own.
	{
		"a number",
		5,
		[]float64{4, -2},
		privacy.ReplaceOne,
		[]record{{0.25, 0}},
		[]record{{0, 1}},
		5.25,
	},
}

// tallied counts a file: the package's way, or a broken one.
type tallied func(t *testing.T, m learn.Model, d *data.Dataset, plan Plan) []int64

// threefold is a tally that counts each record three times.
func threefold(t *testing.T, m learn.Model, d *data.Dataset, plan Plan) []int64 {
	var rows []int
	for i := range d.X.Rows() {
		rows = append(rows, i, i, i)
	}
	return numbersOf(t, m, d.Select(rows), plan)
}

// numbers are those of a file of these records and some others, without noise.
func (n neighbours) numbers(
	t *testing.T, f fixture, plan Plan, records []record, count tallied,
) []int64 {
	d := f.records(20, randomtest.New(9))
	for _, r := range records {
		d.X.Index = append(d.X.Index, 0, 1)
		d.X.Value = append(d.X.Value, r.x, 0.5)
		d.X.RowStart = append(d.X.RowStart, len(d.X.Index))
		d.Y = append(d.Y, r.y)
	}
	return count(t, f.model, d, plan)
}

// The statistic is the logarithm of the likelihood ratio of Laplace noise, over
// the numbers that differ: the one that tells two files apart best. Only those are
// drawn; the noise of the others has no part in it. The twins are broken: half the
// noise; noise for add/remove where a record is replaced; a tally that counts each
// record three times.
func TestAuditOfTheEvaluation(t *testing.T) {
	epsilons := []float64{1}
	if audittest.Long() {
		epsilons = []float64{0.25, 1, 4}
	}
	for k, pair := range everyCase {
		if runtime.GOARCH == "wasm" && k > 0 && !audittest.Long() {
			continue // the code is the same, and slower
		}
		for _, epsilon := range epsilons {
			t.Run(
				pair.name+" "+pair.adjacency.String()+" epsilon="+privacy.Number(epsilon),
				func(t *testing.T) {
					f := fixtures(t)[pair.of]
					if pair.theta != nil {
						f.model.Coefficients = pair.theta
					}
					plan := Plan{Adjacency: pair.adjacency, Epsilon: epsilon}.withDefaults(f.model)
					if plan.LossBound != 0 {
						plan.LossBound = 1
					}
					event, err := plan.Event(f.model)
					require.NoError(t, err)
					first, second := pair.numbers(
						t, f, plan, pair.first, numbersOf,
					), pair.numbers(
						t, f, plan, pair.second, numbersOf,
					)
					var changed []int
					total := int64(0)
					for j := range first {
						if first[j] != second[j] {
							changed = append(changed, j)
							total += max(second[j]-first[j], first[j]-second[j])
						}
					}
					require.LessOrEqual(
						t, len(changed), f.model.AssessmentLayout().Changes(pair.adjacency),
					)
					require.InDelta(t, pair.total, float64(total)*learn.AssessmentUnit, 0.02)

					// A trial releases those of the numbers that differ; the statistic is
					// counted from origin, the numbers of the first file.
					trial := func(numbers, origin []int64, scale uint64) audittest.Trial {
						c := &counts{cells: [][]int64{make([]int64, len(changed))}}
						for k, j := range changed {
							c.cells[0][k] = numbers[j]
						}
						return func(source random.Source) (float64, error) {
							a, err := c.released(plan, event, scale, source)
							if err != nil {
								return 0, err
							}
							sum := 0.0
							for k, x := range a.Cells[0] {
								j := changed[k]
								size := float64(second[j]-first[j]) * learn.AssessmentUnit
								share := (x - float64(origin[j])*learn.AssessmentUnit) / size
								sum += math.Min(math.Max(share, 0), 1) * math.Abs(size)
							}
							return sum, nil
						}
					}
					scale := uint64(plan.scale(f.model.AssessmentLayout()))
					audit := auditOf(t, event, epsilon, float64(total)*learn.AssessmentUnit)
					audit.Holds(
						t, "honest", trial(first, first, scale), trial(second, first, scale),
					)
					audit.Catches(
						t, "half the noise", trial(first, first, scale/2),
						trial(second, first, scale/2),
					)
					if pair.adjacency == privacy.ReplaceOne {
						plan.Adjacency = privacy.AddRemove
						less := uint64(plan.scale(f.model.AssessmentLayout()))
						audit.Catches(
							t, "noise of add/remove", trial(first, first, less),
							trial(second, first, less),
						)
					} else {
						often, oftener := pair.numbers(
							t, f, plan, pair.first, threefold,
						), pair.numbers(t, f, plan, pair.second, threefold)
						audit.Catches(
							t, "counted three times", trial(often, often, scale),
							trial(oftener, often, scale),
						)
					}
				},
			)
		}
	}
}

// auditOf holds runs against the price of the event; the statistic is from 0 to
// most.
func auditOf(t *testing.T, event privacy.Event, epsilon, most float64) audittest.Audit {
	price, err := account.Of(event, account.Distribution, pld.Options{})
	require.NoError(t, err)
	audit := audittest.Audit{
		Claim: func(at float64) (float64, error) {
			return math.Exp(price.LogDeltaUpper(at)), nil
		},
		Epsilons: audittest.Grid(0.99*epsilon, 12),
		Runs:     audittest.Runs(40_000),
	}
	for _, share := range []float64{0.001, 0.25, 0.5, 0.75, 0.999} {
		audit.Thresholds = append(audit.Thresholds, share*most)
	}
	return audit
}
