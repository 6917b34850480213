// Package wire declares what the programs of this project and their callers say to each other: the
// methods of each binary, what they are asked and what they answer, and the documents that pass
// through them. It is the one place where that is written down.
//
// Read it to learn what a method takes, and change it first when you change a method. `make
// wire` writes the types of the page code from it (site/src/client/wire), doc comments
// included, and `make lint` fails while the two differ. Nothing here runs in a binary:
// handlers read and write plain trees (package wasm/api). In their tests, package shape
// compares every request and reply with what is declared here.
//
// # How a declaration is read
//
//   - A struct is an object. Its fields have the names of their json tags; "omitempty" says that a
//     field may be left out, a pointer that it may be null. An embedded struct gives its fields.
//   - A field with the tag is:"a|b" has one of these values; not:"a", any of its type but that.
//   - A type that is another package's type of texts has the values of that package's constants,
//     or those in [Values].
//   - An interface with one method that nobody calls is one of the types that have it.
//   - A numeric field is a number, whatever its Go type; [Float64Array] and []byte go in bulk.
//   - The tag ts:"…", or a line //ts:type in the comment of a type, is the TypeScript type where no
//     Go type says it; ts:"readonly", of a list, that who is given it does not change it;
//     ts:"required", of a field that may be left out, that TypeScript's type, which stays as it was
//     published, does not say so.
//
// Files whose names begin with "call" have what only the client itself sees; all else is part of
// the npm package's interface, whose names and shapes stay. Comments are for readers of TypeScript
// as well, so they begin with what a thing is, not with its name.
package wire

// A list of numbers that goes in bulk.
type Float64Array []float64

// ByLabel is one of three types: by whether the label L has two classes, several, or is numeric.
type ByLabel[L AnyLabel, Two, Several, Numeric any] struct {
	_ L
	_ Two
	_ Several
	_ Numeric
}

// And is an object with the fields of both.
type And[A, B any] struct {
	_ A
	_ B
}
