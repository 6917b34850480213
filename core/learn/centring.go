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
//	x' = (Scale₁·(x₁ − Mean₁), …, Scale_{d−1}·(x_{d−1} − Mean_{d−1}), κ).
//
// Use it where gradients are clipped by their length: then what rows have in common does
// not take the place of what they differ by. A margin x'ᵀθ' is xᵀθ for the θ of [Back],
// so a model found with it is a model on the rows of the schema. The nil Centring leaves
// rows as they are.
type Centring struct {
	Mean, Scale []float64 // one a column but the intercept's; scales above 0
}

const (
	// narrowVariance is the variance of a number between 0 and 1. It is not uniform there (1/12):
	// bounds that are known beforehand are wide.
	narrowVariance = 0.05

	// numberWeight is how many times a number counts. Between 0 and 1 it moves by half as much to
	// either side of its middle as a category does that is there or not: twice that is as much.
	numberWeight = 2.0
)

// LeastSpread bounds Scale where the schema leaves rows hardly any room to differ.
const LeastSpread = 0.05

// leastIntercept is the least intercept beside which rows are centred.
const leastIntercept = 0x1p-100

// PublicCentring centres rows where a schema says they may be expected: a number anywhere
// between its bounds, uniformly, a category as often as its others, no value missing, and
// features independent. Mean is E v/√E‖v‖² of such features v before their norm is bounded
// (E v if rows are clipped and E‖v‖² ≤ 1, and of rows that are scaled). Scale is twice as large
// for a number as for the others, and makes E‖x'‖² = 1 + κ² to the same order, where numbers
// have the variance 1/20. It is nil without an intercept, which takes up what the centring moves,
// and where that is too small for it: its coefficient would be no number.
//
// What that is for, by scripts/accuracy -method steps: one scale for all columns, from the variance
// 1/12 (1/20 of scaled rows), beside numbers that count twice. Share right in %, R² of the first
// two, at ε = 0.1, 0.25, 1 and 4; 12 to 160 fits each, errors 0.2 to 2.5:
//
//	                         one scale              numbers twice
//	diabetes progression     7    22   43   49      13   29   47   49
//	body weight              71   82   92   95      73   84   92   95
//	vote, 3 classes          55.4 62.9 65.9 66.8    62.5 64.7 66.8 67.0
//	wines, 3                 50.4 69.0 91.1 95.0    52.9 73.9 91.8 95.2
//	flowers, 3               43.3 55.2 76.7 92.7    45.7 60.5 80.6 92.9
//	breast cancer            69.3 86.2 91.0 91.8    74.7 88.3 90.7 92.3
//	mortgages, AUC           75.9 77.1 77.3 80.1    75.8 77.6 78.2 80.9
//	early diabetes           70.1 77.9 86.5 86.4    69.4 77.3 86.0 86.3
//	Titanic                  78.4 78.7 79.1 79.6    78.3 78.8 79.0 79.4
//	digits, 10               42.6 71.4 90.7 94.7    41.2 73.9 90.5 94.2
//
// Card default, crash deaths and free light chain are level. In a table of numbers alone only the
// variance differs. Where yes and no are declared as the numbers 1 and 0, that variance is far too
// small: early diabetes, all of them so declared, 63.7 74.1 82.9 84.8 beside 61.6 75.0 81.6 83.9.
func PublicCentring(schema *data.Schema) *Centring {
	if schema.Intercept < leastIntercept {
		return nil
	}
	columns := schema.Columns()
	columns = columns[:len(columns)-1]
	categories := map[string]float64{}
	squares := 0.0 // E‖v‖²
	for _, column := range columns {
		if column.Missing {
			continue
		}
		if column.Category == "" {
			squares += 1. / 3
			continue
		}
		if categories[column.Feature] == 0 {
			squares++
		}
		categories[column.Feature]++
	}
	length := math.Sqrt(squares)
	switch {
	case schema.Rows.Norm == data.Scale:
		length = 1 / schema.RowScale()
	case schema.Rows.Norm == data.Clip && squares < 1:
		length = 1
	}
	c := &Centring{Mean: make([]float64, len(columns)), Scale: make([]float64, len(columns))}
	spread := 0.0 // E‖x'‖² less κ², while scales are weights
	for j, column := range columns {
		c.Scale[j] = 1
		switch {
		case column.Missing: // 0: most values are there
		case column.Category != "":
			share := 1 / categories[column.Feature]
			c.Mean[j] = share / length
			spread += float64(share * (1 - share))
		default:
			c.Mean[j], c.Scale[j] = 0.5/length, numberWeight
			spread += numberWeight * numberWeight * narrowVariance
		}
	}
	spread = math.Max(spread/length/length, LeastSpread)
	for j := range c.Scale {
		c.Scale[j] /= math.Sqrt(spread)
	}
	return c
}

// AtBounds is E‖x'‖² of the rows that PublicCentring expects, but with all numbers at one of their
// bounds, before their norm is bounded; it is more where LeastSpread bounds Scale.
func (c *Centring) AtBounds(schema *data.Schema) float64 {
	square := 1 + schema.Intercept*schema.Intercept
	columns := schema.Columns()
	for j, mean := range c.Mean {
		if columns[j].Category == "" && !columns[j].Missing {
			half := c.Scale[j] * mean // from the middle to a bound
			square += (1 - 4*narrowVariance) * half * half
		}
	}
	return square
}

// Check returns a *privacy.ParameterError unless the centring is one for rows of so many
// columns, the intercept's included, and its numbers are of a usual size.
func (c *Centring) Check(columns int) error {
	if c == nil {
		return nil
	}
	if err := privacy.FirstError(
		checkColumns("mean", c.Mean, columns), checkColumns("scale", c.Scale, columns),
	); err != nil {
		return err
	}
	for j, m := range c.Mean {
		if !(math.Abs(m) <= 0x1p100) {
			return &privacy.ParameterError{
				Field: "mean[" + strconv.Itoa(j) + "]", Value: privacy.Number(m),
				Want: "a number from -2^100 to 2^100",
			}
		}
		if s := c.Scale[j]; !(s >= 0x1p-100 && s <= 0x1p100) {
			return &privacy.ParameterError{
				Field: "scale[" + strconv.Itoa(j) + "]", Value: privacy.Number(s),
				Want: "a number from 2^-100 to 2^100",
			}
		}
	}
	return nil
}

func checkColumns(field string, list []float64, columns int) error {
	if len(list) == columns-1 {
		return nil
	}
	return &privacy.ParameterError{
		Field: field, Value: strconv.Itoa(len(list)) + " numbers",
		Want: strconv.Itoa(columns-1) + ", one a column but the intercept's",
	}
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
		out[j] = float64(c.Scale[j] * float64(out[j]-m))
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
//	θⱼ = Scaleⱼ·θ'ⱼ,   θ_κ = θ'_κ − Σ MeanⱼScaleⱼθ'ⱼ/κ.
func (c *Centring) Back(theta []float64, kappa float64) {
	if c == nil {
		return
	}
	last := len(theta) - 1
	moved := 0.0
	for j, m := range c.Mean {
		theta[j] *= c.Scale[j]
		moved += float64(m * theta[j])
	}
	theta[last] -= moved / kappa
}
