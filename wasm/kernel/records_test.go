//go:build js && wasm

package kernel

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/random/randomtest"
)

// files draws schemas and CSV texts for them.
type files struct{ draws }

func (f files) of(texts ...string) string { return texts[f.below(len(texts))] }

// seldom is a text that is odd once in so many times.
func (f files) seldom(times int, usual string, odd ...string) string {
	if f.below(times) > 0 {
		return usual
	}
	return f.of(odd...)
}

// schema is of two numbers, one of them by its logarithm, and a category.
func (f files) schema(t testing.TB) *data.Schema {
	t.Helper()
	label := f.of(
		`"name":"y","negative":["no"],"positive":["yes","1"]`,
		`"name":"y","type":"classes","classes":[["no"],["yes","1"],["perhaps"]],"missing":"drop"`,
		`"name":"y","type":"numeric","min":-3,"max":7.5,"missing":"drop"`,
	)
	schema, err := data.ParseSchema([]byte(`{"version":7,"features":[` +
		`{"name":"x","type":"numeric","min":-5,"max":1000,"missing":2,"provenance":"public"},` +
		`{"name":"l","type":"numeric","min":0,"max":50,"log":true,"missing":"` +
		f.of("drop", "indicator") + `","provenance":"public"},` +
		`{"name":"c","type":"categorical","categories":["a","b b","é","a longer one, with a comma",` +
		`"12"],"missing":"` + f.of("zero", "indicator") + `",` +
		`"unknown":"` + f.of("zero", "drop") + `","provenance":"public"}],` +
		`"missing_values":["","NA"` + f.of("", `,"-9"`) + `],` +
		`"label":{` + label + `,"provenance":"public"},` +
		`"rows":{"norm":"` + f.of("clip", "unit", "scale") + `"},"intercept":` + f.of("0", "1") + `}`))
	require.NoError(t, err)
	return schema
}

// number is mostly one that is plain.
func (f files) number() string {
	return f.seldom(12, f.of("0", "1", "12", "3.25", "7.", ".5", "+4", "49.99999999999999"),
		"-0", "-5", "1e2", "9007199254740992", "9007199254740993", "0.1234567890123456789",
		"0.00000000000000000000001", "0.0000000000000000000001", "1000", "1000.0000000001", "-9",
		"NA", "", "1.2.3", ".", "-", "nan", "1e999", "0x1", "1_0", "१")
}

func (f files) text(schema *data.Schema) string {
	delimiter, end := f.of(",", ";", "\t", "|"), f.seldom(3, "\n", "\r\n")
	label := []string{"no", "yes"}
	switch schema.Label.Type {
	case data.NumericLabel:
		label = []string{"1", "2.5", "-3", "9"}
	case data.SeveralClasses:
		label = append(label, "perhaps", "1")
	}
	field := func(text string) string {
		quotes := f.seldom(8, "", `"`)
		if strings.Contains(text, delimiter) {
			quotes = `"`
		}
		before, after := f.seldom(9, "", " ", "\t", "  \t "), f.seldom(9, "", " ", "   ", "\t")
		return before + quotes + f.seldom(15, "", " ") + text + f.seldom(15, "", " ") + quotes + after
	}
	var out strings.Builder
	out.WriteString(strings.Join([]string{"u", "l", "c", "x", "y"}, delimiter) + end)
	for range 1 + f.below(20) {
		fields := []string{
			f.seldom(20, f.of("", "someone", "1"), `"`, `o"n`, `"a""b"`, "\"a\nb\"", "\"a\r\nb\"",
				strings.Repeat("long ", 30)),
			field(f.number()),
			field(f.seldom(12, f.of("a", "b b", "é", "a longer one, with a comma", "12"),
				"A", "", "NA", "a longer one, with a comm")),
			field(f.number()),
			field(f.seldom(60, f.of(label...), "", "NA", "other")),
		}
		if f.below(300) == 0 {
			fields = fields[:4]
		}
		out.WriteString(strings.Join(fields, delimiter) + f.seldom(30, end, "\n", "\r", "\n\n", " \n"))
	}
	return out.String()
}

// Whatever the file, it is read as Go's loops read it: the rows to the last bit, what became of its
// fields, the ends of its blocks, and which error it meets where.
func TestRecords(t *testing.T) {
	require.True(t, Use())
	defer Use()
	taken, whole := 0, 0
	counting := data.Kernel{Records: func(p *data.Plain) int {
		n := reading.Records(p)
		taken += n
		return n
	}, Rows: reading.Rows}
	for seed := range uint64(6000) {
		f := files{draws{randomtest.New(seed)}}
		schema := f.schema(t)
		text := f.text(schema)
		if seed%10 == 0 { // longer than the reader's window
			_, body, _ := strings.Cut(text, "\n")
			text += strings.Repeat(body, 70_000/len(body)+1)
		}
		options := data.ReadOptions{Size: int64(len(text)) * int64(f.below(2))}
		data.UseKernel(&counting)
		byKernel, errKernel := data.Read(strings.NewReader(text), schema, options)
		data.UseKernel(nil)
		byGo, errGo := data.Read(strings.NewReader(text), schema, options)
		require.Equal(t, errGo, errKernel, "%q", text)
		require.Equal(t, byGo, byKernel, "%q", text)
		if errGo == nil {
			whole++
		}
	}
	assert.Greater(t, whole, 1000)
	assert.Greater(t, taken, 10_000)
}

// Records of a file of known size are taken many at a time, and are nevertheless refused at the
// row, and cut into blocks, as Go's loops do.
func TestManyRecords(t *testing.T) {
	require.True(t, Use())
	defer Use()
	refused := map[data.Kind]int{}
	read := func(text string, schema *data.Schema, options data.ReadOptions) *data.Dataset {
		options.Size = int64(len(text))
		data.UseKernel(&reading)
		byKernel, errKernel := data.Read(strings.NewReader(text), schema, options)
		data.UseKernel(nil)
		byGo, errGo := data.Read(strings.NewReader(text), schema, options)
		require.Equal(t, errGo, errKernel)
		require.True(t, assert.ObjectsAreEqual(byGo, byKernel))
		if err, ok := errGo.(*data.Error); ok {
			refused[err.Kind]++
		}
		return byGo
	}
	for seed := range uint64(20) {
		f := files{draws{randomtest.New(seed)}}
		schema := f.schema(t)
		var out strings.Builder
		out.WriteString("x,l,c,y\n")
		for range 4096 + f.below(9000) {
			out.WriteString(f.of("1", "12", "3.25", "-4.5") + "," + f.of("0", "7", "49") + "," +
				f.of("a", "b b", "é") + "," +
				f.of("1", "1", "1\n1,NA,a,1", f.seldom(9, "1", "\"1\"")) + "\n")
		}
		text := out.String()
		whole := read(text, schema, data.ReadOptions{})
		if whole == nil {
			continue
		}
		most := int64(whole.X.Bytes() + 8*len(whole.Y))
		for range 3 {
			read(text, schema, data.ReadOptions{MaxMatrixBytes: 1 + most*int64(f.below(1000))/999})
		}
		if seed < 2 {
			times := data.Large/len(text) + 1
			_, body, _ := strings.Cut(text, "\n")
			large := read("x,l,c,y\n"+strings.Repeat(body, times), schema, data.ReadOptions{})
			require.Len(t, large.Ends, data.Blocks)
		}
	}
	assert.Greater(t, refused[data.TooLarge], 10)
}

// Categories that differ in one byte, wherever it stands, are told apart.
func TestLikeCategories(t *testing.T) {
	require.True(t, Use())
	defer Use()
	const long = "abcdefghijklmnopqrstuvwxyzabcdefghijk"
	names := []string{`"z"`}
	texts := []string{"z"}
	for n := 1; n <= len(long); n++ {
		for _, at := range []int{0, n / 2, n - 1} {
			for _, other := range []string{long[:n], long[:at] + "0" + long[at+1:n]} {
				texts = append(texts, other, long[:at]+"1"+long[at+1:n])
				if name := `"` + other + `"`; !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	schema, err := data.ParseSchema([]byte(`{"version":7,"features":[{"name":"c",` +
		`"type":"categorical","categories":[` + strings.Join(names, ",") +
		`],"unknown":"zero","provenance":"public"}],` +
		`"label":{"name":"y","negative":["no"],"positive":["yes"],"provenance":"public"},` +
		`"rows":{"norm":"clip"},"intercept":1}`))
	require.NoError(t, err)
	text := "c,y\n"
	for i, c := range texts {
		text += c + "," + []string{"no", "yes"}[i%2] + "\n"
	}
	byKernel, err := data.Read(strings.NewReader(text), schema, data.ReadOptions{})
	require.NoError(t, err)
	data.UseKernel(nil)
	byGo, err := data.Read(strings.NewReader(text), schema, data.ReadOptions{})
	require.NoError(t, err)
	require.Equal(t, byGo, byKernel)
	require.Positive(t, byGo.Tally.Features[0].Unknown)
}
