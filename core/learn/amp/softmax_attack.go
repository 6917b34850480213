package amp

import (
	"context"
	"math"
	"slices"

	"cloister/core/audit"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
	"cloister/core/special"
)

// SoftmaxAttack is the audit of a softmax fit with this event: one record of class 0 and row
// (R, 0, …) against none, or against its opposite where a record is replaced. The other
// records are of class 1 and of the same direction: none, short rows, or long ones, which
// make class 1 all but certain for the record, so that its gradient is nearly √2·R long.
// Those are kept that show the suspect in the fewest runs.
//
// The statistic is the logarithm of the likelihood ratio of the first coefficients of all
// classes. They solve λθ + Σ x(p − e_y) + b = 0, so that their density is φ_σ(b(θ))·det(λI +
// Σ x²P) (theory §2). It leaves out the noise of the output, commonly hundreds of times
// smaller. Its law is a sum over quasi-random noises, half of them through either data set;
// that it is not exact makes an audit longer, never wrong.
func SoftmaxAttack(
	schema *data.Schema, event privacy.ApproximateMinima, suspect learn.Suspect,
) (learn.Attack, error) {
	promised := learn.Remembered(suspect.Promise)
	var e ratio
	var law audit.Law
	aim := audit.Aim{Rounds: math.MaxInt}
	for _, shared := range []ratio{{}, {scale: 0.3, count: 60}, {scale: 1, count: 30}} {
		family := shared
		family.o, family.sigma = event.Objective, event.Objective.Sigma*suspect.Noise
		its, err := family.law()
		if err != nil {
			return learn.Attack{}, err
		}
		next, err := audit.Take(its, promised, suspect.Epsilons)
		if err != nil {
			return learn.Attack{}, err
		}
		if next.Rounds < aim.Rounds {
			e, law, aim = family, its, next
		}
	}
	centre, spread := law.Middle()
	marks := func(scales ...float64) learn.Problem {
		list := slices.Repeat([]learn.Mark{{Scale: e.scale, Label: 1}}, e.count)
		for _, scale := range scales {
			list = append(list, learn.Mark{Scale: scale})
		}
		return learn.Marks(schema, glm.Softmax{}, event.Objective.RowNorm, list)
	}
	without := marks()
	if event.Objective.Adjacency == privacy.ReplaceOne {
		without = marks(-1)
	}
	d := event.Objective.Dimension / event.Objective.Classes
	return learn.Attack{
		Without: without, With: marks(1), Test: audit.Around(aim, centre, spread), Placed: true,
		Statistic: func(coefficients []float64) float64 {
			theta := make([]float64, event.Objective.Classes)
			for k := range theta {
				theta[k] = coefficients[k*d]
			}
			return e.of(theta)
		},
		Fit: func(noise float64) (learn.Fit, error) {
			event := Scaled(event, noise)
			return learn.OneVector(0, keeping(event, nil)), event.Validate()
		},
	}, nil
}

// ratio is the likelihood ratio of SoftmaxAttack.
type ratio struct {
	o     privacy.ObjectivePerturbation
	sigma float64 // the noise that is suspected
	scale float64 // of the other records' rows, in units of R
	count int     // how many there are
}

// of is its logarithm at the first coefficients of all classes.
func (r ratio) of(theta []float64) float64 {
	with := r.logDensity(theta, r.o.RowNorm)
	return with - r.logDensity(theta, r.opposite())
}

// opposite is the row in the record's place: 0 for none.
func (r ratio) opposite() float64 {
	if r.o.Adjacency == privacy.ReplaceOne {
		return -r.o.RowNorm
	}
	return 0
}

// logDensity is that of θ, but for a constant, with one record of class 0 and row (x, 0, …).
func (r ratio) logDensity(theta []float64, x float64) float64 {
	classes := len(theta)
	b, hessian := make([]float64, classes), solve.NewPacked(classes)
	hessian.AddDiagonal(r.o.Lambda)
	for k, t := range theta {
		b[k] = r.o.Lambda * t
	}
	add := func(weight, x float64, class int) {
		slopes := make([]float64, classes)
		for k, t := range theta {
			slopes[k] = x * t
		}
		glm.Softmax{}.Scores(slopes, class)
		for k, slope := range slopes {
			b[k] += weight * x * slope
		}
		slopes[class]++
		for k, p := range slopes {
			row := hessian.Row(k)
			for l, q := range slopes[:k+1] {
				row[l] -= weight * x * x * p * q
			}
			row[k] += weight * x * x * p
		}
	}
	add(float64(r.count), r.scale*r.o.RowNorm, 1)
	add(1, x, 0)
	log := math.Inf(-1)
	if hessian.Factorize() {
		log = 0
		for k := range classes {
			log += 2 * math.Log(hessian.Row(k)[k])
		}
	}
	for _, x := range b {
		log -= x * x / (2 * r.sigma * r.sigma)
	}
	return log
}

// law is that of the statistic.
func (r ratio) law() (audit.Law, error) {
	const draws = 512 // through either data set
	classes := r.o.Classes
	// The additive sequence of the least equidistribution error in so many dimensions
	// (Roberts 2018): powers of the root of x^{n+1} = x + 1.
	root := 2.0
	for range 60 {
		root = math.Pow(1+root, 1/float64(classes+1))
	}
	var masses []audit.Mass
	for i := range draws {
		b := make([]float64, classes)
		for k := range b {
			_, u := math.Modf(0.5 + float64(i+1)*math.Pow(root, -float64(k+1)))
			b[k] = r.sigma * special.NormalQuantile(math.Max(1e-12, math.Min(u, 1-1e-12)))
		}
		for _, x := range []float64{r.opposite(), r.o.RowNorm} {
			theta, err := r.fitted(b, x)
			if err != nil {
				return audit.Law{}, err
			}
			log := r.of(theta)
			share := 1 / (1 + math.Exp(-log)) // of the mixture of both that is With's
			masses = append(masses, audit.Mass{
				Statistic: log, With: share / draws, Without: (1 - share) / draws,
			})
		}
	}
	with, without := 0.0, 0.0 // 1, but for what the sums are not exact
	for _, m := range masses {
		with, without = with+m.With, without+m.Without
	}
	for i := range masses {
		masses[i].With /= with
		masses[i].Without /= without
	}
	return audit.NewLaw(masses), nil
}

// fitted is θ for the noise b and one record of class 0 with row (x, 0, …) among the others.
func (r ratio) fitted(b []float64, x float64) ([]float64, error) {
	rows := &solve.Rows{Columns: 1, Start: []int{0}}
	for range r.count {
		rows.Entry, rows.Label = append(rows.Entry, r.scale*r.o.RowNorm), append(rows.Label, 1)
	}
	rows.Entry, rows.Label = append(rows.Entry, x), append(rows.Label, 0)
	for i := range rows.Entry {
		rows.Index, rows.Start = append(rows.Index, 0), append(rows.Start, i+1)
	}
	o := solve.NewObjective(r.o.Lambda, b, &solve.Scores{Rows: rows, Classes: r.o.Classes})
	result, err := solve.Newton(
		context.Background(), o, solve.Options{Tolerance: 1e-8 * (r.sigma + r.o.RowNorm)},
	)
	if err != nil {
		return nil, err
	}
	return result.Theta, nil
}
