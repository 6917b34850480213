package lab

import "sync"

// memo computes the value of each key once, also for several goroutines that
// ask at the same time, and keeps the last few.
type memo[T any] struct {
	limit   int // how many are kept; 0: all
	mu      sync.Mutex
	entries map[string]*entry[T]
	order   []string // of first asking
}

type entry[T any] struct {
	once  sync.Once
	value T
	err   error
}

// get returns make()'s value for the key. An error is kept like a value.
func (m *memo[T]) get(key string, make func() (T, error)) (T, error) {
	m.mu.Lock()
	if m.entries == nil {
		m.entries = map[string]*entry[T]{}
	}
	e, ok := m.entries[key]
	if !ok {
		e = &entry[T]{}
		m.entries[key] = e
		m.order = append(m.order, key)
		if m.limit > 0 && len(m.order) > m.limit {
			delete(m.entries, m.order[0])
			m.order = m.order[1:]
		}
	}
	m.mu.Unlock()
	e.once.Do(func() { e.value, e.err = make() })
	return e.value, e.err
}
