package objective

import (
	"math"

	"cloister/core/privacy"
)

// Bound names a theorem that bounds the privacy of objective perturbation. All
// are upper bounds; they differ in what they ask of the loss and in how sharp
// they are.
type Bound string

const (
	// BoundAuto is the sharpest bound that the event's loss class allows. Only Rényi curves of
	// more than thirty fits, and the candidates of a private choice, take the sharpest but
	// BoundControl ([Bound.Quick]).
	BoundAuto Bound = "auto"

	// BoundControl is the value of a control problem (see controlDirection): almost what the
	// worst data cost, for losses whose slope has a sign fixed by the label. It is sharper
	// where λ is below λ₀, as it is by default. Of one run it is never above BoundLogistic,
	// BoundHinge or BoundSigned in the added direction, and takes 0.1 to 0.3 ms an ε where
	// those take microseconds. Package pld composes chords of its profile, between some 200 ε
	// that are asked once and remembered (pld.chords): an upper bound like any, and sooner
	// composed than theirs, but where λ costs nothing above theirs by up to 1e-4 of an ε below
	// 10, and 5e-4 of a larger one (random parameters). Where λ is below 2⁻³⁰·βR² it is what
	// BoundLogistic, BoundHinge or BoundSigned is.
	BoundControl Bound = "control"

	// BoundLogistic: theory §4.3, for the logistic loss.
	BoundLogistic Bound = "logistic"

	// BoundHinge: theory §4.8, for the rounded hinge.
	BoundHinge Bound = "rounded-hinge"

	// BoundSoftmax: theory §4.7, for the softmax loss, which has no other.
	BoundSoftmax Bound = "softmax"

	// BoundSigned: theory §4.2, for GLM losses whose slope has a sign fixed by
	// the label.
	BoundSigned Bound = "signed"

	// BoundGLM: theory §4.1, for any GLM loss and any λ > 0.
	BoundGLM Bound = "glm"

	// BoundProfile: Theorem 3.1 of Redberg, Koskela & Wang 2023, for any GLM
	// loss and λ > βR².
	BoundProfile Bound = "profile"

	// BoundRDP: Theorem 3.2 (4.1 for approximate minima; E.1, corrected, for
	// losses that are no GLM) of the same paper, converted at the best real
	// order. Needs λ > βR² (λ > β for E.1).
	BoundRDP Bound = "rdp"

	// BoundKifer: Kifer, Smith & Thakurta 2012 with Gaussian noise, as Theorem
	// 2.8 of Redberg, Koskela & Wang 2023 states it.
	BoundKifer Bound = "kifer"
)

// Bounds lists the bounds that can be asked for by name, sharpest first.
func Bounds() []Bound {
	return []Bound{
		BoundAuto,
		BoundControl,
		BoundLogistic,
		BoundHinge,
		BoundSoftmax,
		BoundSigned,
		BoundGLM,
		BoundProfile,
		BoundRDP,
		BoundKifer,
	}
}

// Theorem names the result that the bound is, and where its proof can be read,
// for people.
func (b Bound) Theorem() string {
	switch b {
	case BoundAuto:
		return "the sharpest bound that applies"
	case BoundControl:
		return "Cloister's source, core/account/theory.md §4.6: privacy profile of objective perturbation by the value of a control problem"
	case BoundLogistic:
		return "Cloister's source, core/account/theory.md §4.3: privacy profile of objective perturbation for the logistic loss"
	case BoundHinge:
		return "Cloister's source, core/account/theory.md §4.8: privacy profile of objective perturbation for the rounded hinge"
	case BoundSoftmax:
		return "Cloister's source, core/account/theory.md §4.7: privacy profile of objective perturbation for the softmax loss"
	case BoundSigned:
		return "Cloister's source, core/account/theory.md §4.2: privacy profile of objective perturbation for linear models whose loss has slopes of one sign"
	case BoundGLM:
		return "Cloister's source, core/account/theory.md §4.1: privacy profile of objective perturbation for any generalised linear model"
	case BoundProfile:
		return "Redberg, Koskela & Wang 2023, Theorem 3.1: privacy profile"
	case BoundRDP:
		return "Redberg, Koskela & Wang 2023, Theorems 3.2, 4.1 and E.1: Rényi differential privacy"
	case BoundKifer:
		return "Kifer, Smith & Thakurta 2012 (Theorem 2.8 of Redberg, Koskela & Wang 2023)"
	}
	return "unknown"
}

// ParseBound checks a bound's name; the empty name is BoundAuto.
func ParseBound(name string) (Bound, error) {
	if name == "" {
		return BoundAuto, nil
	}
	for _, b := range Bounds() {
		if string(b) == name {
			return b, nil
		}
	}
	return "", unknownBound(Bound(name))
}

func unknownBound(b Bound) error {
	return &privacy.ParameterError{
		Field: "bound", Value: `"` + string(b) + `"`,
		Want: `"auto", "control", "logistic", "rounded-hinge", "softmax", "signed", "glm", "profile", "rdp" or "kifer"`,
	}
}

// InapplicableError reports a bound that does not hold for the event's loss
// class, or that cannot express what was asked.
type InapplicableError struct {
	Bound   Bound
	Loss    privacy.LossClass
	Instead []Bound // what would apply, sharpest first
}

func (e *InapplicableError) Error() string {
	text := `the bound "` + string(e.Bound) + `" does not apply to the loss class "` +
		string(e.Loss) + `"`
	for i, b := range e.Instead {
		switch {
		case i == 0:
			text += "; what does: "
		default:
			text += ", "
		}
		text += `"` + string(b) + `"`
	}
	return text
}

// Applicable lists the bounds that hold for a loss class, sharpest first.
// Whether λ is large enough for them is another question.
func Applicable(loss privacy.LossClass) []Bound {
	switch loss {
	case privacy.LossLogistic:
		return []Bound{
			BoundControl, BoundLogistic, BoundSigned, BoundGLM, BoundProfile, BoundRDP, BoundKifer,
		}
	case privacy.LossHinge:
		return []Bound{
			BoundControl, BoundHinge, BoundSigned, BoundGLM, BoundProfile, BoundRDP, BoundKifer,
		}
	case privacy.LossSigned:
		return []Bound{BoundControl, BoundSigned, BoundGLM, BoundProfile, BoundRDP, BoundKifer}
	case privacy.LossGLM:
		return []Bound{BoundGLM, BoundProfile, BoundRDP, BoundKifer}
	case privacy.LossSoftmax:
		return []Bound{BoundSoftmax}
	case privacy.LossSmooth:
		return []Bound{BoundRDP}
	}
	return nil
}

// Resolve turns BoundAuto into the bound that it is for the loss class, and
// checks that any other one applies: an *InapplicableError or, for a name that
// is no bound's, a *privacy.ParameterError.
func (b Bound) Resolve(loss privacy.LossClass) (Bound, error) {
	allowed := Applicable(loss)
	if b == BoundAuto && len(allowed) > 0 {
		return allowed[0], nil
	}
	for _, other := range allowed {
		if b == other {
			return b, nil
		}
	}
	if _, err := ParseBound(string(b)); err != nil || b == "" {
		return "", unknownBound(b)
	}
	return "", &InapplicableError{Bound: b, Loss: loss, Instead: allowed}
}

// Quick is Resolve, but BoundAuto is then the sharpest bound that is one formula or integral:
// not BoundControl, which searches at each ε. Use it where profiles of ever other parameters
// are asked for by the thousand.
func (b Bound) Quick(loss privacy.LossClass) (Bound, error) {
	if allowed := Applicable(loss); b == BoundAuto && len(allowed) > 0 &&
		allowed[0] == BoundControl {
		return allowed[1], nil
	}
	return b.Resolve(loss)
}

// For is Resolve for an event: of one beyond mostCurved "control" is the quick bound that is its
// ceiling there.
func (b Bound) For(e privacy.ObjectivePerturbation) (Bound, error) {
	bound, err := b.Resolve(e.Loss)
	if err == nil && bound == BoundControl && Curvature(e)/e.Lambda > mostCurved {
		return BoundAuto.Quick(e.Loss)
	}
	return bound, err
}

// sensitivityRatio is μ = L/σ, or the smallest normal float64 where that is less.
func sensitivityRatio(e privacy.ObjectivePerturbation) float64 {
	return atLeastNormal(e.Lipschitz / e.Sigma)
}

// Curvature returns βR² for a GLM loss and β for one that is only smooth:
// the largest eigenvalue that one record can add to the Hessian; rounded up
// when it is not exact.
func Curvature(e privacy.ObjectivePerturbation) float64 {
	if e.Loss == privacy.LossSmooth {
		return e.Smoothness
	}
	square := e.RowNorm * e.RowNorm
	product := e.Smoothness * square
	if math.FMA(e.RowNorm, e.RowNorm, -square) != 0 ||
		math.FMA(e.Smoothness, square, -product) != 0 {
		product *= 1 + 0x1p-51
	}
	return product
}

// publishedOffset returns c = −log(1 − βR²/λ) (without R² for a smooth loss),
// taken as log1p(βR²/(λ − βR²)). It is an error unless λ > βR².
func publishedOffset(e privacy.ObjectivePerturbation, bound Bound) (float64, error) {
	b := Curvature(e)
	if !(e.Lambda > b) {
		what := "smoothness·row_norm²"
		if e.Loss == privacy.LossSmooth {
			what = "smoothness"
		}
		want := "above " + what + " = " + privacy.Number(b) + ` for the bound "` + string(bound) +
			`"`
		if e.Loss != privacy.LossSmooth {
			want += `; "glm" has no such limit`
		}
		return 0, &privacy.ParameterError{
			Field: "lambda",
			Value: privacy.Number(e.Lambda),
			Want:  want,
		}
	}
	return math.Log1p(b / (e.Lambda - b)), nil
}

// sharperOffset returns c' = log(1 + βR²/λ) of theory §4.1.
func sharperOffset(e privacy.ObjectivePerturbation) float64 {
	return math.Log1p(Curvature(e) / e.Lambda)
}

// Losses returns the privacy losses of an event, direction by direction, for
// composition with others: Gaussian, and ObjectivePerturbation under add/remove
// with the bounds "profile", "glm", "signed", "logistic", "rounded-hinge" (for "auto", where
// it is "control", the next sharpest). The others are no single loss: "control", "softmax",
// "kifer" and "rdp" give an *InapplicableError;
// replace-one of objective perturbation (which goes through a data set between)
// and other events a *privacy.ParameterError. Approximate minima are an
// objective perturbation composed with a Gaussian: see Decompose.
func Losses(event privacy.Event, bound Bound) (added, removed LossFunction, err error) {
	if event == nil {
		return nil, nil, missingEvent()
	}
	if err := event.Validate(); err != nil {
		return nil, nil, err
	}
	switch e := event.(type) {
	case privacy.Gaussian:
		loss := gaussianLoss{atLeastNormal(e.Sensitivity / e.Sigma)}
		return loss, loss, nil
	case privacy.ObjectivePerturbation:
		if e.Adjacency != privacy.AddRemove {
			return nil, nil, &privacy.ParameterError{
				Field: "adjacency", Value: `"` + e.Adjacency.String() + `"`,
				Want: `"add-remove" for objective perturbation to compose as one loss`,
			}
		}
		return objectiveLosses(e, bound)
	}
	return nil, nil, &privacy.ParameterError{
		Field: "mechanism", Value: `"` + event.Mechanism() + `"`,
		Want: `"gaussian" or "objective-perturbation" to have a loss function here`,
	}
}

func missingEvent() error {
	return &privacy.ParameterError{Field: "event", Value: "missing", Want: "an event"}
}

func objectiveLosses(
	e privacy.ObjectivePerturbation, bound Bound,
) (added, removed LossFunction, err error) {
	bound, err = bound.Quick(e.Loss)
	if err != nil {
		return nil, nil, err
	}
	mu := sensitivityRatio(e)
	switch bound {
	case BoundLogistic:
		return logisticLoss(e.RowNorm, e.Lipschitz, e.Lambda, e.Sigma), cutLoss(0, mu), nil
	case BoundHinge:
		return hingeLoss(e.RowNorm, e.Lipschitz, e.Lambda, e.Sigma), cutLoss(0, mu), nil
	case BoundSigned:
		return cutLoss(sharperOffset(e), mu), cutLoss(0, mu), nil
	case BoundGLM:
		return halfNormalLoss{sharperOffset(e), mu}, halfNormalLoss{0, mu}, nil
	case BoundProfile:
		c, err := publishedOffset(e, bound)
		loss := halfNormalLoss{c, mu}
		return loss, loss, err
	}
	return nil, nil, &InapplicableError{Bound: bound, Loss: e.Loss, Instead: profileBounds(e.Loss)}
}

// profileBounds is Applicable without the bounds that are no loss function of v.
func profileBounds(loss privacy.LossClass) []Bound {
	var list []Bound
	for _, b := range Applicable(loss) {
		if b != BoundRDP && b != BoundKifer && b != BoundControl && b != BoundSoftmax {
			list = append(list, b)
		}
	}
	return list
}
