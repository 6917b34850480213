package folder_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/ledger"
	"cloister/core/ledger/folder"
	"cloister/core/privacy"
)

// What was appended is there for everybody, from any place on; a list of another length is refused.
func TestEntriesAreKeptInOrder(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "ledger")
	one, two := folder.New(path), folder.New(path)
	ctx := t.Context()
	have, err := one.Read(ctx, 0)
	require.NoError(t, err)
	assert.Empty(t, have)
	_, err = one.Read(ctx, 1)
	assert.ErrorIs(t, err, ledger.ErrConflict)

	require.NoError(t, one.Append(ctx, 0, "a", "b\n\"", "c"))
	require.NoError(t, two.Append(ctx, 3, "d"))
	require.NoError(t, one.Append(ctx, 4, "e", "f"))
	assert.NoError(t, one.Append(ctx, 6))
	all := []string{"a", "b\n\"", "c", "d", "e", "f"}
	for after := range len(all) + 1 {
		have, err := two.Read(ctx, after)
		require.NoError(t, err)
		assert.Equal(t, all[after:], have)
	}
	for _, after := range []int{0, 1, 3, 5, 7} {
		assert.ErrorIs(t, two.Append(ctx, after, "x"), ledger.ErrConflict, after)
	}
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	files, err := os.ReadDir(path)
	require.NoError(t, err)
	assert.Len(t, files, 3, "nothing is left of what was refused")
	for _, file := range files {
		info, err := file.Info()
		require.NoError(t, err)
		assert.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	}
	stopped, stop := context.WithCancel(ctx)
	stop()
	assert.ErrorIs(t, one.Append(stopped, 6, "x"), context.Canceled)
}

// Of any number of writers that follow the same entries, one is taken.
func TestOneOfManyWritersIsTaken(t *testing.T) {
	path := t.TempDir()
	const writers, rounds = 8, 20
	for round := range rounds {
		var taken sync.Map
		var all sync.WaitGroup
		for w := range writers {
			all.Go(func() {
				switch err := folder.New(path).Append(t.Context(), round, strconv.Itoa(w)); {
				case err == nil:
					taken.Store(w, true)
				case !errors.Is(err, ledger.ErrConflict):
					assert.NoError(t, err)
				}
			})
		}
		all.Wait()
		winners := 0
		taken.Range(func(w, _ any) bool {
			winners++
			have, err := folder.New(path).Read(t.Context(), round)
			assert.NoError(t, err)
			assert.Equal(t, []string{strconv.Itoa(w.(int))}, have)
			return true
		})
		assert.Equal(t, 1, winners)
	}
}

// A budget is not spent twice, whoever spends it at once.
func TestABudgetIsSpentOnce(t *testing.T) {
	path := t.TempDir()
	content := ledger.Identity{List: sha256.Sum256([]byte("table"))}
	budget := privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5}
	set, err := ledger.New(folder.New(path), nil).Create(t.Context(), content, "table", &budget)
	require.NoError(t, err)
	event := privacy.PureDP{Adjacency: privacy.AddRemove, Epsilon: 0.3}
	var all sync.WaitGroup
	var mutex sync.Mutex
	afforded := 0
	for range 8 {
		all.Go(func() {
			_, err := ledger.New(folder.New(path), nil).Reserve(t.Context(), set.ID, event, "fit")
			var exceeded *ledger.ExceededError
			mutex.Lock()
			defer mutex.Unlock()
			if err == nil {
				afforded++
			} else {
				assert.ErrorAs(t, err, &exceeded)
			}
		})
	}
	all.Wait()
	assert.Equal(t, 3, afforded)
}

// A file that is missing or torn is told of, and no ledger writes behind it.
func TestDamageIsToldOf(t *testing.T) {
	for what, harm := range map[string]func(path string) error{
		"a file is missing": func(path string) error {
			return os.Remove(filepath.Join(path, "000000000001.json"))
		},
		"a file is torn": func(path string) error {
			return os.Truncate(filepath.Join(path, "000000000002.json"), 3)
		},
		"a file has nothing": func(path string) error {
			return os.WriteFile(filepath.Join(path, "000000000002.json"), []byte("[]"), 0o600)
		},
		"a name is no number": func(path string) error {
			return os.WriteFile(filepath.Join(path, "00000000000x.json"), []byte(`["x"]`), 0o600)
		},
		"two files overlap": func(path string) error {
			return os.WriteFile(filepath.Join(path, "000000000001.json"), []byte(`["x","y"]`), 0o600)
		},
	} {
		path := t.TempDir()
		store := folder.New(path)
		for k, entry := range []string{"a", "b", "c"} {
			require.NoError(t, store.Append(t.Context(), k, entry))
		}
		require.NoError(t, harm(path))
		var damage *ledger.DamageError
		_, err := store.Read(t.Context(), 0)
		assert.ErrorAs(t, err, &damage, what)
		_, err = ledger.New(store, nil).Create(t.Context(), ledger.Identity{}, "table", nil)
		assert.ErrorAs(t, err, &damage, what)
	}
}

func TestAFolderThatCannotBeUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, nil, 0o600))
	var storage *ledger.StorageError
	_, err := folder.New(path).Read(t.Context(), 0)
	assert.ErrorAs(t, err, &storage)
	assert.ErrorAs(t, folder.New(filepath.Join(path, "in")).Append(t.Context(), 0, "a"), &storage)
}
