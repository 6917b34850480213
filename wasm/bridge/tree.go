//go:build js && wasm

package bridge

import (
	"errors"
	"math"
	"syscall/js"
	"unsafe"
)

// maxDepth bounds the nesting of a request: a structured clone may be cyclic.
const maxDepth = 64

// maxEvents bounds how many events a request describes: objects that name a mechanism. One
// takes some 0.2 ms to copy, many times what it takes to price, so that as many are copied
// in about 2 s. What is beyond is refused at the first too many: the rest is not read.
const maxEvents = 1 << 13

var (
	objectType = js.Global().Get("Object")
	arrayType  = js.Global().Get("Array")
	bytesType  = js.Global().Get("Uint8Array")
	floatsType = js.Global().Get("Float64Array")
	errDepth   = errors.New("The request is nested more than 64 deep.")
	errEvents  = errors.New(
		"The request describes more than 8192 events: list those that are the same once, with their count.",
	)
	errHalf = errors.New("The request has text with half of a character, which is no Unicode text.")
	errKind = errors.New(
		"The request holds a value that is not a number, text, true, false, null, a list, an object or an array of bytes or doubles.",
	)
)

// fromJS copies a JavaScript value into a plain tree. undefined members of an
// object are left out, as JSON.stringify does.
func fromJS(v js.Value) (any, error) { return new(request).read(v, 0) }

// request is what was copied of a request so far.
type request struct{ events int }

func (r *request) read(v js.Value, depth int) (any, error) {
	if depth > maxDepth {
		return nil, errDepth
	}
	switch kindOf(v) {
	case js.TypeUndefined, js.TypeNull:
		return nil, nil
	case js.TypeBoolean:
		return v.Bool(), nil
	case js.TypeNumber:
		return v.Float(), nil
	case js.TypeString:
		return text(v)
	case js.TypeObject:
	default:
		return nil, errKind
	}
	switch {
	case v.InstanceOf(bytesType):
		out := spare.take(v.Length())
		js.CopyBytesToGo(out, v)
		return out, nil
	case v.InstanceOf(floatsType):
		out := make([]float64, v.Length())
		js.CopyBytesToGo(
			bytesOf(out), bytesType.New(v.Get("buffer"), v.Get("byteOffset"), v.Get("byteLength")),
		)
		return out, nil
	case arrayType.Call("isArray", v).Bool():
		out := make([]any, v.Length())
		for i := range out {
			item, err := r.read(v.Index(i), depth+1)
			if err != nil {
				return nil, err
			}
			out[i] = item
		}
		return out, nil
	}
	keys, members := objectType.Call("keys", v), objectType.Call("values", v)
	out := make(map[string]any, keys.Length())
	for i := range keys.Length() {
		member := members.Index(i)
		if member.IsUndefined() {
			continue
		}
		key, err := text(keys.Index(i))
		if err != nil {
			return nil, err
		}
		item, err := r.read(member, depth+1)
		if err != nil {
			return nil, err
		}
		out[key] = item
	}
	if _, event := out["mechanism"]; event {
		if r.events++; r.events > maxEvents {
			return nil, errEvents
		}
	}
	return out, nil
}

// text is a text of JavaScript. One with half of a surrogate pair is no Unicode text: here it would
// be another, and what was checked is not what stands there.
func text(v js.Value) (string, error) {
	s := v.String()
	for _, r := range s {
		if r == '\ufffd' && !js.ValueOf(s).Equal(v) {
			return "", errHalf
		}
	}
	return s, nil
}

// kindOf is v.Type, and a symbol's for a BigInt: of that kind syscall/js knows nothing, and
// panics.
func kindOf(v js.Value) (kind js.Type) {
	defer func() {
		if recover() != nil {
			kind = js.TypeSymbol
		}
	}()
	return v.Type()
}

// toJS copies a plain tree into a JavaScript value; the members of an object
// are in alphabetical order, so that the same reply always reads the same. It
// panics on a value that is not part of a plain tree, and on NaN, which no
// reply may hold.
func toJS(tree any) js.Value {
	switch tree := tree.(type) {
	case nil:
		return js.Null()
	case bool:
		return js.ValueOf(tree)
	case int:
		return js.ValueOf(tree)
	case string:
		return js.ValueOf(tree)
	case float64:
		if math.IsNaN(tree) {
			panic("a reply holds NaN")
		}
		return js.ValueOf(tree)
	case []byte:
		out := bytesType.New(len(tree))
		js.CopyBytesToJS(out, tree)
		return out
	case []float64:
		for _, x := range tree {
			if math.IsNaN(x) {
				panic("a reply holds NaN")
			}
		}
		out := floatsType.New(len(tree))
		js.CopyBytesToJS(bytesType.New(out.Get("buffer")), bytesOf(tree))
		return out
	case []any:
		out := arrayType.New(len(tree))
		for i, item := range tree {
			out.SetIndex(i, toJS(item))
		}
		return out
	case map[string]any:
		out := objectType.New()
		for _, key := range sortedKeys(tree) {
			out.Set(key, toJS(tree[key]))
		}
		return out
	}
	panic("a reply holds a value that is not part of a plain tree")
}

// sortedKeys sorts by insertion: objects are small, and package sort is not.
func sortedKeys(tree map[string]any) []string {
	keys := make([]string, 0, len(tree))
	for key := range tree {
		keys = append(keys, key)
		for i := len(keys) - 1; i > 0 && keys[i] < keys[i-1]; i-- {
			keys[i], keys[i-1] = keys[i-1], keys[i]
		}
	}
	return keys
}

// bytesOf is the memory of x: WebAssembly is little-endian, and so are typed
// arrays on every machine that runs it.
func bytesOf(x []float64) []byte {
	if len(x) == 0 {
		return nil
	}
	return unsafe.Slice((*byte)(unsafe.Pointer(&x[0])), 8*len(x))
}
