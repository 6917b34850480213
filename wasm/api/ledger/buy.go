package ledger

import (
	"cloister/core/ledger"
	"cloister/wasm/api"
)

// buy answers {purchase, request}: reserves what the purchase costs, runs it,
// commits, and only then replies, with what the purchase gave and the charge.
//
//   - Until the reservation is in the storage, nothing is run.
//   - Until the commit is, nothing is handed out: if it fails, what came out is
//     dropped and the charge stands.
//   - If the program ends anywhere in between, the charge stands. If it ends after the commit,
//     the release can be fetched again at no cost (kept).
//
// A purchase that fails after the reservation is charged too: that it failed is
// an output. Its error names the charge.
func (o *office) buy(call *api.Call) (map[string]any, error) {
	name := call.Fields.Text("purchase")
	prepare, ok := o.session.Purchases()[name]
	if !ok {
		call.Fields.Bad("purchase", "the name of something that can be bought")
	}
	inner := call.Inner("request")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	purchase, err := prepare(inner)
	if err == nil {
		err = inner.Fields.Done()
	}
	if err != nil {
		return nil, err
	}
	content, err := o.session.Content(purchase.Dataset)
	if err != nil {
		return nil, err
	}
	set, err := o.ledger.Find(never(), content)
	if err != nil {
		return nil, err
	}
	if set == nil {
		return nil, &api.Error{
			Code:    api.CodeBudget,
			Field:   "dataset",
			Message: "This data set has no account in the ledger yet: give it a budget first, or say which one it is.",
		}
	}

	for _, p := range purchase.Bought {
		// Pages say whether the account has the charge, while the schema is made.
		_, err := o.ledger.CheckBought(never(), set.ID, p.Charge, p.Epsilon, p.Delta)
		if err != nil {
			return nil, err
		}
	}

	call.Progress(map[string]any{"phase": "reserving"})
	charge, err := o.ledger.Reserve(never(), set.ID, purchase.Event, name)
	if err != nil {
		return nil, err
	}
	reply, err := purchase.Run()
	if err != nil {
		// Best effort: it makes later charges count as chosen after an output.
		_ = o.ledger.Commit(never(), charge.ID, "")
		return nil, &api.ChargedError{Charge: charge.ID, Cause: err}
	}
	call.Progress(map[string]any{"phase": "committing"})
	digest, err := o.ledger.CommitRelease(never(), charge.ID, reply["release"])
	if err != nil {
		clear(reply)
		return nil, &api.ChargedError{Charge: charge.ID, Cause: err}
	}
	charge.State, charge.Digest = ledger.Committed, digest
	reply["charge"] = charge.Tree()
	return reply, nil
}

// kept answers {charge} with the release that was made under it, which is handed
// out again for nothing.
func (o *office) kept(call *api.Call) (map[string]any, error) {
	id := call.Fields.Text("charge")
	if err := call.Fields.Done(); err != nil {
		return nil, err
	}
	release, charge, err := o.ledger.Kept(never(), id)
	if err != nil {
		return nil, err
	}
	return map[string]any{"release": release, "charge": charge.Tree()}, nil
}

// accountTree is an account with what it comes to: condition, and with a budget
// spent, left and aside; and with the charges whose releases are kept.
func accountTree(d *ledger.Dataset) (map[string]any, error) {
	spent, condition, err := d.Spent()
	if err != nil {
		return nil, err
	}
	tree := d.Tree()
	for i, charge := range tree["charges"].([]any) {
		if d.Charges[i].Kept() {
			charge.(map[string]any)["kept"] = true
		}
		if d.Charges[i].FromFile() {
			charge.(map[string]any)["fromFile"] = true
		}
	}
	tree["condition"] = string(condition)
	if d.Budget != nil {
		left := 0.0
		if condition == ledger.Open {
			left = d.Budget.Epsilon - spent
		}
		tree["spent"], tree["left"], tree["aside"] = spent, left, ledger.SetAside(*d.Budget)
	}
	return tree, nil
}

// one replies with an account.
func one(d *ledger.Dataset, err error) (map[string]any, error) {
	if err != nil {
		return nil, err
	}
	tree, err := accountTree(d)
	return map[string]any{"account": tree}, err
}
