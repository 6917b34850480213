package passes

import "errors"

// Errors of a fit in passes.
var (
	// ErrNeedsRows says that a method cannot be fitted in passes.
	ErrNeedsRows = errors.New(
		"passes: this method needs the rows in memory, for which the file is too large: it must be " +
			"one that needs sums alone, such as amp, for two classes or for a number",
	)

	// ErrSmall says that a file has less than data.Large bytes: read it into memory.
	ErrSmall = errors.New("passes: the file is small enough to be fitted in memory")

	// ErrOther says that a journal is that of another fit.
	ErrOther = errors.New(
		"passes: the journal is that of another fit: of another file, schema, guarantee or setting. " +
			"Give each fit a journal of its own; without it, this one begins anew, and is charged anew",
	)

	// ErrNoJournal says that a file is no journal; it is left as it was.
	ErrNoJournal = errors.New("passes: the file named as journal is none; name one that is not there")

	// ErrPaid says that a journal's fit was charged to a ledger, which is not named now.
	ErrPaid = errors.New(
		"passes: the fit of this journal was charged to a ledger: name that ledger to go on",
	)

	// ErrDamaged says that a journal is damaged in its middle; it is left as it was. The noise in
	// it cannot be trusted, so the fit cannot go on.
	ErrDamaged = errors.New(
		"passes: the journal is damaged: the fit cannot go on from it. One that begins anew is " +
			"charged anew",
	)

	// ErrBusy says that another process has the journal, or the folder of rows.
	ErrBusy = errors.New("passes: another process uses the journal or the folder of rows")

	// ErrNoLocks says that there are no journals and no kept rows on this system, because files
	// cannot be locked.
	ErrNoLocks = errors.New(
		"passes: journals and kept rows need a system that can lock files, such as Linux",
	)

	errSums = errors.New("passes: the sums that came are not those that were asked for")
)
