package accounting

import (
	"cloister/core/account"
	"cloister/core/account/objective"
	"cloister/core/account/pld"
	"cloister/core/privacy"
)

// prices keeps the last few priced events: a privacy loss distribution that has
// been computed answers further questions in no time, and a page asks many of
// the same event. Requests are answered one at a time, so there is no lock.
type prices struct {
	kept []priced // the one used last comes last
}

type priced struct {
	key   string
	price account.Price
}

// keptPrices bounds the memory: one distribution is a few megabytes.
const keptPrices = 6

// of is account.Of, from what is kept where the same was asked before.
func (p *prices) of(
	event privacy.Event, method account.Method, options pld.Options,
) (account.Price, error) {
	if method == account.Auto {
		return account.Best(p.of, event, options)
	}
	key := string(method) + " " + string(options.Bound) + " " + privacy.Number(options.Accuracy) +
		" " + canonical(privacy.EncodeEvent(event))
	for i, one := range p.kept {
		if one.key == key {
			copy(p.kept[i:], p.kept[i+1:])
			p.kept[len(p.kept)-1] = one
			return one.price, nil
		}
	}
	price, err := account.Of(event, method, options)
	if err != nil {
		return price, err
	}
	if len(p.kept) == keptPrices {
		copy(p.kept, p.kept[1:])
		p.kept = p.kept[:keptPrices-1]
	}
	p.kept = append(p.kept, priced{key, price})
	return price, nil
}

// canonical writes a plain tree without a choice of order or of digits: equal
// events have equal texts.
func canonical(tree any) string {
	return string(appendCanonical(nil, tree))
}

func appendCanonical(to []byte, tree any) []byte {
	switch tree := tree.(type) {
	case float64:
		to = append(to, privacy.Number(tree)...)
	case string:
		to = append(append(append(to, '"'), tree...), '"')
	case []any:
		to = append(to, '[')
		for _, item := range tree {
			to = append(appendCanonical(to, item), ',')
		}
		to = append(to, ']')
	case map[string]any:
		names := make([]string, 0, len(tree))
		for name := range tree {
			names = append(names, name)
			for i := len(names) - 1; i > 0 && names[i] < names[i-1]; i-- {
				names[i], names[i-1] = names[i-1], names[i]
			}
		}
		to = append(to, '{')
		for _, name := range names {
			to = append(append(to, name...), ':')
			to = append(appendCanonical(to, tree[name]), ',')
		}
		to = append(to, '}')
	}
	return to
}

// readOptions reads {bound?, accuracy?}.
func readOptions(f *privacy.Fields) pld.Options {
	bound, err := objective.ParseBound(f.TextOr("bound", ""))
	f.Fail(err)
	options := pld.Options{Bound: bound}
	if f.Has("accuracy") {
		options.Accuracy = f.Number("accuracy")
		if !(options.Accuracy >= pld.BestAccuracy && options.Accuracy <= 0.1) {
			f.Bad("accuracy", "from "+privacy.Number(pld.BestAccuracy)+" to 0.1")
		}
	}
	return options
}
