package lab

import (
	"math"

	"cloister/core/privacy"
)

// Epsilons are those of Redberg, Koskela & Wang 2023, Figure 2.
var Epsilons = []float64{0.025, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 8}

// DefaultDelta is δ there.
const DefaultDelta = 1e-5

// DefaultTrials is how many they ran.
const DefaultTrials = 10

// Plan is a grid of cells.
type Plan struct {
	Sets     []string
	Methods  []string
	Epsilons []float64
	Delta    float64
	Trials   int

	// SmallTrials is the number of trials on sets that are Small, whose fits are quick.
	// 0 stands for the number of the other sets.
	SmallTrials int

	Seed   int
	Effort Effort
}

// trials is how many a set has.
func (p Plan) trials(set string) int {
	if s, err := FindSet(set); err == nil && s.Small && p.SmallTrials > 0 {
		return p.SmallTrials
	}
	return p.Trials
}

// Cells lists the plan's cells, all of trial 1 first. So an interrupted run has some
// results for every method and set. A method that is not private has one cell a trial.
// Errors: *UnknownError and *privacy.ParameterError.
func (p Plan) Cells() ([]Cell, error) {
	var cells []Cell
	if p.Trials < 1 {
		return nil, &privacy.ParameterError{
			Field: "trials",
			Value: decimal(p.Trials),
			Want:  "1 or more",
		}
	}
	for _, name := range p.Methods {
		if _, err := FindMethod(name); err != nil {
			return nil, err
		}
	}
	for _, name := range p.Sets {
		if _, err := FindSet(name); err != nil && name != Given {
			return nil, err
		}
	}
	for trial := 1; trial <= max(p.Trials, p.SmallTrials); trial++ {
		for _, set := range p.Sets {
			if trial > p.trials(set) {
				continue
			}
			for _, name := range p.Methods {
				method, _ := FindMethod(name)
				epsilons := p.Epsilons
				if method.Standing == NotPrivate {
					epsilons = []float64{math.Inf(1)}
				}
				for _, epsilon := range epsilons {
					for _, setting := range method.Settings(p.Effort) {
						cell := Cell{
							Set:     set,
							Method:  name,
							Setting: setting,
							Epsilon: epsilon,
							Delta:   p.Delta,
							Trial:   trial,
							Seed:    p.Seed,
							Effort:  p.Effort,
						}
						if err := cell.check(method); err != nil {
							return nil, err
						}
						cells = append(cells, cell)
					}
				}
			}
		}
	}
	return cells, nil
}
