package expect

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/privacy"
	"cloister/core/random"
)

// Signal is how well the features predict the label.
type Signal string

// Of two classes, who knows the population is right for 67 %, 78 % and 87 % of
// the records; of a numeric label, its score explains 10 %, 30 % and 60 % of the
// variance.
const (
	Weak   Signal = "weak"
	Medium Signal = "medium"
	Strong Signal = "strong"
)

// ParseSignal returns a *privacy.ParameterError for the field "signal" unless
// there is one of this name.
func ParseSignal(name string) (Signal, error) {
	switch s := Signal(name); s {
	case Weak, Medium, Strong:
		return s, nil
	}
	return "", &privacy.ParameterError{
		Field: "signal",
		Value: strconv.Quote(name),
		Want:  `"weak", "medium" or "strong"`,
	}
}

// steepness is s: P(y = 1) = 1/(1 + e^{−sz}).
func (s Signal) steepness() float64 {
	switch s {
	case Weak:
		return 1
	case Medium:
		return 2
	}
	return 4
}

// explained is q: the part of a numeric label's variance that is not chance.
func (s Signal) explained() float64 {
	switch s {
	case Weak:
		return 0.1
	case Medium:
		return 0.3
	}
	return 0.6
}

// truth is how labels go with scores.
type truth struct {
	Signal
	offset float64 // a, of two classes
}

// chances are P(label) for a record of these scores: of two classes −1 and +1,
// or of each of several.
func (s truth) chances(z []float64) []float64 {
	if len(z) == 1 {
		p := 1 / (1 + math.Exp(-s.steepness()*z[0]-s.offset))
		return []float64{1 - p, p}
	}
	out, sum, most := make([]float64, len(z)), 0.0, math.Inf(-1)
	for _, score := range z {
		most = math.Max(most, score)
	}
	for k, score := range z {
		out[k] = math.Exp(s.steepness() * (score - most))
		sum += out[k]
	}
	for k := range out {
		out[k] /= sum
	}
	return out
}

// mean and deviation are those of a numeric label's code, −1 to 1 between its
// bounds.
func (s Signal) mean(z []float64) float64 { return z[0] * math.Sqrt(s.explained()) / 3 }
func (s Signal) deviation() float64       { return math.Sqrt(1-s.explained()) / 3 }

// labels draws the label of each record, coded as data.Dataset.Y is.
func (s truth) labels(stream *seeded.Stream, kind data.LabelType, scores [][]float64) []float64 {
	y := make([]float64, len(scores))
	normal := make([]float64, 1)
	for i, z := range scores {
		if kind == data.NumericLabel {
			normals(stream, normal)
			y[i] = math.Min(math.Max(s.mean(z)+s.deviation()*normal[0], -1), 1)
			continue
		}
		chances := s.chances(z)
		at, class := stream.Uniform(), 0
		for class < len(chances)-1 && at >= chances[class] {
			at -= chances[class]
			class++
		}
		y[i] = float64(class)
		if kind == data.TwoClasses {
			y[i] = float64(2*class - 1)
		}
	}
	return y
}

// normals fills out with N(0, 1). The stream never fails and 1 is in range.
func normals(s *seeded.Stream, out []float64) {
	if err := random.Gaussian(s, out, 1); err != nil {
		panic("expect: " + err.Error())
	}
}
