package reading

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/report"
	"cloister/wasm/api"
)

const (
	steps          = 9   // values tried of a number, from bound to bound
	mostCategories = 200 // tried of a feature
)

// moves answers {reader, row, label, rho?, people?} with what each column does to
// the bound: the least and the greatest `largest` there is if it alone were
// different. A category is tried by all its values, up to 200, a number by nine from
// bound to bound and its own.
//
//	moves  in the schema's order, the label last: {name, label, tried,
//	       least {value, bound}, most {value, bound}}; values are texts as a file
//	       would have them
//
// Of a record that is left out there are none.
func (d *Desk) moves(call *api.Call) (map[string]any, error) {
	o, p, own, err := d.question(call)
	if err != nil {
		return nil, err
	}
	e, err := o.encode(own)
	if err != nil || e.leftOut != "" {
		return map[string]any{"moves": []any{}}, err
	}
	list := []any{}
	for i := range o.release.Schema.Features {
		f := &o.release.Schema.Features[i]
		other := record{fields: make(map[string]string, len(own.fields)), label: own.label}
		for name, text := range own.fields {
			other.fields[name] = text
		}
		move, err := o.tried(p, append(valuesOf(f), own.fields[f.Name]), func(text string) record {
			other.fields[f.Name] = text
			return other
		})
		if err != nil {
			return nil, err
		}
		move["name"], move["label"] = f.Name, false
		list = append(list, move)
	}
	label := &o.release.Schema.Label
	move, err := o.tried(
		p, append(labelsOf(label), own.label),
		func(text string) record { return record{own.fields, text} },
	)
	if err != nil {
		return nil, err
	}
	move["name"], move["label"] = label.Name, true
	return map[string]any{"moves": append(list, move)}, nil
}

// tried bounds the records with each value, the record's own being the last.
func (o *opened) tried(
	p proposal, values []string, with func(string) record,
) (map[string]any, error) {
	var least, most report.Bound
	var at [2]string
	for i := len(values) - 1; i >= 0; i-- {
		e, err := o.encode(with(values[i]))
		if err != nil {
			return nil, err
		}
		b, err := o.bound(p, e)
		if err != nil {
			return nil, err
		}
		own := i == len(values)-1
		if own || b.Largest() < least.Largest() {
			least, at[0] = b, values[i]
		}
		if own || b.Largest() > most.Largest() {
			most, at[1] = b, values[i]
		}
	}
	return map[string]any{
		"tried": float64(len(values) - 1),
		"least": map[string]any{"value": at[0], "bound": least.Largest()},
		"most":  map[string]any{"value": at[1], "bound": most.Largest()},
	}, nil
}

func valuesOf(f *data.Feature) []string {
	if f.Type == data.Categorical {
		return append([]string{}, f.Categories[:min(len(f.Categories), mostCategories)]...)
	}
	return between(f.Min, f.Max, f.Log)
}

func labelsOf(l *data.Label) []string {
	if l.Type == data.NumericLabel {
		return between(l.Min, l.Max, false)
	}
	return l.ClassNames()
}

// between are numbers from low to high as people write them: the bounds, and
// between them whole numbers where the bounds are whole and far enough apart,
// else four digits.
func between(low, high float64, logarithmic bool) []string {
	whole := low == math.Trunc(low) && high == math.Trunc(high) && high-low >= steps-1 &&
		math.Abs(low) < 1e15 &&
		math.Abs(high) < 1e15
	out := make([]string, steps)
	for i := range out {
		t := float64(i) / (steps - 1)
		x := low + t*(high-low)
		if logarithmic {
			x = low + math.Expm1(t*math.Log1p(high-low))
		}
		switch {
		case i == 0 || i == steps-1:
			x = low
			if i > 0 {
				x = high
			}
		case whole:
			x = math.Round(x)
		default:
			short, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
			x = min(max(short, low), high)
		}
		out[i] = api.FieldNumber(x)
	}
	return out
}
