package selection

import (
	"slices"

	"cloister/core/account/calibrate"
	"cloister/core/data"
	"cloister/core/learn"
)

// trial stands for the choice on made-up records.
func (p Plan) trial() (learn.Trial, error) {
	among := &learn.TrialSelection{Mean: p.Event.Mean, Sigma: p.noise, Score: scoreOf}
	for _, fit := range p.Fits {
		trial, err := fit.Trial()
		if err != nil {
			return trial, err
		}
		among.Among = append(among.Among, trial)
	}
	return learn.Trial{Dimension: among.Among[0].Dimension, Selection: among}, nil
}

// scoreOf is the score of a model of these vectors.
func scoreOf(theta [][]float64, records *data.Dataset) int64 {
	all := slices.Concat(theta...)
	return score(learn.Model{Schema: records.Schema, Coefficients: all}, records)
}

// TrialNear estimates the trial of the same choice at another ε of the whole, asked being what
// the plan was chosen for. Use it where choosing takes long, as for several classes. Every fit
// keeps its share of ε, though at a larger ε the exact choice leaves it more. scaled says that no
// λ was named, so that λ follows ε. Errors are those of the candidates' methods.
func (p Plan) TrialNear(asked Asked, epsilon float64, scaled bool) (learn.Trial, error) {
	trial, err := p.trial()
	if err != nil {
		return trial, err
	}
	ratio, each := epsilon/asked.Guarantee.Epsilon, p.Each
	each.Epsilon *= ratio
	here, err := calibrate.Gaussian(p.Each.Epsilon, each.Delta, 1)
	if err != nil {
		return trial, err
	}
	there, err := calibrate.Gaussian(each.Epsilon, each.Delta, 1)
	if err != nil {
		return trial, err
	}
	trial.Selection.Sigma *= there / here
	for i := range trial.Selection.Among {
		fit := &trial.Selection.Among[i]
		if fit.Steps == nil {
			fit.Sigma *= there / here
			fit.Out *= there / here
			if scaled || p.Candidates[i].Lambda == 0 {
				fit.Lambda /= ratio
			}
			continue
		}
		chosen, err := asked.fit(p.Candidates[i], each)
		if err != nil {
			return trial, err
		}
		if *fit, err = chosen.Trial(); err != nil {
			return trial, err
		}
	}
	return trial, nil
}
