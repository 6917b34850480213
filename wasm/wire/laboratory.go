package wire

import (
	"cloister/core/lab"
)

// What a method's result on public data is worth: `private`, it has the guarantee of its ε and δ,
// as the papers count it: methods whose `about` says so take the number of records for public;
// `dishonest`, something was chosen by looking at the data and not paid for; `not private`.
type MethodStanding string

// What a run's result is worth. On a dataset of one's own, `experiment: not private`: the seed of
// the noise is public and the figures on test records are not protected, so nothing is private,
// whatever the method.
type Standing = lab.Standing

// `full`: as the papers. `quick`: fewer epochs and coarser grids.
type Effort = lab.Effort

type LaboratorySet struct {
	Name  string `json:"name"`
	Title string `json:"title"`
	About string `json:"about"`
	// Whose experiments it belongs to.
	Paper string `json:"paper"`
	// The files it is read from, by name; none if the laboratory makes it up itself.
	Files []string `json:"files"`
	// What the files are read with; absent for made-up sets.
	Schema Schema[Label] `json:"schema,omitempty"`
}

type LaboratoryMethod struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Family string `json:"family"`
	// Of its results on the laboratory's own sets.
	Standing MethodStanding `json:"standing"`
	About    string         `json:"about"`
	// The points of its grid, for methods that pick the best of one; `[""]` for the others.
	Settings map[Effort][]string `json:"settings"`
}

// A number that a paper prints.
type PublishedAccuracy struct {
	Set      string  `json:"set"`
	Method   string  `json:"method"`
	Epsilon  float64 `json:"epsilon"`
	Accuracy float64 `json:"accuracy"`
	Where    string  `json:"where"`
}

// What the laboratory has.
type LaboratoryContents struct {
	Sets      []LaboratorySet     `json:"sets"`
	Methods   []LaboratoryMethod  `json:"methods"`
	Published []PublishedAccuracy `json:"published"`
	// The papers' values.
	Epsilons []float64 `json:"epsilons"`
	Delta    float64   `json:"delta"`
	Trials   float64   `json:"trials"`
}

type Grid struct {
	// By name, see [LaboratoryContents].
	Methods []string `json:"methods" ts:"readonly"`
	// Methods that are not private ignore them.
	Epsilons []float64 `json:"epsilons" ts:"readonly"`
	// Default 1e-5.
	Delta float64 `json:"delta,omitempty"`
	// Default 1. Each splits the records anew, the same way for every method.
	Trials float64 `json:"trials,omitempty"`
	// Another number draws everything anew. Default 0.
	Seed float64 `json:"seed,omitempty"`
	// Default `full`.
	Effort Effort `json:"effort,omitempty"`
}

// One run. It comes out the same, natively and in every browser, for the same key.
type RunResult struct {
	// `given` for a dataset of one's own.
	Set    string `json:"set"`
	Method string `json:"method"`
	// The point of the method's grid.
	Setting string `json:"setting"`
	// Infinity for methods that are not private.
	Epsilon  float64  `json:"epsilon"`
	Delta    float64  `json:"delta"`
	Trial    float64  `json:"trial"`
	Seed     float64  `json:"seed"`
	Effort   Effort   `json:"effort"`
	Standing Standing `json:"standing"`
	// Part of the test records whose label was predicted.
	Accuracy float64 `json:"accuracy"`
	// Mean of log(1 + e^(−ym)) over them, y the label and m the margin.
	Loss float64 `json:"loss"`
	// Part of them that has the commoner label.
	Baseline float64 `json:"baseline"`
	Tested   float64 `json:"tested"`
	Trained  float64 `json:"trained"`
	Detail   string  `json:"detail"`
	Key      string  `json:"key"`
}

// A method on a set at one ε, over the trials.
type RunSummary struct {
	Set      string   `json:"set"`
	Method   string   `json:"method"`
	Standing Standing `json:"standing"`
	Epsilon  float64  `json:"epsilon"`
	Trials   float64  `json:"trials"`
	// The mean.
	Accuracy float64 `json:"accuracy"`
	// 1.96 standard errors of it; Infinity for one trial.
	HalfWidth float64 `json:"halfWidth"`
	// The point of the grid with the best mean on the test records: what a dishonest method picks.
	Setting string `json:"setting"`
	// How many points there were.
	Settings float64 `json:"settings"`
}

type ExperimentResult struct {
	Results   []RunResult  `json:"results"`
	Summaries []RunSummary `json:"summaries"`
}

type ExperimentProgress struct {
	Phase string `json:"phase" is:"running"`
	// 0 to 1.
	Fraction float64 `json:"fraction"`
	Done     float64 `json:"done"`
	Total    float64 `json:"total"`
	// The run that was just done.
	Result RunResult `json:"result"`
}
