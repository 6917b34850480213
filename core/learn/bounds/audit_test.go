package bounds

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"cloister/core/account"
	"cloister/core/account/pld"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
)

// The audit: the second data set has a record more, whose value is in a bin of
// its own in each of two columns. The statistic is the sum of the two noisy
// counts, of which everything released is made: there the privacy loss is. The
// twins are broken: noise of half the scale; a record that counts in both of the
// bins next to its value too.
func TestAuditOfTheBounds(t *testing.T) {
	epsilons := []float64{1}
	if audittest.Long() {
		epsilons = []float64{0.25, 1, 2}
	}
	for _, epsilon := range epsilons {
		plan := Plan{Adjacency: privacy.AddRemove, Columns: 2, Epsilon: epsilon}
		event, err := plan.Event()
		require.NoError(t, err)
		price, err := account.Of(event, account.Distribution, pld.Options{})
		require.NoError(t, err)
		b := plan.scale()
		audit := audittest.Audit{
			Claim: func(at float64) (float64, error) {
				return math.Exp(price.LogDeltaUpper(at)), nil
			},
			Epsilons:   audittest.Grid(0.99*epsilon, 12),
			Thresholds: []float64{-b, -0.5, 0.5, 1.5, 2.5, 2 + b},
			Runs:       audittest.Runs(40_000),
		}
		without := histogram(t, "x,y\n17,120\n", "x", "y")
		with := histogram(t, "x,y\n17,120\n90,250\n", "x", "y")
		trial := func(counts [][]int64, scale float64, wide int) audittest.Trial {
			return func(source random.Source) (float64, error) {
				sum := 0.0
				for k, j := range []int{bin(90), bin(250)} {
					// Other counts have equal laws on both data sets, and no part in these.
					got, err := noisy(counts[k][j:j+wide], uint64(scale), source)
					if err != nil {
						return 0, err
					}
					for _, n := range got {
						sum += float64(n)
					}
				}
				return sum, nil
			}
		}
		audit.Holds(t, "honest", trial(without.Counts, b, 1), trial(with.Counts, b, 1))
		audit.Catches(
			t, "half the noise", trial(without.Counts, b/2, 1), trial(with.Counts, b/2, 1),
		)
		thrice := [][]int64{
			append([]int64(nil), with.Counts[0]...),
			append([]int64(nil), with.Counts[1]...),
		}
		thrice[0][bin(90)], thrice[1][bin(250)] = 3, 3
		audit.Catches(t, "counted three times", trial(without.Counts, b, 1), trial(thrice, b, 1))
	}
}

// The same of what is handed out: whether a bound reaches as far as a bin that
// the extra record fills to the threshold. A twin without noise is caught.
func TestAuditOfWhatIsHandedOut(t *testing.T) {
	plan := Plan{Adjacency: privacy.AddRemove, Columns: 1, Epsilon: 1}
	threshold := plan.Threshold()
	counts := func(n int64) []int64 {
		out := make([]int64, bins)
		out[bin(17)], out[bin(90)] = 100*threshold, n
		return out[bin(17) : bin(90)+1]
	}
	audit := audittest.Audit{
		Claim:      func(at float64) (float64, error) { return max(0, 1-math.Exp(at-1)), nil },
		Epsilons:   audittest.Grid(0.99, 8),
		Thresholds: []float64{0},
		Runs:       audittest.Runs(20_000),
	}
	trial := func(n int64, noise func(random.Source, []int64) ([]int64, error)) audittest.Trial {
		return func(source random.Source) (float64, error) {
			got, err := noise(source, counts(n))
			if err != nil {
				return 0, err
			}
			all := make([]int64, bins)
			copy(all[bin(17):], got)
			if find("x", all, threshold, 0).Max == 100 {
				return 1, nil
			}
			return -1, nil
		}
	}
	honest := func(source random.Source, c []int64) ([]int64, error) {
		return noisy(c, uint64(plan.scale()), source)
	}
	none := func(_ random.Source, c []int64) ([]int64, error) { return c, nil }
	audit.Holds(t, "honest", trial(threshold-1, honest), trial(threshold, honest))
	audit.Catches(t, "no noise", trial(threshold-1, none), trial(threshold, none))
}
