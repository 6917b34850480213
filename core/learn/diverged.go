package learn

import "strconv"

// Farthest is how far from 0 a coefficient may get while steps are taken, so that
// margins, moments and means stay finite.
const Farthest = 0x1p300

// DivergedError says that a coefficient went beyond [Farthest] and nothing was
// released: the learning rate is far too large for this loss. The error reveals only
// noisy sums, which are paid for. The charge stays.
type DivergedError struct{ Step int }

func (e *DivergedError) Error() string {
	return "nothing was released: the coefficients grew beyond all bounds in step " +
		strconv.Itoa(e.Step) + "; the learning rate is too large"
}
