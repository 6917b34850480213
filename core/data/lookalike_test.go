package data

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/random/randomtest"
)

// lookalikes are those of a file of a column x and a label y, read through the schema
// that is suggested of it.
func lookalikes(t *testing.T, csv string, kind LabelType) []Lookalike {
	t.Helper()
	found := suggest(t, csv, SuggestOptions{Label: "y", LabelType: kind, MaxCategories: 300})
	return lookalikesBy(t, csv, found.Schema)
}

func lookalikesBy(t *testing.T, csv string, schema *Schema) []Lookalike {
	t.Helper()
	l, err := NewLookalikes(schema, ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, l.Write([]byte(csv[:len(csv)/2])))
	require.NoError(t, l.Write([]byte(csv[len(csv)/2:])))
	out, err := l.Close()
	require.NoError(t, err)
	assert.Equal(t, strings.Count(csv, "\n")-1, l.RowsSoFar())
	return out
}

// table is a file of so many records of x and y.
func table(rows int, record func(i int) (x, y any)) string {
	var b strings.Builder
	b.WriteString("x,y\n")
	for i := range rows {
		x, y := record(i)
		fmt.Fprintf(&b, "%v,%v\n", x, y)
	}
	return b.String()
}

// drawn are seeded numbers.
type drawn struct{ source *randomtest.Seeded }

func (d drawn) Uniform() float64 {
	word, _ := d.source.Uint64()
	return float64(word>>11) * 0x1p-53
}

func (d drawn) Below(n int) int { return int(d.Uniform() * float64(n)) }

func TestAColumnThatTellsTheClassIsFound(t *testing.T) {
	random := drawn{randomtest.New(141)}
	died := make([]int, 1000)
	for i := range died {
		if random.Below(10) < 3 {
			died[i] = 1
		}
	}
	names, codes := []string{"no", "yes"}, []string{"D-1", "R-7"}
	for _, c := range []struct {
		what  string
		x     func(i int) any
		found bool
	}{
		{"a copy", func(i int) any { return died[i] }, true},
		{"its words", func(i int) any { return names[died[i]] }, true},
		{"a code of more values", func(i int) any {
			return codes[died[i]] + fmt.Sprint(i%4)
		}, true},
		{"a score with a threshold", func(i int) any {
			return float64(died[i])*50 + 48*random.Uniform()
		}, true},
		{"a copy, 1 in 100 wrong", func(i int) any {
			if i%100 == 0 {
				return 1 - died[i]
			}
			return died[i]
		}, true},
		{"a copy, 1 in 20 wrong", func(i int) any {
			if i%20 == 0 {
				return 1 - died[i]
			}
			return died[i]
		}, false},
		{"only written down of the living", func(i int) any {
			if died[i] == 1 {
				return ""
			}
			return 1 + random.Below(28)
		}, true},
		{"nothing to do with it", func(i int) any { return random.Below(1000) }, false},
		{"a category of that", func(i int) any { return "w" + fmt.Sprint(random.Below(9)) }, false},
		{"a text of each few", func(i int) any { return "p" + fmt.Sprint(i/4) }, false},
	} {
		got := lookalikes(t, table(1000, func(i int) (any, any) {
			return c.x(i), died[i]
		}), TwoClasses)
		if assert.Equal(t, c.found, len(got) == 1, "%s: %v", c.what, got) && c.found {
			assert.Equal(t, "x", got[0].Column)
			assert.GreaterOrEqual(t, got[0].Share, 0.985, c.what)
			assert.LessOrEqual(t, got[0].Share, 1.0, c.what)
		}
	}
}

// The figures are those of a loop over all others, record by record.
func TestEachRecordIsToldByTheOthers(t *testing.T) {
	random := drawn{randomtest.New(142)}
	const rows = 400
	for range 20 {
		x, y := make([]int, rows), make([]int, rows)
		for i := range x {
			y[i] = random.Below(3)
			x[i] = y[i]*40 + random.Below(40)
			if random.Below(100) == 0 {
				x[i] = random.Below(120)
			}
		}
		right, common := 0, [3]int{}
		for i := range x {
			common[y[i]]++
			var others [3]int
			for j := range x {
				if j != i && x[j] == x[i] {
					others[y[j]]++
				}
			}
			ahead := true
			for k, n := range others {
				ahead = ahead && (k == y[i] || others[y[i]] > n)
			}
			if ahead {
				right++
			}
		}
		csv := table(rows, func(i int) (any, any) {
			return fmt.Sprint("v", x[i]), "abc"[y[i] : y[i]+1]
		})
		got := lookalikes(t, csv, SeveralClasses)
		if 20*(rows-right) > rows-max(common[0], common[1], common[2]) {
			assert.Empty(t, got)
			continue
		}
		require.Len(t, got, 1)
		assert.InDelta(t, float64(right)/rows, got[0].Share, 1e-12)
	}
}

func TestAColumnThatTellsTheNumberIsFound(t *testing.T) {
	random := drawn{randomtest.New(143)}
	const rows = 2000
	wage := make([]float64, rows)
	for i := range wage {
		wage[i] = 8 + 60*random.Uniform()
	}
	for _, c := range []struct {
		what     string
		x        func(i int) any
		from, to float64 // share; 0: not found
	}{
		{"the same a year", func(i int) any { return 2080 * wage[i] }, 0.9999, 1},
		{"it falls as the other rises", func(i int) any { return -wage[i] / 7 }, 0.9999, 1},
		// Uniform noise of a tenth of the range: 1 % of the variance is left.
		{"with noise", func(i int) any { return wage[i] + 6*random.Uniform() }, 0.98, 0.995},
		{"with much noise", func(i int) any { return wage[i] + 30*random.Uniform() }, 0, 0},
		{"nothing to do with it", func(i int) any { return random.Uniform() }, 0, 0},
		{"two groups", func(i int) any { return wage[i] > 38 }, 0, 0},
	} {
		got := lookalikes(t, table(rows, func(i int) (any, any) {
			return c.x(i), wage[i]
		}), NumericLabel)
		if assert.Equal(t, c.to > 0, len(got) == 1, "%s: %v", c.what, got) && c.to > 0 {
			assert.GreaterOrEqual(t, got[0].Share, c.from, c.what)
			assert.LessOrEqual(t, got[0].Share, c.to, c.what)
		}
	}
}

// The sum of squares is that of a loop over all others.
func TestANumberIsToldByTheMeanOfTheOthers(t *testing.T) {
	random := drawn{randomtest.New(144)}
	const rows = 300
	x, y := make([]int, rows), make([]float64, rows)
	mean := 0.0
	for i := range x {
		x[i] = random.Below(200)
		y[i] = float64(x[i]) + 4*random.Uniform()
		mean += y[i] / rows
	}
	left, all := 0.0, 0.0
	for i := range x {
		sum, n := 0.0, 0
		for j := range x {
			if j != i && x[j] == x[i] {
				sum, n = sum+y[j], n+1
			}
		}
		told := mean
		if n > 0 {
			told = sum / float64(n)
		}
		left += (y[i] - told) * (y[i] - told)
		all += (y[i] - mean) * (y[i] - mean)
	}
	csv := table(rows, func(i int) (any, any) { return fmt.Sprint("v", x[i]), y[i] })
	schema := suggest(
		t, csv, SuggestOptions{Label: "y", LabelType: NumericLabel, MaxCategories: 300},
	).Schema
	l, err := NewLookalikes(schema, ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, l.Write([]byte(csv)))
	got, err := l.Close()
	require.NoError(t, err)
	have := 0.0
	for i := range l.byValue[0] {
		have += l.byValue[0][i].unexplained(&l.label)
	}
	assert.InDelta(t, left/all, have/l.label.squares, 1e-9)
	assert.Equal(t, 20*left <= all, len(got) == 1)
}

func TestAFewRecordsShowNothing(t *testing.T) {
	for _, c := range []struct{ rows, rare int }{
		{19, 9}, {39, 19}, {5000, 19}, {40, 20}, {5000, 20},
	} {
		csv := table(c.rows, func(i int) (any, any) {
			rare := i < c.rare
			return map[bool]string{true: "a", false: "b"}[rare], rare
		})
		assert.Equal(t, c.rare >= fewest, len(lookalikes(t, csv, TwoClasses)) == 1, "%v", c)
		csv = table(c.rows, func(i int) (any, any) {
			if i < c.rare {
				return "b", 100 + i
			}
			return "a", 1
		})
		got := lookalikes(t, csv, NumericLabel)
		if c.rare < fewest {
			assert.Empty(t, got, "%v", c)
		}
	}
}

// A rare class is no less of a label: guessing the other one is right for 99 % too.
func TestARareClassIsNotToldByAConstant(t *testing.T) {
	random := drawn{randomtest.New(145)}
	rare := func(i int) bool { return i%100 == 0 }
	csv := table(5000, func(i int) (any, any) { return random.Below(50), rare(i) })
	assert.Empty(t, lookalikes(t, csv, TwoClasses))
	csv = table(5000, func(i int) (any, any) {
		if rare(i) {
			return 49, true
		}
		return random.Below(49), false
	})
	assert.Len(t, lookalikes(t, csv, TwoClasses), 1)
}

// Whatever would end a reading of the rows themselves ends no search for a hint, but a
// file that is none.
func TestValuesThatTheSchemaDoesNotKnow(t *testing.T) {
	schema := suggest(t, table(100, func(i int) (any, any) {
		return fmt.Sprint("v", i%2), i % 2
	}), SuggestOptions{Label: "y"}).Schema
	csv := table(100, func(i int) (any, any) {
		switch {
		case i == 0:
			return "v0", "perhaps"
		case i == 2:
			return "v0", ""
		case i%2 == 0:
			return "neither", 0
		}
		return "v1", 1
	})
	got := lookalikesBy(t, csv, schema)
	assert.Equal(t, []Lookalike{{"x", 1}}, got)

	for _, wrong := range []string{"x\n1\n", "x,y\n1\n", "x,x,y\n1,2,3\n"} {
		l, err := NewLookalikes(schema, ReadOptions{})
		require.NoError(t, err)
		if err = l.Write([]byte(wrong)); err == nil {
			_, err = l.Close()
		}
		require.Error(t, err, wrong)
	}
	l, err := NewLookalikes(schema, ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, l.Write([]byte("x,y\n")))
	none, err := l.Close()
	require.NoError(t, err)
	assert.Empty(t, none)
	_, err = NewLookalikes(&Schema{}, ReadOptions{})
	require.Error(t, err)
	_, err = NewLookalikes(schema, ReadOptions{Size: 2, MaxBytes: 1})
	require.Error(t, err)
}

// Features whose counts would take too much memory are left, not counted by halves.
func TestCountsThatTakeTooMuchAreNotKept(t *testing.T) {
	schema := &Schema{Rows: Rows{Norm: Clip}, Label: Label{
		Name: "y", Type: SeveralClasses, Missing: Rule{Action: Drop}, Provenance: Public,
	}}
	for k := range MaxClasses {
		schema.Label.Classes = append(schema.Label.Classes, []string{fmt.Sprint("k", k)})
	}
	var names []string
	for k := range 300 {
		names = append(names, fmt.Sprint("x", k))
		schema.Features = append(schema.Features, Feature{
			Name: names[k], Type: Numeric, Min: 0, Max: 255,
			Missing: Rule{Action: Drop}, Provenance: Public,
		})
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s,y\n", strings.Join(names, ","))
	for i := range 512 {
		fmt.Fprintf(&b, "%sk%d\n", strings.Repeat(fmt.Sprint(i%256, ","), 300), i%256)
	}
	l, err := NewLookalikes(schema, ReadOptions{})
	require.NoError(t, err)
	require.NoError(t, l.Write([]byte(b.String())))
	got, err := l.Close()
	require.NoError(t, err)
	assert.Len(t, got, mostCounts/((valueParts+2)*(MaxClasses+14)))
	assert.Equal(t, Lookalike{"x0", 1}, got[0])
}
