package lab

import (
	"math"
	"strconv"

	"cloister/core/account/calibrate"
	"cloister/core/account/curve"
	"cloister/core/account/rdp"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpsgd"
	"cloister/core/privacy"
	"cloister/core/special"
)

// quickEpochs stands for the papers' 60 where a run is to be quick.
const quickEpochs = 10

// paperPlan is DP-SGD as Redberg, Koskela & Wang set it, its noise and learning
// rate left open. The number of records is taken for public, as they do.
func paperPlan(j *job) dpsgd.Plan {
	plan := dpsgd.PaperPlan(j.train.X.Rows())
	if j.effort == Quick {
		plan.Steps = plan.Steps / 60 * quickEpochs
	}
	plan.Clip = j.train.Schema.RowNorm() // √2 in the paper's encoding
	return plan
}

// dpsgdHonest tunes the learning rate by private selection and pays for it.
func dpsgdHonest() Method {
	return Method{
		Name: "dpsgd-honest", Title: "DP-SGD, tuned honestly", Family: FamilySGD, Standing: Private,
		About: "The paper's DP-SGD (batches of 256, 60 epochs, Adam), its learning rate the best of Poisson(15.4) runs with rates drawn from ten between 1e-8 and 1e-1; " +
			"the choice is paid for by private selection (after Papernot & Steinke 2022, but priced in RDP by this library's own theorem for a Poisson number of runs, which is never above theirs and mostly below: so there is less noise than the paper's), its score a noisy count on the training records. n is taken for public: batches and steps are set from it.",
		Encoding: PaperEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) {
			plan := paperPlan(j)
			tuning := dpsgd.PaperTuning(j.train.X.Rows())
			tuning.Plan = plan
			key := "tuned/" + descentKey(plan.Rate, plan.Steps, j.guarantee)
			event, err := j.prices.events.get(key, func() (privacy.Event, error) {
				return calibrate.TunedDescent(plan.Rate, plan.Steps, tuning.Mean, j.guarantee)
			})
			if err != nil {
				return outcome{}, err
			}
			if tuning, err = tuning.For(event.(privacy.PoissonSelection)); err != nil {
				return outcome{}, err
			}
			model, choice, _, err := dpsgd.Tune(
				j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, tuning, nil, j.source,
				nil,
			)
			if err != nil {
				return outcome{}, err
			}
			return outcome{
				model:  model,
				event:  event,
				detail: "picked rate=" + short(choice.LearningRate),
			}, nil
		},
	}
}

// dpsgdDishonest is the paper's: priced in RDP, the best of ten learning rates.
func dpsgdDishonest() Method {
	return Method{
		Name: "dpsgd-dishonest", Title: "DP-SGD, the paper's grid (dishonest)", Family: FamilySGD, Standing: Dishonest,
		About:    "The paper's DP-SGD, priced in RDP, with each of its ten learning rates between 1e-8 and 1e-1; the one that is best on the test records is shown, and the choice is not paid for. n is taken for public.",
		Encoding: PaperEncoding, Revision: 1,
		settings: func(effort Effort) []string {
			if effort == Quick {
				return rateSettings(dpsgd.PaperRates(10)[6:])
			}
			return rateSettings(dpsgd.PaperRates(10))
		},
		fit: func(j *job) (outcome, error) {
			plan := paperPlan(j)
			return descend(
				j, plan, "rdp/",
				func() (privacy.Event, error) {
					return renyiDescent(plan.Rate, plan.Steps, j.guarantee)
				},
			)
		},
	}
}

// clips are the clipping thresholds of the grids of dishonest methods, in units
// of R: our default, whose threshold is R, is not to win by what rivals may not
// choose.
var clips = []float64{0.25, 0.5, 1}

// dpsgdSharp is DP-SGD at its best: our encoding, the sharpest price, learning
// rates around the good ones, each with every clipping threshold.
func dpsgdSharp() Method {
	return Method{
		Name: "dpsgd-dishonest-pld", Title: "DP-SGD, finer grid, PLD (dishonest)", Family: FamilySGD, Standing: Dishonest,
		About:    "The same with this library's encoding of the records, the least noise that its privacy loss distribution allows, a finer grid of learning rates, from 1e-3 to 1, and the clipping thresholds R, R/2 and R/4 with each. n is taken for public.",
		Encoding: DefaultEncoding, Revision: 2,
		settings: func(effort Effort) []string {
			if effort == Quick {
				return withClips(rateSettings([]float64{0.003, 0.01, 0.03, 0.1}))
			}
			return withClips(rateSettings([]float64{0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1}))
		},
		fit: func(j *job) (outcome, error) {
			plan := paperPlan(j)
			clip, err := valueOf(j.setting, "clip")
			if err != nil {
				return outcome{}, err
			}
			plan.Clip *= clip
			return descend(
				j, plan, "pld/",
				func() (privacy.Event, error) {
					return calibrate.Descent(plan.Rate, plan.Steps, j.guarantee)
				},
			)
		},
	}
}

// descend runs DP-SGD with the learning rate of the setting.
func descend(
	j *job, plan dpsgd.Plan, price string, calibrate func() (privacy.Event, error),
) (outcome, error) {
	event, err := j.prices.events.get(
		price+descentKey(plan.Rate, plan.Steps, j.guarantee), calibrate,
	)
	if err != nil {
		return outcome{}, err
	}
	plan = plan.For(event.(privacy.SubsampledGaussian))
	if plan.Optimiser.LearningRate, err = valueOf(j.setting, "rate"); err != nil {
		return outcome{}, err
	}
	model, _, err := dpsgd.Fit(
		j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}}, plan, j.source, nil,
	)
	return outcome{model: model, event: event}, err
}

func descentKey(rate float64, steps int, g privacy.Guarantee) string {
	return number(rate) + "/" + decimal(steps) + "/" + number(g.Epsilon) + "/" + number(g.Delta)
}

// renyiDescent is calibrate.Descent with Rényi accounting: the smallest noise
// multiplier for which the best real order proves the guarantee.
func renyiDescent(rate float64, steps int, keep privacy.Guarantee) (privacy.Event, error) {
	event := privacy.SubsampledGaussian{
		Adjacency:       keep.Adjacency,
		Rate:            rate,
		NoiseMultiplier: 1,
		Steps:           steps,
	}
	target := math.Log(keep.Delta)
	excess := func(logZ float64) float64 {
		profile := rdp.SubsampledGaussian(rate, math.Exp(logZ), steps)
		return curve.LogDeltaFromRenyi(profile.At, keep.Epsilon) - target
	}
	logZ, err := special.ConservativeRoot(excess, math.Log(0x1p-10), math.Log(0x1p+20), 1e-5)
	if err != nil {
		return nil, err
	}
	event.NoiseMultiplier = math.Exp(logZ)
	return event, nil
}

// dpgdMomentum is gradient descent on all records at once, tuned for free. It is
// DP-SGD with every record in every step: a composition of Gaussian mechanisms,
// which costs exactly what one with √T times the sensitivity does.
func dpgdMomentum() Method {
	return Method{
		Name: "dpgd-momentum", Title: "DP-GD, momentum, grid (dishonest)", Family: FamilyDescent, Standing: Dishonest,
		About:    "Noisy gradient descent on all records with momentum 0.9, priced exactly as a composition of Gaussian mechanisms; the best of a grid of learning rates, numbers of steps and clipping thresholds (R, R/2, R/4) on the test records, not paid for. This library's encoding; n is taken for public.",
		Encoding: DefaultEncoding, Revision: 3,
		settings: func(effort Effort) []string {
			steps, rates := []int{30, 100, 300}, []float64{0.3, 1, 3, 10, 30}
			if effort == Quick {
				steps, rates = []int{30, 100}, []float64{1, 3, 10}
			}
			var out []string
			for _, t := range steps {
				for _, s := range rateSettings(rates) {
					out = append(out, "steps="+decimal(t)+" "+s)
				}
			}
			return withClips(out)
		},
		fit: func(j *job) (outcome, error) {
			steps, err := valueOf(j.setting, "steps")
			if err != nil {
				return outcome{}, err
			}
			rate, err := valueOf(j.setting, "rate")
			if err != nil {
				return outcome{}, err
			}
			clip, err := valueOf(j.setting, "clip")
			if err != nil {
				return outcome{}, err
			}
			event, err := j.prices.events.get(
				"gdp/"+descentKey(1, int(steps), j.guarantee),
				func() (privacy.Event, error) {
					z, err := calibrate.Gaussian(
						j.guarantee.Epsilon, j.guarantee.Delta, math.Sqrt(steps),
					)
					return privacy.SubsampledGaussian{
						Adjacency:       j.guarantee.Adjacency,
						Rate:            1,
						NoiseMultiplier: z,
						Steps:           int(steps),
					}, err
				},
			)
			if err != nil {
				return outcome{}, err
			}
			plan := dpsgd.Plan{
				Clip:      clip * j.train.Schema.RowNorm(),
				Batch:     float64(j.train.X.Rows()),
				Optimiser: dpsgd.NewMomentum(rate),
			}
			model, _, err := dpsgd.Fit(
				j.ctx, learn.Problem{Data: j.train, Loss: glm.Logistic{}},
				plan.For(event.(privacy.SubsampledGaussian)), j.source, nil,
			)
			return outcome{model: model, event: event}, err
		},
	}
}

// withClips is each setting with each clipping threshold.
func withClips(settings []string) []string {
	var out []string
	for _, clip := range clips {
		for _, s := range settings {
			out = append(out, "clip="+short(clip)+" "+s)
		}
	}
	return out
}

func rateSettings(rates []float64) []string {
	out := make([]string, len(rates))
	for i, rate := range rates {
		out[i] = "rate=" + short(rate)
	}
	return out
}

// short writes a number of a grid with three digits, and reads back as nearly
// the same.
func short(x float64) string { return strconv.FormatFloat(x, 'g', 3, 64) }
