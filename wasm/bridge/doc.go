// Package bridge joins an api.Service to JavaScript. It is the only package that knows
// js.Value. It turns values into plain trees and back, moves bulk data as typed arrays,
// and gives every request exactly one reply. A panic becomes an error reply. After it
// the instance answers no more, and must be replaced.
package bridge
