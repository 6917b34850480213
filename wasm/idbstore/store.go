//go:build js && wasm

package idbstore

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"sync"
	"syscall/js"
	"time"

	"github.com/hack-pad/go-indexeddb/idb"

	"cloister/core/ledger"
)

const (
	// version of the database: of its object stores, not of the entries, which
	// say their own.
	version = 1

	entries = "entries"

	// patience is how long opening may take, nearly all of it spent waiting for
	// other tabs to let go.
	patience = 8 * time.Second
)

// Store is a ledger.Store in the IndexedDB database of one name. Nothing is
// opened before it is first used. Errors are *ledger.StorageError,
// *ledger.NewerError and ledger.ErrConflict. Its methods may be called at the
// same time; a transaction that was begun is not cancelled by the context.
type Store struct {
	name     string
	patience time.Duration

	mutex   sync.Mutex
	db      *idb.Database
	opening chan opened // of an attempt that is still waiting
}

type opened struct {
	db  *idb.Database
	err error
}

// New returns the store in the database called name.
func New(name string) *Store { return &Store{name: name, patience: patience} }

// Read implements ledger.Store.
func (s *Store) Read(ctx context.Context, after int) ([]string, error) {
	var out []string
	err := s.transact(
		ctx,
		idb.TransactionReadOnly,
		func(_ *idb.Transaction, list *idb.ObjectStore) error {
			out = nil
			n, err := count(list)
			if err != nil || n == after {
				return err
			}
			if n < after {
				return ledger.ErrConflict
			}
			keys, err := idb.NewKeyRangeLowerBound(js.ValueOf(after), true)
			if err != nil {
				return err
			}
			request, err := list.OpenCursorRange(keys, idb.CursorNext)
			if err != nil {
				return err
			}
			err = request.Iter(context.Background(), func(cursor *idb.CursorWithValue) error {
				number := after + len(out) + 1
				damaged := func(what string) error {
					return &ledger.DamageError{
						Where: "entry " + strconv.Itoa(number), What: what,
					}
				}
				key, err := cursor.Key()
				if err != nil {
					return err
				}
				if key.Type() != js.TypeNumber || key.Float() != float64(number) {
					return damaged("is missing, and others are there after it")
				}
				value, err := cursor.Value()
				if err != nil {
					return err
				}
				if value.Type() != js.TypeString {
					return damaged("is no text")
				}
				out = append(out, value.String())
				return nil
			})
			if err == nil && len(out) != n-after {
				err = &ledger.DamageError{
					Where: "the storage",
					What: "has " + strconv.Itoa(len(out)) + " entries after the first " +
						strconv.Itoa(after) + ", and should have " + strconv.Itoa(n-after),
				}
			}
			return err
		},
	)
	return out, err
}

// Append implements ledger.Store.
func (s *Store) Append(ctx context.Context, after int, texts ...string) error {
	return s.transact(
		ctx,
		idb.TransactionReadWrite,
		func(transaction *idb.Transaction, list *idb.ObjectStore) error {
			n, err := count(list)
			if err == nil && n != after {
				err = ledger.ErrConflict
			}
			for i, text := range texts {
				if err == nil {
					_, err = list.AddKey(js.ValueOf(after+1+i), js.ValueOf(text))
				}
			}
			if err != nil {
				_ = transaction.Abort() // nothing of it is to stay; it may be over already
				return err
			}
			// Listens before anything can have come of the requests: they are only
			// looked at when this goroutine waits.
			err = transaction.Await(context.Background())
			// what a request says of a transaction that failed for its own reason
			if exception(err) == "AbortError" {
				if cause := transaction.Err(); cause != nil {
					return cause
				}
			}
			return err
		},
	)
}

func count(list *idb.ObjectStore) (int, error) {
	request, err := list.Count()
	if err != nil {
		return 0, err
	}
	n, err := request.Await(context.Background())
	return int(n), err
}

// transact runs work in a transaction. In it nothing may be awaited but
// requests of the transaction itself: it ends as soon as it has none.
func (s *Store) transact(
	ctx context.Context, mode idb.TransactionMode,
	work func(*idb.Transaction, *idb.ObjectStore) error,
) (err error) {
	defer func() {
		if fault := recover(); fault != nil { // go-indexeddb panics where a browser behaves oddly
			err = &ledger.StorageError{Kind: ledger.Broken, Cause: fmt.Errorf("%v", fault)}
		}
	}()
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for again := false; ; again = true {
		db, err := s.open(ctx)
		if err != nil {
			return explain(err)
		}
		transaction, err := db.TransactionWithOptions(
			idb.TransactionOptions{Mode: mode, Durability: idb.DurabilityStrict}, entries,
		)
		if err == nil {
			var list *idb.ObjectStore
			if list, err = transaction.ObjectStore(entries); err == nil {
				return explain(work(transaction, list))
			}
		}
		// The connection is closed: for another version that wanted to open, or
		// because the site's data was deleted. Nothing was begun on it.
		s.db = nil
		_ = db.Close()
		if again {
			return explain(err)
		}
	}
}

// open returns the connection, which it opens if there is none.
func (s *Store) open(ctx context.Context) (*idb.Database, error) {
	if s.db != nil {
		return s.db, nil
	}
	if s.opening == nil {
		if value := js.Global().Get("indexedDB"); !value.Truthy() {
			return nil, &ledger.StorageError{Kind: ledger.Missing}
		}
		var upgrade error
		request, err := idb.Global().
			Open(context.Background(), s.name, version, func(db *idb.Database, from, _ uint) error {
				if from < 1 {
					_, upgrade = db.CreateObjectStore(entries, idb.ObjectStoreOptions{})
				}
				return nil // an error here would end the program
			})
		if err != nil {
			return nil, forbidden(err)
		}
		done := make(chan opened, 1)
		s.opening = done
		go func() {
			db, err := request.Await(context.Background())
			if err == nil && upgrade != nil {
				_ = db.Close()
				err = upgrade
			}
			done <- opened{db, err}
		}()
	}
	timer := time.NewTimer(s.patience)
	defer timer.Stop()
	select {
	case result := <-s.opening:
		s.opening = nil
		if result.err != nil {
			return nil, forbidden(result.err)
		}
		s.db = result.db
		return s.db, nil
	case <-timer.C:
		// The attempt goes on, and the next call takes it up.
		return nil, &ledger.StorageError{Kind: ledger.Blocked}
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// forbidden gives the errors with which browsers refuse to open any database
// the kind Missing.
func forbidden(err error) error {
	switch exception(err) {
	case "SecurityError", "InvalidStateError", "NotAllowedError":
		return &ledger.StorageError{Kind: ledger.Missing, Cause: err}
	}
	return err
}

// exception returns the name of the DOMException that an error is, empty for
// others. One that a call threw at once comes wrapped, as JavaScript's value.
func exception(err error) string {
	if thrown, ok := errors.AsType[js.Error](err); ok {
		if name := thrown.Get("name"); name.Type() == js.TypeString {
			return name.String()
		}
	}
	for _, name := range []string{"SecurityError", "InvalidStateError", "NotAllowedError", "AbortError", "ConstraintError", "VersionError", "QuotaExceededError"} {
		if errors.Is(err, idb.NewDOMException(name)) {
			return name
		}
	}
	return ""
}

// explain gives an error its type.
func explain(err error) error {
	switch err.(type) {
	case nil, *ledger.StorageError, *ledger.DamageError, *ledger.NewerError:
		return err
	}
	if err == ledger.ErrConflict || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	switch exception(err) {
	case "ConstraintError":
		return ledger.ErrConflict // a key is taken
	case "VersionError":
		return &ledger.NewerError{Where: "the storage", Known: version}
	case "QuotaExceededError":
		return &ledger.StorageError{Kind: ledger.Full, Cause: err}
	}
	return &ledger.StorageError{Kind: ledger.Broken, Cause: err}
}
