//go:build unix

package passes

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/amp"
	"cloister/core/learn/outpert"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

const testSchema = `{"version":1,"features":[
	{"name":"age","type":"numeric","min":18,"max":90,"provenance":"public"},
	{"name":"ward","type":"categorical","categories":["a","b","c"],"provenance":"public"}],
	"label":{"name":"ill","positive":["yes"],"negative":["no"],"provenance":"public"},
	"intercept":0.25,"rows":{"norm":"unit"}}`

// task is a file, and a fit of it.
type task struct {
	text  []byte
	asked learn.Asked
	fit   learn.Chosen
}

func newTask(t *testing.T) task {
	schema, err := data.ParseSchema([]byte(testSchema))
	require.NoError(t, err)
	text := []byte("age,note,ward,ill\n")
	note := strings.Repeat("n", 5000) // so that few records make a large file
	for i := 0; len(text) < data.Large; i++ {
		ill := []string{"no", "yes"}[i*7%73/40]
		text = fmt.Appendf(text, "%d,%s,%c,%s\n", 18+i*7%73, note, "abc"[i%3], ill)
	}
	asked := learn.Asked{Schema: schema, Loss: glm.Logistic{}, Guarantee: privacy.Guarantee{
		Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5,
	}}
	return task{text, asked, chosen(t, amp.Learner, asked)}
}

func chosen(t *testing.T, method learn.Method, asked learn.Asked) learn.Chosen {
	fit, err := method.Choose(asked)
	require.NoError(t, err)
	fit.Sums = method.Sums
	return fit
}

// run fits and returns the coefficients that were published.
func (k task) run(ctx context.Context, seed uint64, options Options) ([]float64, error) {
	var published []float64
	err := Fit(
		ctx, bytes.NewReader(k.text), int64(len(k.text)), k.asked, k.fit,
		randomtest.New(seed), options,
		func(model learn.Model) error {
			published = model.Coefficients
			return nil
		},
	)
	return published, err
}

// inMemory is what a fit in memory releases.
func (k task) inMemory(t *testing.T, seed uint64) []float64 {
	d, err := data.Read(
		bytes.NewReader(k.text), k.asked.Schema, data.ReadOptions{Size: int64(len(k.text))},
	)
	require.NoError(t, err)
	model, _, err := k.fit.Fit(
		context.Background(), learn.Problem{Data: d, Loss: k.asked.Loss}, randomtest.New(seed),
		learn.Watch{},
	)
	require.NoError(t, err)
	return model.Coefficients
}

// failing is a Taker that fails at a block, counted over all passes, or spoils its sums there.
type failing struct {
	at    int
	spoil func(keep func(int, []float64) error, block int, numbers []float64) error
}

var errTaker = errors.New("the worker is gone")

func (f *failing) take(
	ctx context.Context, file *data.Stream, pass learn.Pass, blocks []int,
	keep func(int, []float64) error,
) error {
	return Local(1, 0)(ctx, file, pass, blocks, func(block int, numbers []float64) error {
		if f.at--; f.at == 0 {
			if f.spoil == nil {
				return errTaker
			}
			return f.spoil(keep, block, numbers)
		}
		return keep(block, numbers)
	})
}

// A fit whose workers fail at any sum publishes nothing, and goes on from its journal to what it
// would have published; so does one whose journal a kill has cut anywhere.
func TestAFitGoesOnFromAnywhere(t *testing.T) {
	k := newTask(t)
	want := k.inMemory(t, 1)
	have, err := k.run(context.Background(), 1, Options{})
	require.NoError(t, err)
	require.Equal(t, want, have)

	path := filepath.Join(t.TempDir(), "journal")
	var whole []byte
	for _, at := range []int{1, 5, 13, 30, 60} {
		taker := &failing{at: at}
		have, err := k.run(context.Background(), 1, Options{Taker: taker.take, Journal: path})
		require.ErrorIs(t, err, errTaker)
		require.Nil(t, have)
		whole, err = os.ReadFile(path)
		require.NoError(t, err)
	}
	have, err = k.run(context.Background(), 99, Options{Journal: path}) // other noise is not drawn
	require.NoError(t, err)
	assert.Equal(t, want, have)
	assert.NoFileExists(t, path)

	cuts := 5
	if testing.Short() {
		cuts = 2
	}
	firstSum := bytes.Index(whole, []byte{sumEntry})
	for i := range cuts {
		cut := firstSum + (len(whole)-firstSum)*i/cuts
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o644))
		have, err := k.run(context.Background(), 1, Options{Journal: path})
		require.NoError(t, err, "cut at %d", cut)
		require.Equal(t, want, have)
	}
}

// A fit is paid for once, after the file was read and before noise is drawn, and what goes on from
// its journal is given the receipt.
func TestAFitIsPaidForOnce(t *testing.T) {
	k := newTask(t)
	path := filepath.Join(t.TempDir(), "journal")
	refused := errors.New("not within the budget")
	options := Options{Journal: path, Pay: func(*data.Stream, string) (string, error) {
		return "", refused
	}}
	_, err := k.run(t.Context(), 1, options)
	require.ErrorIs(t, err, refused)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	assert.NotContains(t, string(text), string(rune(noiseEntry))+"\x00\x00\x00\x00", "no noise yet")

	var paid []string
	options.Pay = func(file *data.Stream, before string) (string, error) {
		var copied bytes.Buffer
		require.NoError(t, file.Copy(&copied))
		assert.True(t, bytes.Equal(k.text, copied.Bytes()))
		paid = append(paid, before)
		return "charge 1", nil
	}
	for _, at := range []int{1, 30} {
		options.Taker = (&failing{at: at}).take
		_, err := k.run(t.Context(), 1, options)
		require.ErrorIs(t, err, errTaker)
	}
	_, err = k.run(t.Context(), 1, Options{Journal: path})
	assert.ErrorIs(t, err, ErrPaid, "without the ledger")
	options.Taker = nil
	have, err := k.run(t.Context(), 1, options)
	require.NoError(t, err)
	assert.Equal(t, k.inMemory(t, 1), have)
	assert.Equal(t, []string{"", "charge 1", "charge 1"}, paid)
}

// Sums that are not those asked for end the fit, whatever the learner makes of it, and do not get
// into the journal.
func TestSumsThatWereNotAskedFor(t *testing.T) {
	k := newTask(t)
	type keeping = func(block int, numbers []float64) error
	for name, spoil := range map[string]func(keep keeping, block int, numbers []float64) error{
		"short":   func(keep keeping, block int, x []float64) error { return keep(block, x[1:]) },
		"none":    func(keeping, int, []float64) error { return nil },
		"another": func(keep keeping, _ int, x []float64) error { return keep(-1, x) },
	} {
		for _, at := range []int{1, 40} {
			t.Run(fmt.Sprint(name, at), func(t *testing.T) {
				path := filepath.Join(t.TempDir(), "journal")
				taker := (&failing{at, spoil}).take
				have, err := k.run(context.Background(), 1, Options{Taker: taker, Journal: path})
				require.ErrorIs(t, err, errSums)
				assert.Nil(t, have)
				have, err = k.run(context.Background(), 1, Options{Journal: path})
				require.NoError(t, err)
				assert.Equal(t, k.inMemory(t, 1), have)
			})
		}
	}
}

// A release that was written in the journal's place, whose path has other names too, stays there.
func TestAReleaseInTheJournalsPlaceStays(t *testing.T) {
	k := newTask(t)
	place := t.TempDir()
	journal, release := filepath.Join(place, "journal"), filepath.Join(place, "release")
	other := filepath.Join(t.TempDir(), "linked")
	require.NoError(t, os.Symlink(place, other))
	err := Fit(
		t.Context(), bytes.NewReader(k.text), int64(len(k.text)), k.asked, k.fit,
		randomtest.New(1), Options{Journal: journal},
		func(learn.Model) error {
			require.NoError(t, os.WriteFile(release, []byte("a release"), 0o600))
			return os.Rename(release, filepath.Join(other, "journal"))
		},
	)
	require.NoError(t, err)
	text, err := os.ReadFile(journal)
	require.NoError(t, err)
	assert.Equal(t, "a release", string(text))
}

// A journal belongs to one fit. Whatever changes a fit changes what its journal is bound to.
func TestEachSettingHasItsOwnBinding(t *testing.T) {
	k := newTask(t)
	seen := map[string]string{}
	bind := func(name string, asked learn.Asked, method learn.Method, reading data.ReadOptions) {
		binding, err := bindingOf(asked, chosen(t, method, asked), 1<<30, reading)
		require.NoError(t, err)
		again, err := bindingOf(asked, chosen(t, method, asked), 1<<30, reading)
		require.NoError(t, err)
		assert.Equal(t, string(binding), string(again), name)
		assert.NotContains(t, seen, string(binding), name)
		seen[string(binding)] = name
	}
	change := func(do func(*learn.Asked)) learn.Asked {
		asked := k.asked
		do(&asked)
		return asked
	}
	bind("usual", k.asked, amp.Learner, data.ReadOptions{})
	bind("header", k.asked, amp.Learner, data.ReadOptions{Header: data.HeaderFirst})
	bind("delimiter", k.asked, amp.Learner, data.ReadOptions{Delimiter: ';'})
	for _, shift := range []float64{1.5, 2} {
		loss, err := glm.NewShiftedLogistic(shift)
		require.NoError(t, err)
		bind("shift", change(func(a *learn.Asked) { a.Loss = loss }), amp.Learner, data.ReadOptions{})
	}
	for i, do := range []func(*learn.Asked){
		func(a *learn.Asked) { a.Guarantee.Epsilon = 2 },
		func(a *learn.Asked) { a.Guarantee.Delta = 1e-6 },
		func(a *learn.Asked) { a.Tuning.Lambda = 7 },
		func(a *learn.Asked) { a.Tuning.Clip = 0.3 },
		func(a *learn.Asked) { a.Guarantee.Adjacency = privacy.ReplaceOne },
	} {
		bind(fmt.Sprint("amp ", i), change(do), amp.Learner, data.ReadOptions{})
	}
	for _, records := range []float64{3e5, 4e5} {
		asked := change(func(a *learn.Asked) { a.Records = records })
		bind(fmt.Sprint("outpert ", records), asked, outpert.Learner, data.ReadOptions{})
	}
}

// A journal that is in use, or damaged, and a file that is none, are left as they are.
func TestJournalsThatCannotBeUsed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "journal")
	binding := []byte(`{"fit":1}`)
	j, err := openJournal(path, binding)
	require.NoError(t, err)
	_, err = openJournal(path, binding)
	require.ErrorIs(t, err, ErrBusy)
	source := &recorded{journal: j, source: randomtest.New(1)}
	first, err := source.Uint64()
	require.NoError(t, err)
	require.NoError(t, j.keepSums([]byte("key"), []float64{1, 2}))
	j.close()
	info, err := os.Stat(path)
	require.NoError(t, err)
	assert.Equal(t, os.FileMode(0o600), info.Mode())

	j, err = openJournal(path, binding)
	require.NoError(t, err)
	numbers, ok, err := j.sums([]byte("key"))
	require.NoError(t, err)
	assert.True(t, ok)
	assert.Equal(t, []float64{1, 2}, numbers)
	again, err := (&recorded{journal: j, source: randomtest.New(2)}).Uint64()
	require.NoError(t, err)
	assert.Equal(t, first, again)
	j.close()
	_, err = openJournal(path, []byte(`{"fit":2}`))
	require.ErrorIs(t, err, ErrOther)

	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	lastEntry := len(whole) - headLength - len("key") - 16
	for at := range whole {
		if at > 200 && at < lastEntry && at%41 != 0 {
			continue // words of noise
		}
		damaged := bytes.Clone(whole)
		damaged[at] ^= 4
		require.NoError(t, os.WriteFile(path, damaged, 0o600))
		j, err := openJournal(path, binding)
		if at >= lastEntry+13 {
			require.NoError(t, err, "what a kill may leave at the end")
			assert.Len(t, j.words, wordsAtOnce)
			j.close()
			continue
		}
		require.Error(t, err, at)
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, damaged, left, at)
	}
	for _, text := range []string{"bmi,age\n1,2\n", "x", "cloister fit journal 2\n" + string(whole[30:])} {
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := openJournal(path, binding)
		require.ErrorIs(t, err, ErrNoJournal)
		left, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(left))
	}
}

// What cannot be fitted in passes is refused; a cancelled fit ends in each stage.
func TestWhatIsRefused(t *testing.T) {
	k := newTask(t)
	small := k
	small.text = k.text[:1000]
	_, err := small.run(context.Background(), 1, Options{})
	assert.ErrorIs(t, err, ErrSmall)
	rows := k
	rows.fit.Sums = false
	_, err = rows.run(context.Background(), 1, Options{})
	assert.ErrorIs(t, err, ErrNeedsRows)

	for _, block := range []int{0, 1, 20, 60} {
		ctx, cancel := context.WithCancelCause(context.Background())
		taker := &failing{block, func(keep func(int, []float64) error, b int, x []float64) error {
			cancel(errTaker)
			return keep(b, x)
		}}
		if block == 0 {
			cancel(errTaker)
		}
		have, err := k.run(ctx, 1, Options{Taker: taker.take})
		assert.ErrorIs(t, err, errTaker)
		assert.Nil(t, have)
	}
	unpublished := errors.New("the disk is full")
	path := filepath.Join(t.TempDir(), "journal")
	err = Fit(
		context.Background(), bytes.NewReader(k.text), int64(len(k.text)), k.asked, k.fit,
		randomtest.New(1), Options{Journal: path}, func(learn.Model) error { return unpublished },
	)
	assert.Equal(t, unpublished, err)
	assert.FileExists(t, path)
}
