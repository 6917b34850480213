package categories

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// The audit: one data set has a record more than the other, in each of two columns
// in a category of its own. The statistic is how many of the two were kept: the
// other categories have equal laws on both. δ is large here, so that something
// happens that can be counted. The twins are broken: one keeps whatever there is,
// one has half the threshold.
func TestAuditOfTheCategories(t *testing.T) {
	cases := []struct {
		epsilon, delta float64
		before         int
	}{{2, 0.1, 1}}
	if audittest.Long() {
		cases = append(cases, struct {
			epsilon, delta float64
			before         int
		}{2, 0.02, 2}, struct {
			epsilon, delta float64
			before         int
		}{0.5, 0.05, 4}, struct {
			epsilon, delta float64
			before         int
		}{6, 0.001, 3})
	}
	for _, c := range cases {
		for _, before := range []int{0, c.before} {
			plan := Plan{privacy.AddRemove, 2, c.epsilon, c.delta}
			event, err := plan.Event()
			require.NoError(t, err)
			price, err := account.Of(event, account.Distribution, pld.Options{})
			require.NoError(t, err)
			rule, err := plan.rule()
			require.NoError(t, err)
			audit := audittest.Audit{
				Claim: func(at float64) (float64, error) {
					return math.Exp(price.LogDeltaUpper(at)), nil
				},
				Epsilons:   audittest.Grid(c.epsilon, 12),
				Thresholds: []float64{0.5, 1.5},
				Runs:       audittest.Runs(40_000),
			}
			with := func(n int) *data.TextCounts {
				return counts(
					t, "x,y\n"+strings.Repeat("a,b\n", 30)+strings.Repeat("rare,seldom\n", n), "x",
					"y",
				)
			}
			trial := func(counts *data.TextCounts, rule []uint64) audittest.Trial {
				return func(source random.Source) (float64, error) {
					kept := 0.0
					for k, name := range []string{"rare", "seldom"} {
						got, err := sift(counts.Counts[k], rule, source)
						if err != nil {
							return 0, err
						}
						for _, one := range got {
							if one == name {
								kept++
							}
						}
					}
					return kept, nil
				}
			}
			without, more := with(before), with(before+1)
			audit.Holds(t, "honest", trial(without, rule), trial(more, rule))
			everything := []uint64{0, certain}
			if before == 0 {
				audit.Catches(
					t, "keeps everything", trial(without, everything), trial(more, everything),
				)
			}
			half := []uint64{0}
			for n := 2; n < len(rule)+1; n += 2 {
				half = append(half, rule[min(n, len(rule)-1)])
			}
			audit.Catches(t, "half the threshold", trial(without, half), trial(more, half))
		}
	}
}
