package learn

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"cloister/core/data"
	"cloister/core/privacy"
)

// Question asks for a linear regression that released moments answer. Any number of them can
// be asked of one release: the answers are arithmetic on what is public, and cost nothing.
type Question struct {
	// Target is the column that is predicted, by its name; "" is the label.
	// The label's own name stands for it too.
	Target string

	// Columns are those that it is predicted from, by their names; the name of a feature
	// stands for all its categories. nil for all others, but for the other categories of the
	// target's feature.
	Columns []string

	Ridge float64 // λ; 0 for Moments.DefaultRidge of these columns

	// NoIntercept leaves the intercept out, which else is among the columns if the rows have
	// one. Without it nothing says how many records there are: see Regression.
	NoIntercept bool
}

// Regression is the answer, in the units of the design matrix: data.Column says how a column's
// are made from the file's. InUnits has it in those of the file.
type Regression struct {
	Target       *data.Column // nil for the label
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

// leastShare is the least that a ridge may make the smallest eigenvalue of the matrix, as a
// share of the largest, or of the noise if that is larger. Below it, rounding errors would be
// what the coefficients are made of.
const leastShare = 0x1p-40

// Regress answers a question from the model's moments. Every number of the answer is finite but
// for those that Regression says are NaN. Errors: a *privacy.ParameterError for "moments" (the
// model has none), "target", "columns" or "ridge" (which has to be larger, for the columns hang
// together), or solve.ErrEigen.
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
	if q.Target != "" && q.Target != m.Schema.Label.Name {
		var err error
		if target, err = m.column("target", q.Target); err != nil {
			return Regression{}, err
		}
		if m.Columns[target].Intercept {
			return Regression{}, &privacy.ParameterError{
				Field: "target", Value: privacy.Quote(q.Target),
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
	out, err := moments.regress(m.Columns, chosen)
	if err != nil {
		return Regression{}, err
	}
	if !out.finite() {
		return Regression{}, &privacy.ParameterError{
			Field: "moments", Value: "of sizes too far apart", Want: "such that sums stay finite",
		}
	}
	if target >= 0 {
		out.Target = &m.Columns[target]
	}
	return out, nil
}

// regress is the regression on these columns, of which the moments are.
func (m *Moments) regress(columns []data.Column, chosen []int) (Regression, error) {
	spectrum, err := m.Spectrum()
	if err != nil {
		return Regression{}, err
	}
	if err := spectrum.determined(m.Ridge); err != nil {
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

// finite reports whether every number is finite, but for those that may be NaN.
func (r Regression) finite() bool {
	for _, x := range slices.Concat(r.Coefficients, r.StandardErrors) {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return false
		}
	}
	return !math.IsInf(r.RSquared, 0) && !math.IsInf(r.Records, 0)
}

// determined returns a *privacy.ParameterError for "ridge" unless it is large enough for these
// columns.
func (s *Spectrum) determined(ridge float64) error {
	least, largest := math.Inf(1), s.moments.MatrixSigma
	for _, a := range s.eigen.Values {
		least, largest = math.Min(least, math.Max(a, 0)), math.Max(largest, a)
	}
	if least+ridge >= leastShare*(largest+ridge) {
		return nil
	}
	return &privacy.ParameterError{
		Field: "ridge", Value: privacy.Number(ridge),
		Want: privacy.Number(
			largest*leastShare,
		) + " or more: in the released moments these columns follow from each other",
	}
}

// chosen are the places of the columns that the target is predicted from, in the order of the
// design matrix, so that the intercept stays last.
func (m Model) chosen(q Question, target int) ([]int, error) {
	var out []int
	for j, c := range m.Columns {
		if c.Intercept && !q.NoIntercept ||
			q.Columns == nil && !c.Intercept &&
				(target < 0 || c.Feature != m.Columns[target].Feature) {
			out = append(out, j)
		}
	}
	for _, name := range q.Columns {
		named, err := m.named(name)
		if err != nil {
			return nil, err
		}
		for _, j := range named {
			if j == target || slices.Contains(out, j) {
				return nil, &privacy.ParameterError{
					Field: "columns", Value: privacy.Quote(name),
					Want: "each column once, and not the one that is predicted",
				}
			}
			out = append(out, j)
		}
	}
	if len(out) == 0 {
		return nil, &privacy.ParameterError{
			Field: "columns", Value: "none", Want: "one column or more to predict from",
		}
	}
	slices.Sort(out)
	return out, nil
}

// named are the places of the column of this name, or of all the feature's categories and
// of its missing values.
func (m Model) named(name string) ([]int, error) {
	var categories []int
	for j, c := range m.Columns {
		if (c.Category != "" || c.Missing) && c.Feature == name {
			categories = append(categories, j)
		}
	}
	j, err := m.column("columns", name)
	if err == nil && m.Columns[j].Intercept {
		return nil, &privacy.ParameterError{
			Field: "columns", Value: privacy.Quote(name),
			Want: "a column of the file: the intercept is there unless it is left out",
		}
	}
	if categories != nil && err != nil {
		return categories, nil
	}
	return []int{j}, err
}

// column is where the column of this name stands. Two may have one name: a number "a=b" and
// the category "b" of "a".
func (m Model) column(field, name string) (int, error) {
	of := func(c data.Column) bool { return c.Name == name }
	j := slices.IndexFunc(m.Columns, of)
	if j >= 0 && !slices.ContainsFunc(m.Columns[j+1:], of) {
		return j, nil
	}
	want := "the name of a column that was released: " + m.names()
	if j >= 0 {
		want = "a name that one column has, not two"
	}
	return 0, &privacy.ParameterError{Field: field, Value: privacy.Quote(name), Want: want}
}

// mostNames is how many names an error lists.
const mostNames = 12

// names are those of the columns, for an error.
func (m Model) names() string {
	var list []string
	for _, c := range m.Columns {
		if !c.Intercept {
			list = append(list, privacy.Quote(c.Name))
		}
	}
	if more := len(list) - mostNames; more > 0 {
		list = append(list[:mostNames], "and "+strconv.Itoa(more)+" more")
	}
	return strings.Join(list, ", ")
}
