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
		far := drift
		switch {
		case len(e.Sigmas) == stepsOfMean && m.Schema.Rows.Norm == data.Scale &&
			m.Schema.Label.Type == data.NumericLabel:
			far = driftOfScaled
		case len(e.Sigmas) == stepsOfMean && m.Schema.Label.Type == data.NumericLabel:
			far = driftOfNumbers
		case len(e.Sigmas) == stepsOfMean:
			far = driftOfClasses
		case len(e.Sigmas) != stepsOfAll:
			return math.Inf(1)
		}
		for _, sigma := range e.Sigmas {
			if sigma != e.Sigmas[0] {
				return math.Inf(1)
			}
		}
		return steps(a, e.Sigmas[0], float64(len(e.Sigmas)), 1, far)
	case privacy.SubsampledGaussian:
		if e.Steps != stepsOfSamples {
			return math.Inf(1)
		}
		return steps(a, e.NoiseMultiplier*m.Clip, stepsOfSamples, e.Rate, drift)
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

// steps is the limit for T steps of noise σ on a share q of the records, whose noise
// moves a coordinate by drift.
func steps(a, sigma, count, q, drift float64) float64 {
	far := drift * math.Sqrt(count) / sigma // t
	return drift*drift + held*a*far*q + a*far/(2*count)
}
