package privacy

// Adjacency says which data sets are neighbours, that is, what one person's presence
// can change. It has no default: the zero value is invalid. So no guarantee is ever
// read under a relation that nobody chose.
type Adjacency uint8

const (
	adjacencyMissing Adjacency = iota

	// AddRemove: one data set is the other with one record added. The number
	// of records is then itself private.
	AddRemove

	// ReplaceOne: the data sets have the same number of records and differ in
	// one of them. The number of records is then public.
	ReplaceOne
)

// Valid reports whether a names a neighbouring relation.
func (a Adjacency) Valid() bool { return a == AddRemove || a == ReplaceOne }

// String returns the name used in files: "add-remove" or "replace-one".
func (a Adjacency) String() string {
	switch a {
	case AddRemove:
		return "add-remove"
	case ReplaceOne:
		return "replace-one"
	}
	return "missing"
}

// ParseAdjacency is the inverse of String. An unknown or empty name is an
// error of type *ParameterError.
func ParseAdjacency(name string) (Adjacency, error) {
	switch name {
	case "add-remove":
		return AddRemove, nil
	case "replace-one":
		return ReplaceOne, nil
	}
	return adjacencyMissing, &ParameterError{
		Field: "adjacency",
		Value: quote(name),
		Want:  `"add-remove" or "replace-one"`,
	}
}

// CheckAdjacency returns a *ParameterError for the field "adjacency" unless it is given.
func CheckAdjacency(a Adjacency) error {
	if a.Valid() {
		return nil
	}
	return &ParameterError{
		Field: "adjacency",
		Value: a.String(),
		Want:  `"add-remove" or "replace-one"; it has no default`,
	}
}
