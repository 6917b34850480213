package ledger

import (
	"context"
	"sync"
)

// Store keeps a list of texts that only ever grows. Once Append has returned, every
// later Read sees the entries, by anybody and after a crash too, as far as the storage
// below can promise that.
type Store interface {
	// Read returns the entries after the first `after`, in order.
	Read(ctx context.Context, after int) ([]string, error)

	// Append adds entries if the list has length `after`, all or none; else it
	// returns ErrConflict. No two calls with the same `after` both succeed.
	// After another error the entries may or may not be there.
	Append(ctx context.Context, after int, entries ...string) error
}

// Memory is a Store in memory. Its methods may be called at the same time. The
// zero Memory is empty and ready.
type Memory struct {
	mutex   sync.Mutex
	entries []string
}

// Read implements Store.
func (m *Memory) Read(ctx context.Context, after int) ([]string, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if after > len(m.entries) {
		return nil, ErrConflict
	}
	return append([]string(nil), m.entries[after:]...), nil
}

// Append implements Store.
func (m *Memory) Append(ctx context.Context, after int, entries ...string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if after != len(m.entries) {
		return ErrConflict
	}
	m.entries = append(m.entries, entries...)
	return nil
}
