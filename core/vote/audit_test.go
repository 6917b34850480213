package vote

import (
	"testing"

	"cloister/core/learn/audittest"
	"cloister/core/random"
)

// answers is the share of rows that class 0 is named for, at these votes.
func answers(r *Rule, votes [][]int) audittest.Trial {
	return func(source random.Source) (float64, error) {
		labels, err := r.Labels(source, votes)
		sum := 0.0
		for _, label := range labels {
			sum += float64(label)
		}
		return sum, err
	}
}

// The mechanism itself on worst-case neighbours, against (ε, δ); and with half the noise.
func TestAudit(t *testing.T) {
	const epsilon, delta = 0.8, 0.01
	for _, c := range []struct {
		changes       Changes
		first, second []int
	}{
		{OneVoter, []int{3, 3}, []int{4, 3}},
		{OneVoter, []int{2, 4}, []int{3, 4}},
		{OneVote, []int{4, 3}, []int{3, 4}},
		{OneVote, []int{5, 3}, []int{4, 4}},
	} {
		audit := audittest.Audit{
			Claim:    func(float64) (float64, error) { return delta, nil },
			Epsilons: []float64{epsilon}, Thresholds: []float64{0.5},
			Runs: audittest.Runs(20_000),
		}
		first, second := [][]int{c.first}, [][]int{c.second}
		r := rule(t, c.changes, epsilon, delta)
		audit.Holds(t, "honest", answers(r, first), answers(r, second))

		halved := rule(t, c.changes, 2*epsilon, delta)
		audit.Catches(t, "noise halved", answers(halved, first), answers(halved, second))

		if c.changes == OneVote {
			other := rule(t, OneVoter, epsilon, delta)
			audit.Catches(
				t, "a voter's price for a vote", answers(other, first), answers(other, second),
			)
		}
	}
}
