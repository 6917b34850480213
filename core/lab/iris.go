package lab

import "cloister/core/data"

// irisSchema is the task of Fay et al.: setosa against the other two. The
// bounds are centimetres that no iris exceeds.
func irisSchema() *data.Schema {
	return &data.Schema{
		Features: []data.Feature{
			numeric("sepal_length", 10),
			numeric("sepal_width", 10),
			numeric("petal_length", 10),
			numeric("petal_width", 5),
		},
		Label: data.Label{
			Name:       "species",
			Negative:   []string{"versicolor", "virginica"},
			Positive:   []string{"setosa"},
			Provenance: data.Public,
		},
	}
}
