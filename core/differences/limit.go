package differences

import (
	"math"
	"slices"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

const (
	drift = 2.0 // D: of the plans that dpgd.Defaults and dpsgd.Defaults make

	driftOfClasses = 4.0  // at most, of the plans that dpgd.MeanDefaults makes of classes
	driftOfNumbers = 0.9  // and of numbers
	driftOfScaled  = 0.25 // of rows that are all divided by the same, which came later

	stepsOfAll     = 100  // T of dpgd.Defaults
	stepsOfMean    = 120  // of dpgd.MeanDefaults
	stepsOfSamples = 1000 // and of dpsgd.Defaults

	momentum = 0.9 // μ, of both plans of all records

	// meanTail is of how many last θ dpgd.MeanDefaults takes the mean, where a is known. With few
	// records and the Huber loss it is 12; but then D is 1, where driftOfClasses stands here.
	meanTail = 60

	// held is max over u of (1 − e^{−u})²/u.
	held = 0.4073
)

// limits returns the limit s of each of the model's vectors, +Inf where nothing is
// known: the package comment has the derivation.
func limits(r *learn.Release) []float64 {
	out := make([]float64, r.Model.Vectors())
	events := r.Mechanisms()
	for k := range out {
		out[k] = math.Inf(1)
		switch a := spread(r.Model, r.Schema.RowNorm()); {
		case joint(r.Model) && len(events) == 1:
			others := float64(len(out) - 1)
			out[k] = math.Sqrt(variance(r.Model, events[0], a) * (1 + 1/others))
		case len(events) == len(out):
			out[k] = math.Sqrt(variance(r.Model, events[k], a))
		}
		if math.IsNaN(out[k]) {
			out[k] = math.Inf(1)
		}
	}
	return out
}

// joint reports whether one mechanism gave out the vectors of all classes.
func joint(m learn.Model) bool {
	_, softmax := m.Loss.(glm.Softmax)
	return softmax
}

// spread is a: V ⪯ aH₀. +Inf where there is none.
func spread(m learn.Model, rowNorm float64) float64 {
	slope := math.Min(m.Clip/rowNorm, m.Loss.MaxSlope())
	switch loss := m.Loss.(type) {
	case glm.Logistic:
		if slope < 0.5 {
			return math.Inf(1)
		}
		return 1 / math.Min(slope, 1)
	case glm.Softmax:
		if slope < m.Loss.MaxSlope() {
			return math.Inf(1)
		}
		return 1
	case glm.ShiftedLogistic:
		if slope < loss.MaxSlope() {
			return math.Inf(1)
		}
		return math.Exp(loss.Shift())
	case glm.RoundedHinge:
		if slope < loss.MaxSlope() {
			return math.Inf(1)
		}
		even := -math.Expm1(-loss.Shift())
		return even * even / (1 - even)
	case glm.Squared:
		if slope < m.Loss.MaxSlope() {
			return 3 // see the package comment: a theorem for labels with one peak
		}
		return 1
	}
	return 4
}

// variance is the limit s² of a coordinate that the event gave out.
func variance(m learn.Model, event privacy.Event, a float64) float64 {
	if told, tested := m.Told.(learn.TestedCurvature); tested {
		return told.Sigma*told.Sigma + a/(4*told.Lambda)
	}
	switch e := event.(type) {
	case privacy.ApproximateMinima:
		return largest(a, e.Objective.Sigma, e.Objective.Lambda) + e.SigmaOut*e.SigmaOut
	case privacy.Gaussian:
		return e.Sigma*e.Sigma + a/(4*m.Lambda)
	case privacy.GradientDescent:
		far, tail := drift, meanTail
		switch {
		case len(e.Sigmas) == stepsOfMean && m.Schema.Rows.Norm == data.Scale &&
			m.Schema.Label.Type == data.NumericLabel:
			far = driftOfScaled
		case len(e.Sigmas) == stepsOfMean && m.Schema.Label.Type == data.NumericLabel:
			far = driftOfNumbers
		case len(e.Sigmas) == stepsOfMean:
			far = driftOfClasses
		case len(e.Sigmas) == stepsOfAll:
			tail = 1
		default:
			return math.Inf(1)
		}
		for _, sigma := range e.Sigmas {
			if sigma != e.Sigmas[0] {
				return math.Inf(1)
			}
		}
		return descent(a, e.Sigmas[0], len(e.Sigmas), tail, far)
	case privacy.SubsampledGaussian:
		if e.Steps != stepsOfSamples {
			return math.Inf(1)
		}
		return samples(a, e.NoiseMultiplier*m.Clip, stepsOfSamples, e.Rate)
	}
	return math.Inf(1)
}

// stretches are how many times as long each column's coordinate of the steps becomes in the
// model: the plans of dpgd.MeanDefaults centre rows, and scale them (learn.PublicCentring).
// Nothing is narrower than without. In earlier plans a number counted once, and its variance was
// 1/20 or 1/12: with N numbers, C what categories vary by and L the rows' length before, columns
// were scaled by at most L/√(N/20 + C). Today they are scaled by L/√(N/5 + C), and numbers by
// twice that, which is more than either. So that of a column that is no number is the earlier one.
func stretches(r *learn.Release) []float64 {
	columns := r.Schema.Columns()
	out := slices.Repeat([]float64{1}, len(columns))
	c := learn.PublicCentring(r.Schema)
	steps, ok := r.Event.(privacy.GradientDescent)
	if c == nil || !ok || len(steps.Sigmas) != stepsOfMean {
		return out
	}
	numbers := 0.0 // four times E² of them
	for j, mean := range c.Mean {
		if number(columns[j]) {
			numbers += 4 * mean * mean
		}
	}
	for j, scale := range c.Scale {
		if !number(columns[j]) {
			scale = 1 / math.Sqrt(math.Max(1/scale/scale-0.15*numbers, learn.LeastSpread))
		}
		out[j] = math.Max(1, scale)
	}
	return out
}

func number(c data.Column) bool { return c.Category == "" && !c.Missing && !c.Intercept }

// largest is max over h ≥ 0 of (ah + σ²)/(h + λ)².
func largest(a, sigma, lambda float64) float64 {
	if square := sigma * sigma; 2*square < a*lambda {
		return a * a / (4 * (a*lambda - square))
	}
	return sigma / lambda * (sigma / lambda)
}

// samples is the limit for T steps of noise σ on a share q of the records, whose noise moves a
// coordinate by drift.
func samples(a, sigma, count, q float64) float64 {
	far := drift * math.Sqrt(count) / sigma // t
	return drift*drift + held*a*far*q + a*far/(2*count)
}

// descent is the limit for T steps of noise σ on all records, whose noise moves a coordinate by
// far where nothing holds it, and of which the mean of the last θ is given out: the largest
// D²·F(u) + a·t·G(u) of the package comment. It is tried at u from 0 on, each 2 % above the
// one before, and likewise at distances from the last u, where steps swing for ever and it rises
// as steeply as at 0; 0.1 % more is above what lies between.
func descent(a, sigma float64, count, tail int, far float64) float64 {
	if math.IsInf(a, 1) {
		return a
	}
	most, t := 0.0, far*math.Sqrt(float64(count))/sigma
	const last = 2 * (1 + momentum)
	for distance := 0.0; distance <= last; distance = math.Max(1e-5, 1.02*distance) {
		for _, u := range []float64{distance, last - distance} {
			noise, chance := response(u, count, tail)
			most = math.Max(most, far*far*noise+a*t*chance)
		}
	}
	return 1.001 * most
}

// response is F(u) and G(u): see descent. It goes back from the mean of the last θ: what a
// step's gradient adds to that is what its velocity adds.
func response(u float64, count, tail int) (noise, chance float64) {
	ofTheta, ofVelocity, sum := 0.0, 0.0, 0.0
	for s := count; s > 0; s-- {
		if s > count-tail {
			ofTheta += 1 / float64(tail)
		}
		added := ofVelocity - ofTheta // −w_s
		noise += added * added
		sum += added
		ofVelocity, ofTheta = momentum*added, ofTheta+u*added
	}
	still := (1 - momentum) / float64(count)
	return noise * still * (1 - momentum), u * sum * sum * still
}
