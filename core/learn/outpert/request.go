package outpert

import (
	"math"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Calibration names an analysis by which noise is chosen. Either way a plan costs the
// exact price of its Gaussian mechanism.
type Calibration string

const (
	// CalibrationExact is the smallest noise (Balle & Wang 2018).
	CalibrationExact Calibration = "exact"

	// CalibrationLowyRazaviyayn is LowyRazaviyaynSigma.
	CalibrationLowyRazaviyayn Calibration = "lowy-razaviyayn"
)

// Request asks for a plan with a guarantee. Every field is public, and none may
// have been read off the data.
type Request struct {
	Guarantee   privacy.Guarantee
	Calibration Calibration // "" stands for CalibrationExact
	Loss        glm.Loss
	Dimension   int
	RowNorm     float64 // R, intercept included

	Clip float64 // C; 0 stands for learn.DefaultClip

	// Lambda is λ of the sum, SmallestLambda or more; 0 stands for Balance with
	// Records and Reach.
	Lambda float64

	// Records is N, the order of magnitude of the number of records, if Lambda is 0: the
	// number itself under replace-one, where it is public, or a public guess under
	// add/remove. A wrong guess costs accuracy, never privacy.
	Records float64

	// Reach is B, a guess of ‖θ*‖, if Lambda is 0; 0 stands for DefaultReach/R.
	Reach float64

	Radius float64 // of the ball that the output is moved to; 0 for none
}

// DefaultReach is B·R of the default λ. It and the clipping threshold were chosen
// by the test accuracy in % of logistic fits, the mean over 3 (Adult) and 60
// (breast cancer) seeded 80/20 splits, δ = 1e-5, add/remove, N the nearest power
// of ten, κ = 1/2:
//
//	            Adult                   breast cancer
//	ε           0.1     1       8       0.1     1       8
//	C=R/2 B=16  81.95   83.08   83.76   57.3    77.2    88.8    the default
//	C=R/2 B=8   81.28   82.94   83.58   59.3    79.0    88.8
//	C=R/2 B=32  82.06   83.26   83.87   56.0    73.2    87.7
//	C=R/4 B=16  80.30   82.83   83.48   64.1    76.8    89.1
//	C=R   B=16  81.27   83.07   83.77   54.4    68.9    86.3
//	C=R   B=2   76.77   82.39   83.14   59.3    70.4    84.5
//
// Standard errors are near 0.1 and 1.5. Output perturbation is no match for
// package amp at small ε or few records, whatever its λ.
const DefaultReach = 16

// Plan returns the plan: λ, the smallest noise for the guarantee, τ = 2^-18 max(R, C) (three times
// [SmallestTau] and more, and some 2^-17 of the sensitivity) and a lattice 2^-24 as fine as the
// noise or finer. Errors are of type *privacy.ParameterError.
func (r Request) Plan() (Plan, error) {
	if err := r.validate(); err != nil {
		return Plan{}, err
	}
	if r.Clip == 0 {
		r.Clip = learn.DefaultClip(r.Loss, r.RowNorm)
	}
	plan := Plan{
		Adjacency: r.Guarantee.Adjacency, Dimension: r.Dimension, RowNorm: r.RowNorm, Clip: r.Clip,
		Lambda: r.Lambda,
		Tau:    math.Ldexp(math.Max(r.RowNorm, r.Clip), -18), Radius: r.Radius,
	}
	if plan.Lambda == 0 {
		unit, err := r.sigma(Sensitivity(plan.Adjacency, plan.Clip, 1, plan.Tau)) // λσ
		if err != nil {
			return Plan{}, err
		}
		reach := r.Reach
		if reach == 0 {
			reach = DefaultReach / r.RowNorm
		}
		plan.Lambda = Balance(
			unit, r.Records*r.Loss.MaxCurvature()*r.RowNorm*r.RowNorm, r.Dimension, reach,
		)
		plan.Lambda = math.Max(plan.Lambda, SmallestLambda(r.Loss, r.RowNorm))
	}
	sensitivity := Sensitivity(plan.Adjacency, plan.Clip, plan.Lambda, plan.Tau)
	// The lattice's share of the sensitivity is below 2^-16 of it, unless the noise
	// is so large that the lattice has to be coarser for it.
	for settled, rounds := false, 0; !settled; rounds++ {
		if rounds == 64 {
			return Plan{}, bad(
				"epsilon",
				privacy.Number(r.Guarantee.Epsilon)+" at delta "+privacy.Number(r.Guarantee.Delta),
				"less extreme: the noise would be too large for a lattice",
			)
		}
		var err error
		if plan.Sigma, err = r.sigma(sensitivity); err != nil {
			return Plan{}, err
		}
		_, exponent := math.Frexp(math.Min(plan.Sigma, sensitivity))
		plan.Grid = math.Ldexp(1, max(exponent-1-24, exponentOf(plan.Sigma)-39))
		event, err := plan.Event()
		if err != nil {
			return Plan{}, err
		}
		settled = rounds > 1 && event.Sensitivity <= sensitivity*(1+0x1p-42)
		sensitivity = math.Max(sensitivity, event.Sensitivity)
	}
	plan.Sigma *= 1 + 0x1p-40
	_, err := plan.Event()
	return plan, err
}

func exponentOf(x float64) int {
	_, exponent := math.Frexp(x)
	return exponent
}

// sigma is the noise for a sensitivity.
func (r Request) sigma(sensitivity float64) (float64, error) {
	if r.Calibration == CalibrationLowyRazaviyayn {
		return LowyRazaviyaynSigma(sensitivity, r.Guarantee.Epsilon, r.Guarantee.Delta)
	}
	return calibrate.Gaussian(r.Guarantee.Epsilon, r.Guarantee.Delta, sensitivity)
}

// Balance is the λ at which a bound on the expected excess of J's loss part over
// that of the best θ of length at most reach is least, for noise unit/λ a
// coordinate: noise ζ moves the loss by at most ½E[ζᵀHζ] + (λ/2)E‖ζ‖² to second
// order, where H = Σ f″xxᵀ has trace at most curvature = NβR², and the
// regulariser costs λB²/2. The sum,
//
//	curvature·unit²/(2λ²) + d·unit²/(2λ) + λ·reach²/2,
//
// is convex in λ > 0, and its derivative has one root.
func Balance(unit, curvature float64, dimension int, reach float64) float64 {
	slope := func(lambda float64) float64 {
		s := unit / lambda
		return reach*reach/2 - float64(dimension)*s*s/2 - curvature*s*s/lambda
	}
	low, high := unit, unit
	for slope(low) > 0 {
		low /= 2
	}
	for slope(high) < 0 {
		high *= 2
	}
	for range 200 {
		middle := math.Sqrt(low) * math.Sqrt(high)
		if slope(middle) < 0 {
			low = middle
		} else {
			high = middle
		}
	}
	return high
}

// LowyRazaviyaynSigma is the noise by which Lowy & Razaviyayn 2021 ("Output
// Perturbation for Differentially Private Convex Optimization with Improved
// Population Loss Bounds, Runtimes and Applications to Private Adversarial
// Training") perturb a solution of this sensitivity, and Fay et al. 2023 with
// them:
//
//	σ = Δ(c + √(c² + ε))/(ε√2),   c² = log(2/(√(16δ+1) − 1)),
//
// (ε, δ)-DP for 0 < δ < 1/2 by Zhao et al. 2019, "Reviewing and Improving the
// Gaussian Mechanism for Differential Privacy". It is larger than the exact
// one. For a convex loss they add the regulariser that the loss lacks, and move
// the output to the ball in which the minimiser is known to lie
// (Request.Lambda, Request.Radius).
func LowyRazaviyaynSigma(sensitivity, epsilon, delta float64) (float64, error) {
	if err := privacy.FirstError(
		learn.CheckRange(
			"sensitivity", sensitivity, false,
		), privacy.CheckEpsilon(epsilon), privacy.CheckDelta(delta),
	); err != nil {
		return math.Inf(1), err
	}
	if delta >= 0.5 {
		return math.Inf(1), bad("delta", privacy.Number(delta), "below 1/2 for this calibration")
	}
	// √(16δ+1) − 1 without cancellation; rounded up by more than it errs.
	square := math.Log((math.Sqrt(16*delta+1) + 1) / (8 * delta))
	sigma := sensitivity * (math.Sqrt(square) + math.Sqrt(square+epsilon)) / (epsilon * math.Sqrt2)
	return sigma * (1 + 0x1p-48), nil
}

func (r Request) validate() error {
	if err := r.Guarantee.Validate(); err != nil {
		return err
	}
	switch r.Calibration {
	case "", CalibrationExact, CalibrationLowyRazaviyayn:
	default:
		return bad(
			"calibration",
			strconv.Quote(string(r.Calibration)),
			`"exact" or "lowy-razaviyayn"`,
		)
	}
	if r.Loss == nil {
		return bad("loss", "missing", "a loss")
	}
	if err := learn.CheckWidth(r.Loss); err != nil {
		return err
	}
	if r.Dimension < 1 || r.Dimension > MaxDimension {
		return bad("dimension", strconv.Itoa(r.Dimension), "from 1 to "+strconv.Itoa(MaxDimension))
	}
	if err := privacy.FirstError(
		learn.CheckRange(
			"row_norm", r.RowNorm, false,
		), learn.CheckRange("clip", r.Clip, true), learn.CheckRange("lambda", r.Lambda, true),
		learn.CheckRange("reach", r.Reach, true), learn.CheckRange(
			"radius", r.Radius, true,
		), learn.CheckRange("records", r.Records, r.Lambda > 0),
	); err != nil {
		return err
	}
	if r.Lambda > 0 {
		return checkLambda(r.Lambda, r.Loss, r.RowNorm)
	}
	return nil
}
