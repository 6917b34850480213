package lab

import (
	"bytes"
	"strings"

	"cloister/core/data"
)

// Set is a data set of the laboratory.
type Set struct {
	Name  string // in cells and on command lines
	Title string // for people
	About string // what it is, in a sentence
	Paper string // the paper whose experiments it belongs to

	// Files are the texts it is read from, in order; none if it is made up here.
	Files []string

	// Small says that the test set is small: accuracies scatter by several points from
	// one trial to the next.
	Small bool

	// Increase Revision when the set changes. Then results of the old set are not taken
	// for results of the new one.
	Revision int

	schema func() *data.Schema // of Files; nil if made up
	make   func() *dense
	redraw func(seed string) *dense // make with other draws; nil if there is no need
}

// Sets are all there are, in the order of reports.
func Sets() []Set {
	return []Set{
		{
			Name: "adult", Title: "Adult",
			About:    "Census income: 45,222 records without missing values, 104 columns.",
			Paper:    "Redberg, Koskela & Wang 2023, Table 2",
			Files:    []string{"adult.train.csv", "adult.test.csv"},
			Revision: 1, schema: adultSchema,
		},
		{
			Name: "breast-cancer", Title: "Breast cancer",
			About:    "Wisconsin diagnostic: 569 tumours, 30 measurements; malignant or benign.",
			Paper:    "Fay et al. 2023, Table 3",
			Files:    []string{"breast_cancer.csv"},
			Small:    true,
			Revision: 1, schema: breastCancerSchema,
		},
		{
			Name: "synthetic-l", Title: "Synthetic-L",
			About:    "Made up by the recipe of Iyengar et al. 2019: 10,000 records, 20 features, four Gaussian clusters. The paper's file is not published; the seed is the one of five whose accuracy without privacy is nearest to what the paper's numbers allow.",
			Paper:    "Redberg, Koskela & Wang 2023, Table 1",
			Revision: 1, make: syntheticL, redraw: syntheticLOf,
		},
		{
			Name: "synthetic-h", Title: "Synthetic-H",
			About:    "Made up by the recipe of Iyengar et al. 2019: 2,000 records, 2,000 features, ten of them of use.",
			Paper:    "Redberg, Koskela & Wang 2023, Figure 2",
			Revision: 1, make: syntheticH,
		},
		{
			Name: "iris", Title: "Iris",
			About:    "150 flowers, four measurements; setosa or one of the other two.",
			Paper:    "Fay et al. 2023, Table 3",
			Files:    []string{"iris.csv"},
			Small:    true,
			Revision: 1, schema: irisSchema,
		},
		{
			Name: "synthetic-2d", Title: "Synthetic, 2-d",
			About:    "Made up as Fay et al. 2023 say: 10,000 records of two correlated Gaussians, one label in ten turned round.",
			Paper:    "Fay et al. 2023, Table 3",
			Revision: 1, make: synthetic2D, redraw: synthetic2DOf,
		},
	}
}

// FindSet returns the set of that name, or an *UnknownError.
func FindSet(name string) (Set, error) {
	return named("set", name, Sets(), func(s Set) string { return s.Name })
}

// Schema is what the set's files are read with under an encoding; nil if the
// set is made up.
func (s Set) Schema(e Encoding) *data.Schema {
	if s.schema == nil {
		return nil
	}
	schema := s.schema()
	schema.Rows.Norm, schema.Intercept = e.Norm, e.Intercept
	return schema
}

// load reads or makes the set. files returns the text of a file.
func (s Set) load(e Encoding, files func(name string) ([]byte, error)) (*data.Dataset, error) {
	if s.make != nil {
		return s.make().encode(e), nil
	}
	var parts []data.Part
	for _, name := range s.Files {
		text, err := files(name)
		if err != nil {
			return nil, err
		}
		parts = append(parts, data.Part{Name: name, Reader: bytes.NewReader(text)})
	}
	return data.ReadParts(parts, s.Schema(e), data.ReadOptions{})
}

// UnknownError names something that the laboratory does not have.
type UnknownError struct {
	Field string // "set" or "method"
	Name  string
	Known []string
}

func (e *UnknownError) Error() string {
	return "there is no " + e.Field + " " + quote(e.Name) + " in the laboratory: choose from " +
		strings.Join(e.Known, ", ")
}
