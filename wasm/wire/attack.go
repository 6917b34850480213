package wire

// A fit that is attacked: what is asked of it is all that is needed.
type AttackPlanRequest struct {
	SchemaFit

	// How long one worker may take for the runs, in seconds. Default 60.
	Seconds float64 `json:"seconds,omitempty"`
}

// The least fault in the noise of a fit that an attack finds in the time it may take, and what it
// takes. If none is found so soon: the one that is found the soonest.
type AttackPlan struct {
	// What such a fit is charged for.
	Event FitEvent `json:"event"`
	// The fault: noise that is multiplied by this.
	Suspect float64 `json:"suspect"`
	// How many runs find it with a probability above 99 %.
	Rounds float64 `json:"rounds"`
	// What they take here, estimated by a few.
	Milliseconds float64 `json:"milliseconds"`
	// How many made-up people there are in the larger of the two files.
	Records float64    `json:"records"`
	Test    AttackTest `json:"test"`
}

// What is counted, which is fixed before the runs: whether a number that is worked out from the
// coefficients lies above a line.
type AttackTest struct {
	// The ε at which the fault shows best, the line for it, and whether the sign is that the number
	// is not above it.
	Epsilon float64 `json:"epsilon"`
	Line    float64 `json:"line"`
	Below   bool    `json:"below"`
	// For the rest of the curve.
	Lines []float64 `json:"lines" ts:"readonly"`
}

// One attack. The fit, as it is shipped, is run on two made-up files that differ by one person, and
// what comes out is held against the promise.
type AttackRequest struct {
	SchemaFit

	// The fault that is looked for, from the plan.
	Suspect float64 `json:"suspect"`
	// By what the noise is really multiplied: 1 for the fit as it is.
	Noise float64 `json:"noise"`
	// How many runs. Do not choose it by how they go. 0 if those of `counts` are all.
	Rounds float64 `json:"rounds"`
	// From the plan.
	Test AttackTest `json:"test"`
	// Of other workers with the same request, to be added.
	Counts []AttackCounts `json:"counts,omitempty" ts:"readonly"`
}

// How often the number was above a line, in the file without the person and the one with them.
type AttackCounts struct {
	Runs []float64 `json:"runs" ts:"readonly"`
	Aim  []float64 `json:"aim" ts:"readonly"`
	// Above each of the test's `lines`.
	Without []float64 `json:"without" ts:"readonly"`
	With    []float64 `json:"with" ts:"readonly"`
}

// δ at one ε.
type AttackPoint struct {
	Epsilon float64 `json:"epsilon"`
	// What is promised.
	Promised float64 `json:"promised"`
	// What the runs prove that the true δ is at least.
	Lower float64 `json:"lower"`
	// What they show, without confidence: it may lie above the truth.
	Seen float64 `json:"seen"`
}

// What an attack comes to. It may find a fault; it never proves that there is none.
type AttackResult struct {
	// By what the noise was multiplied.
	Noise  float64 `json:"noise"`
	Rounds float64 `json:"rounds"`
	// By ascending ε, from 0 to that of the guarantee.
	Points []AttackPoint `json:"points" ts:"readonly"`
	// Whether the promise is false: at one ε `lower` is above `promised`.
	Broken bool `json:"broken"`
	// At most so likely is it that a fit which keeps its promise is called broken.
	FalseAlarm float64      `json:"falseAlarm"`
	Sign       AttackSign   `json:"sign"`
	Counts     AttackCounts `json:"counts"`
}

// The sign by which the attacker tells the files apart best, chosen before the runs.
type AttackSign struct {
	// The file that it speaks for: the one with the person, or the one without.
	Of string `json:"of" is:"with|without"`
	// How often it was seen in fits to that file, and to the other one.
	Share     float64 `json:"share"`
	Elsewhere float64 `json:"elsewhere"`
	// By the promise at this ε, `share` is `allowed` at most, but for chance.
	Epsilon float64 `json:"epsilon"`
	Allowed float64 `json:"allowed"`
}

// How far an attack is.
type AttackProgress struct {
	Phase string `json:"phase" is:"attacking"`
	// Runs so far, and their share of all.
	Iteration float64 `json:"iteration"`
	Fraction  float64 `json:"fraction"`
}
