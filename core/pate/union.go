package pate

import "math"

// chance is a probability as a whole number of 2^-60, never less than the probability.
type chance uint64

const (
	chanceBits = 60
	half       = chance(1) << (chanceBits - 1)
)

func (c chance) float() float64 { return math.Ldexp(float64(c), -chanceBits) }

// behind is, for each gap from 0 to a largest one, an upper bound of the probability that the
// class which is so many votes behind is named all the same, or ties:
//
//	½ erfc((gap − 1/spacing)/(2σ)),
//
// σ and votes as the noise has them ([spread]). From gap 1 on it falls and is convex to the
// last digit, by construction, as the function is: each difference is the larger of what the
// function asks for and the one before. The sums over classes that [query.at] makes of it then
// keep to the inequalities of real convex functions.
func behind(noise spread, largest int) []chance {
	table := make([]chance, largest+1)
	next, difference := chance(0), chance(0)
	for gap := largest; gap >= 0; gap-- {
		x := (float64(gap) - 1/float64(noise.spacing)) / (2 * noise.sigma())
		// A few units in the last place of x, below 40, and of erfc are far below 2^-36.
		least := max(1, chance(math.Ceil(math.Ldexp(math.Erfc(x)/2*(1+0x1p-36), chanceBits))))
		switch {
		case gap == largest:
			next = least
		case least > next:
			difference = max(difference, least-next)
			fallthrough
		default:
			next += difference
		}
		table[gap] = next
	}
	return table
}

// query is what one query's votes are about: by how much each class but the plurality's is
// behind, the nearest first.
type query []int

func newQuery(votes []int) query {
	most := 0
	for j, n := range votes {
		if n > votes[most] {
			most = j
		}
	}
	gaps := make(query, 0, len(votes)-1)
	for j, n := range votes {
		if j != most {
			gaps = append(gaps, votes[most]-n)
		}
	}
	nearest := 0
	for j, gap := range gaps {
		if gap < gaps[nearest] {
			nearest = j
		}
	}
	gaps[0], gaps[nearest] = gaps[nearest], gaps[0]
	return gaps
}

// at bounds the probability of another label than the plurality's, with the k votes moved that
// raise the bound most; false if that is above ½, or the plurality may be another one by then.
//
// Each vote that goes from the plurality's to the class next to it brings that class closer by
// two and each other by one. While the gap is not used up nothing raises the sum more: any k
// moves bring the classes closer by k + a_j at most, Σ a_j = k; the sum is convex in a, and so
// largest with all in one class, and there in the nearest, where the table is steepest.
func (q query) at(table []chance, k int) (chance, bool) {
	if 2*k >= q[0] {
		return 0, false
	}
	sum := table[q[0]-2*k]
	for _, gap := range q[1:] {
		if sum > half {
			break
		}
		sum += table[gap-k]
	}
	return sum, sum <= half
}
