package lab

import "cloister/core/data"

// breastCancerSchema divides each measurement by a round number above what such
// images give.
func breastCancerSchema() *data.Schema {
	return &data.Schema{
		Features: []data.Feature{
			numeric("mean_radius", 50),
			numeric("mean_texture", 100),
			numeric("mean_perimeter", 300),
			numeric("mean_area", 5000),
			numeric("mean_smoothness", 0.5),
			numeric("mean_compactness", 1),
			numeric("mean_concavity", 1),
			numeric("mean_concave_points", 0.5),
			numeric("mean_symmetry", 0.5),
			numeric("mean_fractal_dimension", 0.5),
			numeric("radius_error", 10),
			numeric("texture_error", 10),
			numeric("perimeter_error", 50),
			numeric("area_error", 1000),
			numeric("smoothness_error", 0.1),
			numeric("compactness_error", 0.5),
			numeric("concavity_error", 0.5),
			numeric("concave_points_error", 0.1),
			numeric("symmetry_error", 0.1),
			numeric("fractal_dimension_error", 0.1),
			numeric("worst_radius", 100),
			numeric("worst_texture", 100),
			numeric("worst_perimeter", 500),
			numeric("worst_area", 10000),
			numeric("worst_smoothness", 0.5),
			numeric("worst_compactness", 2),
			numeric("worst_concavity", 2),
			numeric("worst_concave_points", 0.5),
			numeric("worst_symmetry", 1),
			numeric("worst_fractal_dimension", 0.5),
		},
		Label: data.Label{
			Name:       "diagnosis",
			Negative:   []string{"benign"},
			Positive:   []string{"malignant"},
			Provenance: data.Public,
		},
	}
}
