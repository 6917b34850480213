package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/testing/ptest"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/scripts/fitline"
)

func TestMain(m *testing.M) { ptest.MainWithDefault(m, "prism") }

const testSchema = `{"version":1,"features":[
	{"name":"age","type":"numeric","min":18,"max":90,"provenance":"public"},
	{"name":"dose","type":"numeric","min":0,"max":9,"provenance":"public"},
	{"name":"ward","type":"categorical","categories":["a","b","c"],"provenance":"public"}],
	"label":{"name":"ill","positive":["yes"],"negative":["no"],"provenance":"public"},
	"intercept":0.25,"rows":{"norm":"unit"}}`

// noise can be drawn again, which is for tests.
func noise() random.Source { return randomtest.New(7) }

// rows is how many records the table has: as many as make it large, or what the environment says.
func rows(t *testing.T) int {
	if text := os.Getenv("CLOISTER_BEAM_ROWS"); text != "" {
		n, err := strconv.Atoi(text)
		must(t, err)
		return n
	}
	return 50_000
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// table writes the schema and the table, and returns the command line for them.
func table(t *testing.T) *fitline.Line {
	place := t.TempDir()
	schema, path := filepath.Join(place, "schema.json"), filepath.Join(place, "table.csv")
	must(t, os.WriteFile(schema, []byte(testSchema), 0o600))
	n := rows(t)
	note := strings.Repeat("n", max(0, data.Large/n-10)) // so that few records make it large
	text := []byte("ward,age,note,dose,ill\n")
	source := noise()
	for range n {
		word, _ := source.Uint64()
		age, dose, ill := 18+word%73, word>>16%10, "no"
		if 40+word>>32%50 < age {
			ill = "yes"
		}
		text = fmt.Appendf(text, "%c,%d,%s,%d,%s\n", "abc"[word>>48%3], age, note, dose, ill)
	}
	must(t, os.WriteFile(path, text, 0o600))
	line := &fitline.Line{}
	flags := flag.NewFlagSet("test", flag.ContinueOnError)
	line.Register(flags)
	must(t, flags.Parse([]string{
		"-data", path, "-schema", schema, "-epsilon", "1", "-delta", "1e-5",
	}))
	*folder = filepath.Join(place, "sums")
	return line
}

// inMemory is what a fit in memory releases, by the same noise.
func inMemory(t *testing.T, line *fitline.Line) string {
	asked, fit, err := line.Choose()
	must(t, err)
	file, err := os.Open(line.Data)
	must(t, err)
	defer file.Close()
	info, err := file.Stat()
	must(t, err)
	dataset, err := data.Read(
		file, asked.Schema,
		data.ReadOptions{Size: info.Size(), MaxBytes: info.Size(), MaxMatrixBytes: 1 << 40},
	)
	must(t, err)
	problem := learn.Problem{Data: dataset, Loss: asked.Loss}
	model, _, err := fit.Fit(context.Background(), problem, noise(), learn.Watch{})
	must(t, err)
	var out bytes.Buffer
	must(t, line.Publish(asked, fit, model, fitline.Charge{}, &out))
	return out.String()
}

// The release is that of a fit in memory to the last bit, for any number of shares, and where a
// worker dies in the middle of a share.
func TestTheReleaseIsThatOfAFitInMemory(t *testing.T) {
	line := table(t)
	want := inMemory(t, line)
	for _, n := range []int{1, 2, 4, 0} {
		for _, dies := range []bool{false, true} {
			t.Run(fmt.Sprint(n, dies), func(t *testing.T) {
				var once sync.Once
				died := false
				fault = func(block int) {
					if dies && block == 7 {
						once.Do(func() {
							died = true
							panic("a worker dies here")
						})
					}
				}
				defer func() { fault = func(int) {} }()
				*shares = n
				var out bytes.Buffer
				must(t, run(context.Background(), line, noise(), &out))
				if out.String() != want {
					t.Error("another release")
				}
				if died != dies {
					t.Error("nobody died")
				}
				if left, _ := filepath.Glob(filepath.Join(*folder, "*")); len(left) > 0 {
					t.Error("sums were left", left)
				}
			})
		}
	}
}

// As many workers as there are shares take blocks at once.
func TestSharesAreTakenAtOnce(t *testing.T) {
	line := table(t)
	for _, n := range []int{2, 4} {
		var begun atomic.Int64
		all := make(chan struct{})
		fault = func(int) {
			if begun.Add(1) == int64(n) {
				close(all)
			}
			select {
			case <-all:
			case <-time.After(time.Minute):
				t.Error("a worker is alone")
			}
		}
		*shares = n
		must(t, run(context.Background(), line, noise(), &bytes.Buffer{}))
	}
	fault, *shares = func(int) {}, 0
}

// Sums that storage has lost, cut or damaged are taken for missing.
func TestDamagedSums(t *testing.T) {
	folder, pass := t.TempDir(), []byte("pass")
	whole := &writeSums{folder, pass}
	for block := range 4 {
		must(t, whole.ProcessElement(context.Background(), block, make([]byte, 80)))
	}
	path := sumsOf(folder, 1)
	text, err := os.ReadFile(path)
	must(t, err)
	must(t, os.WriteFile(path, text[:len(text)-8], 0o600))
	must(t, os.WriteFile(sumsOf(folder, 2), make([]byte, len(text)), 0o600))
	must(t, (&writeSums{folder, []byte("other")}).ProcessElement(
		context.Background(), 3, make([]byte, 80),
	))
	var found []int
	missing, err := kept(folder, pass, []int{0, 1, 2, 3, 4}, func(block int, _ []float64) error {
		found = append(found, block)
		return nil
	})
	must(t, err)
	if fmt.Sprint(found, missing) != "[0] [1 2 3 4]" {
		t.Error(found, missing)
	}
}

// Where no worker can take the sums, the fit ends, and says so.
func TestSumsThatNobodyTakes(t *testing.T) {
	line := table(t)
	fault = func(int) { panic("no worker lives") }
	defer func() { fault = func(int) {} }()
	err := run(context.Background(), line, noise(), &bytes.Buffer{})
	if err == nil || !strings.Contains(err.Error(), "missing") {
		t.Error(err)
	}
}
