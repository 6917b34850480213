// Package ledger holds the handlers that account for what is spent: data sets with
// budgets, and purchases. A purchase is charged before it is run, and handed out only
// when the charge is durable.
package ledger

import (
	"context"

	"cloister/core/ledger"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

// Session is where the data are, and what can be bought of them.
type Session interface {
	// Content is what a ledger recognises the file by that a data set was read from.
	Content(dataset int) (ledger.Identity, error)

	// Purchases is what can be bought, by name.
	Purchases() map[string]api.Prepare
}

// office is the state behind the handlers. They wait for the ledger's storage,
// and other requests are answered in the meantime.
type office struct {
	ledger  *ledger.Ledger
	session Session
}

// Service is the handlers for one ledger and one session.
func Service(l *ledger.Ledger, session Session) *api.Service {
	o := &office{l, session}
	return &api.Service{
		Explain: explain,
		Handlers: map[string]api.Handler{
			"ledger.list":    o.list,
			"ledger.account": o.account,
			"ledger.find":    o.find,
			"ledger.create":  o.create,
			"ledger.budget":  o.budget,
			"ledger.same":    o.same,
			"ledger.afford":  o.afford,
			"ledger.buy":     o.buy,
			"ledger.paid":    o.paid,
			"ledger.kept":    o.kept,
			"ledger.export":  o.export,
			"ledger.import":  o.merge,
		},
	}
}

// never is the context of what must not be left half way.
func never() context.Context { return context.Background() }

// list answers {} with every account.
func (o *office) list(call *api.Call) (map[string]any, error) {
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	sets, err := o.ledger.Datasets(never())
	if err != nil {
		return nil, err
	}
	accounts := make([]any, len(sets))
	for i, d := range sets {
		if accounts[i], err = accountTree(d); err != nil {
			return nil, err
		}
	}
	return map[string]any{"accounts": accounts}, nil
}

// account answers {account} with one account and the total of its charges.
func (o *office) account(call *api.Call) (map[string]any, error) {
	id := call.Fields.Text("account")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	d, err := o.ledger.Dataset(never(), id)
	if err != nil {
		return nil, err
	}
	tree, err := accountTree(d)
	if err != nil {
		return nil, err
	}
	reply := map[string]any{"account": tree}
	if d.Budget != nil {
		total, err := d.Total()
		if err != nil {
			return nil, err
		}
		tree := map[string]any{
			"epsilon":      total.Upper,
			"epsilonLower": total.Lower,
			"delta":        d.Budget.Delta,
		}
		if total.Method != "" {
			tree["method"] = string(total.Method)
		}
		reply["total"] = tree
	}
	return reply, nil
}

// content reads the field "dataset".
func (o *office) content(f *privacy.Fields) (ledger.Identity, error) {
	return o.session.Content(f.Int("dataset"))
}

// find answers {dataset} with its account, or null.
func (o *office) find(call *api.Call) (map[string]any, error) {
	content, err := o.content(call.Fields)
	if err != nil {
		return nil, err
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	d, err := o.ledger.Find(never(), content)
	if err != nil || d == nil {
		return map[string]any{"account": nil}, err
	}
	return one(d, nil)
}

// create answers {dataset, name, budget?}: an account for a data set that has
// none.
func (o *office) create(call *api.Call) (map[string]any, error) {
	content, err := o.content(call.Fields)
	if err != nil {
		return nil, err
	}
	name := call.Fields.Text("name")
	var budget *privacy.Guarantee
	if call.Fields.Has("budget") {
		budget = ledger.ReadBudget(call.Fields)
	}
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	return one(o.ledger.Create(never(), content, name, budget))
}

// budget answers {account, budget}.
func (o *office) budget(call *api.Call) (map[string]any, error) {
	id, budget := call.Fields.Text("account"), ledger.ReadBudget(call.Fields)
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	return one(o.ledger.SetBudget(never(), id, *budget))
}

// same answers {dataset, account, smaller?}: the file is another version of a
// data set that has an account.
func (o *office) same(call *api.Call) (map[string]any, error) {
	content, err := o.content(call.Fields)
	if err != nil {
		return nil, err
	}
	id, smaller := call.Fields.Text("account"), call.Fields.Bool("smaller")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	return one(o.ledger.Same(never(), content, id, smaller))
}

// afford answers {account, event}: what charging an event would do. Nothing is
// charged.
func (o *office) afford(call *api.Call) (map[string]any, error) {
	id, event := call.Fields.Text("account"), call.Fields.Event("event")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	d, err := o.ledger.Dataset(never(), id)
	if err != nil {
		return nil, err
	}
	then, err := d.Affords(event)
	if refusal, ok := err.(*ledger.ExceededError); ok {
		return map[string]any{"affords": false, "reason": explain(refusal).Message}, nil
	}
	if err != nil {
		return nil, err
	}
	return map[string]any{"affords": true, "spent": then.Spent, "closes": then.Closes}, nil
}

// paid answers {release} with the charge that it was made under, and its account. A charge that is
// fromFile is the word of who wrote that file; one for another event than the release says is an
// error.
func (o *office) paid(call *api.Call) (map[string]any, error) {
	release := call.Fields.Any("release")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	if _, err := ledger.Digest(release); err != nil {
		return nil, &api.Error{
			Code:    api.CodeRelease,
			Message: "This release cannot be read: " + api.Sentence(err.Error()),
			Cause:   err,
		}
	}
	charge, d, err := o.ledger.Paid(never(), release)
	if err != nil {
		return nil, err
	}
	tree := charge.Tree()
	if charge.FromFile() {
		tree["fromFile"] = true
	}
	return map[string]any{"charge": tree, "account": d.ID}, nil
}

// export answers {} with the whole ledger as a file's text.
func (o *office) export(call *api.Call) (map[string]any, error) {
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	text, err := o.ledger.Export(never())
	if err != nil {
		return nil, err
	}
	return map[string]any{"text": string(text)}, nil
}

// merge answers {text, smaller?}: takes in a file, losing nothing.
func (o *office) merge(call *api.Call) (map[string]any, error) {
	text, smaller := call.Fields.Text("text"), call.Fields.Bool("smaller")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	what, err := o.ledger.Import(never(), []byte(text), smaller)
	if err != nil {
		return nil, err
	}
	return map[string]any{
		"changed": what.Changed, "accounts": what.Datasets, "added": what.Added, "committed": what.Committed, "budgets": what.Budgets,
	}, nil
}
