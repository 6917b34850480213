//go:build js && wasm

package bridge

import (
	"runtime"
	"syscall/js"

	"cloister/wasm/api"
)

// Serve hands the service to the host and never returns. The host has put a
// function globalThis.cloisterReady in place before it started the program;
// Serve calls it with one argument, the function
//
//	handle(method, params, reply, progress)
//
// handle returns at once. reply(result, undefined) or reply(undefined, error)
// is called exactly once; error is {code, message, field?, row?, column?} and
// has broken: true if the instance must be replaced. progress(update) is
// called any number of times before that, from inside the busy program. Each
// request runs in a goroutine of its own, so that handle, which blocks the
// host's event loop, never waits for one. Arrays of bytes in a request are the
// handler's until it has answered.
func Serve(service *api.Service) {
	broken := false
	handle := js.FuncOf(func(_ js.Value, args []js.Value) any {
		method, params, reply, progress := args[0].String(), args[1], args[2], args[3]
		if broken {
			reply.Invoke(js.Undefined(), brokenReply("an earlier request failed"))
			return nil
		}
		go func() {
			result, failure := answer(service, method, params, progress, &broken)
			reply.Invoke(result, failure)
		}()
		return nil
	})
	js.Global().Get("cloisterReady").Invoke(handle)
	select {}
}

// answer returns the two arguments of reply. One of them is undefined.
func answer(
	service *api.Service, method string, params, progress js.Value, broken *bool,
) (result, failure any) {
	defer func() {
		if fault := recover(); fault != nil {
			*broken = true
			stack := make([]byte, 16<<10)
			println(string(stack[:runtime.Stack(stack, false)]))
			result, failure = js.Undefined(), brokenReply(describePanic(fault))
		}
	}()
	tree, err := fromJS(params)
	if err != nil {
		return js.Undefined(), toJS(
			(&api.Error{Code: api.CodeParameter, Message: err.Error()}).Tree(),
		)
	}
	report := func(update map[string]any) { progress.Invoke(toJS(update)) }
	if progress.Type() != js.TypeFunction {
		report = nil
	}
	defer spare.put(tree)
	out, failed := service.Answer(method, tree, report)
	if failed != nil {
		return js.Undefined(), toJS(failed.Tree())
	}
	return toJS(out), js.Undefined()
}

func brokenReply(what string) js.Value {
	fault := &api.Error{
		Code: api.CodeInternal,
		Message: "Internal fault: " + api.Sentence(what) +
			" Please report it; your data is not part of this message.",
	}
	tree := fault.Tree()
	tree["broken"] = true
	return toJS(tree)
}

// describePanic says what failed. A panic with text of its own is a message
// written for a programmer's mistake; it does not quote records.
func describePanic(fault any) string {
	switch fault := fault.(type) {
	case error:
		return fault.Error()
	case string:
		return fault
	}
	return "a value of an unexpected kind"
}
