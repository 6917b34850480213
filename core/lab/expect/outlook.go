package expect

// Outlook is what a private fit is expected to be worth beside one that needs no records.
type Outlook string

const (
	BuysNothing   Outlook = "nothing"
	BuysUncertain Outlook = "uncertain"
	BuysSomething Outlook = "something"
)

const (
	// LeastGain is what a fit has to gain over naming the largest class (or the mean), as a
	// share: less is taken for nothing.
	LeastGain = 0.01

	// TooOften is the share of trials without that gain from which on it is uncertain.
	TooOften = 0.25

	// Mostly is the share of trials without that gain, of either strength, from which on it
	// is nothing.
	Mostly = 0.5

	// Usually is the share of medium trials without that gain from which on it is nothing,
	// whatever strong ones gain.
	Usually = 2.0 / 3
)

// Judge says what the budget of Private[at] buys, from trials of medium and of strong signal;
// BuysUncertain if either list is empty. Use it before a fit is paid for. What it takes comes
// from public things alone: the schema, about how many records there are, the parameters of
// the fit, and the share of the rarer class where it is public.
//
//	nothing     the mean gain over Known of strong trials is below LeastGain; or Usually or
//	            more of the medium trials gain less than that; or Mostly or more of the strong
//	            trials do, and so of the medium ones
//	uncertain   else, if of the medium trials TooOften or more gain less than that
//	something   all else
//
// So "nothing" is said where not even columns that tell a lot would help; where such a fit is
// more likely to gain nothing than not; and where columns that tell something gain nothing in
// two of three tables, though such as tell a lot may. The last is of rare classes: what columns
// tell seldom makes the rarer class the likelier one of any record, with privacy or without. The
// strength of a table's own signal cannot be known beforehand: a table that tells little may gain
// nothing where "something" is said.
//
// measured.md has how often it is right, on tables that it was chosen on and on others, and what
// else was tried.
func Judge(medium, strong []Result, at int) Outlook {
	if len(medium) == 0 || len(strong) == 0 {
		return BuysUncertain
	}
	gain, without := gains(strong, at)
	_, few := gains(medium, at)
	switch {
	case gain < LeastGain || few >= Usually || without >= Mostly && few >= Mostly:
		return BuysNothing
	case few >= TooOften:
		return BuysUncertain
	}
	return BuysSomething
}

// gains are the mean gain over Known, and the share of trials that gain less than LeastGain.
func gains(trials []Result, at int) (mean, without float64) {
	n := float64(len(trials))
	for _, r := range trials {
		gain := r.Private[at] - r.Known
		mean += gain / n
		if gain < LeastGain {
			without++
		}
	}
	return mean, without / n
}
