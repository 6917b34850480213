package privacy

// Selection by a truncated negative binomial number of runs (Papernot &
// Steinke 2022, Definition 1): K ≥ 1 is drawn from the distribution with
// parameters Eta and Gamma, Base is run K times, and only the run with the best
// score is released. Eta = 1 is the geometric distribution, Eta = 0 the
// logarithmic one. Base must be as private with its score as without.
type NegativeBinomialSelection struct {
	Base  Event
	Eta   float64 // η, from −1 + 1e-9 to 1e9
	Gamma float64 // γ, from 1e-50 to below 1; the mean number of runs grows as γ falls
}

func (NegativeBinomialSelection) Mechanism() string { return "negative-binomial-selection" }

// Neighbours is Base's adjacency, and none when there is no Base.
func (e NegativeBinomialSelection) Neighbours() Adjacency { return neighboursOf(e.Base) }

// Validate checks Base, [LeastEta] ≤ Eta ≤ [LargestEta], [LeastScale] ≤ Gamma < 1,
// and that no more than [DeepestSelection] selections stand inside one another.
func (e NegativeBinomialSelection) Validate() error {
	if err := checkNesting(e); err != nil {
		return err
	}
	if err := checkInner("base", e.Base, neighboursOf(e.Base)); err != nil {
		return err
	}
	return FirstError(
		checkBetween("eta", e.Eta, LeastEta, LargestEta),
		checkBetween("gamma", e.Gamma, LeastScale, belowOne),
	)
}

func decodeNegativeBinomialSelection(f *Fields) Event {
	return NegativeBinomialSelection{
		Base:  readBase(f),
		Eta:   f.Number("eta"),
		Gamma: f.Number("gamma"),
	}
}

func (e NegativeBinomialSelection) encode(tree map[string]any) {
	tree["base"] = EncodeEvent(e.Base)
	tree["eta"] = e.Eta
	tree["gamma"] = e.Gamma
}

// PoissonSelection is the same with K ~ Poisson(Mean) (Papernot & Steinke 2022, Theorem
// 6). If K = 0, the release says that there was no run.
type PoissonSelection struct {
	Base Event
	Mean float64 // μ, from 1e-50 to 1e50
}

func (PoissonSelection) Mechanism() string { return "poisson-selection" }

// Neighbours is Base's adjacency, and none when there is no Base.
func (e PoissonSelection) Neighbours() Adjacency { return neighboursOf(e.Base) }

// Validate checks Base, that Mean lies from [LeastScale] to [LargestScale], and that
// no more than [DeepestSelection] selections stand inside one another.
func (e PoissonSelection) Validate() error {
	if err := checkNesting(e); err != nil {
		return err
	}
	if err := checkInner("base", e.Base, neighboursOf(e.Base)); err != nil {
		return err
	}
	return checkScale("mean", e.Mean)
}

func decodePoissonSelection(f *Fields) Event {
	return PoissonSelection{Base: readBase(f), Mean: f.Number("mean")}
}

func (e PoissonSelection) encode(tree map[string]any) {
	tree["base"] = EncodeEvent(e.Base)
	tree["mean"] = e.Mean
}

// LiuTalwarSelection is selection by random stopping (Liu & Talwar 2019,
// Algorithm 2; Algorithm 5 of Redberg's thesis is the same around candidates of
// her propose-test-release): Base is run; after each run the search ends with
// probability Tau, and in any case after T = ⌈log(1/Cutoff)/Tau⌉ runs; only the
// run with the best score is released. Base must be as private with its score
// as without.
//
// Base must be known to be (ε, δ)-DP: it is a PureDP or an ApproximateDP.
type LiuTalwarSelection struct {
	Base   Event
	Tau    float64 // τ, from 1e-50 to 1
	Cutoff float64 // δ₂, from 1e-300 to below 1
}

func (LiuTalwarSelection) Mechanism() string { return "liu-talwar-selection" }

// Neighbours is Base's adjacency, and none when there is no Base.
func (e LiuTalwarSelection) Neighbours() Adjacency { return neighboursOf(e.Base) }

// Validate checks Base and its kind, [LeastScale] ≤ Tau ≤ 1 and
// [LeastProbability] ≤ Cutoff < 1.
func (e LiuTalwarSelection) Validate() error {
	if err := checkInner("base", e.Base, neighboursOf(e.Base)); err != nil {
		return err
	}
	switch e.Base.(type) {
	case PureDP, ApproximateDP:
	default:
		return &ParameterError{
			Field: "base.mechanism", Value: quote(e.Base.Mechanism()),
			Want: `"approximate-dp" or "pure-dp", with the guarantee that one run has`,
		}
	}
	return FirstError(
		checkBetween("tau", e.Tau, LeastScale, 1), checkProbability("cutoff", e.Cutoff),
	)
}

func decodeLiuTalwarSelection(f *Fields) Event {
	return LiuTalwarSelection{Base: readBase(f), Tau: f.Number("tau"), Cutoff: f.Number("cutoff")}
}

func (e LiuTalwarSelection) encode(tree map[string]any) {
	tree["base"] = EncodeEvent(e.Base)
	tree["tau"] = e.Tau
	tree["cutoff"] = e.Cutoff
}

func neighboursOf(inner Event) Adjacency {
	if inner == nil {
		return adjacencyMissing
	}
	return inner.Neighbours()
}

// readBase reads the base event, and the selection's own adjacency: given
// beside the mechanism as for every event, it must be the base's.
func readBase(f *Fields) Event {
	outer := f.Adjacency()
	base := f.Event("base")
	if base != nil && outer.Valid() && base.Neighbours() != outer {
		f.Bad("adjacency", quote(base.Neighbours().String())+", that of the base event")
	}
	return base
}
