package selection

import (
	"errors"
	"math"
	"strconv"

	"cloister/core/account"
	"cloister/core/account/calibrate"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
)

// MostCandidates is how many a selection may have.
const MostCandidates = 16

// scoreNoise is the σ of the score's noise in units of what the score would need if it were
// all that a run gives out: it takes about a tenth of what a run costs.
const scoreNoise = 3

// Candidate is a setting to choose from. All of it is public.
type Candidate struct {
	Method string  // as package methods names it; "": the usual one for what is asked
	Lambda float64 // λ, of a method that takes one; 0: the method's own
}

// Asked describes the wanted choice. All of it is public.
type Asked struct {
	learn.Asked // the guarantee is of the whole; Tuning holds for methods that take one

	Candidates []Candidate // 2 to [MostCandidates]
}

// Plan is a choice whose noise is chosen. It holds nothing about any record.
type Plan struct {
	Candidates []Candidate

	// Each is the guarantee that each candidate's fit alone has: what the choice leaves of
	// the whole.
	Each privacy.Guarantee

	Fits  []learn.Chosen // of the candidates, in their order
	Event privacy.PoissonSelection
	Bound objective.Bound // of objective perturbation; "" where no candidate perturbs one

	noise float64 // σ of the score
	label data.LabelType
}

// Mean is μ for so many candidates: each is run with probability 1 − e^−2 at least, and no
// run is made with probability e^−5 = 0.7 % for two, and less for more. More runs leave less
// to each: for one Gaussian mechanism and ε = 1, δ = 1e-5 its σ is 1.4 times what it would be
// without a choice at μ = 2, 1.8 times at 5, 2.2 times at 8 and 2.7 times at 12.
func Mean(candidates int) float64 { return math.Max(5, 2*float64(candidates)) }

// Lambdas are the candidates for λ where none are named: the default of objective perturbation at
// the part of ε that a choice leaves to each run, about, and 3 and 9 times it. That part is half
// for the logistic loss and two classes, and a third for several. For other losses it is a sixth:
// a smaller λ has a dear Rényi curve, which all runs pay for, and with a third no noise keeps the
// whole within ε for the squared loss below ε = 4. An error is that of the default fit.
func Lambdas(asked learn.Asked) ([]Candidate, error) {
	asked.Tuning.Lambda = 0
	switch _, logistic := asked.Loss.(glm.Logistic); {
	case !logistic:
		asked.Guarantee.Epsilon /= 6
	case asked.Schema.Label.Type == data.SeveralClasses:
		asked.Guarantee.Epsilon /= 3
	default:
		asked.Guarantee.Epsilon /= 2
	}
	chosen, err := methods.Choose(methods.Default, asked)
	if err != nil {
		return nil, err
	}
	lambda := 0.0 // of the fit, or of each class's
	privacy.Walk(chosen.Event, func(e privacy.Event) {
		if objective, ok := privacy.ObjectiveOf(e); ok {
			lambda = objective.Lambda
		}
	})
	var candidates []Candidate
	for _, times := range []float64{1, 3, 9} {
		candidates = append(candidates, Candidate{methods.Default, lambda * times})
	}
	return candidates, nil
}

// Methods are the candidates for the method where none are named: objective perturbation
// and the mean of noisy steps, and for a number noisy sums. Steps need a public number of
// records, and for several classes the softmax: one against the rest has one method.
func Methods(label data.LabelType) []Candidate {
	both := []Candidate{{Method: "amp"}, {Method: "steps"}}
	if label == data.NumericLabel {
		return append(both, Candidate{Method: "suffstats"})
	}
	return both
}

// Choose chooses the noise. It looks at no record. Errors: those of methods.Choose for a
// candidate; a *privacy.ParameterError for the field "candidates" or "candidates[i]", for "loss"
// if its records weigh unlike, because scores count right answers, or for "epsilon" if no noise
// leaves anything to each of the runs; or an *InfeasibleError, or *UnattainableError, of package
// calibrate where no noise gives a candidate the guarantee.
func Choose(asked Asked) (Plan, error) {
	if n := len(asked.Candidates); n < 2 || n > MostCandidates {
		return Plan{}, bad("candidates", strconv.Itoa(n)+" settings",
			"from 2 to "+strconv.Itoa(MostCandidates)+" to choose from")
	}
	if _, weighted := asked.Loss.(glm.WeightedLogistic); weighted {
		return Plan{}, bad("loss", strconv.Quote(learn.WeightedLoss),
			"one without weights of the classes: a choice goes by the number of right answers")
	}
	if err := asked.Guarantee.Validate(); err != nil {
		return Plan{}, err
	}
	if asked.hopeless() {
		if err := asked.fault(); err != nil {
			return Plan{}, err
		}
		return Plan{}, tooLittle(asked.Guarantee)
	}
	return search(asked.Guarantee, asked.at)
}

// hopeless reports whether the smallest λ that is named costs all runs together more than the
// whole, however much noise there is. Use it before a search, which would be refused too, but after
// ten prices that take long where noise is so large.
//
// It asks for the price with the noise that a fit of ε = 0 has ([calibrate.MinimaRequest.Loudest]),
// which is next to nothing of the price: what is left is λ's. A search asks at less noise, and for
// some bounds at more. That no price rises with the noise is measured, not proved: so a 64th of
// the noise is priced too. Where either price is within ε, the search decides. It decides also
// where log(1 + βR²/λ) is less than half of ε: there it takes no longer. As with search, a choice
// may be refused that could be had, and no guarantee is broken.
func (a Asked) hopeless() bool {
	if a.Schema.Label.Type == data.SeveralClasses || a.Loss == nil {
		return false
	}
	var worst privacy.ObjectivePerturbation
	var bound objective.Bound
	rise := 0.0
	for _, candidate := range a.Candidates {
		if !a.named(candidate) {
			continue
		}
		loudest, under, err := a.loudest(candidate)
		if err != nil {
			return false // the search says what is wrong
		}
		if worst.Lambda == 0 || loudest.Lambda < worst.Lambda {
			worst, bound = loudest, under
			rise = math.Log1p(objective.Curvature(worst) / worst.Lambda)
		}
	}
	if worst.Lambda == 0 || rise < a.Guarantee.Epsilon/2 {
		return false
	}
	for range 2 {
		price, err := account.Of(
			privacy.PoissonSelection{Base: worst, Mean: Mean(len(a.Candidates))},
			account.Renyi, pld.Options{Bound: bound},
		)
		if err != nil {
			return false
		}
		cost, err := price.EpsilonUpper(a.Guarantee.Delta)
		if err != nil || cost <= a.Guarantee.Epsilon {
			return false
		}
		worst.Sigma /= 64
	}
	return true
}

// named reports whether a candidate is objective perturbation with a λ of its own or of the tuning.
func (a Asked) named(candidate Candidate) bool {
	return candidate.Method == methods.Default && (candidate.Lambda != 0 || a.Tuning.Lambda != 0)
}

// loudest is calibrate's Loudest of such a candidate. Its errors are those of its parameters.
func (a Asked) loudest(candidate Candidate) (
	privacy.ObjectivePerturbation, objective.Bound, error,
) {
	asked := a.Asked
	if candidate.Lambda != 0 {
		asked.Tuning.Lambda = candidate.Lambda
	}
	request, err := amp.Requested(asked)
	if err != nil {
		return privacy.ObjectivePerturbation{}, "", err
	}
	event, bound, err := request.Loudest()
	if err == nil {
		err = event.Validate()
	}
	return event, bound, err
}

// fault is the first candidate's that is wrong at every ε, as a search's first question finds it;
// nil if none is. Those of a named λ were looked at by hopeless: to fit one takes long where noise
// is large.
func (a Asked) fault() error {
	each := a.Guarantee
	each.Epsilon /= 2
	for i, candidate := range a.Candidates {
		if a.named(candidate) {
			continue
		}
		_, err := a.fit(candidate, each)
		if err != nil && !needsMore(err) {
			return within(i, err)
		}
	}
	return nil
}

// needsMore reports whether an error says that a fit cannot have so small an ε.
func needsMore(err error) bool {
	var none *calibrate.InfeasibleError
	var never *calibrate.UnattainableError // of a fit whose λ is named
	return errors.As(err, &none) || errors.As(err, &never)
}

// search finds the largest ε of each run, to a part in 500, whose choice costs no more than the
// whole. at is the plan for such an ε, and what the whole costs then. Each run's ε is sought by its
// logarithm and secants: what the whole costs is close to a power of it.
//
// A fit with a thousandth of ε is of no use, so that no less is asked. A refusal as tooLittle says
// that even this least ε costs more than the whole. It takes for granted that a larger ε does not
// cost less: each run has less noise then, and where λ is named all else is the same. That is
// measured (TestWhatIsRefusedCostsTooMuchWhateverIsLeft) and not proved; were it wrong, a choice
// would be refused that could be had, and no guarantee would be broken.
func search(
	whole privacy.Guarantee, at func(epsilon float64) (Plan, float64, error),
) (Plan, error) {
	low, high := math.Inf(-1), math.Log(whole.Epsilon)
	least := high - math.Log(leastShare)
	var found *Plan      // of low, where it has one
	var infeasible error // of low, where some candidate needs more
	ask := func(guess float64) (price float64, err error) {
		plan, price, err := at(math.Exp(guess))
		switch {
		case needsMore(err):
			low, infeasible = guess, err
			return math.NaN(), nil
		case err != nil:
		case price > whole.Epsilon:
			high = guess
		default:
			found, low = &plan, guess
		}
		return price, err
	}
	excess, slope, before := math.NaN(), 1.0, 0.0
	guess := high - 0.7
	for secants := 10; high > least; secants-- { // where the price is level they creep
		price, err := ask(guess)
		if err != nil {
			return Plan{}, err
		}
		step := 1.0
		if !math.IsNaN(price) {
			is := math.Log(price / (whole.Epsilon * (1 - nearly/2)))
			steeper := (is - excess) / (guess - before)
			if !math.IsNaN(steeper) {
				slope = math.Min(math.Max(steeper, 0.02), 5)
			}
			excess, before, step = is, guess, -is/slope
			if guess == low && excess >= -nearly {
				return *found, nil
			}
			if steeper < 0.5 && math.IsInf(low, -1) && guess > least {
				// The price hardly falls, as where a candidate's λ is too small for the whole's:
				// the least of all says at once whether any is enough.
				if _, err := ask(least); err != nil {
					return Plan{}, err
				}
			}
		}
		if high-low < nearly/4 {
			break
		}
		switch next := guess + step; {
		case secants > 0 && next > low && next < high:
			guess = next
		case math.IsInf(low, -1):
			guess -= 2
		default:
			guess = (low + high) / 2
		}
		guess = math.Max(guess, least)
	}
	if found != nil {
		return *found, nil
	}
	if infeasible != nil {
		return Plan{}, infeasible
	}
	return Plan{}, tooLittle(whole)
}

func tooLittle(whole privacy.Guarantee) error {
	return bad("epsilon", privacy.Number(whole.Epsilon),
		"more: no noise leaves anything to each of the runs")
}

// leastShare is the share of the whole's ε, as its inverse, that each run has at least.
const leastShare = 1000

// nearly is how close to the whole's ε its price has to come, relative to it.
const nearly = 2e-3

// at is the plan whose fits alone have this ε, and what the whole costs at its δ.
func (a Asked) at(epsilon float64) (Plan, float64, error) {
	each := a.Guarantee
	each.Epsilon = epsilon
	plan := Plan{Candidates: a.Candidates, Each: each, label: a.Schema.Label.Type}
	among := privacy.OneOf{Adjacency: each.Adjacency}
	for i, candidate := range a.Candidates {
		chosen, err := a.fit(candidate, each)
		if err != nil {
			return plan, 0, within(i, err)
		}
		if chosen.Bound != "" {
			plan.Bound = chosen.Bound
		}
		plan.Fits = append(plan.Fits, chosen)
		among.Events = append(among.Events, chosen.Event)
	}
	sensitivity := learn.ScoreSensitivity(plan.label, each.Adjacency)
	sigma, err := calibrate.Gaussian(epsilon, each.Delta, float64(sensitivity))
	if err != nil {
		return plan, 0, err
	}
	plan.noise = scoreNoise * sigma
	plan.Event = privacy.PoissonSelection{
		Mean: Mean(len(a.Candidates)),
		Base: privacy.Composition{Adjacency: each.Adjacency, Parts: []privacy.Part{
			{Event: among, Count: 1},
			{Event: privacy.DiscreteGaussian{
				Adjacency: each.Adjacency, Sensitivity: sensitivity, Sigma: plan.noise,
			}, Count: 1},
		}},
	}
	bound := plan.Bound
	if bound == "" {
		bound = objective.BoundAuto
	}
	price, err := account.Of(plan.Event, account.Renyi, pld.Options{Bound: bound})
	if err != nil {
		return plan, 0, err
	}
	cost, err := price.EpsilonUpper(each.Delta)
	return plan, cost, err
}

// fit is the fit of one candidate with the guarantee of each.
func (a Asked) fit(candidate Candidate, each privacy.Guarantee) (learn.Chosen, error) {
	asked := a.Asked
	asked.Guarantee = each
	if candidate.Method != "" {
		method, err := methods.Named(candidate.Method)
		if err != nil {
			return learn.Chosen{}, err
		}
		if !method.Tuned {
			asked.Tuning = learn.Tuning{}
		}
	}
	if candidate.Lambda != 0 {
		asked.Tuning.Lambda = candidate.Lambda
	}
	name := candidate.Method
	if name == "" {
		name = methods.Usual(asked)
	}
	if several := a.Schema.Label.Type == data.SeveralClasses; several && name == methods.Default &&
		asked.Loss != nil {
		asked.Tuning.Bound = quick(asked)
	}
	chosen, err := methods.Choose(name, asked)
	if err != nil {
		return chosen, err
	}
	tests := false
	privacy.Walk(chosen.Event, func(e privacy.Event) {
		_, test := e.(privacy.ProposeTestRelease)
		_, order := e.(privacy.RenyiDP)
		tests = tests || test || order
	})
	if tests {
		return chosen, bad("method", strconv.Quote(candidate.Method),
			"one without a test, which a selection of it would have to pay for in every run")
	}
	return chosen, nil
}

// quick is the bound for a candidate's fits of several classes: the search for noise asks for the
// price of all runs at a hundred orders, time and again, which takes too long for fits composed by
// objective.BoundControl.
func quick(asked learn.Asked) objective.Bound {
	bound, loss := asked.Tuning.Bound, asked.Loss.Class()
	auto := bound == "" || bound == objective.BoundAuto
	if best, err := objective.BoundAuto.Resolve(loss); !auto || err != nil ||
		best != objective.BoundControl {
		return bound
	}
	bound, _ = objective.BoundAuto.Quick(loss)
	return bound
}

// Chosen is the fit with the choice, as package methods gives out one without.
func (p Plan) Chosen() learn.Chosen {
	return learn.Chosen{
		Event: p.Event, Bound: p.Bound, Price: account.Renyi,
		Check: p.check, Fit: p.Fit, Plan: p,
		Trial: p.trial,
	}
}

func (p Plan) check(problem learn.Problem) error {
	for i, fit := range p.Fits {
		if fit.Check == nil {
			continue
		}
		if err := fit.Check(problem); err != nil {
			return within(i, err)
		}
	}
	return nil
}

// within names the candidate whose parameter is at fault.
func within(i int, err error) error {
	if _, parameter := err.(*privacy.ParameterError); !parameter {
		return err
	}
	return privacy.Within("candidates["+strconv.Itoa(i)+"]", err)
}

func bad(field, value, want string) error {
	return &privacy.ParameterError{Field: field, Value: value, Want: want}
}
