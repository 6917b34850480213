package wire

import "cloister/core/vote"

// Votes between two classes, of which only the majority is to be known.
type VoteRequest struct {
	// For each public row, how many voted for class 0 and for class 1.
	Votes [][]float64 `json:"votes" ts:"readonly (readonly number[])[]"`
	// What one record changes. `voter`: there is one voter more or less, who is the record.
	// `vote`: one voter votes for the other class, because a record of theirs was added, removed
	// or replaced; the voters are public, and each votes on every row.
	Changes   vote.Changes `json:"changes"`
	Adjacency Adjacency    `json:"adjacency"`
	// Of each row.
	Epsilon float64 `json:"epsilon"`
	// Likewise. It may be 0; above 0, the answer is never wrong where the gap is wide enough.
	Delta float64 `json:"delta"`
}

// The majorities, which may be published, and what they cost.
type VoteResult struct {
	// 0 or 1 for each row.
	Labels []float64        `json:"labels"`
	Event  CompositionEvent `json:"event"`
}

// Votes of teachers who have disjoint records, one vote each on every public query. A record
// that is added or removed alters one teacher, and so does one that is replaced if its content
// does not decide which.
type PateRequest struct {
	// For each query, how many teachers voted for each class; the same number of teachers in all.
	Votes     [][]float64 `json:"votes" ts:"readonly (readonly number[])[]"`
	Adjacency Adjacency   `json:"adjacency"`
	// Of all queries together, at most.
	Epsilon float64 `json:"epsilon"`
	Delta   float64 `json:"delta"`
	// Standard deviation of the noise that each class's votes are to have, in votes: as much as
	// the gaps bear. From 1.
	Sigma float64 `json:"sigma"`
	// A public guess of how many votes the leading class is ahead of the next one, by which the
	// test is planned. A wrong one costs accuracy, never privacy. Default: ¾ of the teachers.
	Gap float64 `json:"gap,omitempty"`
}

// Labels that may be published, with all else here.
type PateResult struct {
	// A class for each query, from 0.
	Labels []float64 `json:"labels"`
	Event  PateEvent `json:"event"`
	// What it costs at the δ asked for; at most the ε asked for.
	Epsilon float64 `json:"epsilon"`
	// The noise that the votes had: what was asked for, or more where that was not affordable.
	Sigma float64 `json:"sigma"`
	// Null where no test was needed, because the noise is affordable whatever the votes are.
	Test *struct {
		// Whether the teachers were found to agree enough for the noise asked for.
		Passed bool `json:"passed"`
		// How many teachers may change their votes before it costs too much, with noise.
		Distance float64 `json:"distance"`
		// α and B: the labels have this Rényi divergence at this order.
		Order  float64 `json:"order"`
		Budget float64 `json:"budget"`
		// Noise of the distance, and how likely votes pass that should not, at most.
		Sigma   float64 `json:"sigma"`
		Failure float64 `json:"failure"`
		// The noise of the votes where the test is not passed.
		Fallback float64 `json:"fallback"`
	} `json:"test"`
}

// What labels by teachers are charged for.
type PateEvent interface{ isPateEvent() }

func (ProposeTestReleaseEvent) isPateEvent() {}
func (CompositionEvent) isPateEvent()        {}
