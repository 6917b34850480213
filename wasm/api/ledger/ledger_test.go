package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/ledger"
	"cloister/core/privacy"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// diagnostics are those of a fit to three rows.
var diagnostics = map[string]any{"rows": 3.0, "iterations": 1.0, "milliseconds": 1.0}

// bench is a session with made-up purchases, and the handlers around it.
type bench struct {
	t       *testing.T
	store   *tap
	ledger  *ledger.Ledger
	service *wiretest.Service

	ran      int
	whole    bool  // whole digests are taken
	fails    error // of the mechanism
	before   []api.Bought
	observed func()
}

// tap is a store that can fail.
type tap struct {
	ledger.Memory
	fail error
}

func (s *tap) Append(ctx context.Context, after int, entries ...string) error {
	if s.fail != nil {
		return s.fail
	}
	return s.Memory.Append(ctx, after, entries...)
}

func (b *bench) Content(dataset int) (ledger.Identity, error) {
	if dataset > 9 {
		return ledger.Identity{}, &api.Error{Code: api.CodeDatasetLost, Message: "Gone."}
	}
	return ledger.Identity{
		List:  sha256.Sum256([]byte{byte(dataset)}),
		Whole: sha256.Sum256([]byte{byte(dataset), 0}),
		Both:  b.whole,
	}, nil
}

func (b *bench) Purchases() map[string]api.Prepare {
	prepare := func(call *api.Call) (*api.Purchase, error) {
		id, sigma := call.Fields.Int("dataset"), call.Fields.Number("sigma")
		if err := call.Fields.Done(); err != nil {
			return nil, err
		}
		event := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: sigma}
		run := func() (map[string]any, error) {
			b.ran++
			if b.observed != nil {
				b.observed()
			}
			call.Progress(map[string]any{"phase": "solving"})
			if b.fails != nil {
				return nil, b.fails
			}
			return map[string]any{
				"release":     map[string]any{"noise": float64(b.ran)},
				"diagnostics": diagnostics,
			}, nil
		}
		return &api.Purchase{
			Event: event, Dataset: id, Bought: b.before, Run: run,
		}, event.Validate()
	}
	return map[string]api.Prepare{"noise": prepare, ledger.ForBounds: prepare}
}

func newBench(t *testing.T) *bench {
	b := &bench{t: t, store: &tap{}}
	b.ledger = ledger.New(b.store, nil)
	b.service = wiretest.Hold(Service(b.ledger, b))
	return b
}

func (b *bench) ask(method string, params map[string]any) map[string]any {
	b.t.Helper()
	reply, err := b.service.Answer(method, params, nil)
	require.Nil(b.t, err, "%v", err)
	return reply
}

func (b *bench) refused(method string, params map[string]any) *api.Error {
	b.t.Helper()
	reply, err := b.service.Answer(method, params, nil)
	require.Nil(b.t, reply)
	require.NotNil(b.t, err)
	return err
}

func (b *bench) buy(sigma float64) map[string]any {
	return map[string]any{
		"purchase": "noise",
		"request":  map[string]any{"dataset": 1.0, "sigma": sigma},
	}
}

var budget = map[string]any{"adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-5}

func (b *bench) opened() string {
	b.t.Helper()
	reply := b.ask(
		"ledger.create", map[string]any{"dataset": 1.0, "name": "table", "budget": budget},
	)
	return reply["account"].(map[string]any)["id"].(string)
}

func charges(account any) []any { return account.(map[string]any)["charges"].([]any) }

func TestAPurchaseIsChargedAndHandedOut(t *testing.T) {
	b := newBench(t)
	assert.Nil(t, b.ask("ledger.find", map[string]any{"dataset": 1.0})["account"])
	assert.Equal(t, api.CodeBudget, b.refused("ledger.buy", b.buy(20)).Code, "no account yet")
	assert.Zero(t, b.ran)
	id := b.opened()

	var phases []any
	reply, failed := b.service.Answer(
		"ledger.buy", b.buy(20),
		func(update map[string]any) { phases = append(phases, update["phase"]) },
	)
	require.Nil(t, failed)
	assert.Equal(t, []any{"reserving", "solving", "committing"}, phases)
	release := reply["release"]
	assert.Equal(t, map[string]any{"noise": 1.0}, release)
	charge := reply["charge"].(map[string]any)
	assert.Equal(t, "committed", charge["state"])
	assert.Equal(t, "noise", charge["purpose"])

	paid := b.ask("ledger.paid", map[string]any{"release": release})
	assert.Equal(t, id, paid["account"])
	assert.Equal(t, charge["id"], paid["charge"].(map[string]any)["id"])
	assert.Equal(
		t, api.CodeLedger,
		b.refused("ledger.paid", map[string]any{"release": map[string]any{"noise": 2.0}}).Code,
	)

	account := b.ask("ledger.find", map[string]any{"dataset": 1.0})["account"].(map[string]any)
	assert.Len(t, charges(account), 1)
	assert.Equal(t, "open", account["condition"])
	assert.InDelta(t, 1, account["spent"].(float64)+account["left"].(float64), 1e-12)
	with := b.ask("ledger.account", map[string]any{"account": id})
	assert.LessOrEqual(
		t, with["total"].(map[string]any)["epsilon"].(float64), account["spent"].(float64),
	)

	then := b.ask("ledger.afford", map[string]any{"account": id, "event": charge["event"]})
	assert.Equal(t, true, then["affords"])
	b.ask("ledger.buy", b.buy(20))
	account = b.ask("ledger.find", map[string]any{"dataset": 1.0})["account"].(map[string]any)
	assert.Equal(t, then["spent"], account["spent"])
}

// What was handed out, and what was committed and never came to be seen, can be had
// again for nothing; what was not committed can not.
func TestWhatWasBoughtCanBeHadAgain(t *testing.T) {
	b := newBench(t)
	id := b.opened()
	bought := b.ask("ledger.buy", b.buy(20))
	charge := bought["charge"].(map[string]any)["id"]
	account := b.ask("ledger.account", map[string]any{"account": id})["account"].(map[string]any)
	assert.Equal(t, true, charges(account)[0].(map[string]any)["kept"])
	assert.Equal(t, 1e-5/64, account["aside"])

	later := wiretest.Hold(Service(ledger.New(b.store, nil), b))
	reply, failed := later.Answer("ledger.kept", map[string]any{"charge": charge}, nil)
	require.Nil(t, failed)
	assert.Equal(t, bought["release"], reply["release"])
	assert.Equal(t, charge, reply["charge"].(map[string]any)["id"])
	assert.NotContains(t, reply, "diagnostics", "what is for the holder's eyes is not stored")
	after := b.ask("ledger.account", map[string]any{"account": id})["account"].(map[string]any)
	assert.Equal(t, account["spent"], after["spent"])
	assert.Equal(t, 1, b.ran)

	b.fails = errors.New("refused")
	failed = b.refused("ledger.buy", b.buy(20))
	assert.Equal(
		t, api.CodeLedger, b.refused("ledger.kept", map[string]any{"charge": failed.Charged}).Code,
	)
	assert.Equal(t, api.CodeLedger, b.refused("ledger.kept", map[string]any{"charge": "none"}).Code)
}

// What is run is charged durably before, and when it is handed out it is
// committed.
func TestTheOrderOfAPurchase(t *testing.T) {
	b := newBench(t)
	id := b.opened()
	b.observed = func() {
		d, err := ledger.New(b.store, nil).Dataset(context.Background(), id)
		require.NoError(t, err)
		require.Len(t, d.Charges, 1)
		assert.Equal(t, ledger.Reserved, d.Charges[0].State)
	}
	b.ask("ledger.buy", b.buy(20))
	d, err := ledger.New(b.store, nil).Dataset(context.Background(), id)
	require.NoError(t, err)
	assert.Equal(t, ledger.Committed, d.Charges[0].State)
}

func TestWhatTheBudgetDoesNotAffordIsNotRun(t *testing.T) {
	b := newBench(t)
	id := b.opened()
	failed := b.refused("ledger.buy", b.buy(1))
	assert.Equal(t, api.CodeBudget, failed.Code)
	assert.Contains(t, failed.Message, "does not afford this")
	assert.Empty(t, failed.Charged)
	assert.Zero(t, b.ran)
	then := b.ask(
		"ledger.afford",
		map[string]any{
			"account": id,
			"event": map[string]any{
				"mechanism":   "gaussian",
				"adjacency":   "add-remove",
				"sensitivity": 1.0,
				"sigma":       1.0,
			},
		},
	)
	assert.Equal(t, false, then["affords"])
	assert.Equal(t, failed.Message, then["reason"])
}

// A schema that says of a charge here that it cost less than it did, or that bounds came of it that
// it did not give, makes no release.
func TestASchemaSaysOfItsChargeWhatTheLedgerSays(t *testing.T) {
	b := newBench(t)
	b.opened()
	request := b.buy(20)
	request["purchase"] = "bounds"
	paid := b.ask("ledger.buy", request)["charge"].(map[string]any)["id"].(string)
	other := b.ask("ledger.buy", b.buy(20))["charge"].(map[string]any)["id"].(string)
	for _, before := range []api.Bought{
		{Charge: paid, Epsilon: 1e-6, Delta: 1e-5}, {Charge: other, Epsilon: 1, Delta: 1e-5},
	} {
		b.before = []api.Bought{before}
		failed := b.refused("ledger.buy", b.buy(20))
		assert.Equal(t, api.CodeSchema, failed.Code)
		assert.Equal(t, 2, b.ran)
	}
	b.before = []api.Bought{{Charge: paid, Epsilon: 1, Delta: 1e-5}}
	b.ask("ledger.buy", b.buy(20))
	assert.Equal(t, 3, b.ran)
}

// The storage fails: before the mechanism, so that nothing is run; after it, so
// that nothing is handed out and the charge stands.
func TestAFullStorage(t *testing.T) {
	full := &ledger.StorageError{Kind: ledger.Full}
	b := newBench(t)
	id := b.opened()
	b.store.fail = full
	failed := b.refused("ledger.buy", b.buy(20))
	assert.Equal(t, api.CodeStorage, failed.Code)
	assert.Equal(t, "full", failed.Field)
	assert.Empty(t, failed.Charged)
	assert.Zero(t, b.ran)

	b.store.fail = nil
	b.observed = func() { b.store.fail = full }
	failed = b.refused("ledger.buy", b.buy(20))
	assert.Equal(t, api.CodeStorage, failed.Code)
	assert.Contains(t, failed.Message, "the charge for it stands")
	assert.Equal(t, 1, b.ran)
	b.store.fail = nil
	account := b.ask("ledger.account", map[string]any{"account": id})["account"]
	require.Len(t, charges(account), 1)
	assert.Equal(t, failed.Charged, charges(account)[0].(map[string]any)["id"])
	assert.Equal(t, "reserved", charges(account)[0].(map[string]any)["state"])
}

// A mechanism that fails is charged, and what comes after counts as chosen in
// the light of that.
func TestAFailureIsCharged(t *testing.T) {
	b := newBench(t)
	id := b.opened()
	b.fails = &api.Error{Code: api.CodeRefused, Message: "Refused."}
	failed := b.refused("ledger.buy", b.buy(20))
	assert.Equal(t, api.CodeRefused, failed.Code)
	assert.Equal(t, "Refused. Nothing was released, and the charge for it stands.", failed.Message)
	assert.NotEmpty(t, failed.Charged)
	assert.Equal(t, failed.Charged, failed.Tree()["charged"])
	b.fails = errors.New("other")
	assert.Equal(t, api.CodeInternal, b.refused("ledger.buy", b.buy(20)).Code)
	account := b.ask("ledger.account", map[string]any{"account": id})["account"]
	require.Len(t, charges(account), 2)
	for i, c := range charges(account) {
		assert.Equal(t, "committed", c.(map[string]any)["state"])
		assert.Equal(t, i == 0, c.(map[string]any)["opening"])
	}
}

// A ledger of an earlier version asks for the digest that it knows, and until it has it nothing is
// opened, joined or charged.
func TestAnEarlierLedgerAsksForItsDigest(t *testing.T) {
	b := newBench(t)
	require.NoError(t, b.store.Append(context.Background(), 0,
		`{"version":2,"kind":"begin","time":"2026-11-22T01:53:07Z","key":"`+
			strings.Repeat("00", 32)+`"}`,
		`{"version":2,"kind":"dataset","time":"2026-11-22T01:53:07Z","dataset":"early","name":"a",`+
			`"content":"another table's","budget":{"adjacency":"add-remove","epsilon":1,"delta":1e-5}}`,
	))
	for method, params := range map[string]map[string]any{
		"ledger.find":   {"dataset": 1.0},
		"ledger.create": {"dataset": 1.0, "name": "x"},
		"ledger.same":   {"dataset": 1.0, "account": "early"},
		"ledger.buy":    b.buy(20),
	} {
		failed := b.refused(method, params)
		assert.Equal(t, api.CodeDatasetLost, failed.Code, method)
		assert.Equal(t, "whole", failed.Field, method)
	}
	assert.Zero(t, b.ran)
	entries, err := b.store.Read(context.Background(), 0)
	require.NoError(t, err)
	assert.Len(t, entries, 2)
	b.whole = true
	assert.Nil(t, b.ask("ledger.find", map[string]any{"dataset": 1.0})["account"])
	b.opened()
	b.ask("ledger.buy", b.buy(20))
}

func TestRequestsThatAreWrong(t *testing.T) {
	b := newBench(t)
	id := b.opened()
	for _, c := range []struct {
		method string
		params map[string]any
		code   api.Code
		field  string
	}{
		{"ledger.buy", map[string]any{"purchase": "nothing", "request": map[string]any{}}, api.CodeParameter, "purchase"},
		{"ledger.buy", map[string]any{"purchase": "noise"}, api.CodeParameter, "request"},
		{"ledger.buy", b.buy(-1), api.CodeParameter, "sigma"},
		{"ledger.buy", map[string]any{"purchase": "noise", "request": map[string]any{"dataset": 1.0, "sigma": 9.0, "more": 1.0}}, api.CodeParameter, "more"},
		{"ledger.buy", map[string]any{"purchase": "noise", "request": map[string]any{"dataset": 10.0, "sigma": 9.0}}, api.CodeDatasetLost, ""},
		{"ledger.find", map[string]any{"dataset": 10.0}, api.CodeDatasetLost, ""},
		{"ledger.create", map[string]any{"dataset": 1.0, "name": "again"}, api.CodeLedger, ""},
		{"ledger.create", map[string]any{"dataset": 2.0}, api.CodeParameter, "name"},
		{"ledger.create", map[string]any{"dataset": 2.0, "name": "x", "budget": map[string]any{"epsilon": 1.0, "delta": 1e-5}}, api.CodeParameter, "budget.adjacency"},
		{"ledger.create", map[string]any{"dataset": 2.0, "name": "x", "budget": map[string]any{"epsilon": 0.0, "delta": 1e-5, "adjacency": "add-remove"}}, api.CodeParameter, "budget.epsilon"},
		{"ledger.account", map[string]any{"account": "nothing"}, api.CodeLedger, ""},
		{"ledger.budget", map[string]any{"account": "nothing", "budget": budget}, api.CodeLedger, ""},
		{"ledger.same", map[string]any{"dataset": 2.0, "account": "nothing"}, api.CodeLedger, ""},
		{"ledger.list", map[string]any{"more": 1.0}, api.CodeParameter, "more"},
		{"ledger.import", map[string]any{"text": "hello"}, api.CodeLedger, ""},
		{"ledger.import", map[string]any{"text": `{"format":"cloister-ledger","version":9}`}, api.CodeLedger, "version"},
	} {
		failed := b.refused(c.method, c.params)
		assert.Equal(t, c.code, failed.Code, "%s %v: %s", c.method, c.params, failed.Message)
		assert.Equal(t, c.field, failed.Field, "%s %v", c.method, c.params)
		assert.True(t, strings.HasSuffix(failed.Message, "."), failed.Message)
	}
	assert.Zero(t, b.ran)
	b.ask("ledger.buy", b.buy(20))
	assert.Equal(
		t,
		api.CodeBudget,
		b.refused(
			"ledger.budget",
			map[string]any{
				"account": id,
				"budget":  map[string]any{"adjacency": "add-remove", "epsilon": 2.0, "delta": 1e-5},
			},
		).Code,
	)
}

func TestAFileGoesFromOneLedgerToAnother(t *testing.T) {
	here, there := newBench(t), newBench(t)
	id := here.opened()
	here.ask("ledger.buy", here.buy(20))
	text := here.ask("ledger.export", map[string]any{})["text"].(string)
	require.True(t, json.Valid([]byte(text)))
	assert.Equal(
		t, map[string]any{"changed": true, "accounts": 1, "added": 1, "committed": 0, "budgets": 0},
		there.ask("ledger.import", map[string]any{"text": text}),
	)
	assert.Equal(t, false, there.ask("ledger.import", map[string]any{"text": text})["changed"])
	assert.NotContains(
		t, charges(here.ask("ledger.find", map[string]any{"dataset": 1.0})["account"])[0],
		"fromFile",
	)
	imported := there.ask("ledger.list", map[string]any{})["accounts"].([]any)[0]
	assert.Equal(t, true, charges(imported)[0].(map[string]any)["fromFile"], "the file's word")
	assert.Nil(t, there.ask("ledger.find", map[string]any{"dataset": 1.0})["account"])
	there.ask("ledger.same", map[string]any{"dataset": 1.0, "account": id})
	there.ask("ledger.buy", there.buy(20))
	accounts := there.ask("ledger.list", map[string]any{})["accounts"].([]any)
	require.Len(t, accounts, 1)
	assert.Len(t, charges(accounts[0]), 2)

	other := here.ask(
		"ledger.create",
		map[string]any{
			"dataset": 3.0,
			"name":    "other",
			"budget":  map[string]any{"adjacency": "add-remove", "epsilon": 2.0, "delta": 1e-5},
		},
	)
	failed := here.refused("ledger.same", map[string]any{"dataset": 3.0, "account": id})
	assert.Equal(t, "budget", failed.Field)
	joined := here.ask("ledger.same", map[string]any{"dataset": 3.0, "account": id, "smaller": true})["account"].(map[string]any)
	assert.Equal(t, budget, joined["budget"])
	assert.Equal(t, []any{other["account"].(map[string]any)["id"]}, joined["also"])
}
