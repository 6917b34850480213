package dpgd

import (
	"math"
	"slices"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// What [MeanDefaults] takes for every problem.
const (
	meanSteps = 120 // not 100, by which releases of Defaults are known (package differences)
	meanTail  = 60  // the last half
	shortTail = 12  // of classes, where there are few records for the budget

	fewRecords = 5.0 // x below which there are few

	numbersMeanDrift = 0.25 // of a numeric label

	atBounds = 5. / 13 // see MeanDefaults
)

// MeanLearner is gradient descent on all records that releases the mean of its last θ,
// with the [MeanDefaults].
var MeanLearner = learn.Method{
	Name: "steps", Title: "noisy gradient descent, averaged",
	Labels:      append(slices.Clone(learn.OneVectorLabels), data.SeveralClasses),
	Losses:      append(slices.Clone(learn.AllLosses), learn.SoftmaxLoss),
	Adjacencies: learn.AllAdjacencies,
	Records:     true,
	Choose: func(a learn.Asked) (learn.Chosen, error) {
		return chosen(MeanDefaults(a.Schema, a.Loss, a.Guarantee, a.Records))
	},
}

// MeanDefaults asks for 120 steps of the same noise with momentum 0.9 from 0, and for
// the mean of the last half of them: no regulariser, and nothing solved. Use it where
// records are few for the budget and about how many there are is publicly known; one
// digit is enough.
//
// Everything follows from x = N·ε/d, N the Records, d the columns:
//
//	                 drift D                   clip C     largest step     mean of the last
//	two classes      √x/4, from 1 to 4         R·√D/4     3.75/(βR²)       60 (12 for x < 5)
//	several classes  √x/4, from 2 to 4         R·√D/4     3.75/(βR²)       60 (12 for x < 5)
//	numbers          0.25                      R/4        3.125/(βR²)      60
//
// In the largest step 5/13 of E‖x'‖² of rows whose numbers are all at their bounds stands for R²
// where that is more (learn.Centring.AtBounds). Without that a table of one number that is only
// ever at its bounds swings until the last step: a coefficient of 6 came out with a standard
// deviation of 11, and with it of 0.5. 5/13 is R² over E‖x'‖² there where the scale is taken from
// the variance 1/12: times E‖x'‖², the step is as large as it would be then.
//
// The step size of the mean objective is η = min((1 − 0.9)·D·N/(√120·σ), the largest
// step), σ the noise of a step's sum: all the steps' noise together moves a coordinate
// of θ by D, if all else stands still. Where the first term decides, N cancels from the
// steps but for D. The price is that of one Gaussian mechanism, exactly; the mean is
// computed from what the steps have given out.
//
// A gradient clipped at R/4 is half as long as the longest, and takes half of the noise.
// The mean takes away what noise the steps leave where curvature is high, so that they
// need no λ, which is what biases objective perturbation on small tables.
// Rows are centred and scaled where the schema says they may be expected
// (learn.PublicCentring), or most of a clipped gradient would be what rows share.
//
// A number is predicted from rows of data.Scale, which methods.Rows takes where rows were to be
// clipped. Clipped rows are divided each by its own length, and the label is then no linear
// function of them. Of several classes β is that of two, 1/4, in the largest step, and all K
// gradients of a record are clipped together (addClasses).
//
// The constants were chosen on real tables, and so was that there are no fewer steps: half of them
// do as well with a momentum of 0.8 and steps four times as large, but such steps swing without end
// on a table of one number (TestTheLargestStepsComeToRest). The tables stand in
// core/learn/measured.md, with what a fit takes in time.
func MeanDefaults(
	schema *data.Schema, loss glm.Loss, guarantee privacy.Guarantee, records float64,
) Request {
	r := Request{
		Guarantee: guarantee, Schedule: ScheduleConstant, Loss: loss,
		Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Records: records,
		Steps: meanSteps, Momentum: defaultMomentum, Tail: meanTail,
		Centring: learn.PublicCentring(schema),
	}
	x := records * guarantee.Epsilon / float64(r.Dimension)
	least, stable := 1.0, 3.75
	if _, softmax := loss.(glm.Softmax); softmax {
		r.Classes = len(schema.Label.Classes)
		r.Dimension *= r.Classes
		least, stable = 2, 7.5 // 3.75 of the logistic loss, whose β is half of this one's
	}
	drift := math.Max(least, math.Min(math.Sqrt(x)/4, 4))
	r.Clip = r.RowNorm * math.Sqrt(drift) / 4
	if schema.Label.Type == data.NumericLabel {
		drift, stable = numbersMeanDrift, 3.125
		r.Clip = r.RowNorm / 4
	} else if x < fewRecords {
		r.Tail = shortTail
	}
	square := r.RowNorm * r.RowNorm
	if r.Centring != nil {
		square = math.Max(square, atBounds*r.Centring.AtBounds(schema))
	}
	r.Rate = stable / (loss.MaxCurvature() * square)
	unit, err := calibrate.Gaussian(guarantee.Epsilon, guarantee.Delta, 1)
	if err != nil || !guarantee.Adjacency.Valid() {
		return r // Plan says what is wrong with the guarantee
	}
	r.Rate = math.Min(r.Rate, drifting(r, unit, drift))
	return r
}

// drifting is the step size of the mean objective at which the noise of all steps moves a
// coordinate of θ by drift (its standard deviation, if all else stands still). unit is the
// noise of one Gaussian mechanism per sensitivity.
func drifting(r Request, unit, drift float64) float64 {
	steps := math.Sqrt(float64(r.Steps))
	sigma := Sensitivity(r.Guarantee.Adjacency, r.Clip, r.Clip, r.Dimension) * unit * steps
	return drift * (1 - r.Momentum) * r.Records / (steps * sigma)
}

// chosen is the fit that is asked for.
func chosen(r Request) (learn.Chosen, error) {
	plan, err := r.Plan()
	if err != nil {
		return learn.Chosen{}, err
	}
	event, err := plan.Event()
	return learn.Chosen{
		Event: event, Price: account.Closed,
		Fit:   learn.OneVector(len(plan.Sigmas), plan.fit),
		Trial: plan.Trial,
		Plan:  plan,
	}, err
}
