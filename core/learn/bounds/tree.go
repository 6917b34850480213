package bounds

import "cloister/core/privacy"

// Format and version of a release's document.
const (
	Format  = "cloister-bounds"
	Version = 1
)

// Tree is the release as a document, a plain tree:
//
//	format, version  Format and Version
//	library          version of the library that made it
//	adjacency        of the plan
//	epsilon          of all bounds together (Plan.Spent); δ is 0
//	share            of the plan
//	event            what was done to the data
//	columns          list, in the order asked for; each:
//	  name           of the column
//	  min, max       its bounds; left out if none were found
func (r *Release) Tree() map[string]any {
	columns := make([]any, len(r.Bounds))
	for k, b := range r.Bounds {
		column := map[string]any{"name": b.Column}
		if b.Found {
			column["min"], column["max"] = b.Min, b.Max
		}
		columns[k] = column
	}
	return map[string]any{
		"format":    Format,
		"version":   float64(Version),
		"library":   privacy.LibraryVersion,
		"adjacency": r.Plan.Adjacency.String(),
		"epsilon":   r.Plan.Spent(),
		"share":     r.Plan.Share,
		"event":     privacy.EncodeEvent(r.Event),
		"columns":   columns,
	}
}
