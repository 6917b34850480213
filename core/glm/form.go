package glm

import "math"

// Kind is a loss of this package, as a number.
type Kind int64

// The kinds, in the order of wasm/kernel's enum.
const (
	KindLogistic Kind = iota
	KindHuber
	KindSquared
)

// Form is what a loop outside of this package needs to compute slopes and curvatures as
// [Clipped.Derivatives] does, to the last bit. The kernel of package solve is such a loop.
type Form struct {
	Kind      Kind
	Width     float64 // of Huber's loss
	Threshold float64 // C; +Inf where nothing is clipped
	MaxSlope  float64

	// Near is how large norm·|slope| may be for the slope to be left alone at once. Only the
	// logistic loss has that; for others it is −1, which nothing is below.
	Near float64

	// Cap is the bound on slopes where one norm is for all records; +Inf where it clips none.
	Cap float64

	// Exponential points at the constants of the exponential: 32/ln 2, the two parts of its
	// inverse, the number that rounds, and 2^(j/32) for j < 32.
	Exponential *[36]float64
}

// Form returns the form of the clipped loss for records of these norms, or of this one bound on
// them. It is false if there is none, for a loss that is not of this package.
func (c Clipped) Form(norms []float64) (Form, bool) {
	form := Form{
		Threshold:   c.threshold,
		MaxSlope:    c.loss.MaxSlope(),
		Near:        -1,
		Cap:         math.Inf(1),
		Exponential: &exponential,
	}
	switch loss := c.loss.(type) {
	case Logistic:
		form.Kind, form.Near = KindLogistic, c.near()
	case Huber:
		form.Kind, form.Width = KindHuber, loss.h
	case Squared:
		form.Kind = KindSquared
	default:
		return Form{}, false
	}
	if len(norms) == 1 && c.Active(norms[0]) {
		form.Cap = c.capped(norms[0]).slope
	}
	return form, true
}

// exponential is exptable.go's in one piece.
var exponential = func() (all [36]float64) {
	copy(all[:], []float64{expSteps, expStepHigh, expStepLow, expShift})
	copy(all[4:], expTable[:])
	return all
}()
