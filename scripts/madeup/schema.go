// Package madeup describes made-up tables of people, for programs that measure how fast and
// how well fits do.
package madeup

import (
	"strconv"

	"cloister/core/data"
)

// Schema has n public numeric features x0, x1, … from 0 to 1, a label y of two classes, rows
// clipped to norm 1, and the usual intercept.
func Schema(n int) *data.Schema {
	schema := &data.Schema{
		Label: data.Label{
			Name:       "y",
			Negative:   []string{"no"},
			Positive:   []string{"yes"},
			Provenance: data.Public,
		},
		Rows:      data.Rows{Norm: data.Clip},
		Intercept: data.DefaultIntercept,
	}
	for j := range n {
		schema.Features = append(
			schema.Features,
			data.Feature{
				Name:       "x" + strconv.Itoa(j),
				Type:       data.Numeric,
				Max:        1,
				Provenance: data.Public,
			},
		)
	}
	return schema
}
