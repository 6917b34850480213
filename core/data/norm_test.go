package data

import (
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func exactSumOfSquares(entries []float64) *big.Rat {
	sum := new(big.Rat)
	for _, v := range entries {
		sum.Add(sum, exactSquare(v))
	}
	return sum
}

// sequence is a fixed stream of numbers in (0, 1], for property tests.
type sequence uint64

func (s *sequence) next() uint64 {
	*s += 0x9e3779b97f4a7c15
	z := uint64(*s)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

func (s *sequence) unit() float64 { return (float64(s.next()>>11) + 1) * 0x1p-53 }

func (s *sequence) below(n int) int { return int(s.next() % uint64(n)) }

func TestRowsNeverExceedTheNorm(t *testing.T) {
	one := big.NewRat(1, 1)
	draws := map[string]func(s *sequence) float64{
		"uniform": (*sequence).unit,
		"ones":    func(*sequence) float64 { return 1 },
		"wide":    func(s *sequence) float64 { return math.Ldexp(s.unit(), -s.below(400)) },
		"tiny": func(s *sequence) float64 {
			return max(math.Ldexp(s.unit(), -990-s.below(85)), 5e-324)
		},
		"last": func(*sequence) float64 { return 5e-324 },
		"edge": func(s *sequence) float64 {
			return math.Ldexp(s.unit(), -530-s.below(20)) // squares near underflow
		},
	}
	trials := 300
	if testing.Short() {
		trials = 60
	}
	var s sequence
	for name, draw := range draws {
		for _, m := range []int{1, 2, 3, 7, 13, 14, 100, 1000} {
			for range max(1, trials/m) {
				entries := make([]float64, m)
				for i := range entries {
					entries[i] = draw(&s)
				}
				if name == "uniform" && s.below(2) == 0 {
					// Close to norm 1, on either side of it.
					length := math.Sqrt(sumOfSquares(entries))
					for i := range entries {
						entries[i] = min(1, entries[i]/length*(1+float64(s.below(9)-4)*0x1p-52))
					}
				}
				for _, norm := range []Norm{Clip, Unit} {
					scaled := append([]float64{}, entries...)
					bound(scaled, norm)
					square := exactSumOfSquares(scaled)
					require.LessOrEqual(t, square.Cmp(one), 0, "%s, %d entries, %s", name, m, norm)
					short, _ := square.Float64()
					margin := 4 * float64(m+10) * 0x1p-53
					before, _ := exactSumOfSquares(entries).Float64()
					switch {
					case norm == Unit || before > 1+margin:
						require.InDelta(t, 1, short, margin, "%s, %d entries, %s", name, m, norm)
					case before < 1-margin:
						require.Equal(t, entries, scaled, "short rows are left alone")
					}
				}
			}
		}
	}
}

// Under the rule Scale all rows are multiplied by the same, also the longest that there is, and
// that one stays within norm 1.
func TestScaledRowsKeepTheirProportions(t *testing.T) {
	one := big.NewRat(1, 1)
	for _, m := range []int{1, 2, 3, 7, 20, 1000} {
		schema := &Schema{
			Rows:  Rows{Scale},
			Label: Label{Name: "y", Type: NumericLabel, Max: 1, Provenance: Public},
		}
		longest, shortest := map[string]string{}, map[string]string{}
		for i := range m {
			f := Feature{Name: "x" + number(float64(i)), Max: 4, Type: Numeric, Provenance: Public}
			longest[f.Name], shortest[f.Name] = "4", "1"
			switch i % 3 {
			case 1:
				f.Missing = Rule{Action: Indicate}
				longest[f.Name] = ""
			case 2:
				f.Type, f.Max, f.Categories = Categorical, 0, []string{"1", "4"}
			}
			schema.Features = append(schema.Features, f)
		}
		columns := schema.Columns()
		for _, record := range []map[string]string{longest, shortest} {
			row, _, err := schema.Encode(record)
			require.NoError(t, err)
			square := exactSumOfSquares(row.Value)
			require.LessOrEqual(t, square.Cmp(one), 0)
			if record["x0"] == "4" {
				length, _ := square.Float64()
				require.InEpsilon(t, 1, length, float64(m+12)*0x1p-51)
			}
			for k, j := range row.Index {
				value := 1.0
				if c := columns[j]; c.Category == "" && !c.Missing {
					value = 4
					if text := record[c.Feature]; text == "1" {
						value = 1
					} else if text == "" {
						value = 2 // the middle
					}
				}
				require.InEpsilon(t, columns[j].Scale*value, row.Value[k], 0x1p-50)
			}
		}
	}
}

func TestScaledRowsAreOfVersion7(t *testing.T) {
	schema := indicated(Clip, 0.5)
	schema.Rows.Norm = Scale
	text := string(readAgain(t, schema))
	require.Contains(t, text, `"version":7`)
	_, err := ParseSchema([]byte(strings.Replace(text, `"version":7`, `"version":6`, 1)))
	require.EqualError(
		t, err, `rows.norm is "scale": it must be "clip" or "unit" in a schema of this version`,
	)
}

// With the intercept, rows as they leave the encoder stay within RowNorm.
func TestEncodedRowsStayWithinRowNorm(t *testing.T) {
	var s sequence
	for _, kappa := range []float64{0, 1e-9, 0.1, 1, 7, 99.995, 1e5} {
		schema := &Schema{
			Rows:      Rows{Unit},
			Intercept: kappa,
			Label: Label{
				Name:       "y",
				Negative:   []string{"0"},
				Positive:   []string{"1"},
				Provenance: Public,
			},
		}
		for i := range 20 {
			schema.Features = append(
				schema.Features,
				Feature{
					Name:       string(rune('a' + i)),
					Type:       Numeric,
					Max:        1,
					Log:        i%2 == 0,
					Provenance: Public,
				},
			)
		}
		e, err := NewEncoder(schema)
		require.NoError(t, err)
		limit := exactSquare(schema.RowNorm())
		for _, norm := range []Norm{Unit, Clip} {
			schema.Rows.Norm = norm
			for range 100 {
				record := map[string]string{}
				for _, f := range schema.Features {
					record[f.Name] = number(math.Ldexp(s.unit(), -s.below(12)))
				}
				row, _, err := e.Encode(record)
				require.NoError(t, err)
				require.LessOrEqual(t, exactSumOfSquares(row.Value).Cmp(limit), 0)
			}
		}
	}
}

func TestZeroRowsStayZero(t *testing.T) {
	for _, norm := range []string{"unit", "clip"} {
		schema := smallSchema(t, `"clip"`, `"`+norm+`"`, `["a","b"]`, `["a","b"],"unknown":"zero"`)
		row, _, err := schema.Encode(map[string]string{"x": "0", "c": "other"})
		require.NoError(t, err)
		require.Equal(t, Row{Index: []int32{3}, Value: []float64{1}}, row)
		schema.Intercept = 0
		row, _, err = schema.Encode(map[string]string{"x": "0", "c": "other"})
		require.NoError(t, err)
		require.Empty(t, row.Index)
	}
}

// An entry that scaling makes 0 has no place in a sparse row.
func TestUnderflowLeavesNoZeroEntries(t *testing.T) {
	schema := &Schema{
		Features: []Feature{
			{Name: "a", Type: Numeric, Max: 1, Provenance: Public},
			{Name: "b", Type: Numeric, Max: 1, Provenance: Public},
			{Name: "c", Type: Numeric, Max: 1, Provenance: Public},
			{Name: "d", Type: Numeric, Max: 1, Provenance: Public},
			{Name: "e", Type: Numeric, Max: 1, Provenance: Public},
			{Name: "f", Type: Numeric, Max: 1, Provenance: Public},
		},
		Label: Label{
			Name:       "y",
			Negative:   []string{"0"},
			Positive:   []string{"1"},
			Provenance: Public,
		},
		Rows: Rows{Clip},
	}
	row, _, err := schema.Encode(
		map[string]string{"a": "5e-324", "b": "1", "c": "1", "d": "1", "e": "1", "f": "1"},
	)
	require.NoError(t, err)
	require.Equal(t, []int32{1, 2, 3, 4, 5}, row.Index)
}
