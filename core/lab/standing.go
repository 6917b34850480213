package lab

// Standing says what a method's result is worth, by the rules of the papers'
// experiments on public data. (The noise here is drawn from public seeds.)
type Standing string

const (
	// Private: the fit has the (ε, δ) guarantee, under add/remove of one record.
	// Where the method's About says that n is taken for public, as the papers take
	// it, the guarantee is that of the mechanism with what was set from n held
	// fixed: n itself is not protected.
	Private Standing = "private"

	// Dishonest: noise as for (ε, δ), but something was chosen by looking at
	// the data, for free. No guarantee.
	Dishonest Standing = "dishonest"

	// NotPrivate: no noise, or noise that follows the data.
	NotPrivate Standing = "not private"

	// Experiment: a run on a data set of the reader's own, by a method that
	// would be private or dishonest. Its noise is drawn from a seed that is
	// public and its test figures are not protected, so nothing about those
	// records is.
	Experiment Standing = "experiment: not private"
)

// On is the standing of a method's result on a set: on Given, whose records are
// somebody's own, nothing is private.
func (s Standing) On(set string) Standing {
	if set == Given && s != NotPrivate {
		return Experiment
	}
	return s
}
