// Package reading holds the handlers for the reader of a privacy report. They open a
// release with its report, and bound what the release cost one person, from that
// person's row. That row is the only private data involved.
//
// It uses neither fmt nor encoding/json.
package reading

import (
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/report"
	"cloister/wasm/api"
)

// Desk holds the reports that are open.
type Desk struct {
	last int
	open map[int]*opened
}

// opened is one report with its release.
type opened struct {
	release *learn.Release
	report  *report.Report
	encoder *data.Encoder
	readers map[proposal]*report.Reader
}

// proposal is what a bound is asked for: its probability of failure and for whom.
type proposal struct {
	rho   float64
	scope report.Scope
}

// NewDesk returns a desk with nothing on it.
func NewDesk() *Desk { return &Desk{open: make(map[int]*opened)} }

// Service returns the handlers. Rows are answered by number of the report:
//
//	about  {}                                       → {library}
//	open   {release, report}                        → {reader, …}
//	row    {reader, row, label, rho?, people?}      → the bound
//	moves  {reader, row, label, rho?, people?}      → what each column does to it
//	close  {reader}                                 → {}
func (d *Desk) Service() *api.Service {
	return &api.Service{
		Explain: explain,
		Handlers: map[string]api.Handler{
			"about": about,
			"open":  d.openReport,
			"row":   d.row,
			"moves": d.moves,
			"close": d.close,
		},
	}
}

func about(call *api.Call) (map[string]any, error) {
	return map[string]any{"library": privacy.LibraryVersion}, call.Fields.Done()
}

// find reads the field "reader".
func (d *Desk) find(f *privacy.Fields) (*opened, error) {
	id := f.Int("reader")
	if o, ok := d.open[id]; ok {
		return o, nil
	}
	return nil, &api.Error{
		Code:    api.CodeDatasetLost,
		Field:   "reader",
		Message: "This report is not open any more. Open it again.",
	}
}

func (d *Desk) close(call *api.Call) (map[string]any, error) {
	id := call.Fields.Int("reader")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	delete(d.open, id)
	return nil, nil
}

// reader is the one for a proposal; the last few are kept, for preparing one
// takes apart a whole Hessian.
func (o *opened) reader(p proposal) (*report.Reader, error) {
	if r, ok := o.readers[p]; ok {
		return r, nil
	}
	m, err := report.MechanismOf(o.release)
	if err != nil {
		return nil, err
	}
	r, err := report.NewReader(m, o.report.Published, p.rho, p.scope)
	if err != nil {
		return nil, err
	}
	if len(o.readers) >= 8 {
		clear(o.readers)
	}
	o.readers[p] = r
	return r, nil
}
