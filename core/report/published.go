package report

import (
	"math"
	"strconv"

	"cloister/core/privacy"
	"cloister/core/solve"
)

// gradientCutOff reports whether an element of the gradient was moved to the
// lattice's end (learn.AddLatticeNoise), so that it is not the gradient with the
// noise: it then bounds nothing. It takes a b of some 2^26 times the report's noise.
func (p Published) gradientCutOff() bool {
	for _, v := range p.Gradient {
		if math.Abs(v) >= (1<<53-1)*gridOf(p.Plan.Gradient) {
			return true
		}
	}
	return false
}

// check returns a *privacy.ParameterError unless p could have been released by
// its plan about m.
func (p Published) check(m Mechanism) error {
	if err := p.Plan.validate(m); err != nil {
		return err
	}
	d := len(m.Theta)
	triangle := d * (d + 1) / 2
	numbers := []float64{p.Least}
	released := [...]bool{p.Plan.Gradient > 0, p.Plan.Hessian > 0, p.Plan.Rest, p.Plan.Scores > 0}
	for k, values := range [...][]float64{p.Gradient, at(p.Hessian), at(p.Rest), at(p.Scores)} {
		want := 0
		if released[k] {
			if want = triangle; k == 0 {
				want = d
			}
		}
		if want == 0 && values != nil {
			return &privacy.ParameterError{
				Field: [...]string{"gradient", "hessian", "hessian.rest", "scores"}[k],
				Value: "there",
				Want:  "left out where its sigma is 0",
			}
		}
		if len(values) != want {
			return &privacy.ParameterError{
				Field: [...]string{"gradient", "hessian", "hessian.rest", "scores"}[k],
				Value: strconv.Itoa(len(values)) + " numbers",
				Want:  strconv.Itoa(want),
			}
		}
		numbers = append(numbers, values...)
	}
	if p.Plan.Least == 0 && p.Least != 0 {
		return &privacy.ParameterError{
			Field: "least",
			Value: privacy.Number(p.Least),
			Want:  "0 where it was not released",
		}
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &privacy.ParameterError{
				Field: "published",
				Value: privacy.Number(v),
				Want:  "finite numbers",
			}
		}
	}
	return p.possible(m)
}

func at(p *solve.Packed) []float64 {
	if p == nil {
		return nil
	}
	return p.At
}
