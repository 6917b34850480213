package categories

import "cloister/core/privacy"

// Format and version of a release's document.
const (
	Format  = "cloister-categories"
	Version = 1
)

// Tree is the release as a document, a plain tree:
//
//	format, version  Format and Version
//	library          version of the library that made it
//	adjacency        of the plan
//	epsilon, delta   of all columns together, as in the plan
//	event            what was done to the data
//	columns          list, in the order asked for; each:
//	  name           of the column
//	  categories     that were kept, in the order of their bytes; may be empty
func (r *Release) Tree() map[string]any {
	columns := make([]any, len(r.Columns))
	for k, c := range r.Columns {
		kept := make([]any, len(c.Kept))
		for i, name := range c.Kept {
			kept[i] = name
		}
		columns[k] = map[string]any{"name": c.Column, "categories": kept}
	}
	return map[string]any{
		"format":    Format,
		"version":   float64(Version),
		"library":   privacy.LibraryVersion,
		"adjacency": r.Plan.Adjacency.String(),
		"epsilon":   r.Plan.Epsilon,
		"delta":     r.Plan.Delta,
		"event":     privacy.EncodeEvent(r.Event),
		"columns":   columns,
	}
}
