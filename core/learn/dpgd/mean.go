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
// Measured by scripts/benchmark on twelve real tables of 251 to 45,222 rows, 12 splits (2
// of the large): how much of the way from the majority (or R² = 0) to a linear model
// without privacy it goes, beside objective perturbation by its defaults (package amp);
// the mean difference in points of accuracy or R²; and the table that loses most:
//
//	ε      share of the way   of the AUC's     difference     worst table
//	0.1    50 (amp 29)        83 (amp 66)      +6.0 ± 1.9     breast cancer −5.1
//	0.25   71 (55)            88 (78)          +4.5 ± 1.0     Titanic −0.3
//	0.5    86 (66)            92 (85)          +6.1 ± 0.7     mortgages −0.2
//	1      92 (79)            94 (92)          +3.9 ± 0.6     Titanic −0.6
//	2      96 (87)            97 (94)          +2.7 ± 0.3     Adult −0.6
//	4      99 (94)            98 (97)          +1.3 ± 0.2     Adult −1.0
//	8      99 (99)            98 (99)          +0.5 ± 0.1     Adult −1.2
//
// The constants were chosen on these very tables, all but Adult; of numbers they were changed
// since, for scaled rows (below). These figures, and those below, are of steps in which a number
// counted once. Twice gains most on small tables: learn.PublicCentring has how much. In Adult
// (36,177 records fitted to, 105 columns) objective perturbation is ahead from ε = 1 on.
//
// A number is predicted from rows of data.Scale, which methods.Rows takes where rows were to be
// clipped. Clipped rows are divided each by its own length, and the label is then no linear
// function of them; a long gradient is clipped in any case. 100·R²: with clipped rows and a drift
// of 0.45/(√x/4, from 1 to 3), as before; with clipped rows and the drift of today; and with rows
// of one scale and that drift:
//
//	ε                           0.1            0.25          1             4
//	body weight                 26  40  74     60  60  80    79  78  92    89  89  95
//	diabetes progression        1   6   7      25  15  22    45  41  44    49  48  49
//	tumours' radius             −18 25  36     32  55  52    75  83  79    92  92  94
//	uniform, 5,000 records      77  77  75     78  79  76    79  79  78    79  79  79
//	uniform, 375 records        −13 20  −25    45  44  36    73  71  69    77  77  74
//	weekly wages                30  –   30     30  –   31    30  –   30    30  –   30
//
// By scripts/accuracy, 12 to 40 splits (3 of wages). Errors are 0.2 to 1.6 from ε = 1 on, 1 to 7 of
// small tables at 0.25, and up to 17 at 0.1. So it is the rows that do it for body weight, and at
// ε = 4; up to ε = 1 tumours gain by the drift, and rows of one scale lose a little. They lose
// most in the made-up tables, whose numbers are uniform, which those of real tables are not.
// Drifts of 0.3, 0.35 and 0.45, rows of which a number has a variance of 1/12, and drifts that fall
// as x grows, were level or behind. Two classes are not for such rows: where most numbers stand
// near one end of their bounds (breast cancer), what rows have in common is then too far for the
// steps, and nothing is found up to ε = 1 (62 to 66 % right in place of 87 to 91).
//
// Of several classes β is that of two, 1/4, in the largest step, and all K gradients of a
// record are clipped together (addClasses). Its constants are not chosen anew. Share right in
// %, 60 splits of Iris and wines and 12 of the vote and digits, at ε = 0.25, 1 and 4, where one
// of them is another:
//
//	                    vote              flowers           digits            wines
//	as they are         64.4 66.3 66.8    59.7 79.6 92.8    71.2 90.1 94.6    72.6 91.2 94.5
//	C times √2          64.2 66.0 66.5    61.7 84.2 93.8    71.9 90.2 94.2    70.1 90.6 94.3
//	C times 0.7         63.4 66.3 66.1    59.6 77.5 93.6    71.3 90.8 94.8    71.0 91.4 95.3
//	D from 1            63.8 66.3 66.5    60.9 69.1 93.1    72.5 91.4 94.8    71.3 92.3 95.2
//	D from 3            64.4 66.5 66.3    60.8 87.6 93.3    68.4 88.9 94.1    71.2 89.4 94.2
//	D to 6              64.2 65.9 66.8    58.8 81.4 93.7    72.1 90.7 94.2    70.6 91.7 94.9
//	twice the step      64.2 66.2 66.3    58.4 81.3 93.8    70.9 91.0 94.8    75.0 91.5 94.3
//	half of it          64.0 66.3 66.6    58.6 79.7 93.1    71.8 89.9 94.5    73.2 91.1 94.8
//	60 for x < 5 too    64.4 66.2 66.7    61.7 80.9 93.3    71.8 90.5 93.9    70.7 91.7 94.6
//
// Errors are 0.3 to 2.3. None is better in vote and flowers, the first half, that is not worse
// or level in the second. Each line is by scripts/accuracy -loss softmax -method steps -epsilon
// 0.25,1,4, with -data iris,more/wine -splits 60 and -data more/chile_vote,more/digits -splits 12.
//
// # Time, and why there are no fewer steps
//
// A fit of digits (1,797 records, 10 classes of 65 columns) takes 0.14 s of one core, four times
// what objective perturbation takes. One of Adult takes 0.19 s of the processor in Chromium, six
// to seven times as much (make bench, "a fit by noisy steps over amp.Fit"). Of that the SIMD kernel
// (wasm/kernel) takes 120 × 1.15 ms for its passes: 0.4 for margins and as much for sums, which is
// two and a half cycles an entry, and 0.35 for slopes. Loops unrolled, margins of two rows at a
// time, slopes without curvatures, and rows made whole a row at a time in the place of an entry are
// as fast. The noise takes 120 × 0.15 ms, and rows made whole 13 ms.
//
// Twice as long as objective perturbation is out of reach with so many passes: that is 56 ms, and
// margins and sums alone take 96. Nor can rows be added up by their combinations of categories:
// clipped rows are divided each by its own length, so that one category's entry has up to some
// thousands of values. Of rows of one scale it would do: the 13 entries of a row of Adult would be
// five, by tables of some 500 to 1,000 combinations each and one number by itself. That was
// counted, not tried.
//
// Fewer steps were tried where records are many for the budget: differences to 120 steps in points,
// mean over tables, and the table that loses most of those that lose more than two standard errors
// (scripts/benchmark -methods steps, 60 splits, 20 of digits and, in the third line, of early
// diabetes, 6 of the large tables). What is released is the mean of the last half. The largest step
// is that of the rule, times so much; of a number it stayed, and in the third line it was doubled.
//
//	                        accuracy or R²                    AUC
//	T   momentum  largest   ε = 1          ε = 8              ε = 1          ε = 8
//
//	Adult, card default, early diabetes, mortgages, Titanic; body weight, weekly wage; vote, flowers
//	60  0.9       × 1       −0.13 ± 0.11   +0.03 ± 0.05       −0.25 ± 0.10   −0.15 ± 0.04
//	                        Adult −0.36    Adult −0.44        mortg. −0.63   mortg. −0.73
//	60  0.9       × 2       −0.04 ± 0.09   +0.05 ± 0.05       −0.12 ± 0.11   −0.12 ± 0.04
//	                        Titanic −0.24  Adult −0.12        Adult −0.10    mortg. −0.40
//	60  0.8       × 4       +0.05 ± 0.09   +0.06 ± 0.07       +0.02 ± 0.11   −0.01 ± 0.06
//	                        none           Adult −0.05        none           card −0.05
//	40  0.9       × 3       +0.05 ± 0.08   +0.10 ± 0.05       −0.44 ± 0.10   −0.56 ± 0.06
//	                        Adult −0.20    Titanic −0.31      card −0.60     mortg. −1.79
//
//	breast cancer, crash deaths, free light chain, résumés; diabetes progression; digits, wines
//	60  0.9       × 1       −0.14 ± 0.16   −0.28 ± 0.08       −0.25 ± 0.12   −0.40 ± 0.06
//	                        none           cancer −1.23       crash −0.91    crash −0.92
//	60  0.9       × 2       −0.13 ± 0.15   −0.28 ± 0.08       −0.36 ± 0.12   −0.54 ± 0.06
//	                        crash −0.15    cancer −1.35       crash −0.93    résumés −0.95
//	60  0.8       × 4       +0.08 ± 0.15   −0.08 ± 0.07       −0.13 ± 0.14   −0.16 ± 0.04
//	                        none           none               crash −0.70    crash −0.64
//	40  0.9       × 3       −0.40 ± 0.17   −0.60 ± 0.08       −0.29 ± 0.12   −1.02 ± 0.08
//	                        diabetes −1.29 cancer −2.03       crash −1.54    résumés −2.01
//
// The third line is the same motion with half of the steps, and nearly level. But steps of momentum
// m swing without end from 2(1 + m)/h on, h the curvature: four times as large they do so on a
// table of one number, and the gradient at the model is then hundreds of times its noise
// (TestTheLargestStepsComeToRest). So none of them is taken.
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
