package fitting

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/solve"
)

// Workers that read a range of the file each release what one worker does, to the last bit: also if
// one dies, of whatever it is asked, or has a range that is not joined.
func TestRangesThatAreReadAheadGiveWhatOneWorkerReleases(t *testing.T) {
	for name, schema := range map[string]map[string]any{
		"dense": tableSchema(false), "sparse": tableSchema(true), "a number": stays(true),
	} {
		if testing.Short() && name != "sparse" {
			continue
		}
		t.Run(name, func(t *testing.T) {
			fit := addRemove(0, map[string]any{"method": "amp"})
			one := newWorkers(t, 1)
			id := one.open(t, schema)
			fit["dataset"] = id
			release := one.fitted(fit)
			opened := one.sessions[0].datasets[int(id)]
			for n := 2; n <= 3; n++ {
				w := newWorkers(t, n)
				id, failed := w.scatterAhead(t, schema, table())
				require.Nil(t, failed)
				fit["dataset"] = id
				assert.Equal(t, n-1, w.ahead)
				assert.Equal(t, n-1, w.joined)
				assert.Zero(t, w.bytes, "no rows are handed over")
				c := w.sessions[0].parted[int(id)]
				assert.Equal(t, opened.Ends[:data.Blocks/n], c.here.Ends)
				assert.Equal(t, opened.Tally, c.here.Tally)
				assert.Equal(t, opened.Layout, c.here.Layout)
				assert.Equal(t, len(opened.Y), c.Rows())
				w.read = 0
				require.Equal(t, release, w.fitted(fit), "%d workers", n)
				assert.Zero(t, w.read)
				whole, err := w.sessions[0].rowsOf(int(id))
				require.NoError(t, err)
				assert.Equal(t, opened.Ends, whole.Ends)
				assert.Equal(t, opened.Y, whole.Y)
				for i := range opened.Y {
					if !assert.Equal(t, opened.X.Row(i), whole.X.Row(i)) {
						break
					}
				}
				if testing.Short() {
					break
				}
			}
			for dies := 1; dies <= 5; dies++ {
				w := newWorkers(t, 3)
				w.dies = dies
				id, failed := w.scatterAhead(t, schema, table())
				require.Nil(t, failed)
				fit["dataset"] = id
				if dies <= 2 {
					assert.Equal(t, 1, w.joined)
				}
				require.Equal(t, release, w.fitted(fit), "death %d", dies)
				if testing.Short() {
					break
				}
			}
		})
	}
}

// Ranges of a file with CR LF and a mark begin where the digest of what is before ends.
func TestRangesOfOtherTexts(t *testing.T) {
	if testing.Short() {
		t.Skip("run natively alone: the same loops")
	}
	schema := tableSchema(true)
	plain := table()
	cells := strings.SplitAfterN(plain, "\n", 2)
	half := len(plain) / 2
	half += strings.IndexByte(plain[half:], '\n') + 1
	record := plain[half : half+strings.IndexByte(plain[half:], '\n')+1]
	quoted := "\"" + strings.Replace(record, ",", "\",", 1)
	for name, c := range map[string]struct {
		text   string
		joined int
	}{
		"CR LF":          {strings.ReplaceAll(plain, "\n", "\r\n"), 1},
		"a mark":         {"\ufeff" + plain, 1},
		"CR":             {strings.ReplaceAll(plain, "\n", "\r"), 0},
		"some CR later":  {plain[:half-9] + strings.ReplaceAll(plain[half-9:], "\n", "\r\n"), 0},
		"quotes":         {cells[0] + strings.Repeat(quoted, len(plain)/len(quoted)) + cells[1], 1},
		"a wrong record": {plain[:half+half/2] + "\n1\n" + plain[half+half/2:], -1},
	} {
		t.Run(name, func(t *testing.T) {
			one := newWorkers(t, 1)
			reply, want := one.edges[0].read(map[string]any{
				"purpose": "dataset", "schema": schema, "size": float64(len(c.text)),
			}, c.text)
			w := newWorkers(t, 2)
			id, failed := w.scatterAhead(t, schema, c.text)
			require.Equal(t, want, failed)
			if want != nil {
				assert.Equal(t, -1, c.joined)
				return
			}
			assert.Equal(t, c.joined, w.joined)
			first := int(reply["dataset"].(int))
			release := one.fitted(addRemove(float64(first), nil))
			assert.Equal(t, release, w.fitted(addRemove(id, nil)))
		})
	}
}

// A range that was not joined is in no sum, whatever the keeper has of it.
func TestARangeThatIsNotJoinedIsForgotten(t *testing.T) {
	schema := tableSchema(true)
	one := newWorkers(t, 1)
	release := one.fitted(addRemove(one.open(t, schema), nil))
	w := newWorkers(t, 2)
	w.other = table()
	at := len(w.other) * 3 / 4
	at += strings.IndexByte(w.other[at:], '\n') + 1
	line := strings.IndexByte(w.other[at:], '\n') + 1
	w.other = w.other[:at] + strings.Repeat("x", line-1) + "\n" + w.other[at+line:]
	id, failed := w.scatterAhead(t, schema, table())
	require.Nil(t, failed)
	assert.Equal(t, 1, w.ahead)
	assert.Zero(t, w.joined)
	assert.Positive(t, w.bytes)
	assert.Equal(t, release, w.fitted(addRemove(id, nil)))
}

func TestRequestsForARangeThatAreWrong(t *testing.T) {
	e := newEdge(t)
	read := map[string]any{
		"schema": tableSchema(true), "names": []any{"a"}, "delimiter": ",", "dense": false,
		"room": 1e9, "from": 3e7, "to": 4e7, "size": 4e7, "first": 6.0, "blocks": 6.0,
	}
	e.refused("shard.end", map[string]any{})
	e.refused("shard.part", map[string]any{"bytes": []byte("1\n")})
	for name, value := range map[string]any{
		"more": 1.0, "delimiter": "ab", "names": 3.0, "schema": map[string]any{},
	} {
		other := map[string]any{}
		for n, v := range read {
			other[n] = v
		}
		other[name] = value
		e.refused("shard.read", other)
	}
	apply := map[string]any{"loss": "logistic", "huberWidth": 1.0, "clip": 1.0, "rowNorm": 1.0}
	e.refused("shard.apply", apply)
	e.refused("shard.rows", map[string]any{"block": 6.0, "rows": 1.0, "bytes": solve.Bytes([]float64{1})})
	id := e.ask("read.open", map[string]any{"purpose": "content"})["reading"]
	e.refused("read.join", map[string]any{"reading": id, "at": 0.0})
}

// The last of three keeps more than twice its share of a file whose beginning is light. It has room
// for that only if the file has room for far more.
func TestARangeHasRoomForTwiceItsShare(t *testing.T) {
	assert.Equal(t, 100., roomOf(100, data.Blocks/2))
	assert.Equal(t, 50., roomOf(100, data.Blocks/4))
	for n := 2; n <= data.Blocks; n++ {
		all := 0.0
		for w := 1; w < n; w++ {
			room := roomOf(1e9, (w+1)*data.Blocks/n-w*data.Blocks/n)
			assert.LessOrEqual(t, room, 1e9)
			all += room
		}
		assert.Less(t, all, 2e9)
	}
	schema := tableSchema(false)
	var text strings.Builder
	plain := table()
	begin := len(plain) * 2 / 3
	text.WriteString(plain[:begin+strings.IndexByte(plain[begin:], '\n')+1])
	for text.Len() < len(plain) {
		text.WriteString("41,A,x,17,no\n52,B,x,30,yes\n")
	}
	one := newWorkers(t, 1)
	reply, failed := one.edges[0].read(map[string]any{
		"purpose": "dataset", "schema": schema, "size": float64(text.Len()),
	}, text.String())
	require.Nil(t, failed)
	id := reply["dataset"].(int)
	release := one.fitted(addRemove(float64(id), nil))
	d := one.sessions[0].datasets[id]
	bytes := float64(d.X.Bytes() + 8*len(d.Y))
	for joined, room := range map[int]float64{1: 1.1 * bytes, 2: 2 * bytes} {
		if testing.Short() && joined > 1 {
			continue // natively
		}
		w := newWorkers(t, 3)
		w.room = room
		id, failed := w.scatterAhead(t, schema, text.String())
		require.Nil(t, failed)
		assert.Equal(t, 2, w.ahead)
		assert.Equal(t, joined, w.joined)
		assert.Equal(t, release, w.fitted(addRemove(id, nil)))
	}
}
