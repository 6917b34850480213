package lab

import (
	"math"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/outpert"
)

// outputPerturbationLR is the baseline of Fay et al. 2023, §4: Lowy & Razaviyayn
// 2021, Algorithm 6, for convex Lipschitz losses. It adds the regulariser that
// the loss lacks, solves, adds noise by their calibration and moves the output to
// the ball that the minimiser is looked for in. Nothing is clipped: the logistic
// loss is R-Lipschitz. Fay et al. price it under replace-one; here, like all
// else in the laboratory, it is priced under add/remove.
func outputPerturbationLR() Method {
	return Method{
		Name: "outpert-lr", Title: "Output perturbation, Lowy & Razaviyayn", Family: FamilyOutput, Standing: Private,
		About: "The baseline of Fay et al. 2023: the minimiser of the regularised risk with the Gaussian noise of Lowy & Razaviyayn 2021, which is more than the exact calibration's, moved to the ball of radius B. " +
			"Neither λ nor B is printed there: λ makes least the bound L√d·σ + λB²/2 on the excess risk, B = 16/R is this library's guess. λ rests on n, and n is taken for public.",
		Encoding: DefaultEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) {
			schema := j.train.Schema
			lambda, radius, err := lowyRazaviyayn(
				float64(j.train.X.Rows()), schema.RowNorm(), schema.Dimension(),
				j.guarantee.Epsilon, j.guarantee.Delta,
			)
			if err != nil {
				return outcome{}, err
			}
			plan, err := outpert.Request{
				Guarantee: j.guarantee, Calibration: outpert.CalibrationLowyRazaviyayn,
				Loss:      glm.Logistic{},
				Dimension: schema.Dimension(), RowNorm: schema.RowNorm(), Clip: schema.RowNorm(),
				Lambda: lambda, Radius: radius,
			}.Plan()
			if err != nil {
				return outcome{}, err
			}
			event, err := plan.Event()
			if err != nil {
				return outcome{}, err
			}
			model, _, err := outpert.Fit(
				j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, plan, j.source, nil,
			)
			return outcome{model: model, event: event, detail: "lambda=" + short(lambda)}, err
		},
	}
}

// lowyRazaviyayn is λ of the sum over n records, and B. With λ for the sum, noise
// σ = unit/λ a coordinate and an L-Lipschitz mean loss, the excess risk over the
// best θ of length at most B is at most
//
//	L·E‖ζ‖ + (λ/n)B²/2 ≤ L√d·unit/λ + λB²/(2n),
//
// least at λ = √(2nL√d·unit)/B.
func lowyRazaviyayn(
	n, rowNorm float64, dimension int, epsilon, delta float64,
) (lambda, radius float64, err error) {
	unit, err := outpert.LowyRazaviyaynSigma(rowNorm, epsilon, delta)
	radius = outpert.DefaultReach / rowNorm
	return math.Sqrt(2*n*rowNorm*math.Sqrt(float64(dimension))*unit) / radius, radius, err
}
