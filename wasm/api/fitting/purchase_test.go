package fitting

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/ledger"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// What would be refused whatever the rows are is refused before it can be
// charged: when the purchase is prepared, not when it is run.
func TestAPurchaseIsCheckedBeforeItIsCharged(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	id := opened(e, sickRows(300))
	prepare := func(more map[string]any) (*api.Purchase, error) {
		request := map[string]any{
			"dataset":   id,
			"adjacency": "add-remove",
			"epsilon":   1.0,
			"delta":     1e-5,
		}
		for name, value := range more {
			request[name] = value
		}
		return session.Purchases()["fit"](&api.Call{Fields: privacy.NewFields("", request)})
	}
	for field, value := range map[string]any{"tau": 1e-30, "epsilon": 0.0, "delta": 1.0, "lambda": -1.0, "clip": 0.0} {
		purchase, err := prepare(map[string]any{field: value})
		assert.Nil(t, purchase, field)
		var parameter *privacy.ParameterError
		require.ErrorAs(t, err, &parameter, field)
		assert.Equal(t, field, parameter.Field)
	}
	purchase, err := prepare(nil)
	require.NoError(t, err)
	assert.Equal(t, int(id), purchase.Dataset)
	reply, err := purchase.Run()
	require.NoError(t, err)
	assert.Equal(
		t, privacy.EncodeEvent(purchase.Event), reply["release"].(map[string]any)["event"],
		"what is charged is what the release says was done",
	)
}

// heard is a source that notes what had been told when the first word was drawn.
type heard struct {
	random.Source
	told  []any
	drawn []any
	first bool
}

func (h *heard) Uint64() (uint64, error) {
	if h.first {
		h.drawn, h.first = slices.Clone(h.told), false
	}
	return h.Source.Uint64()
}

// Who has no ledger knows by the phase whether noise was drawn, and adds up the cost by that. So
// each purchase tells of such a phase before it draws.
func TestEveryPurchaseTellsThatNoiseIsDrawnBeforeItIs(t *testing.T) {
	session, e, dataset, release := reporting(t, nil)
	source := &heard{Source: session.source}
	session.source = source
	more := everyPurchase(e, dataset, release)
	require.Len(t, more, len(session.Purchases()))
	for name, request := range more {
		source.told, source.drawn, source.first = nil, nil, true
		_, err := e.service.Answer(name, request, func(update map[string]any) {
			source.told = append(source.told, update["phase"])
		})
		require.Nil(t, err, "%s: %v", name, err)
		require.False(t, source.first, "%s draws", name)
		require.NotEmpty(t, source.drawn, name)
		last := source.drawn[len(source.drawn)-1]
		assert.Contains(t, []any{"solving", "searching", "releasing"}, last, name)
	}
}

// everyPurchase is a request of each.
func everyPurchase(e *edge, dataset float64, release any) map[string]map[string]any {
	text := sickRows(3000)
	return map[string]map[string]any{
		"fit": budget(dataset),
		"evaluate": {
			"release":   release,
			"dataset":   dataset,
			"adjacency": "add-remove",
			"epsilon":   1.0,
		},
		"bounds": {
			"dataset":   counted(e, text, "age"),
			"adjacency": "add-remove",
			"epsilon":   0.5,
		},
		"categories": {
			"dataset":   listed(e, text, "ward"),
			"adjacency": "add-remove",
			"epsilon":   0.5,
			"delta":     1e-7,
		},
		"report": askingFor(release, reportBought, "dataset", dataset),
		"scorecard": {
			"dataset":   celled(e, text),
			"adjacency": "add-remove",
			"epsilon":   0.5,
		},
		"cells": {
			"dataset":   celled(e, text),
			"adjacency": "add-remove",
			"epsilon":   0.5,
		},
		"scorecard.evaluate": {
			"release": e.ask("scorecard", map[string]any{
				"dataset": celled(e, text), "adjacency": "add-remove", "epsilon": 1.0,
			})["release"],
			"dataset":   celled(e, text),
			"adjacency": "add-remove",
			"epsilon":   0.5,
		},
	}
}

// Whichever of the purchases is between its reservation and its release when the
// ledger is exported: who imports the file does not go on as if nothing had been
// released.
func TestWhateverIsBeingBoughtAnImportClosesTheOpening(t *testing.T) {
	session, e, dataset, release := reporting(t, nil)
	afforded := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 8, Delta: 1e-4}
	// The filter takes none such; while nothing was released it can be charged.
	beyond := privacy.ApproximateDP{
		Adjacency: privacy.AddRemove,
		Epsilon:   0.1,
		Delta:     1.01 * ledger.SetAside(afforded),
	}
	more := everyPurchase(e, dataset, release)
	purchases := session.Purchases()
	require.Len(t, more, len(purchases))
	for name, prepare := range purchases {
		purchase, err := prepare(&api.Call{Fields: privacy.NewFields("", more[name])})
		require.NoError(t, err, name)
		content, err := session.Content(purchase.Dataset)
		require.NoError(t, err, name)
		here, there := ledger.New(&ledger.Memory{}, nil), ledger.New(&ledger.Memory{}, nil)
		set, err := here.Create(t.Context(), content, "table", &afforded)
		require.NoError(t, err, name)
		charge, err := here.Reserve(t.Context(), set.ID, purchase.Event, name)
		require.NoError(t, err, name)
		file, err := here.Export(t.Context())
		require.NoError(t, err, name)
		_, err = there.Import(t.Context(), file, false)
		require.NoError(t, err, name)

		set, err = here.Dataset(t.Context(), set.ID)
		require.NoError(t, err, name)
		_, err = set.Affords(beyond)
		require.NoError(t, err, "%s: else this test says nothing", name)
		require.NoError(t, here.Commit(t.Context(), charge.ID, "shown"), name)
		var exceeded *ledger.ExceededError
		for _, l := range []*ledger.Ledger{here, there} {
			_, err = l.Reserve(t.Context(), set.ID, beyond, "next")
			require.ErrorAs(t, err, &exceeded, name)
		}

		// What is kept and paid is for the event that the release says.
		next := ledger.New(&ledger.Memory{}, nil)
		set, err = next.Create(t.Context(), content, "table", &afforded)
		require.NoError(t, err, name)
		charge, err = next.Reserve(t.Context(), set.ID, purchase.Event, name)
		require.NoError(t, err, name)
		reply, err := purchase.Run()
		require.NoError(t, err, name)
		_, err = next.CommitRelease(t.Context(), charge.ID, reply["release"])
		require.NoError(t, err, name)
		_, _, err = next.Paid(t.Context(), reply["release"])
		require.NoError(t, err, name)
		assert.Contains(t, fmt.Sprint(reply["release"]), "event:", "else nothing was checked")
	}
}

// A data set is recognised by its text, part by part, until it is freed.
func TestTheContentOfADataset(t *testing.T) {
	session := NewSession(randomtest.New(1))
	e := &edge{t, wiretest.Hold(session.Service())}
	text := sickRows(300)
	id := opened(e, text)
	got, err := session.Content(int(id))
	require.NoError(t, err)
	var want ledger.Content
	want.Begin()
	want.Write([]byte(text))
	assert.Equal(t, want.Sum(), got)
	assert.NotEqual(t, sha256.Sum256([]byte(text)), got.List)

	again, err := session.Content(int(opened(e, "\uFEFF"+text)))
	require.NoError(t, err)
	assert.Equal(t, got, again, "the same text with a byte order mark")
	other, err := session.Content(int(opened(e, sickRows(301))))
	require.NoError(t, err)
	assert.NotEqual(t, got, other)

	e.ask("dataset.free", map[string]any{"dataset": id})
	_, err = session.Content(int(id))
	var lost *api.Error
	require.ErrorAs(t, err, &lost)
	assert.Equal(t, api.CodeDatasetLost, lost.Code)
}
