//go:build js && wasm

package bridge

import (
	"syscall/js"

	"cloister/wasm/api"
)

// Others asks other workers of the host, each of which runs a program like this
// one: by the host's function
//
//	cloisterAsk(worker, method, params, reply)
//
// which sends the request at once and calls reply as handle does (see Serve),
// exactly once; with an error of its own if the worker has died.
type Others struct{}

// Ask sends a request to worker k and returns a function that waits for the reply. While a
// goroutine waits, the host handles its events, among them the reply.
func (Others) Ask(k int, method string, params map[string]any) func() (map[string]any, error) {
	type answer struct {
		result map[string]any
		err    error
	}
	came := make(chan answer, 1)
	var reply js.Func
	reply = js.FuncOf(func(_ js.Value, args []js.Value) any {
		reply.Release()
		var a answer
		if failed := args[1]; failed.Type() == js.TypeObject {
			a.err = &api.Error{
				Code:    api.Code(failed.Get("code").String()),
				Message: failed.Get("message").String(),
			}
		} else {
			tree, err := fromJS(args[0])
			a.err = err
			a.result, _ = tree.(map[string]any)
		}
		came <- a
		return nil
	})
	js.Global().Get("cloisterAsk").Invoke(k, method, toJS(params), reply)
	return func() (map[string]any, error) {
		a := <-came
		return a.result, a.err
	}
}
