package fitting

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
	"cloister/wasm/api"
	"cloister/wasm/wire/wiretest"
)

// workers are sessions as so many workers have them: the first reads and fits.
type workers struct {
	sessions []*Session
	edges    []*edge
	numbers  []any // of the others

	asked, dies int      // requests to the others, and the one that the asked one dies of
	methods     []string // of the requests
	bytes       int      // of rows that they were sent

	text  string // of the file that the first one reads
	read  int    // requests for its bytes
	ended []int  // workers that were let go
	sums  func() // nil, or called where sums are asked for

	ahead, joined int     // ranges that were asked for, and joined
	room          float64 // bytes of the matrix; 0: as usual
	other         string  // in place of the text for those who read ranges; "": no other
}

// readAhead is what the script of worker k answers that reads a range.
func (w *workers) readAhead(k int, params map[string]any) (map[string]any, error) {
	w.ahead++
	text := w.text
	if w.other != "" {
		text = w.other
	}
	from, to := int(params["from"].(float64)), int(params["to"].(float64))
	at := from
	if params["cr"].(bool) {
		at -= strings.Count(text[:from], "\r\n")
	}
	if params["mark"].(bool) {
		at -= 3
	}
	own := maps.Clone(params)
	for _, name := range []string{"file", "cr", "mark"} {
		delete(own, name)
	}
	if _, failed := w.edges[k].service.Answer("shard.read", own, nil); failed != nil {
		return nil, failed
	}
	for ; from < to; from += 1 << 20 {
		bytes := []byte(text[from:min(to, from+1<<20)])
		_, failed := w.edges[k].service.Answer("shard.part", map[string]any{"bytes": bytes}, nil)
		if failed != nil {
			return nil, failed
		}
	}
	reply, failed := w.edges[k].service.Answer("shard.end", map[string]any{}, nil)
	if failed != nil {
		return nil, failed
	}
	maps.Copy(reply, map[string]any{
		"at": float64(at), "head": []byte{1}, "digests": []byte{2}, "tail": []byte{}, "ends": 1.0,
	})
	return reply, nil
}

// fileNumber is what the first worker asks its file by.
const fileNumber = 99

func newWorkers(t *testing.T, n int) *workers {
	w := &workers{}
	for k := range n {
		s := NewSession(randomtest.New(7))
		w.sessions, w.edges = append(w.sessions, s), append(
			w.edges, &edge{t, wiretest.Hold(s.Service())},
		)
		if k > 0 {
			w.numbers = append(w.numbers, float64(k))
		}
	}
	w.sessions[0].SetOthers(w)
	return w
}

func (w *workers) Ask(k int, method string, params map[string]any) func() (map[string]any, error) {
	gone := func() (map[string]any, error) { return nil, &api.Error{Code: "crashed", Message: "It died."} }
	switch {
	case k == fileNumber:
		w.read++
		from, to := int(params["from"].(float64)), int(params["to"].(float64))
		text := w.text[min(from, len(w.text)):min(to, len(w.text))]
		return func() (map[string]any, error) { return map[string]any{"bytes": []byte(text)}, nil }
	case method == "worker.end":
		w.ended = append(w.ended, k)
		return gone
	}
	w.methods = append(w.methods, method)
	if w.asked++; w.asked == w.dies || slices.Contains(w.ended, k) {
		return gone
	}
	if method == "shard.sums" && w.sums != nil {
		w.sums()
	}
	if method == "shard.read" {
		reply, err := w.readAhead(k, params)
		return func() (map[string]any, error) { return reply, err }
	}
	sent, _ := params["bytes"].([]byte)
	w.bytes += len(sent)
	if optimum, ok := params["optimum"].([]byte); ok {
		// Messages are copies; who is asked clears this one.
		params = maps.Clone(params)
		params["optimum"] = slices.Clone(optimum)
	}
	reply, err := w.edges[k].service.Answer(method, params, nil)
	return func() (map[string]any, error) {
		if err != nil {
			return nil, err
		}
		return reply, nil
	}
}

func (w *workers) spreading() *spreading {
	var numbers []float64
	for _, n := range w.numbers {
		numbers = append(numbers, n.(float64))
	}
	return w.sessions[0].spreading(numbers)
}

func parts[B solve.Part](blocks []B) (out []solve.Part) {
	for _, b := range blocks {
		out = append(out, b)
	}
	return out
}

func (w *workers) open(t *testing.T, schema map[string]any) float64 {
	reply, failed := w.edges[0].read(
		map[string]any{"purpose": "dataset", "schema": schema, "size": float64(len(table()))},
		table(),
	)
	require.Nil(t, failed)
	return float64(reply["dataset"].(int))
}

// scatter opens the table so that all workers keep a part of it.
func (w *workers) scatter(t *testing.T, schema map[string]any) float64 {
	w.text = table()
	reply, failed := w.edges[0].read(map[string]any{
		"purpose": "dataset", "schema": schema, "size": float64(len(w.text)),
		"keepers": w.numbers, "file": float64(fileNumber),
	}, w.text)
	require.Nil(t, failed)
	return float64(reply["dataset"].(int))
}

// scatterAhead opens a text so that all workers read a range of it each, as the worker's script
// does.
func (w *workers) scatterAhead(
	t *testing.T, schema map[string]any, text string,
) (float64, *api.Error) {
	w.text = text
	e := w.edges[0]
	open := map[string]any{
		"purpose": "dataset", "schema": schema, "size": float64(len(text)),
		"keepers": w.numbers, "file": float64(fileNumber), "apart": true,
	}
	if w.room > 0 {
		open["room"] = w.room
	}
	reading := e.ask("read.open", open)["reading"]
	e.ask("read.part", map[string]any{"reading": reading})
	var cuts []float64
	var pairs int // CR LF, and bytes of a mark
	if strings.HasPrefix(text, "\ufeff") {
		pairs = 3
	}
	for at := 0; at < len(text); {
		end := min(len(text), at+2<<20)
		if len(cuts) > 0 {
			end = min(end, int(cuts[0]))
		}
		pairs += strings.Count(text[at:end], "\r\n")
		if at > 0 && text[at-1:at+1] == "\r\n" {
			pairs++
		}
		reply, failed := e.service.Answer("read.append", map[string]any{
			"reading": reading, "bytes": []byte(text[at:end]),
		}, nil)
		if failed != nil {
			return 0, failed
		}
		if more, ok := reply["cuts"].([]float64); ok {
			require.Greater(t, int(more[0]), end+2<<20)
			cuts = more
		}
		for at = end; len(cuts) > 0 && at == int(cuts[0]); {
			reply, failed := e.service.Answer("read.join", map[string]any{
				"reading": reading, "at": float64(at - pairs),
			}, nil)
			if failed != nil {
				return 0, failed
			}
			if cuts = cuts[1:]; reply["joined"] == false {
				break
			}
			w.joined++
			end := len(text)
			if len(cuts) > 0 {
				end = int(cuts[0])
			}
			pairs += strings.Count(text[at:end], "\r\n")
			at = end
		}
	}
	digest := make([]byte, 32)
	reply, failed := e.service.Answer(
		"read.finish", map[string]any{"reading": reading, "digest": digest}, nil,
	)
	if failed != nil {
		return 0, failed
	}
	return float64(reply["dataset"].(int)), nil
}

// labelled is the schema with another label, and without the column that is it.
func labelled(schema map[string]any, name string, more map[string]any) map[string]any {
	features := schema["features"].([]any)
	schema["features"] = slices.DeleteFunc(slices.Clone(features), func(f any) bool {
		return f.(map[string]any)["name"] == name
	})
	label := map[string]any{"name": name, "missing": "drop", "provenance": "public"}
	maps.Copy(label, more)
	schema["label"] = label
	return schema
}

// inThreeWards is a schema of several classes, and stays one of numbers.
func inThreeWards() map[string]any {
	return labelled(tableSchema(true), "ward", map[string]any{
		"type": "classes", "classes": []any{[]any{"A"}, []any{"B", "C"}, []any{"D", "E"}},
	})
}

func stays(sparse bool) map[string]any {
	return labelled(tableSchema(sparse), "stay", map[string]any{
		"type": "numeric", "min": 0.0, "max": 60.0,
	})
}

// table is a large file: people that never were. Long notes make the rows few, which fits take
// time for; with longer ones it would not pay to hand rows over.
var table = sync.OnceValue(func() string {
	state := uint32(1)
	below := func(n int) int { // any numbers will do
		state = state*1664525 + 1013904223
		return int(state>>8) % n
	}
	var text strings.Builder
	text.WriteString("age,ward,note,stay,sick\n")
	note := strings.Repeat("x", 300)
	for text.Len() < data.Large {
		age, ward, stay := 17+below(74), "ABCDE"[below(5)], below(50)
		sick := "no"
		if below(100) < age/2+stay {
			sick = "yes"
		}
		fmt.Fprintf(&text, "%d,%c,%s,%d,%s\n", age, ward, note, stay, sick)
	}
	return text.String()
})

// tableSchema is one with categories, whose rows are sparse, or without.
func tableSchema(sparse bool) map[string]any {
	feature := func(name string, top float64) map[string]any {
		return map[string]any{
			"name":       name,
			"type":       "numeric",
			"min":        0.0,
			"max":        top,
			"missing":    "drop",
			"provenance": "public",
		}
	}
	features := []any{feature("age", 100), feature("stay", 60)}
	if sparse {
		features = append(
			features,
			map[string]any{
				"name":       "ward",
				"type":       "categorical",
				"categories": []any{"A", "B", "C", "D", "E"},
				"missing":    "drop",
				"unknown":    "error",
				"provenance": "public",
			},
		)
	}
	return map[string]any{
		"version":  2.0,
		"features": features,
		"label": map[string]any{
			"name":       "sick",
			"negative":   []any{"no"},
			"positive":   []any{"yes"},
			"missing":    "drop",
			"provenance": "public",
		},
		"rows": map[string]any{"norm": "clip"}, "intercept": 0.5,
	}
}

// From the same noise, any number of workers release the same to the last bit;
// and so they do if one of them dies, whatever it is asked.
func TestSeveralWorkersReleaseWhatOneDoes(t *testing.T) {
	for _, c := range []struct {
		name   string
		schema map[string]any
		more   map[string]any
	}{
		{"sparse", tableSchema(true), nil},
		{"dense", tableSchema(false), nil},
		{"another loss", tableSchema(true), map[string]any{"loss": "huber", "huberWidth": 0.5}},
		{"another method", tableSchema(true), map[string]any{"method": "outpert", "records": 1e5}},
		{"one fit a class", inThreeWards(), map[string]any{"loss": "logistic"}},
		{"softmax", inThreeWards(), map[string]any{"loss": "softmax"}},
		{"a number", stays(true), nil},
		{"moments", stays(true), map[string]any{"method": "suffstats"}},
		{"dense moments", stays(false), map[string]any{"method": "suffstats"}},
	} {
		if testing.Short() && c.name != "dense" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			var release map[string]any
			for n := 1; n <= 4; n++ {
				if c.name != "sparse" && n%2 == 0 && !testing.Short() {
					continue // natively two and four workers fit "sparse" alone
				}
				w := newWorkers(t, n)
				fit := map[string]any{
					"dataset":   w.open(t, c.schema),
					"adjacency": "add-remove",
					"epsilon":   1.0,
					"delta":     1e-6,
				}
				for name, value := range c.more {
					fit[name] = value
				}
				fit["workers"] = w.numbers
				deaths := []int{0, 1, 2, 3, 7, 9, 12, 16}
				if c.more["method"] == "suffstats" {
					deaths = deaths[:5] // it asks for sums once
				} else if n == 3 {
					deaths = []int{0, 1, 3, 9, 16}
				}
				for _, w.dies = range deaths {
					w.sessions[0].source, w.asked = entropy{randomtest.New(7)}, 0
					reply := w.edges[0].ask("fit", fit)
					delete(reply["diagnostics"].(map[string]any), "milliseconds")
					if release == nil {
						release = reply
					}
					require.Equal(
						t, release, reply, "%d workers, one of which dies of request %d", n, w.dies,
					)
					if n == 1 {
						assert.Zero(t, w.asked)
						break
					}
					assert.GreaterOrEqual(t, w.asked, max(w.dies, 1))
					if n > 3 {
						break
					}
				}
				if testing.Short() && n == 2 {
					break
				}
			}
		})
	}
}

// All that a solver asks for is what the blocks give here: clipped losses, and
// blocks of no rows, too.
func TestSumsOfAnotherWorker(t *testing.T) {
	clipped, err := glm.Clip(glm.Logistic{}, 0.3)
	require.NoError(t, err)
	rows := &solve.Rows{
		Start: []int{
			0,
			2,
			3,
			5,
			6,
		}, Index: []int32{0, 2, 1, 0, 1, 2}, Entry: []float64{0.5, 0.25, 1, 0.75, -0.5, 0.125},
		Label: []float64{
			1,
			-1,
			-1,
			1,
		}, Norm: []float64{0.56, 1, 0.91, 0.125}, Columns: 3, Loss: clipped,
	}
	theta := []float64{0.3, -2, 11}
	for _, dies := range []int{0, 1, 6, 7, 8} {
		w := newWorkers(t, 3)
		w.dies = dies
		ends := []int{1, 1, 2, 3, 3, 4}
		here := parts(solve.NewBlocks(rows, ends))
		there := parts(w.spreading().spread(rows, 0, ends))
		want := solve.NewObjective(0.1, theta, here...)
		have := solve.NewObjective(0.1, theta, there...)
		assert.Equal(t, want.Value(theta), have.Value(theta))
		assert.Equal(t, want.Certify(theta), have.Certify(theta))
		halves := append(slices.Clone(theta), 0x1p-55, -0x1p-54, 0x1p-51)
		assert.Equal(t, want.Certify(halves), have.Certify(halves))
		g, h := [2][]float64{
			make([]float64, 3),
			make([]float64, 3),
		}, [2]*solve.Packed{
			solve.NewPacked(3),
			solve.NewPacked(3),
		}
		want.Derivatives(theta, g[0], h[0])
		have.Derivatives(theta, g[1], h[1])
		assert.Equal(t, g[0], g[1])
		assert.Equal(t, h[0], h[1])
		for k := range there {
			a, b := here[k].(solve.Thinner).Thin(2).(solve.Thinner),
				there[k].(solve.Thinner).Thin(2).(solve.Thinner)
			assert.Equal(t, a.Records(), b.Records())
			assert.Equal(t, a.Costly(), b.Costly())
		}
		assert.Positive(t, w.asked)
	}
	w := newWorkers(t, 2)
	gradient := make([]float64, 3)
	there := parts(w.spreading().spread(rows, 0, []int{2, 4}))
	objective := solve.NewObjective(0.1, nil, there...)
	objective.Derivatives([]float64{math.NaN(), 0, 0}, gradient, nil)
	assert.True(t, math.IsNaN(gradient[0]), "an overflow is passed on")

	// Sums at another point, of other rows, or of another kind are not taken for those that are
	// asked.
	objective.Derivatives(theta, gradient, nil)
	want := make([]float64, 3)
	zero := make([]float64, 3)
	blocks := solve.NewBlocks(rows, []int{2, 4})
	blocks[1].Derivatives(zero, want, nil)
	have := make([]float64, 3)
	there[1].Derivatives(zero, have, nil)
	assert.Equal(t, want, have)
	clear(want)
	clear(have)
	blocks[1].Thin(2).Derivatives(theta, want, nil)
	there[1].(solve.Thinner).Thin(2).Derivatives(theta, have, nil)
	assert.Equal(t, want, have)
}

func TestRequestsToAShardThatAreWrong(t *testing.T) {
	e := newEdge(t)
	open := func(name string, value any) map[string]any {
		tree := map[string]any{
			"ends": []any{1.0}, "norms": 1.0, "entries": 2.0, "columns": 2.0, "sparse": false,
			"classes": 0.0, "loss": "logistic", "huberWidth": 1.0, "clip": 1.0,
		}
		tree[name] = value
		return tree
	}
	pose := func(classes float64) map[string]any {
		return map[string]any{"norms": 0.0, "classes": classes}
	}
	sums := func(columns int, every, next float64) map[string]any {
		return map[string]any{"theta": make([]byte, 8*columns), "every": every, "next": next}
	}
	fill := func(n int) map[string]any { return map[string]any{"bytes": make([]byte, n)} }
	e.refused("shard.sums", sums(2, 1, 1))
	e.refused("shard.fill", fill(1))
	e.refused("shard.pose", pose(0))
	e.refused("shard.open", open("loss", "hinge"))
	e.refused("shard.open", open("clip", -1.0))
	e.refused("shard.open", open("more", 1.0))
	e.ask("shard.open", open("clip", 2.0))
	e.ask("shard.fill", fill(31))
	e.refused("shard.sums", sums(2, 1, 1))
	e.ask("shard.fill", fill(1))
	e.refused("shard.fill", fill(1))
	e.refused("shard.sums", sums(1, 1, 1))
	e.refused("shard.sums", sums(2, 0, 1))
	e.refused("shard.sums", sums(2, 2, 2))
	e.refused("shard.sums", sums(4, 1, 1)) // a sum of two halves is certified alone
	e.refused("shard.sums", sums(6, 1, 2))
	assert.Len(t, e.ask("shard.sums", sums(2, 1, 0))["numbers"], 16)
	e.refused("shard.sums", sums(2, 1, 3)) // of a softmax alone
	e.refused("shard.sums", sums(1, 2, 4))
	e.refused("shard.sums", sums(2, 1, 5))
	assert.Len(t, e.ask("shard.sums", sums(4, 1, 2))["numbers"], 8*(1+4*2+1))
	assert.Len(t, e.ask("shard.sums", sums(1, 1, 4))["numbers"], 8*(3+2+1))
	e.ask("shard.pose", pose(3))
	e.refused("shard.pose", pose(3)) // labels are awaited
	e.refused("shard.sums", sums(6, 1, 0))
	e.ask("shard.fill", fill(8))
	e.refused("shard.sums", sums(2, 1, 0))
	e.refused("shard.sums", sums(1, 1, 4))
	assert.Len(t, e.ask("shard.sums", sums(6, 1, 3))["numbers"], 8*3*(2+3))
}

// Of a softmax too the blocks are what they are here; rows that a worker has are not sent again.
func TestScoresOfAnotherWorker(t *testing.T) {
	rows := &solve.Rows{Columns: 4, BlockRows: 200, Block: [][]float64{nil, nil}}
	source := randomtest.New(3)
	for i := range 300 {
		word, _ := source.Uint64()
		rows.Label = append(rows.Label, float64(word%3))
		for range 4 {
			word, _ := source.Uint64()
			rows.Block[i/200] = append(rows.Block[i/200], float64(word>>11)*0x1p-53)
		}
	}
	ends := []int{20, 120, 120, 210, 260, 300}
	theta := make([]float64, 12)
	for j := range theta {
		theta[j] = float64(j%5) - 2
	}
	for _, dies := range []int{0, 1, 2, 3, 5, 8, 10, 11, 12, 13, 40} {
		w := newWorkers(t, 4)
		w.dies = dies
		others := w.spreading()
		for turn, sent := range []int{6 * 80 * (4 + 1), 6 * 80} { // of numbers, at most
			posed := *rows
			posed.Label = slices.Clone(rows.Label)
			for i := range posed.Label {
				posed.Label[i] = math.Mod(posed.Label[i]+float64(turn), 3)
			}
			w.bytes = 0
			scores := &solve.Scores{Rows: &posed, Classes: 3}
			here := solve.NewObjective(0.1, nil, parts(solve.NewScoreBlocks(scores, ends))...)
			there := solve.NewObjective(0.1, nil, parts(others.spread(&posed, 3, ends))...)
			assert.LessOrEqual(t, w.bytes, 8*sent)
			for _, solver := range []solve.Solver{solve.Newton, solve.Blockwise} {
				want, err := solver(t.Context(), here, solve.Options{Tolerance: 1e-6})
				require.NoError(t, err)
				have, err := solver(t.Context(), there, solve.Options{Tolerance: 1e-6})
				require.NoError(t, err)
				require.Equal(t, want, have, "death %d", dies)
			}
			assert.Equal(t, here.Value(theta), there.Value(theta))
			halves := append(slices.Clone(theta), make([]float64, 12)...)
			halves[13] = 0x1p-55
			assert.Equal(t, here.Certify(halves), there.Certify(halves))
		}
		assert.Greater(t, w.asked, dies)
	}
}
