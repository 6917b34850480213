package data

// feed takes the parts of a reading, counts their bytes, and keeps the first
// error, with the name of its part.
type feed struct {
	scanner scanner
	most    int64 // bytes, all parts together
	bytes   int64
	file    string // name of the part at hand
	open    bool   // a part is at hand
	closed  bool
	failed  *Error
	layout  Layout // of the first part
	parts   int
}

// newFeed checks what can be checked before any byte is there.
func newFeed(options ReadOptions) (feed, error) {
	delimiter, header := options.Delimiter, options.Header
	declared, most := options.Size, options.MaxBytes
	if most <= 0 {
		most = DefaultMaxBytes
	}
	if declared > most {
		return feed{}, tooManyBytes(declared, most)
	}
	if delimiter != 0 && !canDelimit(delimiter) {
		return feed{}, &Error{
			Kind:    NotCSV,
			Value:   string(rune(delimiter)),
			Problem: quoted(string(rune(delimiter))) + " cannot separate fields",
			Want:    "Use a comma, a semicolon, a tab, a bar, a space, or another punctuation mark",
		}
	}
	return feed{
		scanner: scanner{
			given:  delimiter,
			header: header,
			called: options.Names,
			judge:  header != HeaderFirst && header != HeaderNone,

			rowNames: header != HeaderNone,
		},
		most: most,
	}, nil
}

func (f *feed) begin(name string) error {
	if f.closed {
		panic("data: a part is begun after Close")
	}
	if err := f.endPart(); err != nil {
		return err
	}
	f.file, f.open = name, true
	f.scanner.begin()
	return nil
}

func (f *feed) write(chunk []byte) error {
	if f.closed {
		panic("data: Write after Close")
	}
	if f.failed != nil {
		return f.failed
	}
	if !f.open {
		if err := f.begin(""); err != nil {
			return err
		}
	}
	f.bytes += int64(len(chunk))
	if f.bytes > f.most {
		return f.fail(tooManyBytes(f.bytes, f.most))
	}
	return f.fail(f.scanner.write(chunk))
}

func (f *feed) close() error {
	if f.closed {
		panic("data: Close after Close")
	}
	if !f.open {
		if err := f.begin(""); err != nil {
			f.closed = true
			return err
		}
	}
	err := f.endPart()
	f.closed = true
	f.scanner.buffer = nil
	return err
}

func (f *feed) endPart() error {
	if f.failed != nil || !f.open {
		return f.fail(nil)
	}
	f.open = false
	err := f.scanner.end()
	if f.parts++; f.parts == 1 {
		f.layout = f.scanner.layout()
	}
	return f.fail(err)
}

// fail keeps err if it is the first error, and returns the first error.
func (f *feed) fail(err *Error) error {
	if f.failed == nil && err != nil {
		err.File = f.file
		f.failed = err
	}
	if f.failed == nil {
		return nil // of type error, not *Error
	}
	return f.failed
}

func tooManyBytes(have, most int64) *Error {
	return &Error{
		Kind:    TooLarge,
		Value:   size(have),
		Problem: "the file has " + size(have) + ", more than the limit of " + size(most),
		Want:    "Use a smaller file, such as one without the columns that the model does not use",
	}
}
