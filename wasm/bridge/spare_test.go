//go:build js && wasm

package bridge

import (
	"syscall/js"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/wasm/api"
)

func TestTheArrayOfAnAnsweredRequestIsUsedAgain(t *testing.T) {
	spare = nil
	var held, sums []byte
	service := &api.Service{
		Handlers: map[string]api.Handler{"sum": func(call *api.Call) (map[string]any, error) {
			held = call.Fields.Any("bytes").([]byte)
			sum := byte(0)
			for _, b := range held {
				sum += b
			}
			sums = append(sums, sum)
			return nil, call.Fields.Done()
		}},
	}
	broken := false
	ask := func(n int, value byte) *byte {
		bytes := make([]byte, n)
		for i := range bytes {
			bytes[i] = value
		}
		_, failure := answer(
			service, "sum", toJS(map[string]any{"bytes": bytes}), js.Undefined(), &broken,
		)
		require.Equal(t, js.Undefined(), failure)
		return &held[0]
	}
	first := ask(worthKeeping+5, 1)
	assert.Same(t, first, ask(worthKeeping+5, 2))
	assert.Same(t, first, ask(worthKeeping, 3), "a shorter one fits too")
	assert.NotSame(t, first, ask(2*worthKeeping, 4))
	assert.NotSame(t, first, ask(10, 5), "small ones are not worth it")
	assert.Equal(t, []byte{5, 10, 0, 0, 50}, sums)
}

// While one request is at work, another gets an array of its own.
func TestNoTwoRequestsHaveOneArray(t *testing.T) {
	var s spareBuffer
	s.put(map[string]any{"bytes": make([]byte, worthKeeping), "other": 1.0})
	first, second := s.take(worthKeeping), s.take(worthKeeping)
	assert.NotSame(t, &first[0], &second[0])
	s.put(map[string]any{"bytes": first})
	s.put("no object")
	assert.Same(t, &first[0], &s.take(worthKeeping)[0])
}
