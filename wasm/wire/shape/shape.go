// Package shape reads the declarations of package wire from their source, for the program that
// writes TypeScript's types (scripts/wire) and for tests that hold requests and replies to them
// (package wiretest). Package wire says how a declaration is read.
package shape

// Kind is what a type is.
type Kind int

const (
	Any      Kind = iota
	Text          // of Values, if there are any
	Number        //
	Bool          //
	Bytes         // an array of bytes
	Bulk          // an array of numbers that goes in bulk
	List          // of Elem
	Map           // from texts, of Key if it has values, to Elem
	Object        // of Embeds and Fields
	Nullable      // Elem or null
	Named         // the declaration Name, with Args
	Param         // the type parameter Name
	And           // has the fields of both Args
	ByLabel       // by the label Args[0]: of two classes, of several, numeric
	Union         // one of Args
)

// Type is a type as it stands in a declaration.
type Type struct {
	Kind   Kind
	Name   string
	Values []string
	Args   []*Type
	Key    *Type
	Elem   *Type
	Embeds []*Type
	Fields []Field
}

// Field is a member of an object.
type Field struct {
	Name, Doc string
	Type      *Type
	Optional  bool
	Is        []string // the values that it may have; nil: any of its type
	Not       string   // one that it may not have
	TS        string   // TypeScript's type of it, where Type does not say it; or "readonly"
}

// Decl is a declared type.
type Decl struct {
	Name, Doc string
	File      string // it is declared in, without the folder
	Param     bool   // it has the parameter L, a label
	Type      *Type
	TS        string // TypeScript's type of it, where Type does not say it
}

// Set is all declarations, in the order of their files and of the declarations in each.
type Set struct {
	Decls  []*Decl
	byName map[string]*Decl
}

// Named returns the declaration of that name, or nil.
func (s *Set) Named(name string) *Decl { return s.byName[name] }
