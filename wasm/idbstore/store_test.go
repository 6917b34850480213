//go:build js && wasm

package idbstore

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall/js"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/ledger"
	"cloister/core/privacy"
)

var ctx = context.Background()

func TestMain(m *testing.M) {
	if !js.Global().Get("indexedDB").Truthy() {
		// Without it there is one thing to test.
		_, err := New("nowhere").Read(ctx, 0)
		var storage *ledger.StorageError
		if !errors.As(err, &storage) || storage.Kind != ledger.Missing {
			fmt.Println("FAIL: without IndexedDB the error is", err)
			os.Exit(1)
		}
		fmt.Println(
			"skipped: there is no IndexedDB here (run with -exec \"node scripts/chromium-exec.mjs\")",
		)
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// await returns what a promise comes to.
func await(t testing.TB, promise js.Value) js.Value {
	t.Helper()
	done := make(chan js.Value, 1)
	failed := make(chan string, 1)
	then := js.FuncOf(
		func(_ js.Value, args []js.Value) any {
			done <- append(args, js.Undefined())[0]
			return nil
		},
	)
	catch := js.FuncOf(
		func(_ js.Value, args []js.Value) any { failed <- args[0].Call("toString").String(); return nil },
	)
	defer then.Release()
	defer catch.Release()
	promise.Call("then", then, catch)
	select {
	case value := <-done:
		return value
	case why := <-failed:
		require.FailNow(t, why)
	}
	panic("unreachable")
}

// script runs JavaScript that returns a promise; name is the database's.
func script(t testing.TB, name, body string) js.Value {
	t.Helper()
	return await(
		t,
		js.Global().Get("Function").New("name", "return (async () => {"+body+"})()").Invoke(name),
	)
}

// fresh is the name of a database that there is none of.
func fresh(t testing.TB) string {
	return fmt.Sprint(t.Name(), " ", time.Now().UnixNano())
}

func TestStore(t *testing.T) {
	name := fresh(t)
	s := New(name)
	list, err := s.Read(ctx, 0)
	require.NoError(t, err)
	assert.Empty(t, list)
	require.NoError(t, s.Append(ctx, 0, "one"))
	require.NoError(t, s.Append(ctx, 1, "two", "three ü 🙂"))
	assert.ErrorIs(t, s.Append(ctx, 1, "other"), ledger.ErrConflict)
	assert.ErrorIs(t, s.Append(ctx, 4, "other"), ledger.ErrConflict)
	_, err = s.Read(ctx, 4)
	assert.ErrorIs(t, err, ledger.ErrConflict)
	other := New(name) // another connection
	for after, want := range [][]string{{"one", "two", "three ü 🙂"}, {"two", "three ü 🙂"}, {"three ü 🙂"}, nil} {
		list, err := other.Read(ctx, after)
		require.NoError(t, err)
		assert.Equal(t, want, list)
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	assert.ErrorIs(t, s.Append(cancelled, 3, "four"), context.Canceled)
	_, err = s.Read(cancelled, 0)
	assert.ErrorIs(t, err, context.Canceled)
}

func TestAppendIsStrict(t *testing.T) {
	// What go-indexeddb asks the browser for, seen from JavaScript.
	js.Global().Call("eval", `
		globalThis.seen = [];
		const begin = IDBDatabase.prototype.transaction;
		IDBDatabase.prototype.transaction = function (...args) {
			const made = begin.apply(this, args);
			seen.push(made.mode + " " + made.durability);
			return made;
		}`)
	require.NoError(t, New(fresh(t)).Append(ctx, 0, "one"))
	assert.Equal(t, "readwrite strict", js.Global().Get("seen").Call("join").String())
}

// Many writers at once: each number is given once, and nothing is lost.
func TestWritersAtTheSameTime(t *testing.T) {
	name := fresh(t)
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			s := New(name)
			for i := range 10 {
				for {
					list, err := s.Read(ctx, 0)
					require.NoError(t, err)
					err = s.Append(ctx, len(list), fmt.Sprint(w, " ", i))
					if err == nil {
						break
					}
					require.ErrorIs(t, err, ledger.ErrConflict)
				}
			}
		})
	}
	wait.Wait()
	list, err := New(name).Read(ctx, 0)
	require.NoError(t, err)
	require.Len(t, list, 40)
	next := map[string]int{}
	for _, text := range list {
		writer, number, _ := strings.Cut(text, " ")
		assert.Equal(t, fmt.Sprint(next[writer]), number)
		next[writer]++
	}
}

func TestNewerDatabase(t *testing.T) {
	name := fresh(t)
	script(t, name, `
		const db = await new Promise((ok, no) => { const r = indexedDB.open(name, 2); r.onsuccess = () => ok(r.result); r.onerror = () => no(r.error) });
		db.close()`)
	_, err := New(name).Read(ctx, 0)
	var newer *ledger.NewerError
	require.ErrorAs(t, err, &newer)
	assert.Contains(t, err.Error(), "a ledger of a later version")
}

// A page that wants to open a later version, or to delete the site's data, gets
// its way; the store then says so, or begins anew.
func TestOthersMayTakeOver(t *testing.T) {
	name := fresh(t)
	s := New(name)
	require.NoError(t, s.Append(ctx, 0, "one"))
	script(
		t,
		name,
		`await new Promise((ok, no) => { const r = indexedDB.deleteDatabase(name); r.onsuccess = ok; r.onerror = no; r.onblocked = () => no("blocked") })`,
	)
	_, err := s.Read(ctx, 1)
	require.ErrorIs(t, err, ledger.ErrConflict, "what was there is gone")
	list, err := s.Read(ctx, 0)
	require.NoError(t, err)
	assert.Empty(t, list)

	script(
		t,
		name,
		`(await new Promise((ok, no) => { const r = indexedDB.open(name, 3); r.onsuccess = () => ok(r.result); r.onerror = no; r.onblocked = () => no("blocked") })).close()`,
	)
	var newer *ledger.NewerError
	require.ErrorAs(t, s.Append(ctx, 0, "two"), &newer)
}

func TestBlocked(t *testing.T) {
	name := fresh(t)
	// A connection that does not let go, and a deletion that waits for it, hold up
	// whoever comes after.
	script(t, name, `
		globalThis.stuck = await new Promise((ok, no) => { const r = indexedDB.open(name, 1); r.onupgradeneeded = () => r.result.createObjectStore("entries"); r.onsuccess = () => ok(r.result); r.onerror = no });
		await new Promise((ok) => { const r = indexedDB.deleteDatabase(name); r.onblocked = ok })`)
	s := New(name)
	s.patience = 300 * time.Millisecond
	for range 2 {
		_, err := s.Read(ctx, 0)
		var storage *ledger.StorageError
		require.ErrorAs(t, err, &storage)
		assert.Equal(t, ledger.Blocked, storage.Kind)
	}
	// Once it is closed, the attempt that waits gets through.
	js.Global().Get("stuck").Call("close")
	s.patience = patience
	require.NoError(t, s.Append(ctx, 0, "one"))
}

func TestForbidden(t *testing.T) {
	js.Global().Call("eval", `
		globalThis.allowed = IDBFactory.prototype.open;
		IDBFactory.prototype.open = () => { throw new DOMException("not here", "SecurityError") }`)
	defer js.Global().Call("eval", `IDBFactory.prototype.open = allowed`)
	_, err := New(fresh(t)).Read(ctx, 0)
	var storage *ledger.StorageError
	require.ErrorAs(t, err, &storage)
	assert.Equal(t, ledger.Missing, storage.Kind)
}

// No room: when an entry is added, and when the transaction is about to be
// done. Nothing of it stays.
func TestFull(t *testing.T) {
	for _, when := range []string{
		`IDBObjectStore.prototype.add = function (...args) {
			const made = add.apply(this, args);
			if (args[0] !== "three") return made;
			this.transaction.abort();
			Object.defineProperty(this.transaction, "error", { value: new DOMException("no room", "QuotaExceededError") });
			return made;
		}`,
		`IDBObjectStore.prototype.add = function () { throw new DOMException("no room", "QuotaExceededError") }`,
	} {
		s := New(fresh(t))
		require.NoError(t, s.Append(ctx, 0, "one"))
		js.Global().Call("eval", "globalThis.add = IDBObjectStore.prototype.add;"+when)
		err := s.Append(ctx, 1, "two", "three")
		js.Global().Call("eval", "IDBObjectStore.prototype.add = add")
		var storage *ledger.StorageError
		require.ErrorAs(t, err, &storage)
		assert.Equal(t, ledger.Full, storage.Kind, "%v", err)
		list, err := s.Read(ctx, 0)
		require.NoError(t, err)
		assert.Equal(t, []string{"one"}, list)
		require.NoError(t, s.Append(ctx, 1, "two"))
	}
}

// edited runs JavaScript on the entries of a database, as somebody does with a browser's tools.
func edited(t testing.TB, name, body string) {
	script(t, name, `
		const db = await new Promise((ok, no) => { const r = indexedDB.open(name, 1); r.onsuccess = () => ok(r.result); r.onerror = no });
		const tx = db.transaction("entries", "readwrite"), list = tx.objectStore("entries");`+body+`
		await new Promise((ok, no) => { tx.oncomplete = ok; tx.onabort = no });
		db.close()`)
}

func TestWhatIsNoText(t *testing.T) {
	name := fresh(t)
	s := New(name)
	require.NoError(t, s.Append(ctx, 0, "one"))
	var damage *ledger.DamageError
	edited(t, name, "list.put({ not: 'text' }, 1)")
	_, err := s.Read(ctx, 0)
	require.ErrorAs(t, err, &damage)
	edited(t, name, "list.put('one', 1); list.put('minus one', -1)")
	_, err = s.Read(ctx, 0)
	require.ErrorAs(t, err, &damage)
}

// An entry that was taken out of the middle, or put between two, is missed at the first
// reading: what those after it say is not all that was spent.
func TestAnEntryTakenOutIsMissed(t *testing.T) {
	for body, where := range map[string]string{
		"list.delete(1)":                     "entry 1",
		"list.delete(3)":                     "entry 3",
		"list.delete(2); list.delete(3)":     "entry 2",
		"list.delete(3); list.put('x', 1.5)": "entry 2",
		"list.put('x', 'y')":                 "entry 5",
		"list.put('x', 6)":                   "entry 5",
	} {
		name := fresh(t)
		require.NoError(t, New(name).Append(ctx, 0, "one", "two", "three", "four"))
		edited(t, name, body)
		var damage *ledger.DamageError
		_, err := New(name).Read(ctx, 0)
		if assert.ErrorAs(t, err, &damage, body) {
			assert.Equal(t, where, damage.Where, body)
		}
	}
}

// The ledger itself on this store, by two programs in turn.
func TestALedger(t *testing.T) {
	name := fresh(t)
	budget := privacy.Guarantee{Epsilon: 1, Delta: 1e-5, Adjacency: privacy.AddRemove}
	event := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 30}
	first, second := ledger.New(New(name), nil), ledger.New(New(name), nil)
	d, err := first.Create(ctx, ledger.Identity{List: sha256.Sum256(nil)}, "table", &budget)
	require.NoError(t, err)
	_, err = second.Create(ctx, ledger.Identity{List: sha256.Sum256(nil)}, "again", &budget)
	var known *ledger.KnownError
	require.ErrorAs(t, err, &known)
	for i := range 10 {
		l := []*ledger.Ledger{first, second}[i%2]
		c, err := l.Reserve(ctx, d.ID, event, "test")
		require.NoError(t, err)
		require.NoError(t, l.Commit(ctx, c.ID, fmt.Sprint(i)))
	}
	d, err = ledger.New(New(name), nil).Dataset(ctx, d.ID)
	require.NoError(t, err)
	assert.Len(t, d.Charges, 10)
}

func BenchmarkAppend(b *testing.B) {
	s := New(fresh(b))
	i := 0
	for b.Loop() {
		require.NoError(b, s.Append(ctx, i, strings.Repeat("x", 400)))
		i++
	}
}

func BenchmarkReadThousand(b *testing.B) {
	s := New(fresh(b))
	texts := make([]string, 1000)
	for i := range texts {
		texts[i] = strings.Repeat("x", 400)
	}
	require.NoError(b, s.Append(ctx, 0, texts...))
	for b.Loop() {
		_, err := s.Read(ctx, 0)
		require.NoError(b, err)
	}
}
