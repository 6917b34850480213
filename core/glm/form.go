package glm

import "math"

// Kind is a loss of this package, as a number.
type Kind int64

// The kinds, in the order of wasm/kernel's enum.
const (
	KindLogistic Kind = iota
	KindHuber
	KindSquared
	KindHinge
)

// Form is what a loop outside of this package needs to compute slopes and curvatures as
// [Clipped.Derivatives] does, to the last bit. The kernel of package solve is such a loop.
type Form struct {
	Kind      Kind
	Parameter float64 // Huber's half-width, or how far a loss is shifted
	Threshold float64 // C; +Inf where nothing is clipped
	MaxSlope  float64

	// Weight is of labels 1 and −1, for KindLogistic.
	Weight [2]float64

	// Near is how large norm·|slope| may be for the slope to be left alone at once. Only losses
	// whose loop in this package does so have that; for others it is −1, which nothing is below.
	Near float64

	// Cap is the bound on slopes where one norm is for all records; +Inf where it clips none.
	Cap float64

	// Exponential points at the constants of the exponential: 32/ln 2, the two parts of its
	// inverse, the number that rounds, 2^(j/32) for j < 32, and what these are short of it.
	Exponential *[68]float64
}

// Form returns the form of the clipped loss for records of these norms, or of this one bound on
// them. It is false if there is none, for a loss that is not of this package.
func (c Clipped) Form(norms []float64) (Form, bool) {
	form := Form{
		Threshold:   c.threshold,
		MaxSlope:    c.loss.MaxSlope(),
		Weight:      [2]float64{1, 1},
		Near:        c.near(),
		Cap:         math.Inf(1),
		Exponential: &exponential,
	}
	switch loss := c.loss.(type) {
	case Logistic:
		form.Kind = KindLogistic
	case ShiftedLogistic:
		form.Kind, form.Parameter = KindLogistic, loss.h
	case WeightedLogistic:
		form.Kind, form.Weight = KindLogistic, [2]float64{loss.Weight(1), loss.Weight(-1)}
	case RoundedHinge:
		form.Kind, form.Parameter = KindHinge, loss.h
	case Huber:
		form.Kind, form.Parameter, form.Near = KindHuber, loss.h, -1
	case Squared:
		form.Kind, form.Near = KindSquared, -1
	default:
		return Form{}, false
	}
	if len(norms) == 1 && c.Active(norms[0]) {
		form.Cap = c.capped(norms[0]).slope
	}
	return form, true
}

// exponential is exptable.go's in one piece.
var exponential = func() (all [68]float64) {
	copy(all[:], []float64{expSteps, expStepHigh, expStepLow, expShift})
	copy(all[4:], expTable[:])
	copy(all[36:], expLow[:])
	return all
}()
