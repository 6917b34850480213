package reading

import (
	"math"

	"cloister/core/data"
	"cloister/core/report"
	"cloister/wasm/api"
)

// row answers {reader, row, label, rho?, people?} with the bound on the ex-post
// loss of the record, in nats:
//
//	rho, people     what it holds for: but for a probability of rho, for so many
//	                people together; 0 for all records that there can be
//	leftOut         {column, text} if reading a file leaves such a record out: all
//	                bounds are then 0, for the release did not depend on it
//	in, out         {low, high} of the loss if the record was in the data, and if
//	                it was not
//	largest         bound on its absolute value, wherever the record is
//	leverage        what of the bound the record's pull on the fit is,
//	surprise        how badly the model predicts it,
//	output          and the noise added at the end
//	report          bound on the loss by the report's own releases, on top
//	length, longest the row's norm and R, the largest there can be
//	expected        what the model says of the row: {probability} of its label,
//	                {value} of a numeric one, {likely} for a loss without probabilities
//	notes           fields that were not used as they stood
func (d *Desk) row(call *api.Call) (map[string]any, error) {
	o, p, r, err := d.question(call)
	if err != nil {
		return nil, err
	}
	e, err := o.encode(r)
	if err != nil {
		return nil, err
	}
	reply := map[string]any{"rho": p.rho, "people": people(p.scope)}
	if e.leftOut != "" {
		reply["leftOut"] = map[string]any{"column": e.leftOut, "text": e.why}
		setBound(reply, report.Bound{})
		reply["length"], reply["longest"] = 0.0, o.longest()
		reply["notes"] = []any{}
		return reply, nil
	}
	b, err := o.bound(p, e)
	if err != nil {
		return nil, err
	}
	setBound(reply, b)
	square := 0.0
	for _, v := range e.row.Value {
		square += v * v
	}
	reply["length"], reply["longest"] = math.Sqrt(square), o.longest()
	reply["expected"] = o.expected(e)
	notes := []any{}
	for _, note := range e.notes {
		notes = append(notes, map[string]any{"feature": note.Feature, "text": note.Text})
	}
	reply["notes"] = notes
	return reply, nil
}

// question reads what row and moves are asked.
func (d *Desk) question(call *api.Call) (*opened, proposal, record, error) {
	o, err := d.find(call.Fields)
	if err != nil {
		return nil, proposal{}, record{}, err
	}
	p := o.proposal(call.Fields)
	r, err := o.readRecord(call.Fields)
	if err != nil {
		return nil, p, r, err
	}
	return o, p, r, call.Fields.Done()
}

func (o *opened) bound(p proposal, e encoded) (report.Bound, error) {
	reader, err := o.reader(p)
	if err != nil {
		return report.Bound{}, err
	}
	return reader.Row(e.row, e.y)
}

func setBound(reply map[string]any, b report.Bound) {
	reply["in"] = map[string]any{"low": b.In.Low, "high": b.In.High}
	reply["out"] = map[string]any{"low": b.Out.Low, "high": b.Out.High}
	reply["largest"] = b.Largest()
	reply["leverage"], reply["surprise"], reply["output"] = b.Leverage, b.Surprise, b.Output
	reply["report"] = b.Report
}

func (o *opened) longest() float64 { return o.release.Schema.RowNorm() }

// expected is what the model says of the record.
func (o *opened) expected(e encoded) map[string]any {
	p := o.release.Model.PredictRow(e.row)
	switch {
	case o.release.Schema.Label.Type == data.NumericLabel:
		return map[string]any{"value": p.Value}
	case p.Probabilities == nil:
		return map[string]any{"likely": p.Positive() == (e.y > 0)}
	case e.y > 0:
		return map[string]any{"probability": p.Probabilities[1]}
	}
	return map[string]any{"probability": p.Probabilities[0]}
}

func people(s report.Scope) float64 {
	if s.Everybody {
		return 0
	}
	return float64(s.People)
}
