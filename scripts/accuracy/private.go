package main

import (
	"math"

	"cloister/core/learn"
	"cloister/core/learn/selection"
)

// privately is a private choice of what the method's name says. Choices that come to nothing,
// e^−5 of them at most, are left out of the mean.
func (s settings) privately(asked learn.Asked, records float64) (learn.Chosen, error) {
	candidates := selection.Methods(asked.Schema.Label.Type)
	if s.method == "choose-lambda" {
		var err error
		if candidates, err = selection.Lambdas(asked); err != nil {
			return learn.Chosen{}, err
		}
	}
	asked.Records = records
	plan, err := selection.Choose(selection.Asked{Asked: asked, Candidates: candidates})
	if err != nil {
		return learn.Chosen{}, err
	}
	return plan.Chosen(), nil
}

// oneDigit is a number of records as a person would say it.
func oneDigit(n float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(n)))
	return math.Round(n/unit) * unit
}
