package pate

import "math/bits"

// envelope is a staircase above [TwoTails] as a function of q, for one order and noise. It
// rises with q to the last digit, as the function does and as [Plan] needs it of the numbers
// computed: each step is at least the one before.
type envelope struct {
	independent float64
	steps       []float64
}

// stepBits is into how many parts, as a power of two, the chances of one bit length are cut:
// finer where a query's price counts.
func stepBits(length int) int {
	switch {
	case length <= 30:
		return 3
	case length <= 44:
		return 4
	}
	return 6
}

// shallow is the bit length below which all chances share the first step.
const shallow = 5

// step is the number of the step that a chance stands on, and the largest chance there.
func step(c chance) (index int, last chance) {
	length := bits.Len64(uint64(c))
	if length < shallow {
		return 0, 1<<(shallow-1) - 1
	}
	index = 1
	for l := shallow; l < length; l++ {
		index += 1 << stepBits(l)
	}
	parts := stepBits(length)
	shift := length - 1 - parts
	top := c >> shift
	return index + int(top) - 1<<parts, (top+1)<<shift - 1
}

func newEnvelope(noise spread, alpha float64) *envelope {
	e := &envelope{independent: Independent(noise.sigma(), alpha)}
	worst := 0.0
	for c := chance(0); c <= half; {
		_, last := step(c)
		if worst < e.independent {
			worst = max(worst, twoTails(last.float(), noise.sigma(), alpha, 1e-3, 40))
		}
		e.steps = append(e.steps, worst)
		c = last + 1
	}
	return e
}

// at is an upper bound of the divergence of a query whose chance of another label is c at
// most, c ≤ ½.
func (e *envelope) at(c chance) float64 {
	index, _ := step(c)
	return e.steps[index]
}
