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
)

// Judge says what the budget of Private[at] buys, from trials of medium and of strong signal;
// BuysUncertain if either list is empty. Use it before a fit is paid for. What it takes comes
// from public things alone: the schema, about how many records there are, the parameters of
// the fit, and the share of the rarer class where it is public.
//
//	nothing     the mean gain over Known of strong trials is below LeastGain
//	uncertain   it is not, but of the medium trials TooOften or more gain less than that
//	something   all else
//
// So "nothing" is said only where not even columns that tell a lot would help. It is also
// said where one class is so rare that a fit without privacy gains as little. The strength of
// a table's own signal cannot be known beforehand: a table that tells little may gain nothing
// where "something" is said.
//
// # Measured
//
// By scripts/benchmark -forecast 12, on 15 tables (13 of them the development half, Adult and
// breast cancer) at ε = 0.1, 0.25, 0.5, 1, 2, 4, 8, with 24 private fits each (8 of tables
// above 6,000 rows); N and the share of the rarer of two classes told to one digit. A table at
// one ε counts one, whatever its fits. Tables go to two halves by turns; both were looked at
// when 0.7 was taken for what features have in common.
//
//	                                       half 1   half 2   both
//	cells: nothing, uncertain, something   2 11 43  8 7 34   10 18 77
//	largest mean gain where "nothing"      16       0.1      points; next to it 0.1
//	fits below the majority, added up      1.67     1.67     3.33
//	  of these under "nothing"             15 %     90 %     52 %
//	  under "uncertain"                    83 %     10 %     46 %
//	  under "something"                    2 %      0 %      1 %
//	fits whose loss came within 5 points   73 %     84 %     78 % of the medium trials' mean
//
// "Nothing" was wrong once, of the wines at ε = 0.1: fits gained 16 points there, of 57 without
// privacy. The forecast is worst where a small table tells more than made-up ones do: breast
// cancer (foreseen to lose 4 points at ε = 0.1, lost 27), body weight, digits and wines.
// Before the trials of a softmax were its own (the three tables of several classes), 80 % came
// within 5 points, whether or not the share was told; with features independent of each
// other 76 % with it and 74 % without.
func Judge(medium, strong []Result, at int) Outlook {
	if len(medium) == 0 || len(strong) == 0 {
		return BuysUncertain
	}
	gain, without := 0.0, 0.0
	for _, r := range strong {
		gain += (r.Private[at] - r.Known) / float64(len(strong))
	}
	for _, r := range medium {
		if r.Private[at]-r.Known < LeastGain {
			without += 1 / float64(len(medium))
		}
	}
	switch {
	case gain < LeastGain:
		return BuysNothing
	case without >= TooOften:
		return BuysUncertain
	}
	return BuysSomething
}
