package lab

// Standing says what a method's result is worth.
type Standing string

const (
	// Private: the fit has the (ε, δ) guarantee, under add/remove of one record
	// unless the method says otherwise.
	Private Standing = "private"

	// Dishonest: noise as for (ε, δ), but something was chosen by looking at
	// the data, for free. No guarantee.
	Dishonest Standing = "dishonest"

	// NotPrivate: no noise, or noise that follows the data.
	NotPrivate Standing = "not private"
)
