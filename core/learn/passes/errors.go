package passes

import "errors"

var (
	// ErrNeedsRows says that a method cannot be fitted in passes.
	ErrNeedsRows = errors.New(
		"passes: this method needs the rows in memory, for which the file is too large: it must be " +
			"one that needs sums alone, such as amp, for two classes or for a number",
	)

	// ErrOther says that a journal is that of another fit.
	ErrOther = errors.New(
		"passes: the journal is that of another fit: of another file, schema, guarantee or setting. " +
			"Give each fit a journal of its own; without it, this one begins anew, and is charged anew",
	)

	errNoJournal = errors.New("passes: the file named as journal is none")
	errMissing   = errors.New("passes: sums are missing, or of another length")
)
