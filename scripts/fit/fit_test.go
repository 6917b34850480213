package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/audittest"
	"cloister/core/learn/passes"
	"cloister/core/random"
	"cloister/core/random/randomtest"
)

// TestMain lets a test start this program as a process of its own, and kill it.
func TestMain(m *testing.M) {
	if os.Getenv("CLOISTER_FIT") != "" {
		main()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

const testSchema = `{"version":1,"features":[
	{"name":"age","type":"numeric","min":18,"max":90,"provenance":"public"},
	{"name":"dose","type":"numeric","min":0,"max":9,"missing":"drop","provenance":"public"},
	{"name":"ward","type":"categorical","categories":["a","b","c"],"provenance":"public"}],
	"label":{"name":"ill","positive":["yes"],"negative":["no"],"provenance":"public"},
	"intercept":0.25,"rows":{"norm":"unit"}}`

// files writes a schema and a table of at least so many bytes, and returns the arguments for them.
func files(t *testing.T, size int, more ...string) arguments {
	folder := t.TempDir()
	schema, table := filepath.Join(folder, "schema.json"), filepath.Join(folder, "table.csv")
	require.NoError(t, os.WriteFile(schema, []byte(testSchema), 0o600))
	text := []byte("ward,age,note,dose,ill\n")
	source, note := randomtest.New(5), strings.Repeat("n, ", 120) // the longer, the fewer records
	for i := 0; len(text) < size; i++ {
		word, _ := source.Uint64()
		age, dose, ill := 18+word%73, word>>16%10, "no"
		if 40+word>>32%50 < age {
			ill = "yes"
		}
		text = fmt.Appendf(text, "%c,%d,\"%s\",%d,%s\n", "abc"[word>>48%3], age, note, dose, ill)
		if i%1000 == 0 {
			text = append(text, "a,50,,,no\n"...) // is dropped
		}
	}
	require.NoError(t, os.WriteFile(table, text, 0o600))
	args := arguments{}
	args.line.Data = table
	return asking(t, args, more...)
}

// schemaOf is the path of the schema beside the table.
func schemaOf(args arguments) string {
	return filepath.Join(filepath.Dir(args.line.Data), "schema.json")
}

// asking is the arguments for the same table with others added.
func asking(t *testing.T, args arguments, more ...string) arguments {
	args, err := parse(append([]string{
		"-data", args.line.Data, "-schema", schemaOf(args), "-epsilon", "1", "-delta", "1e-5",
	}, more...), io.Discard)
	require.NoError(t, err)
	return args
}

// A release is not written over what it is made from, whatever path leads there.
func TestNoFileThatIsReadIsWrittenOver(t *testing.T) {
	args := files(t, 0)
	link := filepath.Join(t.TempDir(), "link")
	require.NoError(t, os.Symlink(args.line.Data, link))
	for _, path := range []string{args.line.Data, link, schemaOf(args)} {
		_, err := parse([]string{
			"-data", args.line.Data, "-schema", schemaOf(args), "-epsilon", "1", "-delta", "1e-5",
			"-output", path,
		}, io.Discard)
		assert.ErrorContains(t, err, "-output names the file of -", path)
	}
}

// fittedInMemory is the release of the same file by the same noise, without passes.
func fittedInMemory(t *testing.T, args arguments, source random.Source) *learn.Release {
	question, fit, err := args.line.Choose()
	require.NoError(t, err)
	table, err := os.ReadFile(args.line.Data)
	require.NoError(t, err)
	options, err := args.line.Reading()
	require.NoError(t, err)
	options.Size = int64(len(table))
	dataset, err := data.Read(bytes.NewReader(table), question.Schema, options)
	require.NoError(t, err)
	problem := learn.Problem{Data: dataset, Loss: question.Loss}
	model, _, err := fit.Fit(context.Background(), problem, source, learn.Watch{})
	require.NoError(t, err)
	release, err := learn.NewRelease(fit.Event, question.Guarantee, fit.Bound, model)
	require.NoError(t, err)
	return release
}

// The release is that of a fit in memory, to the last bit, whatever the file's size, the number of
// workers, the memory, the learner and the loss; and it holds. The short form has large files,
// whose rows are read in blocks, for one, three and eight workers, clipped slopes and the other
// learner.
func TestTheReleaseIsThatOfAFitInMemory(t *testing.T) {
	inBlocks := []string{"amp", "three workers", "eight workers", "clipped", "outpert"}
	for name, more := range map[string][]string{
		"amp":           {"-workers", "1"},
		"two workers":   {"-workers", "2", "-norm", "unit"},
		"three workers": {"-workers", "3", "-memory", "256MiB"},
		"eight workers": {"-workers", "8", "-memory", "2GiB"},
		"huber":         {"-loss", "huber", "-huber-width", "0.7", "-norm", "clip"},
		"clipped":       {"-clip", "0.3", "-lambda", "4", "-adjacency", "replace-one"},
		"shifted":       {"-loss", "shifted-logistic", "-shift", "1.5"},
		"weighted":      {"-positive-weight", "6"},
		"outpert":       {"-method", "outpert", "-records", "3e5"},
	} {
		for _, size := range []int{1 << 18, data.Large + 1<<20} {
			if size >= data.Large && !slices.Contains(inBlocks, name) && !audittest.Long() {
				continue
			}
			t.Run(name+" "+strconv.Itoa(size), func(t *testing.T) {
				args := files(t, size, more...)
				want := fittedInMemory(t, args, randomtest.New(1))
				var out, told bytes.Buffer
				require.NoError(
					t, run(context.Background(), args, randomtest.New(1), &out, &told),
				)
				have, err := learn.ParseRelease(out.Bytes())
				require.NoError(t, err)
				assert.Equal(t, want.Model.Coefficients, have.Model.Coefficients)
				_, failed := have.Verify().Failed()
				assert.False(t, failed)
				assert.Equal(t, size >= data.Large, strings.Contains(told.String(), "was read"))
			})
		}
	}
}

// stopping ends a context once so much was told.
type stopping struct {
	after int
	stop  func()
}

func (s *stopping) Write(text []byte) (int, error) {
	if s.after--; s.after == 0 {
		s.stop()
	}
	return len(text), nil
}

// A fit that was stopped anywhere goes on from its journal: with the noise that it had, so to the
// release that it would have come to, and without the passes that were made.
func TestAStoppedFitGoesOn(t *testing.T) {
	args := files(t, data.Large)
	args.line.Journal = filepath.Join(filepath.Dir(args.line.Data), "fit.journal")
	want := fittedInMemory(t, args, randomtest.New(1)).Model.Coefficients
	stops, seed := 0, uint64(1)
	for ; stops < 100; stops++ {
		ctx, stop := context.WithCancel(context.Background())
		told := &stopping{after: 25, stop: stop} // tenths of passes
		var out bytes.Buffer
		err := run(ctx, args, randomtest.New(seed), &out, told)
		if err == nil {
			have, err := learn.ParseRelease(out.Bytes())
			require.NoError(t, err)
			assert.Equal(t, want, have.Model.Coefficients)
			break
		}
		require.ErrorIs(t, err, context.Canceled)
		seed = 99 // other noise must not be drawn
		if stops == 2 {
			tear(t, args.line.Journal)
		}
	}
	assert.Greater(t, stops, 2)
	assert.Less(t, stops, 100)
	assert.NoFileExists(t, args.line.Journal)
}

// tear writes what a kill in the middle of an entry leaves.
func tear(t *testing.T, path string) {
	file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	require.NoError(t, err)
	_, err = file.Write([]byte{'s', 70, 0, 0, 0, 100, 0, 0, 0})
	require.NoError(t, errors.Join(err, file.Close()))
}

// A process that is killed leaves a journal from which another goes on; only the owner may read it.
// So it is where rows are kept, of which nothing is left in the end.
func TestAKilledFitGoesOn(t *testing.T) {
	t.Run("parsing", func(t *testing.T) { killed(t, "") })
	t.Run("rows", func(t *testing.T) { killed(t, filepath.Join(t.TempDir(), "rows")) })
}

func killed(t *testing.T, rows string) {
	args := files(t, data.Large)
	path := filepath.Join(filepath.Dir(args.line.Data), "fit.journal")
	output := filepath.Join(filepath.Dir(args.line.Data), "release.json")
	line := []string{
		"-data", args.line.Data, "-schema", schemaOf(args), "-epsilon", "1", "-delta", "1e-5",
		"-journal", path, "-output", output, "-rows", rows,
	}
	process := func() *exec.Cmd {
		self, err := os.Executable()
		require.NoError(t, err)
		command := exec.Command(self, line...)
		command.Env = append(os.Environ(), "CLOISTER_FIT=1")
		return command
	}
	first := process()
	require.NoError(t, first.Start())
	size := func() int64 {
		info, err := os.Stat(path)
		if err != nil {
			return 0
		}
		assert.Equal(t, os.FileMode(0o600), info.Mode())
		return info.Size()
	}
	require.Eventually(t, func() bool { return size() > 12_000 }, time.Minute, time.Millisecond)
	require.NoError(t, first.Process.Kill())
	_ = first.Wait()
	words := wordsIn(t, path)
	require.NotEmpty(t, words)
	if rows != "" {
		require.DirExists(t, rows)
	}

	second, err := process().CombinedOutput()
	require.NoError(t, err, string(second))
	assert.NoFileExists(t, path)
	if rows != "" {
		assert.NoDirExists(t, rows)
		assert.Contains(t, string(second), "sums")
	}
	text, err := os.ReadFile(output)
	require.NoError(t, err)
	have, err := learn.ParseRelease(text)
	require.NoError(t, err)
	want := fittedInMemory(t, args, &written{words})
	assert.Equal(t, want.Model.Coefficients, have.Model.Coefficients)
}

// wordsIn reads the noise in a journal: after a line, entries of a kind, two lengths, two
// checksums, key and value.
func wordsIn(t *testing.T, path string) (words []uint64) {
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	text = text[bytes.IndexByte(text, '\n')+1:]
	for len(text) >= 17 {
		key, value := binary.LittleEndian.Uint32(text[1:]), binary.LittleEndian.Uint32(text[5:])
		kind, rest := text[0], text[17:]
		if uint32(len(rest)) < key+value {
			break
		}
		for at := key; kind == 'n' && at < key+value; at += 8 {
			words = append(words, binary.LittleEndian.Uint64(rest[at:]))
		}
		text = rest[key+value:]
	}
	return words
}

// written is a source of noise that was written down.
type written struct{ words []uint64 }

func (w *written) Uint64() (uint64, error) {
	word := w.words[0]
	w.words = w.words[1:]
	return word, nil
}

// A journal is for one fit: of this schema, guarantee, setting and file. A file that is no journal
// is left as it is. A file of records that has changed ends the fit that goes on.
func TestAJournalOfAnotherFit(t *testing.T) {
	args := files(t, data.Large)
	args.line.Journal = filepath.Join(filepath.Dir(args.line.Data), "fit.journal")
	ctx, stop := context.WithCancel(context.Background())
	told := &stopping{after: 25, stop: stop}
	err := run(ctx, args, randomtest.New(1), io.Discard, told)
	require.ErrorIs(t, err, context.Canceled)

	again := func(args arguments) error {
		return run(context.Background(), args, randomtest.New(1), io.Discard, io.Discard)
	}
	other := asking(t, args, "-epsilon", "2", "-journal", args.line.Journal)
	assert.ErrorIs(t, again(other), passes.ErrOther)
	other = args
	other.line.Journal = schemaOf(args)
	before, err := os.ReadFile(schemaOf(args))
	require.NoError(t, err)
	assert.ErrorIs(t, again(other), passes.ErrNoJournal)
	after, err := os.ReadFile(schemaOf(args))
	require.NoError(t, err)
	assert.Equal(t, before, after)

	text, err := os.ReadFile(args.line.Data)
	require.NoError(t, err)
	at := bytes.LastIndexByte(text[:len(text)-1], '\n')
	copy(text[at+1:], "c")
	text[at+1] = "ab"[map[bool]int{true: 1}[text[at+1] == 'a']]
	require.NoError(t, os.WriteFile(args.line.Data, text, 0o600))
	assert.ErrorIs(t, again(args), data.ErrChanged)
}

// What cannot be done is said: several classes and methods that need rows; too little memory; and
// each fault of the command line.
func TestWhatIsRefused(t *testing.T) {
	args := files(t, data.Large)
	again := func(more ...string) error {
		return run(
			context.Background(), asking(t, args, more...), randomtest.New(1),
			io.Discard, io.Discard,
		)
	}
	assert.Equal(t, passes.ErrNeedsRows, again("-method", "steps", "-records", "3e5"))
	assert.ErrorContains(t, again("-memory", "64MiB"), "of memory")
	assert.ErrorContains(t, again("-delta", "0"), "delta")
	assert.ErrorContains(t, again("-norm", "long"), "norm")
	assert.ErrorContains(t, again("-loss", "cubic"), "loss")
	assert.ErrorContains(t, again("-schema", args.line.Data), "schema")
	assert.ErrorContains(t, again("-data", args.line.Data+"x"), "no such file")
	few := files(t, 1000)
	note := filepath.Join(filepath.Dir(few.line.Data), "note.txt")
	require.NoError(t, os.WriteFile(note, []byte("mine"), 0o600))
	few = asking(t, few, "-journal", note)
	var told bytes.Buffer
	require.NoError(t, run(context.Background(), few, randomtest.New(1), io.Discard, &told))
	assert.Contains(t, told.String(), "none is kept")
	left, err := os.ReadFile(note)
	require.NoError(t, err)
	assert.Equal(t, "mine", string(left))
	for _, line := range []string{
		"", "-data x", "-data x -schema y z", "-data x -schema y -memory 1TB",
		"-data x -schema y -journal a/b -output a/../a/b", "-data x -schema y -workers 0", "-data x -schema y -header maybe",
		"-data x -schema y -delimiter ab", "-data x -schema y -epsilon one",
	} {
		_, err := parse(strings.Fields(line), io.Discard)
		assert.Error(t, err, line)
	}
}
