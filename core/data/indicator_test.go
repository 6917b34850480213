package data

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// indicated is a schema with an indicator of a number, of a logarithmic one and of a
// category, between columns without.
func indicated(norm Norm, kappa float64) *Schema {
	indicate := Rule{Action: Indicate}
	return &Schema{
		Features: []Feature{
			{Name: "a", Type: Numeric, Min: 20, Max: 60, Missing: indicate, Provenance: Public},
			{Name: "b", Type: Numeric, Max: 1, Provenance: Public},
			{
				Name: "c", Type: Categorical, Categories: []string{"u", "v"}, Missing: indicate,
				Unknown: Rule{Action: UseZero}, Provenance: Public,
			},
			{
				Name: "d", Type: Numeric, Max: math.E - 1, Log: true, Missing: indicate,
				Provenance: Public,
			},
		},
		Label: Label{
			Name: "y", Negative: []string{"no"}, Positive: []string{"yes"}, Provenance: Public,
		},
		Rows: Rows{Norm: norm}, Intercept: kappa,
		MissingValues: []string{"", "?"},
	}
}

func TestIndicatorsHaveAColumn(t *testing.T) {
	s := indicated(Clip, 0.5)
	require.NoError(t, s.Validate())
	require.Equal(t, []Column{
		{Name: "a", Feature: "a", Scale: 1. / 40, Offset: 20},
		{Name: "a is missing", Feature: "a", Missing: true, Scale: 1},
		{Name: "b", Feature: "b", Scale: 1},
		{Name: "c=u", Feature: "c", Category: "u", Scale: 1},
		{Name: "c=v", Feature: "c", Category: "v", Scale: 1},
		{Name: "c is missing", Feature: "c", Missing: true, Scale: 1},
		{Name: "d", Feature: "d", Log: true, Scale: 1 / math.Log1p(math.E-1)},
		{Name: "d is missing", Feature: "d", Missing: true, Scale: 1},
		{Name: InterceptName, Intercept: true, Scale: 0.5},
	}, s.Columns())
	require.Equal(t, 9, s.Dimension())
}

// The entries before the norm is bounded, by hand; then divided by their length.
func TestIndicatorsAreEncoded(t *testing.T) {
	for _, norm := range []Norm{Clip, Unit} {
		s := indicated(norm, 0.5)
		for text, want := range map[string][9]float64{
			"30,1,u,0":     {0.25, 0, 1, 1, 0, 0, 0, 0, 0.5},
			"?,1,u,0":      {0.5, 1, 1, 1, 0, 0, 0, 0, 0.5},
			"20,0,,0":      {0, 0, 0, 0, 0, 1, 0, 0, 0.5},
			"20,0,?,?":     {0, 0, 0, 0, 0, 1, 0.5, 1, 0.5},
			"20,0.5,w,":    {0, 0, 0.5, 0, 0, 0, 0.5, 1, 0.5},
			"20,0.0625,w,": {0, 0, 0.0625, 0, 0, 0, 0.5, 1, 0.5},
			"20,0.25,w,0":  {0, 0, 0.25, 0, 0, 0, 0, 0, 0.5},
			" , 1 , v , ":  {0.5, 1, 1, 0, 1, 0, 0.5, 1, 0.5},
		} {
			e, err := NewEncoder(s)
			require.NoError(t, err)
			row, _, err := e.EncodeText(text)
			require.NoError(t, err)
			length := math.Sqrt(sumOfSquares(want[:8]))
			if norm == Clip {
				length = max(1, length)
			}
			dense := make([]float64, 9)
			for k, j := range row.Index {
				require.NotZero(t, row.Value[k])
				dense[j] = row.Value[k]
			}
			for j := range 8 {
				require.InDelta(t, want[j]/length, dense[j], 1e-14, "%s: %d", text, j)
			}
			require.Equal(t, 0.5, dense[8])
			require.LessOrEqual(
				t, exactSumOfSquares(row.Value).Cmp(exactSquare(s.RowNorm())), 0,
			)
		}
	}
	_, notes, err := indicated(Clip, 1).Encode(map[string]string{"a": "", "b": "0", "c": "?", "d": "1"})
	require.NoError(t, err)
	require.Equal(t, []Note{
		{"a", "The missing value counts as the middle of its bounds, and as missing"},
		{"c", "The missing value counts as missing, and as none of the categories"},
	}, notes)
}

// Exactly, for rows of every length: the bound on the norm does not know of indicators.
func TestRowsWithIndicatorsStayWithinRowNorm(t *testing.T) {
	var source sequence
	for _, norm := range []Norm{Clip, Unit} {
		for _, kappa := range []float64{0, 0.1, 0.5, 7} {
			s := indicated(norm, kappa)
			limit := exactSquare(s.RowNorm())
			for range 500 {
				pick := func(values ...string) string { return values[source.below(len(values))] }
				row, _, err := s.Encode(map[string]string{
					"a": pick("", "20", "33.3", "60"), "b": pick("0", number(source.unit())),
					"c": pick("", "u", "v", "w"), "d": pick("?", "0", "0.7", "9"),
				})
				require.NoError(t, err)
				require.LessOrEqual(t, exactSumOfSquares(row.Value).Cmp(limit), 0)
				for k := 1; k < len(row.Index); k++ {
					require.Less(t, row.Index[k-1], row.Index[k])
				}
			}
		}
	}
}

// A dense and a sparse matrix hold the same rows, and nothing is dropped.
func TestIndicatorsInEitherStorage(t *testing.T) {
	var text strings.Builder
	text.WriteString("y,a,b,c,d\n")
	for i := range BlockRows + 200 {
		text.WriteString([]string{"no", "yes"}[i%2] + "," + []string{"30", "?", "50"}[i%3] + ",0.5," +
			[]string{"u", ""}[i/2%2] + "," + []string{"", "0.4"}[i/4%2] + "\n")
	}
	s := indicated(Clip, 0.5)
	sparse, err := Read(strings.NewReader(text.String()), s, ReadOptions{})
	require.NoError(t, err)
	require.Zero(t, sparse.Tally.Dropped)
	require.Equal(t, (BlockRows+200)/3, sparse.Tally.Features[0].Missing)
	full := *s // the columns of c are left out, so that most entries are not 0
	full.Features = []Feature{s.Features[0], s.Features[1]}
	dense, err := Read(
		strings.NewReader(strings.ReplaceAll(text.String(), ",30,", ",?,")), &full, ReadOptions{},
	)
	require.NoError(t, err)
	require.True(t, dense.X.Dense())
	require.False(t, sparse.X.Dense())
	for _, d := range []*Dataset{sparse, dense} {
		e, err := NewEncoder(d.Schema)
		require.NoError(t, err)
		row, _, err := e.Encode(map[string]string{"a": "?", "b": "0.5", "c": "u", "d": ""})
		require.NoError(t, err)
		require.Equal(t, row.Dot(make([]float64, len(d.Schema.Columns()))), 0.0)
		for i := range 13 {
			theta := make([]float64, d.Schema.Dimension())
			for j := range theta {
				theta[j] = float64(j + 1)
			}
			record := strings.Split(strings.Split(text.String(), "\n")[i+1], ",")
			fields := map[string]string{"a": record[1], "b": record[2], "c": record[3], "d": record[4]}
			if d == dense && fields["a"] == "30" {
				fields["a"] = "?"
			}
			want, _, err := e.Encode(fields)
			require.NoError(t, err)
			require.Equal(t, want.Dot(theta), d.X.Row(i).Dot(theta))
		}
	}
}

// Older readers do not know indicators, so the form is version 6, and says so.
func TestIndicatorsAreOfVersion6(t *testing.T) {
	text := string(readAgain(t, indicated(Clip, 0.5)))
	require.Contains(t, text, `"version":6`)
	require.Contains(t, text, `"max":60,"log":false,"missing":"indicator"`)
	_, err := ParseSchema([]byte(strings.Replace(text, `"version":6`, `"version":5`, 1)))
	require.EqualError(t, err, `features[0].missing is "indicator": it must be another rule in a schema of this version`)
	_, err = ParseSchema([]byte(strings.Replace(text, `"unknown":"zero"`, `"unknown":"indicator"`, 1)))
	require.EqualError(t, err, `features[2].unknown is "indicator": it must be "error", "drop", "zero" or {"category": "…"}`)
	_, err = ParseSchema([]byte(strings.Replace(text, `"version":6`, `"version":8`, 1)))
	require.EqualError(t, err, `version is 8: it must be 1, 2, 3, 4, 5, 6 or 7, the versions of the schema format that this library reads`)
}
