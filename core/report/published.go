package report

import (
	"math"
	"strconv"

	"cloister/core/privacy"
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
	wrong := func(field string, got, want int) error {
		return &privacy.ParameterError{Field: field, Value: strconv.Itoa(got) + " numbers", Want: strconv.Itoa(want)}
	}
	want, got := 0, 0
	if p.Plan.Gradient > 0 {
		want = d
	}
	if len(p.Gradient) != want {
		return wrong("gradient", len(p.Gradient), want)
	}
	want = 0
	if p.Plan.Hessian > 0 {
		want = d * (d + 1) / 2
	}
	if p.Hessian != nil {
		got = len(p.Hessian.At)
	}
	if got != want || p.Hessian != nil && p.Hessian.N != d {
		return wrong("hessian", got, want)
	}
	want, got = 0, 0
	if p.Plan.Scores > 0 {
		want = d * (d + 1) / 2
	}
	if p.Scores != nil {
		got = len(p.Scores.At)
	}
	if got != want || p.Scores != nil && p.Scores.N != d {
		return wrong("scores", got, want)
	}
	if p.Plan.Least == 0 && p.Least != 0 {
		return &privacy.ParameterError{Field: "least", Value: privacy.Number(p.Least), Want: "0 where it was not released"}
	}
	numbers := append([]float64{p.Least}, p.Gradient...)
	if p.Hessian != nil {
		numbers = append(numbers, p.Hessian.At...)
	}
	if p.Scores != nil {
		numbers = append(numbers, p.Scores.At...)
	}
	for _, v := range numbers {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return &privacy.ParameterError{Field: "published", Value: privacy.Number(v), Want: "finite numbers"}
		}
	}
	return nil
}
