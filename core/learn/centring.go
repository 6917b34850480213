package learn

import (
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// Centring is a public change of coordinates. A row x of the design matrix, whose last
// column is the intercept κ, becomes
//
//	x' = (Scale·(x₁ − Mean₁), …, Scale·(x_{d−1} − Mean_{d−1}), κ).
//
// Use it where gradients are clipped by their length: then what rows have in common does
// not take the place of what they differ by. A margin x'ᵀθ' is xᵀθ for the θ of [Back],
// so a model found with it is a model on the rows of the schema. The nil Centring leaves
// rows as they are.
type Centring struct {
	Mean  []float64 // one a column but the intercept's
	Scale float64   // above 0
}

// narrowSquare is E v² of a number of mean 1/2 and variance 1/20. It is not uniform between its
// bounds (1/12): bounds that are known beforehand are wide.
const narrowSquare = 0.25 + 0.05

// leastSpread bounds Scale where the schema leaves rows hardly any room to differ.
const leastSpread = 0.05

// leastIntercept is the least intercept beside which rows are centred.
const leastIntercept = 0x1p-100

// PublicCentring centres rows where a schema says they may be expected: a number anywhere
// between its bounds, uniformly, a category as often as its others, no value missing, and
// features independent. Mean is E v/√E‖v‖² of such features v before their norm is bounded
// (E v if rows are clipped and E‖v‖² ≤ 1), and Scale makes E‖x'‖² = 1 + κ² to the same order.
// Of rows that are scaled (data.Scale) Mean is exact, and a number of variance 1/20.
// It is nil without an intercept, which takes up what the centring moves, and where that is
// too small for it: its coefficient would be no number.
func PublicCentring(schema *data.Schema) *Centring {
	if schema.Intercept < leastIntercept {
		return nil
	}
	columns := schema.Columns()
	columns = columns[:len(columns)-1]
	categories := map[string]float64{}
	squares, numbers := 0.0, 0.0 // E‖v‖²
	for _, column := range columns {
		if column.Missing {
			continue
		}
		if column.Category == "" {
			squares += 1. / 3
			numbers++
			continue
		}
		if categories[column.Feature] == 0 {
			squares++
		}
		categories[column.Feature]++
	}
	length, expected := math.Sqrt(squares), 1.0
	switch {
	case schema.Rows.Norm == data.Scale:
		length = 1 / schema.RowScale()
		expected = (squares + numbers*(narrowSquare-1./3)) / length / length
	case schema.Rows.Norm == data.Clip && squares < 1:
		length, expected = 1, squares
	}
	c := &Centring{Mean: make([]float64, len(columns))}
	for j, column := range columns {
		if column.Missing {
			continue // 0: most values are there
		}
		c.Mean[j] = 0.5 / length
		if column.Category != "" {
			c.Mean[j] = 1 / categories[column.Feature] / length
		}
		expected -= float64(c.Mean[j] * c.Mean[j])
	}
	c.Scale = 1 / math.Sqrt(math.Max(expected, leastSpread))
	return c
}

// Check returns a *privacy.ParameterError unless the centring is one for rows of so many
// columns, the intercept's included, and its numbers are of a usual size.
func (c *Centring) Check(columns int) error {
	if c == nil {
		return nil
	}
	if len(c.Mean) != columns-1 {
		return &privacy.ParameterError{
			Field: "mean", Value: strconv.Itoa(len(c.Mean)) + " numbers",
			Want: strconv.Itoa(columns-1) + ", one a column but the intercept's",
		}
	}
	for j, m := range c.Mean {
		if !(math.Abs(m) <= 0x1p100) {
			return &privacy.ParameterError{
				Field: "mean[" + strconv.Itoa(j) + "]", Value: privacy.Number(m),
				Want: "a number from -2^100 to 2^100",
			}
		}
	}
	if !(c.Scale >= 0x1p-100 && c.Scale <= 0x1p100) {
		return &privacy.ParameterError{
			Field: "scale", Value: privacy.Number(c.Scale), Want: "a number from 2^-100 to 2^100",
		}
	}
	return nil
}

// Apply writes x' to out, which has the matrix's columns. It is computed from the row
// alone, and is the same whether the row is stored sparsely or densely: an entry that is
// not stored is a 0.
func (c *Centring) Apply(row data.Row, out []float64) {
	clear(out)
	for k, j := range row.Index {
		out[j] = row.Value[k]
	}
	for j, m := range c.Mean {
		out[j] = float64(c.Scale * float64(out[j]-m))
	}
}

// Norms are upper bounds of the centred rows' norms, close to them, from each row alone.
func (c *Centring) Norms(x *data.Matrix) []float64 {
	out, row := make([]float64, x.Rows()), make([]float64, x.Columns)
	for i := range out {
		c.Apply(x.Row(i), row)
		out[i] = solve.NormUpper(row)
	}
	return out
}

// Back turns θ' into the θ of the rows as they are, in place; κ is the intercept:
//
//	θⱼ = Scale·θ'ⱼ,   θ_κ = θ'_κ − (Scale/κ)·Σ Meanⱼθ'ⱼ.
func (c *Centring) Back(theta []float64, kappa float64) {
	if c == nil {
		return
	}
	last := len(theta) - 1
	moved := 0.0
	for j, m := range c.Mean {
		theta[j] *= c.Scale
		moved += float64(m * theta[j])
	}
	theta[last] -= moved / kappa
}
