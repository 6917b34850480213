package data

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// ignored takes everything and keeps nothing.
type ignored struct{}

func (ignored) header([]string) *Error            { return nil }
func (ignored) record(int, []byte, []span) *Error { return nil }

// looksLikeRecord judges the first line of a text as every reading does.
func looksLikeRecord(t testing.TB, text string) bool {
	t.Helper()
	s := scanner{sink: ignored{}, judge: true}
	s.begin()
	err := s.write([]byte(text))
	if err == nil {
		err = s.end()
	}
	if err == nil {
		return false
	}
	require.Equal(t, NoHeader, err.Kind, "%v", err)
	return true
}

func TestFirstLineByItsForm(t *testing.T) {
	years := func(step int) string {
		return fmt.Sprintf("country,code,%d,%d,%d\n", 2018, 2018+step, 2018+2*step)
	}
	for name, c := range map[string]struct {
		text   string
		person bool
	}{
		"names over numbers":                   {"age,sex\n39,M\n50,F\n", false},
		"a record over records":                {"39,M\n50,F\n28,F\n", true},
		"texts alone, named":                   {"sex,ward,sick\nM,A,no\nF,B,yes\nF,A,no\n", false},
		"texts alone, not named":               {"M,A,no\nF,B,yes\nF,A,no\n", true},
		"one line of names":                    {"age,sex\n", false},
		"one line of a person":                 {"39,M,2013-01-05\n", true},
		"texts that never come again":          {"Ann,blue\nBob,red\nCem,grey\n", false}, // what the rules let pass
		"addresses":                            {"Ann,ann@x.org\nBob,bob@y.com\nCem,cem@z.net\n", true},
		"addresses, named":                     {"name,e-mail\nAnn,ann@x.org\nBob,bob@y.com\n", false},
		"digits of another script":             {"٣٩,ann\n٥٠,bob\n٢٨,cem\n", true},
		"full-width digits":                    {"３９,ann\n５０,bob\n", true},
		"amounts":                              {"Ann,\"$1,200\"\nBob,\"$990\"\n", true},
		"below the limit":                      {"Ann,<0.5\nBob,<2\nCem,>7\n", true},
		"dates by month":                       {"Ann,Jan 5 1975\nBob,May 17 1980\nCem,Feb 2 1969\n", true},
		"dates by month, named":                {"name,born (1900-)\nAnn,Jan 5 1975\nBob,May 17 1980\n", false},
		"one column of codes":                  {"A-17/3\nB-2/11\nC-340/2\n", true},
		"a name with an underscore":            {"_1,_2\nlow,M\nhigh,F\n", false},
		"codes, named":                         {"icd10,sex\nE11,M\nI10,F\nJ45,F\n", false},
		"a lone date":                          {"Ann,1975-03-01\nBob,7 May 1980\n", true},
		"dates over numbers":                   {"country,1/22/20,1/23/20,1/24/20\nFrance,0,2,3\nItaly,0,0,2\n", false},
		"a date over dates":                    {"M,1975-03-01 10:15\nF,1980-05-07 09:00\nM,1969-12-31 23:59\n", true},
		"codes that never come again":          {"P-0012,x\nP-0340,y\nP-0007,z\n", true},
		"numbered names":                       {"x1,x2,y\n0.5,1,no\n2,3,yes\n", false},
		"values that are missing":              {"?,A,\n3,B,x\n4,B,y\n", true},
		"row names without a name":             {",age,sex\n1,39,M\n2,50,F\n", false},
		"a column without a name":              {"age,sex,\n39,M,\n50,F,\n", false},
		"the same name twice":                  {"id,score,score\n1,2,3\n4,5,6\n", false},
		"the same word twice":                  {"no,yes,no\nyes,no,maybe\n", true},
		"the same word twice, no match":        {"red,red\nblue,green\n", true},
		"years":                                {years(1) + "France,FR,1900,2400,2019\nItaly,IT,1800,2100,2500\n", false},
		"years, backwards":                     {years(-1) + "France,FR,1900,2400,2019\nItaly,IT,1800,2100,2500\n", false},
		"every fifth year":                     {years(5) + "France,FR,1900,2400,2019\nItaly,IT,1800,2100,2500\n", true}, // asks, though they are names
		"two years":                            {"country,2019,2020\nFrance,1900,2400\nItaly,1800,2100\n", false},
		"two years, one of which stands below": {"country,2019,2020\nFrance,1900,2020\nItaly,1800,2100\n", true},
		"uneven years":                         {"country,2010,2015,2019\nFrance,1900,2400,2100\nItaly,1800,2100,2000\n", true}, // asks, though they are names
		"columns numbered from 0":              {"0,1,2,3,4,5\n0,0,1,5,2,2\n0,1,2,3,3,1\n", false},
		// asks, though it is a name
		"a number as a name over text":             {"2019\tsex\nlow\tM\nhigh\tF\n", true},
		"decimal commas":                           {"39,5;1,25\n41,0;2,5\n37,5;0,5\n", true},
		"the header once more":                     {"sex,ward\nM,A\nsex,ward\nF,B\n", false},
		"people who are the same":                  {"M,A\nM,A\nF,A\nM,A\n", true},
		"a word for missing, over numbers":         {"unknown,M\n39,M\nunknown,F\n28,M\n", true},
		"a name that stands where a number should": {"age,sex\nage,M\n39,F\n", false},
		"transposed":                               {"person,p1,p2,p3\nage,39,50,28\nsex,M,F,F\nweight,80,61,70\n", false},
		"transposed, without names":                {"age,39,50,28\nsex,M,F,F\nweight,80,61,70\n", true},
		"quotes":                                   {"\"39\",\"M\"\n\"50\",\"F\"\n", true},
		"a title above": {"Export of 2024-05-06\nage,sex\n39,M\n",
			false}, // the next thing said is that the lines differ in fields
		"BOM and CR":        {"\xef\xbb\xbf39,M\r50,F\r28,F\r", true},
		"BOM and CR, named": {"\xef\xbb\xbfage,sex\r50,F\r28,F\r", false},
	} {
		assert.Equal(t, c.person, looksLikeRecord(t, c.text), name)
	}
}

// tables are the published ones, as lines; the first has the names.
func tables(t testing.TB) map[string][]string {
	t.Helper()
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "data")
	}
	out := map[string][]string{}
	for _, pattern := range []string{"*.csv", "more/*.csv"} {
		files, err := filepath.Glob(filepath.Join(folder, pattern))
		require.NoError(t, err)
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			out[strings.TrimSuffix(filepath.Base(file), ".csv")] = strings.Split(
				strings.TrimSpace(string(bytes.ReplaceAll(text, []byte("\r"), nil))), "\n",
			)
		}
	}
	if len(out) == 0 {
		t.Skipf("%s is absent: put the published data there, or set CLOISTER_DATA", folder)
	}
	return out
}

// Names that are numbers, which are rare. The rates are what to expect of them; a
// question costs a click, or a word on the command line.
func TestFirstLinesOfNumbers(t *testing.T) {
	for _, c := range []struct {
		name  string
		of    func(i int) int
		least float64 // share that passes
	}{
		{"0, 1, 2, …", func(i int) int { return i }, 1},
		{"1, 2, 3, …", func(i int) int { return i + 1 }, 1},
		{"2019, 2020, …", func(i int) int { return 2019 + i }, 1},
		{"2000, 2005, 2010, …", func(i int) int { return 2000 + 5*i }, 0},
		{"2000, 2001, 2004, 2009, …", func(i int) int { return 2000 + i*i }, 0},
	} {
		passed, tried := 0, 0
		for _, lines := range tables(t) {
			names := make([]string, strings.Count(lines[0], ",")+1)
			for i := range names {
				names[i] = strconv.Itoa(c.of(i))
			}
			tried++
			if !looksLikeRecord(
				t, strings.Join(names, ",")+"\n"+strings.Join(lines[1:min(len(lines), 3000)], "\n"),
			) {
				passed++
			}
		}
		t.Logf("%s: %d of %d tables pass", c.name, passed, tried)
		assert.GreaterOrEqual(t, float64(passed), c.least*float64(tried), c.name)
	}
}

// A table on its side has a column a person. Its names of people pass; without them
// the first line has one variable of everybody.
func TestFirstLinesOfTablesOnTheirSide(t *testing.T) {
	caught, passed, tried := 0, 0, 0
	for _, lines := range tables(t) {
		names := strings.Split(lines[0], ",")
		side, people := make([]string, len(names)), "variable"
		for i, name := range names {
			side[i] = name
		}
		for k, line := range lines[1:min(len(lines), 31)] {
			people += fmt.Sprint(",person ", k+1)
			for i, field := range strings.Split(line, ",")[:len(names)] {
				side[i] += "," + field
			}
		}
		tried++
		text := strings.Join(side, "\n")
		if looksLikeRecord(t, text) {
			caught++
		}
		if !looksLikeRecord(t, people+"\n"+text) {
			passed++
		}
	}
	t.Logf(
		"of %d tables on their side, %d pass with names of people, %d are caught without", tried,
		passed, caught,
	)
	assert.Equal(t, tried, passed)
}

// The names of every published table pass, and every record in their place is
// caught, whichever record comes first; so they do when only a few records follow.
func TestFirstLines(t *testing.T) {
	caught, passed, tried := map[int]int{}, map[int]int{}, map[int]int{}
	few := []int{1, 2, 3, 5, 10, 30}
	for name, lines := range tables(t) {
		names, records := lines[0], lines[1:]
		text := func(first string, below []string) string {
			end := min(len(below), 1200)
			return first + "\n" + strings.Join(below[:end], "\n") + "\n"
		}
		assert.False(t, looksLikeRecord(t, text(names, records)), "%s: its names", name)
		step := max(1, len(records)/60)
		if testing.Short() {
			step = max(1, len(records)/10)
		}
		all, missed := 0, 0
		for k := 0; k < len(records)-1; k += step {
			all++
			if !looksLikeRecord(t, text(records[k], records[k+1:])) {
				missed++
				t.Logf("%s: record %d passes for names: %s", name, k+1, records[k])
			}
			for _, m := range few {
				below := records[k+1 : min(k+1+m, len(records))]
				tried[m]++
				if looksLikeRecord(t, text(records[k], below)) {
					caught[m]++
				}
				if !looksLikeRecord(t, text(names, below)) {
					passed[m]++
				}
			}
		}
		assert.Zero(t, missed, "%s: of %d", name, all)
	}
	for _, m := range few {
		assert.Equal(t, tried[m], passed[m], "names over %d records", m)
		assert.GreaterOrEqual(t, float64(caught[m]), 0.995*float64(tried[m]), "%d records", m)
		t.Logf(
			"%2d records below: %.2f %% of %d records caught, %.2f %% of names pass", m,
			100*float64(caught[m])/float64(tried[m]), tried[m],
			100*float64(passed[m])/float64(tried[m]),
		)
	}
}
