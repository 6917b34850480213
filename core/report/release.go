package report

import (
	"math"
	"strconv"

	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/report/matrix"
	"cloister/core/solve"
)

// Published is what a report's own releases gave out. The zero value is the
// data-independent report's.
type Published struct {
	Plan     Plan
	Gradient []float64     // ∇J(θ*; D) with noise; nil for none
	Hessian  *solve.Packed // Σ f″x xᵀ, from below, with noise and without λI; nil for none
	Rest     *solve.Packed // Σ f″x xᵀ at Theta less Hessian, with noise of its own; nil for none
	Least    float64       // the smallest eigenvalue of the whole Hessian, with noise
	Scores   *solve.Packed // Σ∇ℓ∇ℓᵀ at Theta, with noise; nil for none
}

// Release makes a report's releases by the plan, about the problem whose release
// m describes. b is the noise that the fit drew, −∇J(θ*; D), to within the error
// of its sampler; it is not looked at unless the plan releases the gradient. Who
// charges for Plan.Event does so before.
//
// # The Hessian from below
//
// Where Theta is not θ*, the Hessian at θ* is no function of what was published.
// What is released instead is, for each record, the least f″ that any margin
// within ‖x‖·r of xᵀTheta has, r = radius(1e-10): a function of
// Theta and the record alone, at most β, so as sensitive as the Hessian. And but
// for a probability of 1e-10 every record's margin at θ* is within ‖x‖·r of that at
// Theta (radius), so that
//
//	H⁻ = Σ inf f″·x xᵀ + λI ⪯ ∇²J(θ*; D),
//
// which is the side on which a leverage is bounded. It needs no smoothness of f″:
// clipping's and Huber's jumps are no trouble. But it is short of the Hessian, by a
// tenth to a half, and standard errors want the rest as well (Plan.Rest).
//
// Errors: *privacy.ParameterError, a *learn.RowError for a row that breaks what
// the schema promises, matrix.ErrRows, solve.ErrEigen, or the source's.
func Release(
	m Mechanism, plan Plan, problem learn.Problem, b []float64, source random.Source,
) (Published, error) {
	blocks, err := Sums(m, plan, problem)
	if err != nil {
		return Published{}, err
	}
	return ReleaseSums(m, plan, blocks, b, source)
}

// Sums returns what [ReleaseSums] adds noise to: one list of numbers for each block of the data
// set, or for all its records if it has none. Use it for records of which several workers have some
// blocks each. The numbers are whole, as private as the records, and for ReleaseSums alone. They
// are empty if the plan releases no matrix. Errors are those of Release.
func Sums(m Mechanism, plan Plan, problem learn.Problem) ([][]float64, error) {
	if err := plan.validate(m); err != nil {
		return nil, err
	}
	if d := problem.Dimension(); d != len(m.Theta) {
		return nil, &privacy.ParameterError{
			Field: "dimension",
			Value: strconv.Itoa(d),
			Want:  strconv.Itoa(len(m.Theta)) + ", the number of coefficients",
		}
	}
	if plan.Hessian > 0 {
		if err := problem.Check(m.RowNorm); err != nil {
			return nil, err
		}
	}
	var out [][]float64
	first := 0
	for _, end := range problem.Data.BlockEnds() {
		s, err := sumsOf(m, plan, problem.Data, first, end)
		if err != nil {
			return nil, err
		}
		out, first = append(out, s.numbers()), end
	}
	return out, nil
}

// ReleaseSums is [Release] for records of which [Sums] took the sums by the same plan: the lists of
// all their blocks, in any order. Each record must be in one block. Charge first, as for Release.
// It panics for lists of another length than those of the plan. Lists of another plan may be as
// long: nothing notices them, and what is released is wrong.
func ReleaseSums(
	m Mechanism, plan Plan, blocks [][]float64, b []float64, source random.Source,
) (Published, error) {
	if err := plan.validate(m); err != nil {
		return Published{}, err
	}
	out := Published{Plan: plan}
	s, err := newSums(m, plan)
	if err != nil {
		return Published{}, err
	}
	for _, numbers := range blocks {
		if err := s.add(numbers); err != nil {
			return Published{}, err
		}
	}
	if err := out.releaseMatrices(m, s, source); err != nil {
		return Published{}, err
	}
	if plan.Gradient > 0 {
		if len(b) != len(m.Theta) {
			return Published{}, &privacy.ParameterError{
				Field: "b",
				Value: strconv.Itoa(len(b)) + " numbers",
				Want:  strconv.Itoa(len(m.Theta)) + ", one a coefficient",
			}
		}
		gradient := make([]float64, len(b))
		defer clear(gradient)
		for j, v := range b {
			gradient[j] = -v
		}
		noisy, err := learn.AddLatticeNoise(gradient, plan.Gradient, gridOf(plan.Gradient), source)
		if err != nil {
			return Published{}, err
		}
		out.Gradient = noisy
	}
	return out, nil
}

// releaseMatrices releases what the plan says of the sums.
func (p *Published) releaseMatrices(m Mechanism, s *sums, source random.Source) error {
	if p.Plan.Hessian == 0 {
		return nil
	}
	mechanism, err := p.Plan.matrix(m)
	if err != nil {
		return err
	}
	if p.Hessian, err = mechanism.Release(s.below, source); err != nil {
		return err
	}
	if s.rest != nil {
		if p.Rest, err = mechanism.Release(s.rest, source); err != nil {
			return err
		}
	}
	if p.Plan.Least > 0 {
		e, err := solve.Decompose(s.below.Packed())
		if err != nil {
			return err
		}
		least, err := learn.AddLatticeNoise(
			[]float64{math.Max(e.Values[0], 0) + m.Lambda}, p.Plan.Least, gridOf(p.Plan.Least),
			source,
		)
		if err != nil {
			return err
		}
		p.Least = least[0]
	}
	if s.scores == nil {
		return nil
	}
	if mechanism, err = p.Plan.scores(m); err != nil {
		return err
	}
	p.Scores, err = mechanism.Release(s.scores, source)
	return err
}

// windowTail is the probability with which a margin at θ* is not where the Hessian
// is bounded from below.
const windowTail = 1e-10

// radius is r with |xᵀ(Theta − θ*)| ≤ ‖x‖·r for all records x of the data at once,
// but for a probability of tail: by the length of the noise, which is for every x
// there can be, or by a union bound over as many records as a Hessian is released
// of, all fixed before the noise was drawn. The second is the smaller from 8 columns
// on, and does not grow with them.
func (m Mechanism) radius(tail float64) float64 {
	if m.Output.Sigma == 0 {
		return m.Output.Shift
	}
	everybody := longest(len(m.Theta), tail)
	records := Scope{People: matrix.MaxRows}.subgaussian(tail, 0)
	return (m.Output.Shift + m.Output.Sigma*math.Min(everybody, records)) * (1 + 0x1p-40)
}
