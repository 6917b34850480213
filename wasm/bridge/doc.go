// Package bridge joins an api.Service to JavaScript: it is the only package
// that knows js.Value. It turns values into plain trees and back, moves bulk
// as typed arrays, gives every request exactly one reply, and turns a panic
// into an error reply, after which the instance answers nothing any more and
// must be replaced.
package bridge
