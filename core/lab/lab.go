package lab

import (
	"context"
	"math"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/privacy"
)

// Lab runs cells. It keeps the data sets, the last splits of them and every
// calibration, and may be used by several goroutines at once.
type Lab struct {
	files  func(name string) ([]byte, error)
	sets   memo[*data.Dataset]
	splits memo[dealt]
	paths  memo[*standardised]
	prices prices
	given  map[string]*data.Dataset
}

type dealt struct{ train, test *data.Dataset }

// New returns a laboratory that asks files for the text of each file of the
// published data sets; nil if there are none.
func New(files func(name string) ([]byte, error)) *Lab {
	if files == nil {
		files = func(name string) ([]byte, error) { return nil, &MissingFileError{name} }
	}
	return &Lab{files: files, splits: memo[dealt]{limit: 8}}
}

// MissingFileError says that a published data set is not at hand.
type MissingFileError struct{ File string }

func (e *MissingFileError) Error() string {
	return "the file " + e.File + " of a published data set was not given"
}

// labels are words for labels that the laboratory does not take.
var labels = map[data.LabelType]string{
	data.SeveralClasses: "several classes",
	data.NumericLabel:   "a number for a label",
}

// Given is the name of the set with which On replaces the registered ones.
const Given = "given"

// On returns a laboratory whose only set, named Given, is a data set as it is:
// its encoding is that of its schema, for every method. No result of it is
// private, whatever the method: the standing of each is Experiment or NotPrivate,
// and the scores are as private as its records.
func On(d *data.Dataset) *Lab {
	l := New(nil)
	l.given = map[string]*data.Dataset{Given: d}
	return l
}

// Result is a cell's score.
type Result struct {
	Cell     Cell
	Key      string
	Standing Standing
	Accuracy float64 // part of the test records that are predicted right
	Loss     float64 // mean of log(1 + e^{−ym}) over the test records, y the label and m the margin
	Baseline float64 // part of them that has the label more frequent among the records fitted to
	Tested   int     // records tested on
	Trained  int     // records fitted to
	Detail   string
}

// Run runs one cell. Errors: *UnknownError, *privacy.ParameterError, what the
// set's files give, the context's, and the learner's.
func (l *Lab) Run(ctx context.Context, cell Cell) (Result, error) {
	method, err := FindMethod(cell.Method)
	if err != nil {
		return Result{}, err
	}
	if err := cell.check(method); err != nil {
		return Result{}, err
	}
	parts, revision, err := l.dealt(cell, method.Encoding)
	if err != nil {
		return Result{}, err
	}
	if err := ctx.Err(); err != nil {
		return Result{}, err
	}
	out, err := method.fit(&job{
		ctx:   ctx,
		train: parts.train,
		guarantee: privacy.Guarantee{
			Adjacency: privacy.AddRemove,
			Epsilon:   cell.Epsilon,
			Delta:     cell.Delta,
		},
		setting: cell.Setting,
		effort:  cell.Effort,
		source:  seeded.New(cell.noise()),
		prices:  &l.prices,
	})
	if err != nil {
		return Result{}, err
	}
	if method.Standing != NotPrivate {
		if err := l.prices.covers(out.event, cell.Epsilon, cell.Delta); err != nil {
			return Result{}, err
		}
	}
	return Result{
		Cell:     cell,
		Key:      cell.key(revision, method.Revision),
		Standing: method.Standing.On(cell.Set),
		Accuracy: out.model.Evaluate(parts.test).Accuracy(),
		Loss:     meanLoss(out.model, parts.test),
		Baseline: baseline(parts),
		Tested:   parts.test.X.Rows(),
		Trained:  parts.train.X.Rows(),
		Detail:   out.detail,
	}, nil
}

func meanLoss(model scorer, d *data.Dataset) float64 {
	sum := 0.0
	for i, y := range d.Y {
		m := y * model.Margin(d.X.Row(i))
		// log(1 + e^{−m}) without overflow.
		sum += math.Max(-m, 0) + math.Log1p(math.Exp(-math.Abs(m)))
	}
	return sum / float64(len(d.Y))
}

func baseline(parts dealt) float64 {
	positive := func(d *data.Dataset) float64 {
		n := 0.0
		for _, y := range d.Y {
			if y > 0 {
				n++
			}
		}
		return n / float64(len(d.Y))
	}
	if positive(parts.train) > 0.5 {
		return positive(parts.test)
	}
	return 1 - positive(parts.test)
}

// dealt returns the cell's split, in the method's encoding, and the set's
// revision.
func (l *Lab) dealt(cell Cell, e Encoding) (dealt, int, error) {
	encoded := cell.Set + "/" + string(e.Norm) + "/" + number(e.Intercept)
	revision := 0
	var all func() (*data.Dataset, error)
	if d, ok := l.given[cell.Set]; ok {
		all = func() (*data.Dataset, error) { return d, nil }
	} else {
		set, err := FindSet(cell.Set)
		if err != nil {
			return dealt{}, 0, err
		}
		revision = set.Revision
		all = func() (*data.Dataset, error) {
			return l.sets.get(encoded, func() (*data.Dataset, error) {
				return set.load(e, l.files)
			})
		}
	}
	d, err := all()
	if err != nil {
		return dealt{}, 0, err
	}
	// Registered sets have two classes; a set of the reader's own need not.
	if d.Schema.Label.Type != data.TwoClasses {
		return dealt{}, 0, &privacy.ParameterError{
			Field: "dataset",
			Value: "one with " + labels[d.Schema.Label.Type],
			Want:  "one with two classes: the laboratory compares methods on two classes only",
		}
	}
	if n := d.X.Rows(); n < 5 {
		return dealt{}, 0, &privacy.ParameterError{
			Field: "set",
			Value: "of " + decimal(n) + " records",
			Want:  "of 5 or more, so that some are left to test on",
		}
	}
	parts, err := l.splits.get(encoded+"/"+cell.dealing(), func() (dealt, error) {
		train, test := split(d, seeded.New(cell.dealing()))
		return dealt{train, test}, nil
	})
	return parts, revision, err
}

// Check loads a set. Call it before a run, to find missing files early.
func (l *Lab) Check(set string) error {
	_, _, err := l.dealt(Cell{Set: set, Trial: 1, Epsilon: math.Inf(1)}, DefaultEncoding)
	return err
}
