package fitting

import (
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/nativetest"
	"cloister/core/random/randomtest"
	"cloister/core/solve"
	"cloister/wasm/api"
)

// long reports whether CLOISTER_AUDIT=long asks for every case.
func long() bool { return os.Getenv("CLOISTER_AUDIT") == "long" }

func addRemove(id float64, more map[string]any) map[string]any {
	fit := map[string]any{
		"dataset": id, "adjacency": "add-remove", "epsilon": 1.0, "delta": 1e-6,
	}
	maps.Copy(fit, more)
	return fit
}

// fitted is a fit with the noise of a first one.
func (w *workers) fitted(fit map[string]any) map[string]any {
	w.sessions[0].source = entropy{randomtest.New(7)}
	reply := w.edges[0].ask("fit", fit)
	delete(reply["diagnostics"].(map[string]any), "milliseconds")
	return reply
}

// Workers that keep the rows they were handed release what one worker does, to the last bit: also
// if one of them dies, of whatever it is asked while the file is read or later. (Every death of
// three workers with dense rows, and a third of two workers'; CLOISTER_AUDIT=long: all.)
func TestRowsThatStayGiveWhatOneWorkerReleases(t *testing.T) {
	for _, c := range []struct {
		name   string
		schema map[string]any
		more   map[string]any
	}{
		{"dense", tableSchema(false), nil},
		{"sparse", tableSchema(true), nil},
		{"another loss", tableSchema(true), map[string]any{"loss": "huber", "huberWidth": 0.5}},
		{"another method", tableSchema(true), map[string]any{"method": "outpert", "records": 1e5}},
		{"a number", stays(true), map[string]any{"method": "amp"}},
		{"one class after the other", inThreeWards(), map[string]any{"method": "amp"}},
		{"softmax", inThreeWards(), map[string]any{"method": "amp", "loss": "softmax"}},
	} {
		if testing.Short() && c.name != "dense" && c.name != "softmax" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			one := newWorkers(t, 1)
			id := one.open(t, c.schema)
			release := one.fitted(addRemove(id, c.more))
			opened := one.sessions[0].datasets[int(id)]
			for n := 2; n <= 3; n++ {
				if testing.Short() && n > 2 {
					break
				}
				w := newWorkers(t, n)
				id := w.scatter(t, c.schema)
				reading := w.asked
				assert.Nil(t, w.sessions[0].datasets[int(id)])
				here := w.sessions[0].parted[int(id)].here
				assert.Equal(t, opened.Ends[:data.Blocks/n], here.Ends)
				assert.Equal(t, opened.Tally, here.Tally)
				assert.Less(t, here.X.Bytes(), opened.X.Bytes()/n+opened.X.Bytes()/20)
				assert.Greater(t, w.bytes, (opened.X.Bytes()+8*len(opened.Y))*(n-1)/n*9/10)
				require.Equal(t, release, w.fitted(addRemove(id, c.more)), "%d workers", n)
				fits := w.asked - reading
				w.bytes = 0
				require.Equal(t, release, w.fitted(addRemove(id, c.more)), "%d again", n)
				assert.Zero(t, w.bytes, "rows are not sent again")
				assert.Zero(t, w.read)
				assert.Greater(t, fits, 4)
				if n > 2 && c.name != "dense" && !long() {
					break
				}
				deaths := []int{
					1, 2, reading, reading + 1, reading + 2, reading + 3, reading + 4,
					reading + fits,
				}
				for i, dies := range deaths {
					if n == 2 && !long() && i%3 != 2 {
						continue
					}
					w := newWorkers(t, n)
					w.dies = dies
					id := w.scatter(t, c.schema)
					require.Equal(
						t, release, w.fitted(addRemove(id, c.more)), "%d workers, death %d", n, dies,
					)
					assert.GreaterOrEqual(t, w.asked, dies)
					read := w.read
					assert.Equal(t, release, w.fitted(addRemove(id, c.more)))
					if i < len(deaths)-1 {
						assert.Positive(t, read)
						assert.Equal(t, read, w.read, "rows are read again once")
					}
				}
			}
		})
	}
}

// What needs all rows gets them: the file's other part is read again, and the others go.
func TestRowsThatStayComeTogether(t *testing.T) {
	for _, schema := range []map[string]any{tableSchema(false), stays(true)} {
		one := newWorkers(t, 1)
		id := one.open(t, schema)
		fit := addRemove(id, map[string]any{"method": "amp"})
		want := one.fitted(fit)
		exact := one.edges[0].ask("exact", map[string]any{"release": want["release"], "dataset": id})
		opened := one.sessions[0].datasets[int(id)]
		for _, dies := range []int{0, 30} {
			w := newWorkers(t, 3)
			w.dies = dies
			id := w.scatter(t, schema)
			require.Equal(t, want, w.fitted(addRemove(id, map[string]any{"method": "amp"})))
			_, err := w.sessions[0].rowsOf(int(id))
			require.NoError(t, err)
			asked := map[string]any{"release": want["release"], "dataset": id}
			assert.Equal(t, exact, w.edges[0].ask("exact", asked))
			assert.Equal(t, []int{1, 2}, w.ended)
			assert.Empty(t, w.sessions[0].parted)
			whole := w.sessions[0].datasets[int(id)]
			assert.Equal(t, opened.Ends, whole.Ends)
			assert.Equal(t, opened.Tally, whole.Tally)
			assert.Equal(t, opened.Layout, whole.Layout)
			assert.Equal(t, opened.X.Rows(), whole.X.Rows())
			read := w.read
			assert.Positive(t, read)
			assert.Equal(t, want, w.fitted(addRemove(id, map[string]any{"method": "amp"})))
			assert.Equal(t, read, w.read)
			if testing.Short() {
				break
			}
		}
		if testing.Short() {
			break
		}
	}
	w := newWorkers(t, 2)
	id := w.scatter(t, stays(true))
	moments := map[string]any{"method": "suffstats"}
	one := newWorkers(t, 1)
	want := one.fitted(addRemove(one.open(t, stays(true)), moments))
	assert.Equal(t, want, w.fitted(addRemove(id, moments)), "a method that needs other sums")
	assert.Equal(t, []int{1}, w.ended)

	w = newWorkers(t, 2)
	id = w.scatter(t, tableSchema(true))
	w.edges[0].ask("dataset.free", map[string]any{"dataset": id})
	assert.Equal(t, []int{1}, w.ended)
	assert.Empty(t, w.sessions[0].parted)
	w.edges[0].refused("fit", addRemove(id, nil))
}

// A softmax that is solved by its Hessian's blocks is too, also if a keeper dies.
func TestScoresOfRowsThatStay(t *testing.T) {
	one := newWorkers(t, 1)
	d := one.sessions[0].datasets[int(one.open(t, inThreeWards()))]
	b := make([]float64, 3*d.X.Columns)
	for j := range b {
		b[j] = float64(j%7) - 3
	}
	tolerance := solve.Options{Tolerance: 1e-4}
	here := solve.NewObjective(0.5, b, learn.Problem{Data: d}.ScoreParts()...)
	for _, dies := range []int{0, 2, 5} {
		w := newWorkers(t, 3)
		c := w.sessions[0].parted[int(w.scatter(t, inThreeWards()))]
		if dies > 0 {
			w.dies = w.asked + dies
		}
		there := solve.NewObjective(0.5, b, c.problem(nil).ScoreParts()...)
		for _, solver := range []solve.Solver{solve.Blockwise, solve.Newton} {
			want, err := solver(t.Context(), here, tolerance)
			require.NoError(t, err)
			have, err := solver(t.Context(), there, tolerance)
			require.NoError(t, err)
			require.Equal(t, want, have, "death %d", dies)
		}
		assert.Equal(t, dies > 0, w.read > 0)
		if testing.Short() {
			break
		}
	}

	// Nothing is proved of rows that are lost.
	w := newWorkers(t, 2)
	c := w.sessions[0].parted[int(w.scatter(t, inThreeWards()))]
	there := solve.NewObjective(0.5, b, c.problem(nil).ScoreParts()...)
	w.dies, w.text = w.asked+1, ""
	for _, solver := range []solve.Solver{solve.Blockwise, solve.Newton} {
		ctx, done := c.fitting()
		_, err := solver(ctx, there, tolerance)
		require.Error(t, err)
		require.ErrorIs(t, done(err), c.failed)
	}
}

// A model is evaluated where the rows are, with the figures and the release of one worker to the
// last bit: also if a keeper dies before or while it counts. A release of another schema is refused
// without a word to the keepers, which stay. (Three workers count dense rows and several classes;
// CLOISTER_AUDIT=long: all. -short: two, dense rows, and one death.)
func TestRowsThatStayAreCountedWhereTheyAre(t *testing.T) {
	other := newWorkers(t, 1)
	dense, sparse := tableSchema(false), tableSchema(true)
	ofDense := other.fitted(addRemove(other.open(t, dense), nil))["release"]
	ofSparse := other.fitted(addRemove(other.open(t, sparse), nil))["release"]
	for _, c := range []struct {
		name   string
		schema map[string]any
		more   map[string]any
		other  any // a release
	}{
		{"dense", dense, nil, ofSparse},
		{"sparse", sparse, nil, ofDense},
		{"no probabilities", dense, map[string]any{"loss": "huber", "huberWidth": 0.5}, ofSparse},
		{"a number", stays(true), map[string]any{"method": "amp"}, ofSparse},
		{"several classes", inThreeWards(), nil, ofSparse},
	} {
		if testing.Short() && c.name != "dense" {
			continue
		}
		most := 2 // workers
		if long() || c.name == "dense" || c.name == "several classes" {
			most = 3
		}
		t.Run(c.name, func(t *testing.T) {
			evaluation := func(id float64, release any) map[string]any {
				return map[string]any{
					"release": release, "dataset": id, "adjacency": "replace-one", "epsilon": 0.5,
				}
			}
			counted := func(w *workers, id float64, release any) [2]map[string]any {
				w.sessions[0].source = entropy{randomtest.New(8)}
				asked := map[string]any{"release": release, "dataset": id}
				exact := w.edges[0].ask("exact", asked)
				return [2]map[string]any{exact, w.edges[0].ask("evaluate", evaluation(id, release))}
			}
			one := newWorkers(t, 1)
			id := one.open(t, c.schema)
			release := one.fitted(addRemove(id, c.more))["release"]
			want := counted(one, id, release)
			for n := 2; n <= most; n++ {
				w := newWorkers(t, n)
				id := w.scatter(t, c.schema)
				before := w.asked
				w.edges[0].refused("exact", map[string]any{"release": c.other, "dataset": id})
				w.edges[0].refused("evaluate", evaluation(id, c.other))
				assert.Equal(t, before, w.asked)
				assert.Equal(t, want, counted(w, id, release), "%d workers", n)
				assert.Equal(t, 3*(n-1), w.asked-before, "each is asked once for each list")
				assert.Zero(t, w.read)
				assert.Empty(t, w.ended)
				assert.NotNil(t, w.sessions[0].parted[int(id)])
				for later := range 3*(n-1) + 1 {
					if testing.Short() && later != 1 {
						continue
					}
					w := newWorkers(t, n)
					id := w.scatter(t, c.schema)
					w.dies = w.asked + 1 + later
					assert.Equal(t, want, counted(w, id, release), "%d workers, death %d", n, later)
					assert.Equal(t, later < 3*(n-1), w.read > 0)
					if n > 2 && !long() {
						continue // fits go on as after the death of one of two
					}
					w.dies = 0
					assert.Equal(
						t, release, w.fitted(addRemove(id, c.more))["release"], "a fit after it",
					)
				}
				if testing.Short() {
					break
				}
			}
		})
	}
}

// A report is made, and losses are told, where the rows are, as by one worker to the last bit: also
// if a keeper dies before or while it is asked. A fit goes on with the keepers afterwards. (Most
// requests are for sums, and alike. Two workers, dense rows: it dies at the first and the last
// request of each method. Three workers, dense rows only, and two with other rows: at the first of
// each. CLOISTER_AUDIT=long: at each request, whatever they keep. -short: two workers, dense rows,
// the first of each method that fits do not ask.)
func TestRowsThatStayAreReportedWhereTheyAre(t *testing.T) {
	for _, c := range []struct {
		name   string
		schema map[string]any
		more   map[string]any
		kind   string
		errors bool
	}{
		{"dense", tableSchema(false), nil, reportBought, true},
		{"sparse", tableSchema(true), nil, reportAdaptive, false},
		{"a number", stays(true), map[string]any{"method": "amp"}, reportAdaptive, true},
	} {
		if testing.Short() && c.name != "dense" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			told := func(w *workers, id float64, release any) []map[string]any {
				w.sessions[0].source = entropy{randomtest.New(8)}
				bought := askingFor(release, c.kind, "dataset", id, "errors", c.errors)
				r := w.edges[0].ask("report", bought)
				asked := map[string]any{"release": release, "dataset": id}
				first := w.edges[0].ask("losses", asked)
				asked["report"] = r["release"]
				return []map[string]any{r, first, w.edges[0].ask("losses", asked)}
			}
			one := newWorkers(t, 1)
			id := one.open(t, c.schema)
			release := one.fitted(addRemove(id, c.more))
			want := told(one, id, release["release"])
			require.Len(t, want[1]["losses"], one.sessions[0].datasets[int(id)].X.Rows())
			for n := 2; n <= 3; n++ {
				w := newWorkers(t, n)
				id := w.scatter(t, c.schema)
				require.Equal(t, release, w.fitted(addRemove(id, c.more)))
				before := w.asked
				w.bytes = 0
				require.Equal(t, want, told(w, id, release["release"]), "%d workers", n)
				requests := w.asked - before
				assert.Greater(t, requests, 8*(n-1))
				assert.Zero(t, w.bytes, "no rows are sent")
				assert.Zero(t, w.read)
				assert.Empty(t, w.ended)
				assert.NotNil(t, w.sessions[0].parted[int(id)])
				methods := w.methods[before:]
				first := testing.Short() || n > 2 || c.name != "dense"
				for later := 0; later <= requests; later++ {
					if testing.Short() && (later == requests ||
						methods[later] == "shard.apply" || methods[later] == "shard.sums") {
						continue // as in a fit
					}
					if !long() && later < requests &&
						slices.Contains(methods[:later], methods[later]) &&
						(first || slices.Contains(methods[later+1:], methods[later])) {
						continue
					}
					w := newWorkers(t, n)
					id := w.scatter(t, c.schema)
					require.Equal(t, release, w.fitted(addRemove(id, c.more)))
					w.dies = w.asked + 1 + later
					require.Equal(
						t, want, told(w, id, release["release"]), "%d workers, death %d", n, later,
					)
					assert.Equal(t, later < requests, w.read > 0)
					w.dies = 0
					assert.Equal(t, release, w.fitted(addRemove(id, c.more)), "a fit after it")
				}
				if testing.Short() || c.name != "dense" && !long() {
					break
				}
			}
		})
	}
}

// What is asked of a keeper that has no rows, or by a release that is none, is refused.
func TestOnlyRowsThatAreKeptAreCounted(t *testing.T) {
	one := newWorkers(t, 1)
	id := one.open(t, tableSchema(false))
	release := one.fitted(addRemove(id, nil))["release"]
	e := one.edges[0]
	e.refused("shard.exact", map[string]any{"release": release})
	e.refused("shard.tally", map[string]any{
		"release": release, "adjacency": "add-remove", "epsilon": 1.0, "bins": 0.0, "lossBound": 0.0,
	})
	w := newWorkers(t, 2)
	w.scatter(t, tableSchema(false))
	w.edges[1].ask("shard.exact", map[string]any{"release": release})
	w.edges[1].refused("shard.exact", map[string]any{"release": map[string]any{}})
	w.edges[1].refused("shard.tally", map[string]any{
		"release": release, "adjacency": "add-remove", "epsilon": 1.0, "bins": 1.0, "lossBound": 0.0,
	})

	plan := func(hessian float64) map[string]any {
		return map[string]any{
			"release": release, "gradient": 1.0, "hessian": hessian, "least": 0.0, "scores": 1.0,
			"rest": true,
		}
	}
	costs := func(numbers int) map[string]any {
		return map[string]any{"release": release, "optimum": make([]byte, 8*numbers)}
	}
	e.refused("shard.report", plan(1))
	e.refused("shard.losses", costs(12))
	w.edges[1].ask("shard.report", plan(1))
	w.edges[1].refused("shard.report", plan(0))
	w.edges[1].ask("shard.losses", costs(12)) // three coefficients
	w.edges[1].refused("shard.losses", costs(11))
}

// While a fit asks the keepers, nothing else does, and nobody lets them go.
func TestRowsThatStayAreForOneAtATime(t *testing.T) {
	w := newWorkers(t, 2)
	id := w.scatter(t, tableSchema(false))
	c := w.sessions[0].parted[int(id)]
	ctx, done := c.fitting()
	gathered := make(chan *data.Dataset)
	go func() {
		d, err := c.gather()
		assert.NoError(t, err)
		gathered <- d
	}()
	select {
	case <-gathered:
		t.Fatal("the rows were gathered during a fit")
	case <-time.After(50 * time.Millisecond):
	}
	assert.Empty(t, w.ended)
	require.NoError(t, ctx.Err())
	require.ErrorIs(t, done(io.EOF), io.EOF)
	d := <-gathered
	assert.Equal(t, []int{1}, w.ended)

	// A fit that was prepared before has all rows in one place.
	w.asked = 0
	_, done = c.fitting()
	loss, err := glm.Clip(glm.Logistic{}, math.Inf(1))
	require.NoError(t, err)
	parts := c.Parts(loss, 1)
	require.NoError(t, done(nil))
	assert.Len(t, parts, data.Blocks)
	assert.Equal(t, d.X.Rows(), c.Rows())
	assert.Zero(t, w.asked)
}

// A data set that is closed while a fit runs stays until that is through, which is as if nobody had
// closed it.
func TestRowsThatStayAreThereForAFitToItsEnd(t *testing.T) {
	one := newWorkers(t, 1)
	schema := tableSchema(false)
	want := one.fitted(addRemove(one.open(t, schema), nil))
	w := newWorkers(t, 2)
	id := w.scatter(t, schema)
	free := make(chan *api.Error, 1)
	w.sums = func() {
		w.sums = nil
		go func() {
			free <- w.edges[0].failure("dataset.free", map[string]any{"dataset": id})
		}()
		select {
		case failed := <-free:
			free <- failed
			t.Error("the dataset was freed during a fit")
		case <-time.After(50 * time.Millisecond):
		}
		assert.Empty(t, w.ended)
	}
	assert.Equal(t, want, w.fitted(addRemove(id, nil)))
	assert.Nil(t, w.sums)
	assert.Zero(t, w.read)
	assert.Nil(t, <-free)
	assert.Equal(t, []int{1}, w.ended)
	assert.Empty(t, w.sessions[0].parted)
}

// A fit whose file is gone when it is needed is refused, and gives no model.
func TestRowsThatCannotBeReadAgain(t *testing.T) {
	text := table()
	at := len(text) - 1000
	at += strings.Index(text[at:], "\n") + 1 // a row, in a block that the keeper had
	for name, other := range map[string]string{
		"cut":           text[:len(text)-len(text)/20],
		"another":       strings.ReplaceAll(text, "\n", ",\n"),
		"another value": text[:at] + string(text[at]^1) + text[at+1:], // another digit
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorkers(t, 2)
			w.dies = 3
			id := w.scatter(t, tableSchema(false))
			w.text = other
			for range 2 {
				_, failed := w.edges[0].service.Answer("fit", addRemove(id, nil), nil)
				require.NotNil(t, failed)
				assert.Equal(t, "dataset-lost", string(failed.Code))
			}
			_, failed := w.edges[0].service.Answer("fit", addRemove(id, map[string]any{
				"method": "dpgd", "records": 1e5,
			}), nil)
			require.NotNil(t, failed)
			assert.Equal(t, "dataset-lost", string(failed.Code))
		})
	}
}

// Where the file cannot be read at first, what needs all rows has each of them once later.
func TestRowsThatCanBeReadTheSecondTime(t *testing.T) {
	for _, schema := range []map[string]any{tableSchema(false), tableSchema(true)} {
		one := newWorkers(t, 1)
		first := one.open(t, schema)
		release := one.fitted(addRemove(first, nil))
		want := one.sessions[0].datasets[int(first)]
		w := newWorkers(t, 3)
		id := int(w.scatter(t, schema))
		w.text = table()[:len(table())*2/5] // within the first block that is not here
		_, err := w.sessions[0].rowsOf(id)
		require.Error(t, err)
		w.read = 0
		assert.Equal(t, release, w.fitted(addRemove(float64(id), nil)), "the keepers are there")
		assert.Zero(t, w.read)
		assert.Empty(t, w.ended)
		w.text = table()
		have, err := w.sessions[0].rowsOf(id)
		require.NoError(t, err)
		require.Equal(t, want.X.Rows(), have.X.Rows())
		assert.True(t, slices.Equal(want.Y, have.Y))
		assert.Equal(t, want.Ends, have.Ends)
		assert.Equal(t, []int{1, 2}, w.ended)
		for i := range want.Y {
			require.Equal(t, want.X.Row(i).Value, have.X.Row(i).Value, i)
		}
		if testing.Short() {
			break
		}
	}
}

// A row that is wrong has its number in the data set.
func TestTheNumberOfARowThatIsWrong(t *testing.T) {
	w := newWorkers(t, 2)
	id := w.scatter(t, tableSchema(false))
	c := w.sessions[0].parted[int(id)]
	c.before = 1000
	for _, value := range []float64{0.5, 3} {
		values := []float64{0.5, 0.5, 0.5, 0.5, 0.5, value}
		c.take(11, data.PieceOf(3, true, []float64{1, -1}, nil, nil, values))
	}
	var wrong *learn.RowError
	require.ErrorAs(t, c.wrong, &wrong)
	assert.Equal(t, 1003, wrong.Row)
}

// Where handing over does not pay, or cannot be, all rows stay with the first worker.
func TestRowsThatAllStayHere(t *testing.T) {
	nativetest.Only(t)
	w := newWorkers(t, 2)
	features := []any{}
	var head, line strings.Builder
	for j := range 600 {
		name := fmt.Sprint("x", j)
		features = append(features, map[string]any{
			"name": name, "type": "numeric", "min": 0.0, "max": 9.0, "provenance": "public",
		})
		fmt.Fprint(&head, name, ",")
		fmt.Fprint(&line, 1+j%9, ",")
	}
	w.text = head.String() + "sick\n"
	for i := 0; len(w.text) < data.Large; i++ {
		w.text += strings.Repeat(line.String()+"no\n"+line.String()+"yes\n", 1000)
	}
	schema := tableSchema(false)
	schema["features"] = features
	open := map[string]any{
		"purpose": "dataset", "schema": schema, "size": float64(len(w.text)),
		"keepers": w.numbers, "file": float64(fileNumber),
	}
	_, failed := w.edges[0].read(open, w.text)
	require.Nil(t, failed)
	assert.Equal(t, []int{1}, w.ended)
	assert.Zero(t, w.asked)
	assert.Len(t, w.sessions[0].datasets, 1)

	_, failed = w.edges[0].read(open, w.text, w.text)
	require.NotNil(t, failed)
	open["keepers"] = []any{}
	w.edges[0].refused("read.open", open)
}

func TestRequestsToAKeeperThatAreWrong(t *testing.T) {
	e := newEdge(t)
	keep := func(name string, value any) map[string]any {
		tree := map[string]any{
			"first": 10.0, "blocks": 2.0, "columns": 2.0, "sparse": true, "rows": 1.0, "entries": 1.0,
		}
		tree[name] = value
		return tree
	}
	rows := func(block, rows float64, numbers ...float64) map[string]any {
		return map[string]any{"block": block, "rows": rows, "bytes": solve.Bytes(numbers)}
	}
	apply := map[string]any{
		"classes": 0.0, "class": -1.0, "loss": "logistic", "huberWidth": 1.0, "clip": 1.0,
		"rowNorm": 1.0,
	}
	sums := map[string]any{"theta": make([]byte, 16), "every": 1.0, "next": 0.0}
	e.refused("shard.apply", apply)
	e.refused("shard.rows", rows(10, 1, 1, 0.5, 0.5))
	for name, value := range map[string]any{
		"first": 11.0, "blocks": 0.0, "columns": 0.0, "rows": -1.0, "entries": -1.0, "more": 1.0,
	} {
		e.refused("shard.keep", keep(name, value))
	}
	e.refused("shard.keep", keep("first", -1.0))
	e.ask("shard.keep", keep("sparse", true))
	e.refused("shard.sums", sums)
	none := float64(0)
	e.refused("shard.rows", rows(10, 1, 1, none))
	e.refused("shard.rows", rows(10, 1))
	e.ask("shard.rows", map[string]any{"block": 11.0, "rows": 1.0, "bytes": append(
		solve.Bytes([]int{int(0x3ff0000000000000), 0, 1}), append(
			solve.Bytes([]float64{0.5}), solve.Bytes([]int32{1})...)...,
	)})
	e.ask("shard.apply", apply)
	numbers := solve.Floats(e.ask("shard.sums", sums)["numbers"].([]byte))
	assert.Equal(t, []float64{0, 0, 0, -0.25}, numbers)
	e.refused("shard.rows", rows(10, 1, 1, 0.5, 0.5)) // none come any more

	e.ask("shard.keep", keep("sparse", false))
	e.refused("shard.rows", rows(9, 1, 1, 0.5, 0.5))
	e.refused("shard.rows", rows(10, 1, 1, 0.5))
	e.refused("shard.rows", rows(10, -1, 1, 0.5, 0.5))
	e.ask("shard.rows", rows(10, 1, 1, 0.5, 0.25))
	e.ask("shard.apply", apply)
	numbers = solve.Floats(e.ask("shard.sums", sums)["numbers"].([]byte))
	assert.Equal(t, []float64{-0.25, -0.125, 0, 0}, numbers)
}
