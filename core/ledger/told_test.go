package ledger

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/privacy"
)

// member is the value at a path in a file's tree: a list takes its first item.
func member(tree any, path ...string) map[string]any {
	for _, name := range path {
		tree = tree.(map[string]any)[name].([]any)[0]
	}
	return tree.(map[string]any)
}

// A file may say of a charge that was reserved here that it was committed, with
// whatever digest: the release that is then committed here is handed out all the
// same, and what the file made up was not paid for.
func TestAFileKeepsNoReleaseFromBeingCommitted(t *testing.T) {
	store, l, d, c := reserved(t, gaussian(30))
	file, err := l.Export(ctx)
	require.NoError(t, err)
	forged := signed(t, file, func(tree map[string]any) {
		charge := member(tree, "datasets", "charges")
		charge["state"], charge["digest"] = "committed", "made up"
	})
	_, err = l.Import(ctx, forged, false)
	require.NoError(t, err)
	paid, _, err := l.PaidBy(ctx, "made up")
	require.NoError(t, err)
	assert.True(t, paid.FromFile(), "the file's word, and said to be that")
	after, err := l.Dataset(ctx, d.ID)
	require.NoError(t, err)
	assert.False(t, after.nothingReleased(), "it may be true")

	digest, err := l.CommitRelease(ctx, c.ID, map[string]any{"noise": 1.0})
	require.NoError(t, err)
	for name, ledger := range map[string]*Ledger{"here": l, "read anew": New(store, nil)} {
		paid, _, err = ledger.PaidBy(ctx, digest)
		require.NoError(t, err, name)
		assert.Equal(t, c.ID, paid.ID, name)
		assert.False(t, paid.FromFile(), name)
		var unknown *UnknownError
		_, _, err = ledger.PaidBy(ctx, "made up")
		require.ErrorAs(t, err, &unknown, name)
		release, _, err := ledger.Kept(ctx, c.ID)
		require.NoError(t, err, name)
		assert.Equal(t, map[string]any{"noise": 1.0}, release, name)
	}
	var conflict *ChargeConflictError
	require.ErrorAs(t, l.Commit(ctx, c.ID, "another"), &conflict, "what was committed here stays")
	_, err = l.Import(ctx, forged, false)
	require.ErrorAs(t, err, &conflict)
}

// A release that came with a file stays found under its charge when another file says
// that a charge which was reserved here paid for it.
func TestAFilesWordGivesWayToWhatIsCommittedHere(t *testing.T) {
	there, first := opened(t, budget)
	theirs := bought(t, there, first, gaussian(20), "release")
	file, err := there.Export(ctx)
	require.NoError(t, err)
	l := New(&Memory{}, nil)
	_, err = l.Import(ctx, file, false)
	require.NoError(t, err)
	c, err := l.Reserve(ctx, first, gaussian(30), "")
	require.NoError(t, err)
	file, err = l.Export(ctx)
	require.NoError(t, err)
	_, err = l.Import(ctx, signed(t, file, func(tree map[string]any) {
		charge := member(tree, "datasets")["charges"].([]any)[1].(map[string]any)
		require.Equal(t, c.ID, charge["id"])
		charge["state"], charge["digest"] = "committed", "release"
	}), false)
	require.NoError(t, err)
	paid, _, err := l.PaidBy(ctx, "release")
	require.NoError(t, err)
	assert.Equal(t, theirs.ID, paid.ID)
	assert.True(t, paid.FromFile())
	require.NoError(t, l.Commit(ctx, c.ID, "own"))
	for digest, charge := range map[string]string{"release": theirs.ID, "own": c.ID} {
		paid, _, err := l.PaidBy(ctx, digest)
		require.NoError(t, err)
		assert.Equal(t, charge, paid.ID, digest)
	}
}

// No account has an ID without a letter: every content that no account has would be
// taken for that account's.
func TestAnAccountsIDIsNotEmpty(t *testing.T) {
	there, _ := opened(t, budget)
	file, err := there.Export(ctx)
	require.NoError(t, err)
	l, id := opened(t, budget)
	_, err = l.Import(ctx, signed(t, file, func(tree map[string]any) {
		member(tree, "datasets")["also"] = []any{""}
	}), false)
	var damage *DamageError
	require.ErrorAs(t, err, &damage)
	d, err := l.Same(ctx, content("edited"), id, false)
	require.NoError(t, err)
	assert.Empty(t, d.Also)
}

// What the filter affords can be added up, also where it is of more runs than a loss
// distribution may have.
func TestWhatIsAffordedHasATotal(t *testing.T) {
	l, id := opened(t, budget)
	bought(
		t,
		l,
		id,
		privacy.SubsampledGaussian{
			Adjacency:       privacy.AddRemove,
			Rate:            1e-7,
			NoiseMultiplier: 2,
			Steps:           1e9,
		},
		"model",
	)
	bought(t, l, id, gaussian(60), "other")
	total, spent := openAccount(t, l, id)
	assert.Greater(t, total.Upper, 0.0)
	assert.LessOrEqual(t, total.Upper, spent)
}
