package data

import (
	"encoding/csv"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

type scanned struct {
	line   int
	fields []string
}

// collector takes everything that a scanner finds, the header among it.
type collector struct {
	scanner *scanner
	out     []scanned
}

func (c *collector) header(names []string) *Error {
	c.out = append(c.out, scanned{c.scanner.line, names})
	return nil
}

func (c *collector) record(line int, text []byte, fields []span) *Error {
	record := make([]string, len(fields))
	for i, f := range fields {
		record[i] = string(text[f.start:f.end])
	}
	c.out = append(c.out, scanned{line, record})
	return nil
}

// scanText cuts a text fed in pieces, with a window of its own.
func scanText(text string, delimiter byte, window, piece int) ([]scanned, *Error) {
	c := &collector{}
	s := scanner{sink: c, given: delimiter, buffer: make([]byte, 0, window)}
	c.scanner = &s
	s.begin()
	for rest := text; rest != ""; {
		n := min(piece, len(rest))
		if err := s.write([]byte(rest[:n])); err != nil {
			return c.out, err
		}
		rest = rest[n:]
	}
	return c.out, s.end()
}

func TestScanner(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []scanned
	}{
		"plain":             {"a,b\n1,2\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"no last line end":  {"a,b\n1,2", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"CRLF":              {"a,b\r\n1,2\r\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"CR":                {"a,b\r1,2\r", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"byte order mark":   {"\xef\xbb\xbfa,b\n1,2\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"BOM and quotes":    {"\xef\xbb\xbf\"a\",b\n1,2\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"spaces":            {" a ,\tb \n 1 , 2\t\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"spaces and quotes": {"a,b\n \"1\" ,\t\" 2 \"\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"empty fields":      {"a,b,c\n,,\n\"\",,\n", []scanned{{1, []string{"a", "b", "c"}}, {2, []string{"", "", ""}}, {3, []string{"", "", ""}}}},
		"blank lines":       {"\n  \na,b\n\n \t\n1,2\n\n", []scanned{{3, []string{"a", "b"}}, {6, []string{"1", "2"}}}},
		"blank lines, CR":   {"\r\ra,b\r\r1,2\r", []scanned{{3, []string{"a", "b"}}, {5, []string{"1", "2"}}}},
		"a quoted nothing":  {"a\n\"\"\n", []scanned{{1, []string{"a"}}, {2, []string{""}}}},
		"quotes":            {"a,b\n\"say \"\"hi\"\"\",\"x,y\"\n", []scanned{{1, []string{"a", "b"}}, {2, []string{`say "hi"`, "x,y"}}}},
		"line ends inside":  {"a,b\n\"1\n2\r\n3\r4\",x\n5,6\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1\n2\n3\r4", "x"}}, {6, []string{"5", "6"}}}},
		"a quote inside":    {"a,b\n5\" pipe,6\"\"\n", []scanned{{1, []string{"a", "b"}}, {2, []string{`5" pipe`, `6""`}}}},
		"sep":               {"sep=|\na|b,c\n1|2,3\n", []scanned{{2, []string{"a", "b,c"}}, {3, []string{"1", "2,3"}}}},
		"sep, CRLF":         {"SEP=;\r\na;b\r\n1;2\r\n", []scanned{{2, []string{"a", "b"}}, {3, []string{"1", "2"}}}},
		"semicolons":        {"a;b\n1,5;2\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1,5", "2"}}}},
		"tabs":              {"a\tb\tc\n1\t\t 3\n", []scanned{{1, []string{"a", "b", "c"}}, {2, []string{"1", "", "3"}}}},
		"tabs and quotes":   {"a\tb\n\"1\t2\"\t3\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1\t2", "3"}}}},
		"bars":              {"a|b\n1|2\n", []scanned{{1, []string{"a", "b"}}, {2, []string{"1", "2"}}}},
		"the steady one":    {"a;b,c\n1;2\n3;4\n", []scanned{{1, []string{"a", "b,c"}}, {2, []string{"1", "2"}}, {3, []string{"3", "4"}}}},
		"decimal commas":    {"x;y\n1,5;2,5\n", []scanned{{1, []string{"x", "y"}}, {2, []string{"1,5", "2,5"}}}},
		"one column":        {"a\n1\n", []scanned{{1, []string{"a"}}, {2, []string{"1"}}}},
	} {
		got, err := scanText(c.text, 0, window, len(c.text))
		require.Nil(t, err, name)
		require.Equal(t, c.want, got, name)
		for piece := 1; piece <= len(c.text); piece++ {
			again, err := scanText(c.text, 0, 64, piece)
			require.Nil(t, err, name)
			require.Equal(t, got, again, "%s in pieces of %d", name, piece)
		}
	}
}

// Wherever the window happens to end, the records are the same.
func TestScannerWindows(t *testing.T) {
	text := "\xef\xbb\xbfname, \"second\"\r\n\"a \"\"b\"\"\r\nc\" , 12345\r\r\n\"\",\"\n\"\nplain,\" x \"\n\r\n 5\" ,\"y\""
	want, err := scanText(text, ',', window, len(text))
	require.Nil(t, err)
	require.Equal(
		t,
		[]scanned{{1, []string{"name", "second"}}, {2, []string{"a \"b\"\nc", "12345"}},
			{5, []string{"", "\n"}}, {7, []string{"plain", "x"}}, {9, []string{`5"`, "y"}}},
		want,
	)
	for size := 4; size < 80; size++ {
		for piece := 1; piece < 10; piece++ {
			got, err := scanText(text, ',', size, piece)
			require.Nil(t, err)
			require.Equal(t, want, got, "window %d, pieces of %d", size, piece)
		}
	}
}

func TestDelimiterFromWantedColumns(t *testing.T) {
	schema := smallSchema(t)
	for _, text := range []string{
		"x;c;y;a,b,c,d,e\n1;a;no;\n2;b;yes;\n",
		"x\tc\ty\n1\ta\tno\n2\tb\tyes\n",
		"x|c|y|a,b,c,d,e\n1|a|no|\n2|b|yes|\n",
		"sep=:\nx:c:y\n1:a:no\n2:b:yes\n",
		"a,b,c,d,e,f|x|c|y\n,,,,,|1|a|no\n,,,,,|2|b|yes\n",
	} {
		d, err := Read(strings.NewReader(text), schema, ReadOptions{})
		require.NoError(t, err, text)
		require.Equal(t, []float64{-1, 1}, d.Y)
	}
	d, err := Read(
		strings.NewReader("x#c#y\n1#a#no\n2#b#yes\n"), schema, ReadOptions{Delimiter: '#'},
	)
	require.NoError(t, err)
	require.Equal(t, 2, d.X.Rows())
	for _, c := range []byte{'"', '\n', '\r', 'a', '5', '.', '-', 0x80} {
		_, err := NewParser(schema, ReadOptions{Delimiter: c})
		require.ErrorContains(t, err, "cannot separate fields")
	}
}

// standard reads with encoding/csv what a scanner would be given; ok is false
// where encoding/csv refuses it.
func standard(text string, delimiter byte) (out []scanned, ok bool) {
	r := csv.NewReader(strings.NewReader(strings.TrimPrefix(text, "\xef\xbb\xbf")))
	r.Comma = rune(delimiter)
	r.FieldsPerRecord = -1
	r.TrimLeadingSpace = delimiter != '\t'
	for {
		record, err := r.Read()
		if err == io.EOF {
			return out, true
		}
		if err != nil {
			return out, false
		}
		line, _ := r.FieldPos(0)
		for i, field := range record {
			record[i] = strings.Trim(field, " \t")
		}
		out = append(out, scanned{line, record})
	}
}

// comparable reports whether a text is in the common ground of the two
// readers: they differ on purpose in line ends of CR alone, in blanks outside
// ASCII before a quote, and in Excel's first line.
func comparable(text string) bool {
	text = strings.ReplaceAll(text, "\r\n", "\n")
	lower := strings.ToLower(strings.TrimLeft(strings.TrimPrefix(text, "\xef\xbb\xbf"), " \t\n"))
	return !strings.ContainsAny(
		text,
		"\r\v\f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000",
	) &&
		!strings.HasPrefix(lower, "sep=") &&
		!strings.Contains(text, "\xc2") &&
		!strings.Contains(text, "\x00")
}

func withoutBlank(records []scanned) []scanned {
	var out []scanned
	for _, r := range records {
		if len(r.fields) > 1 || r.fields[0] != "" {
			out = append(out, r)
		}
	}
	return out
}

func TestScannerAgainstEncodingCSV(t *testing.T) {
	var s sequence
	alphabet := []string{
		",",
		",",
		"\n",
		"\n",
		"\r\n",
		"\"",
		"\"\"",
		"a",
		"bc",
		"1.5",
		" ",
		"\"x\"",
		"\"x,\ny\"",
		"\t",
		";",
	}
	accepted := 0
	for range 10000 {
		text := ""
		for range s.below(25) {
			text += alphabet[s.below(len(alphabet))]
		}
		accepted += compareWithStandard(t, text, ',')
	}
	require.Greater(t, accepted, 2000, "the comparison has power")
}

// compareWithStandard returns 1 if encoding/csv accepts the text.
func compareWithStandard(t *testing.T, text string, delimiter byte) int {
	if !comparable(text) {
		return 0
	}
	theirs, ok := standard(text, delimiter)
	ours, err := scanText(text, delimiter, 256, len(text)+1)
	if !ok {
		return 0 // theirs refuses bare quotes, and blanks after a closing one, which ours takes
	}
	theirs = withoutBlank(theirs)
	if len(theirs) == 0 && err != nil && err.Kind == NoRows {
		return 1
	}
	if sniffed(err) {
		return 0
	}
	require.Nil(t, err, "%q", text)
	require.Equal(t, theirs, withoutBlank(ours), "%q", text)
	return 1
}

func TestScannerRefusesWhatEncodingCSVRefusesForQuotes(t *testing.T) {
	for text, message := range map[string]string{
		"a,b\n1,\"2\n3,4\n":            `row 2, column "b": a quote (") is opened in field 2 of the record that begins here, and never closed. Close it; a quote inside a quoted field is written twice ("").`,
		"a,b\n\"1\"2,3\n":              `row 2, column "a": text follows the closing quote of field 1. A quote inside a quoted field is written twice ("").`,
		"a,b\n\n1,2\n\"\n\n\" 3\",4\n": `row 4, column "a": text follows the closing quote of field 1. A quote inside a quoted field is written twice ("").`,
		"\"a\"b,c\n":                   `row 1: text follows the closing quote of field 1. A quote inside a quoted field is written twice ("").`,
		"\"a":                          `row 1: a quote (") is opened in field 1 of the record that begins here, and never closed. Close it; a quote inside a quoted field is written twice ("").`,
	} {
		_, ok := standard(text, ',')
		require.False(t, ok)
		for _, size := range []int{8, window} {
			_, err := scanText(text, ',', size, 3)
			require.EqualError(t, err, message)
		}
	}
}

func TestRecordsAreBounded(t *testing.T) {
	s := scanner{sink: &blackhole{}, given: ','}
	s.begin()
	require.Nil(t, s.write([]byte("a,b\n1,2\n\"")))
	chunk := []byte(strings.Repeat("x\n", 1<<19))
	var err *Error
	written := 0
	for err == nil && written < 4*maxRecord {
		err = s.write(chunk)
		written += len(chunk)
	}
	require.EqualError(
		t,
		err,
		`row 3: the record that begins here is longer than 16 MiB. Look for a quote (") that is opened here and never closed.`,
	)
	require.LessOrEqual(t, cap(s.buffer), maxRecord)
}

// sniffed reports whether a file was refused by its first bytes.
func sniffed(err *Error) bool { return err != nil && (err.Kind == NotCSV || err.Kind == NotUTF8) }
