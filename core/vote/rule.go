package vote

import (
	"math"
	"math/bits"
	"strconv"

	"cloister/core/privacy"
	"cloister/core/random"
)

// Changes says what one record changes about the votes on a row.
type Changes string

const (
	// OneVoter: there is one voter more or less. The voter is the record, and the gap moves
	// by 1. Neighbours are those of add/remove.
	OneVoter Changes = "voter"

	// OneVote: one voter votes for the other class, and the gap moves by 2. The voters and
	// their number are public; a record is part of what one voter's answers were made of.
	// That holds whether the record is added, removed or replaced.
	OneVote Changes = "vote"
)

// MostVoters bounds the votes on a row.
const MostVoters = 1 << 20

// Rule is the best vote for one ε and δ. It may be used by several goroutines if the
// source may.
type Rule struct {
	changes   Changes
	adjacency privacy.Adjacency
	epsilon   float64
	delta     float64

	factor uint64 // e^−ε in 2^-64, rounded up; 0 stands for 1
	off    uint64 // δ in 2^-64, rounded down
	odd    uint64 // w(1) in 2^-64, where the gap moves by 2
}

// NewRule prepares votes each of which is (epsilon, delta)-private. epsilon is 0 or from
// 1e-50 to 1e50, delta 0 or from 1e-300 to below 1. An error is a *privacy.ParameterError.
func NewRule(
	changes Changes, adjacency privacy.Adjacency, epsilon, delta float64,
) (*Rule, error) {
	r := &Rule{changes: changes, adjacency: adjacency, epsilon: epsilon, delta: delta}
	if changes != OneVoter && changes != OneVote {
		return nil, &privacy.ParameterError{
			Field: "changes", Value: privacy.Quote(string(changes)),
			Want: `"voter", where a record is a voter, or "vote", where it is part of what one ` +
				`voter's answers were made of`,
		}
	}
	if err := r.Event(1).Validate(); err != nil {
		return nil, inEvent(err)
	}
	if changes == OneVoter && adjacency != privacy.AddRemove {
		return nil, &privacy.ParameterError{
			Field: "adjacency", Value: privacy.Quote(adjacency.String()),
			Want: `"add-remove" where a record is a voter`,
		}
	}
	r.factor = fraction(math.Exp(-epsilon) * (1 + 0x1p-50))
	r.off = uint64(math.Floor(math.Ldexp(delta, 64)))
	// Half is always enough: (1 − δ)/(1 + e^ε) ≤ ½.
	r.odd = min(1<<63, fraction((1-delta)/(1+math.Exp(epsilon))*(1+0x1p-48)))
	return r, nil
}

// fraction is x ≥ 0 in 2^-64, rounded up and not 0; 0 stands for 1 and more.
func fraction(x float64) uint64 {
	if x >= 1 {
		return 0
	}
	return max(1, uint64(math.Ceil(math.Ldexp(x, 64))))
}

// inEvent names the parameter of an event as the caller does.
func inEvent(err error) error {
	p, ok := err.(*privacy.ParameterError)
	if !ok {
		return err
	}
	for _, field := range []string{"adjacency", "epsilon", "delta"} {
		if len(p.Field) >= len(field) && p.Field[len(p.Field)-len(field):] == field {
			return &privacy.ParameterError{Field: field, Value: p.Value, Want: p.Want}
		}
	}
	return err
}

// Event is what so many rows cost: one (ε, δ) each.
func (r *Rule) Event(rows int) privacy.Event {
	return privacy.Composition{
		Adjacency: r.adjacency,
		Parts: []privacy.Part{{
			Event: privacy.ApproximateDP{
				Adjacency: r.adjacency, Epsilon: r.epsilon, Delta: r.delta,
			},
			Count: rows,
		}},
	}
}

// step is by how much one record moves the gap.
func (r *Rule) step() int {
	if r.changes == OneVote {
		return 2
	}
	return 1
}

// first is the gap of this parity, 0 or 1, that the recursion starts from, and w there.
func (r *Rule) first(gap int) (start int, wrong uint64) {
	if r.changes == OneVote && gap%2 == 1 {
		return 1, r.odd
	}
	return 0, 1 << 63
}

// next is w(t) of w(t − s), both in 2^-64.
func (r *Rule) next(wrong uint64) uint64 {
	if wrong <= r.off {
		return 0
	}
	if r.factor == 0 {
		return wrong - r.off
	}
	high, low := bits.Mul64(wrong-r.off, r.factor)
	if low > 0 {
		high++
	}
	return high
}

// wrong is the probability of the wrong answer at gap ≥ 0, in 2^-64.
func (r *Rule) wrong(gap int) uint64 {
	at, w := r.first(gap)
	for ; at < gap; at += r.step() {
		next := r.next(w)
		if next == w {
			return w
		}
		w = next
	}
	return w
}

// wrongs are the probabilities of the wrong answer at all gaps from 0 to most, one step of
// the recursion each: a table of 2^20 takes some 3 ms, and rows cost nothing more.
func (r *Rule) wrongs(most int) []uint64 {
	out := make([]uint64, most+1)
	for gap := range out {
		if start, w := r.first(gap); gap <= start {
			out[gap] = w
		} else {
			out[gap] = r.next(out[gap-r.step()])
		}
	}
	return out
}

// Wrong is the probability of naming the minority at a gap of at least 0, rounded to a
// float64.
func (r *Rule) Wrong(gap int) float64 { return math.Ldexp(float64(r.wrong(gap)), -64) }

// Never is the least gap, up to [MostVoters], from which on the answer is never wrong;
// false if there is none. For [OneVote] it is that of an even number of voters, or of an
// odd one.
func (r *Rule) Never(odd bool) (gap int, ok bool) {
	start := 0
	if odd && r.changes == OneVote {
		start = 1
	}
	at, w := r.first(start)
	for ; at <= MostVoters; at += r.step() {
		if w == 0 {
			return at, true
		}
		next := r.next(w)
		if next == w {
			break
		}
		w = next
	}
	return 0, false
}

// Check returns a *privacy.ParameterError, naming the row, unless votes has at least one
// row, each of two counts, 0 or more and not above [MostVoters] together; and, where a
// record changes one vote, of one number of voters on all rows.
func (r *Rule) Check(votes [][]int) error {
	if len(votes) == 0 {
		return &privacy.ParameterError{
			Field: "votes", Value: "empty", Want: "a list with two counts for each row",
		}
	}
	for i, row := range votes {
		field := "votes[" + strconv.Itoa(i) + "]"
		if len(row) != 2 {
			return &privacy.ParameterError{
				Field: field, Value: "a list of " + strconv.Itoa(len(row)),
				Want: "two counts: the votes for class 0 and for class 1",
			}
		}
		for class, n := range row {
			if n < 0 || n > MostVoters {
				return &privacy.ParameterError{
					Field: field + "[" + strconv.Itoa(class) + "]", Value: strconv.Itoa(n),
					Want: "a number of votes from 0 to 2^20",
				}
			}
		}
		sum, voters := row[0]+row[1], votes[0][0]+votes[0][1]
		if sum > MostVoters {
			return &privacy.ParameterError{
				Field: field, Value: strconv.Itoa(sum) + " votes", Want: "2^20 votes or fewer",
			}
		}
		if r.changes == OneVote && sum != voters {
			return &privacy.ParameterError{
				Field: field, Value: strconv.Itoa(sum) + " votes",
				Want: strconv.Itoa(voters) + " votes, as on the first row: where a record " +
					"changes one vote, every voter votes on every row",
			}
		}
	}
	return nil
}

// Labels names the majority of each row, 0 or 1. votes are as [Rule.Check] wants them. On
// an error nothing may be said of the rows.
func (r *Rule) Labels(source random.Source, votes [][]int) ([]int, error) {
	if err := r.Check(votes); err != nil {
		return nil, err
	}
	most := 0
	for _, row := range votes {
		most = max(most, row[0]-row[1], row[1]-row[0])
	}
	wrong := r.wrongs(most)
	labels := make([]int, len(votes))
	for i, row := range votes {
		leading, gap := 0, row[0]-row[1]
		if gap < 0 {
			leading, gap = 1, -gap
		}
		word, err := source.Uint64()
		if err != nil {
			return nil, err
		}
		if word < wrong[gap] {
			leading = 1 - leading
		}
		labels[i] = leading
	}
	return labels, nil
}
