package learn

import (
	"math"
	"slices"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
)

// Question asks for a linear regression that released moments answer. Any number of them can
// be asked of one release: the answers are arithmetic on what is public, and cost nothing.
type Question struct {
	Target  string   // the column that is predicted, by its name; "" is the label
	Columns []string // those that it is predicted from; nil for all others
	Ridge   float64  // λ; 0 for Moments.DefaultRidge of these columns
}

// Regression is the answer, in the units of the design matrix: data.Column says how a column's
// are made from the file's.
type Regression struct {
	Columns      []data.Column
	Coefficients []float64
	Ridge        float64

	// Estimates of Spectrum.StandardErrors, Spectrum.RSquared and Moments.Records. They need
	// the intercept among the columns and are nil, NaN and NaN without it. RSquared is NaN too
	// where the noise leaves no variance to explain.
	StandardErrors []float64
	RSquared       float64
	Records        float64
}

// Regress answers a question from the model's moments. Errors: a *privacy.ParameterError for
// "moments" (the model has none), "target", "columns" or "ridge", or solve.ErrEigen.
func (m Model) Regress(q Question) (Regression, error) {
	if m.Moments == nil {
		return Regression{}, &privacy.ParameterError{
			Field: "moments", Value: "missing",
			Want: "those of a release of noisy moments: other models answer one question",
		}
	}
	if q.Ridge != 0 {
		if err := CheckRange("ridge", q.Ridge, false); err != nil {
			return Regression{}, err
		}
	}
	target := -1
	if q.Target != "" {
		var err error
		if target, err = m.column("target", q.Target); err != nil {
			return Regression{}, err
		}
		if m.Columns[target].Intercept {
			return Regression{}, &privacy.ParameterError{
				Field: "target", Value: strconv.Quote(q.Target),
				Want: "a column that differs between records",
			}
		}
	}
	chosen, err := m.chosen(q, target)
	if err != nil {
		return Regression{}, err
	}
	moments := m.Moments.Keep(chosen...)
	if target >= 0 {
		moments = m.Moments.Of(target, chosen...)
	}
	if q.Ridge != 0 {
		moments.Ridge = q.Ridge
	}
	return moments.regress(m.Columns, chosen)
}

// regress is the regression on these columns, of which the moments are.
func (m *Moments) regress(columns []data.Column, chosen []int) (Regression, error) {
	spectrum, err := m.Spectrum()
	if err != nil {
		return Regression{}, err
	}
	out := Regression{
		Coefficients: spectrum.Coefficients(m.Ridge), Ridge: m.Ridge,
		RSquared: math.NaN(), Records: math.NaN(),
	}
	for _, j := range chosen {
		out.Columns = append(out.Columns, columns[j])
	}
	if m.Intercept == 0 {
		return out, nil
	}
	if out.Records, err = m.Records(); err != nil {
		return Regression{}, err
	}
	if out.StandardErrors, err = spectrum.StandardErrors(m.Ridge); err != nil {
		return Regression{}, err
	}
	out.RSquared, err = spectrum.RSquared(m.Ridge)
	return out, err
}

// chosen are the places of the columns that the target is predicted from, in the order of the
// design matrix, so that the intercept stays last.
func (m Model) chosen(q Question, target int) ([]int, error) {
	var out []int
	if q.Columns == nil {
		for j := range m.Columns {
			if j != target {
				out = append(out, j)
			}
		}
	}
	for _, name := range q.Columns {
		j, err := m.column("columns", name)
		if err != nil {
			return nil, err
		}
		if j == target || slices.Contains(out, j) {
			return nil, &privacy.ParameterError{
				Field: "columns", Value: strconv.Quote(name),
				Want: "each column once, and not the one that is predicted",
			}
		}
		out = append(out, j)
	}
	if len(out) == 0 {
		return nil, &privacy.ParameterError{
			Field: "columns", Value: "none", Want: "one column or more to predict from",
		}
	}
	slices.Sort(out)
	return out, nil
}

// column is where the column of this name stands. Two may have one name: a number "a=b" and
// the category "b" of "a".
func (m Model) column(field, name string) (int, error) {
	of := func(c data.Column) bool { return c.Name == name }
	j := slices.IndexFunc(m.Columns, of)
	if j >= 0 && !slices.ContainsFunc(m.Columns[j+1:], of) {
		return j, nil
	}
	want := "the name of a column that was released"
	if j >= 0 {
		want = "a name that one column has, not two"
	}
	return 0, &privacy.ParameterError{Field: field, Value: strconv.Quote(name), Want: want}
}
