package learn

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/privacy"
)

// Includes reports whether a bound for class is one for a loss of class other.
// "smooth" is left out: it bounds Hessians and not curvatures, and every loss
// here is at least a GLM's.
func Includes(class, other privacy.LossClass) bool {
	if class == privacy.LossSoftmax || other == privacy.LossSoftmax {
		return class == other // not a linear model's, and no linear model's is one
	}
	if class == privacy.LossHinge || other == privacy.LossHinge {
		// Beside the logistic loss: signed, and not what that one is.
		return class == other || class == privacy.LossGLM || class == privacy.LossSigned
	}
	order := []privacy.LossClass{privacy.LossGLM, privacy.LossSigned, privacy.LossLogistic}
	wide, narrow := -1, -1
	for i, c := range order {
		if c == class {
			wide = i
		}
		if c == other {
			narrow = i
		}
	}
	return wide >= 0 && wide <= narrow
}

// Names of losses in files and requests.
const (
	LogisticLoss = "logistic"
	HuberLoss    = "huber"
	SquaredLoss  = "squared"
	SoftmaxLoss  = "softmax"
	ShiftedLoss  = "shifted-logistic"
	HingeLoss    = "rounded-hinge"
	WeightedLoss = "weighted-logistic"
)

// DefaultHuberWidth is the default half-width of the Huber loss. On public data it
// predicts as well as 1/2 or better, and half the curvature costs half the
// regularisation (measured.md has the figures).
const DefaultHuberWidth = 1.0

const wantedLosses = `"logistic", "shifted-logistic", "rounded-hinge", "weighted-logistic", ` +
	`"huber", "squared" or "softmax"`

// ParseLoss returns the loss of a name; width is the half-width of "huber", the shift of
// "shifted-logistic" and "rounded-hinge", or the weight of a positive record in
// "weighted-logistic", and not looked at for the others. An error is a
// *privacy.ParameterError for the field "loss", "huber_width", "shift" or "positive_weight".
func ParseLoss(name string, width float64) (glm.Loss, error) {
	switch name {
	case LogisticLoss:
		return glm.Logistic{}, nil
	case HuberLoss:
		return glm.NewHuber(width)
	case SquaredLoss:
		return glm.Squared{}, nil
	case SoftmaxLoss:
		return glm.Softmax{}, nil
	case ShiftedLoss:
		return glm.NewShiftedLogistic(width)
	case HingeLoss:
		return glm.NewRoundedHinge(width)
	case WeightedLoss:
		return glm.NewWeightedLogistic(width)
	}
	return nil, &privacy.ParameterError{
		Field: "loss",
		Value: strconv.Quote(name),
		Want:  wantedLosses,
	}
}

// DefaultLoss is the default loss of a label: squared for numbers, logistic for two classes
// and the softmax for several.
func DefaultLoss(label *data.Label) glm.Loss {
	if label.Type == data.NumericLabel {
		return glm.Squared{}
	}
	if label.Type == data.SeveralClasses {
		return glm.Softmax{}
	}
	return glm.Logistic{}
}

// LossName is the inverse of ParseLoss; "" for a loss that has no name.
func LossName(loss glm.Loss) string {
	switch loss.(type) {
	case glm.Logistic:
		return LogisticLoss
	case glm.Huber:
		return HuberLoss
	case glm.Squared:
		return SquaredLoss
	case glm.Softmax:
		return SoftmaxLoss
	case glm.ShiftedLogistic:
		return ShiftedLoss
	case glm.RoundedHinge:
		return HingeLoss
	case glm.WeightedLogistic:
		return WeightedLoss
	}
	return ""
}

// LossParameter returns the number that ParseLoss takes beside the name, and the field of
// files that has it; "" for a loss that has none.
func LossParameter(loss glm.Loss) (field string, value float64) {
	switch l := loss.(type) {
	case glm.Huber:
		return "huber_width", l.Width()
	case glm.ShiftedLogistic:
		return "shift", l.Shift()
	case glm.RoundedHinge:
		return "shift", l.Shift()
	case glm.WeightedLogistic:
		return "positive_weight", l.Ratio()
	}
	return "", 0
}

// CheckLoss returns a *privacy.ParameterError for the field "loss" unless a release can
// name the loss and the loss suits the label. Numbers need the squared loss, whose
// class promises nothing about slopes. Several classes take the softmax for all of them at
// once, and the logistic, Huber's and the squared loss for one against the rest. Two classes
// take all but the softmax.
func CheckLoss(loss glm.Loss, label *data.Label) error {
	if LossName(loss) == "" {
		return &privacy.ParameterError{
			Field: "loss",
			Value: "missing or not known",
			Want:  wantedLosses,
		}
	}
	if _, softmax := loss.(glm.Softmax); softmax && label.Type != data.SeveralClasses {
		return &privacy.ParameterError{
			Field: "loss",
			Value: strconv.Quote(SoftmaxLoss),
			Want:  "another: this one is for a label of several classes",
		}
	}
	if slices.Contains(TwoClassLosses, LossName(loss)) && label.Type != data.TwoClasses {
		return &privacy.ParameterError{
			Field: "loss", Value: strconv.Quote(LossName(loss)),
			Want: "another: this one is for a label of two classes",
		}
	}
	if _, squared := loss.(glm.Squared); label.Type == data.NumericLabel && !squared {
		return &privacy.ParameterError{
			Field: "loss",
			Value: strconv.Quote(LossName(loss)),
			Want:  `"squared" for a numeric label`,
		}
	}
	return nil
}

// lipschitz bounds the norm of a record's gradient, for rows of norm up to
// rowNorm: the smaller of the clipping threshold and R·max|f′|.
func (m Model) lipschitz(rowNorm float64) float64 {
	return math.Min(m.Clip, rowNorm*m.Loss.MaxSlope())
}
