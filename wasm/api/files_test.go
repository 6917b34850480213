package api_test

import (
	"encoding/json"
	"flag"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/curve"
	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/learn/scorecard"
	"cloister/core/ledger"
	"cloister/core/report"
)

// testdata/files holds what people have: a file of every kind, version and method,
// as the programs of its day wrote it (make.mjs says how). Beside each stands what
// it said then, as NAME.says.json. Today's code must read every file and say the
// same; words may get better, values may not move. Where one has to, because a claim
// more is checked or a price is sharper, delete that summary, write it anew, and say
// in the commit why what people have may say something else now. The client is held to the same
// summaries by site/test/client/files.test.mjs.
const filesFolder = "testdata/files"

var writeMissing = flag.Bool("write-missing", false,
	"write the summaries of files in "+filesFolder+" that have none; those there stay")

// people are the records that models and reports are asked about.
var people = []map[string]string{
	{"age": "63", "dose": "2.5", "ward": "B"},
	{"age": "5", "dose": "0", "ward": "A"},
}

// summary is what a file says, as a plain tree of JSON.
type summary = map[string]any

func TestFilesOfEveryVersionSayWhatTheySaid(t *testing.T) {
	for _, kind := range []struct {
		folder  string
		least   int // files that there are at least: a folder that was moved tests nothing
		summary func(t *testing.T, path string, text []byte) summary
	}{
		{"schemas", 8, schemaSays},
		{"releases", 66, releaseSays},
		{"reports", 16, reportSays},
		{"ledgers", 3, ledgerSays},
		{"cards", 7, cardSays},
		{"cells", 2, cellsSay},
	} {
		paths, err := filepath.Glob(filepath.Join(filesFolder, kind.folder, "*.json"))
		require.NoError(t, err)
		seen := 0
		for _, path := range paths {
			if strings.HasSuffix(path, ".says.json") {
				continue
			}
			seen++
			t.Run(kind.folder+"/"+filepath.Base(path), func(t *testing.T) {
				text, err := os.ReadFile(path)
				require.NoError(t, err)
				var got summary
				require.NoError(t, json.Unmarshal(marshal(t, kind.summary(t, path, text)), &got))
				same(t, "", golden(t, path, got), got)
			})
		}
		assert.GreaterOrEqual(t, seen, kind.least, kind.folder)
	}
}

// golden reads the summary beside a file, or writes it if it is asked for and none is there.
func golden(t *testing.T, path string, got summary) (want summary) {
	t.Helper()
	beside := strings.TrimSuffix(path, ".json") + ".says.json"
	text, err := os.ReadFile(beside)
	if os.IsNotExist(err) && *writeMissing {
		text = append(marshal(t, got), '\n')
		require.NoError(t, os.WriteFile(beside, text, fs.FileMode(0o644)))
	} else {
		require.NoError(t, err, "go test ./wasm/api -run Files -write-missing writes it")
	}
	require.NoError(t, json.Unmarshal(text, &want))
	return want
}

func marshal(t *testing.T, tree any) []byte {
	t.Helper()
	text, err := json.MarshalIndent(tree, "", "  ")
	require.NoError(t, err)
	return text
}

// same compares plain trees, numbers to one part in a million: prices are found by
// bisection, and a processor's exp and log differ in their last digits.
func same(t *testing.T, path string, want, got any) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		got, _ := got.(map[string]any)
		assert.Equal(t, len(want), len(got), "%s: %v became %v", path, want, got)
		for name, member := range want {
			same(t, path+"."+name, member, got[name])
		}
	case []any:
		got, _ := got.([]any)
		if assert.Len(t, got, len(want), path) {
			for i := range want {
				same(t, path+"[]", want[i], got[i])
			}
		}
	case float64:
		x, ok := got.(float64)
		assert.True(t, ok && math.Abs(x-want) <= 1e-6*math.Abs(want), "%s: %v became %v", path, want, got)
	default:
		assert.Equal(t, want, got, path)
	}
}

// written holds a file against what is written of it today: nothing of it was lost
// in reading. The version of the library is that of today.
func written(t *testing.T, file, today []byte) {
	t.Helper()
	var want, got map[string]any
	require.NoError(t, json.Unmarshal(file, &want))
	require.NoError(t, json.Unmarshal(today, &got))
	delete(want, "library")
	delete(got, "library")
	assert.Equal(t, want, got)
}

func schemaSays(t *testing.T, path string, text []byte) summary {
	s, err := data.ParseSchema(text)
	require.NoError(t, err)
	// Defaults are written out: reading what is written must give the same schema.
	again, err := data.ParseSchema(marshal(t, s))
	require.NoError(t, err)
	assert.Equal(t, s, again)
	var columns []string
	for _, column := range s.Columns() {
		columns = append(columns, column.Name)
	}
	return summary{
		"dimension": s.Dimension(), "rowNorm": s.RowNorm(), "columns": columns,
		"covers": s.CoversEverything(), "caveats": len(s.Caveats()),
	}
}

func cardSays(t *testing.T, path string, text []byte) summary {
	r, err := scorecard.ParseRelease(text)
	require.NoError(t, err)
	tree, err := r.Tree()
	require.NoError(t, err)
	written(t, text, marshal(t, tree))
	var scores []int
	for _, row := range people {
		score, _, err := r.ScoreRecord(row)
		require.NoError(t, err)
		scores = append(scores, score)
	}
	return summary{"findings": found(r.Verify()), "scores": scores}
}

func cellsSay(t *testing.T, path string, text []byte) summary {
	n, err := scorecard.ParseCells(text)
	require.NoError(t, err)
	tree, err := n.Tree()
	require.NoError(t, err)
	written(t, text, marshal(t, tree))
	best, wrong, err := n.Best(t.Context(), 2, nil)
	require.NoError(t, err)
	return summary{
		"findings": found(n.Verify()), "records": n.Records(), "deviation": n.Deviation(),
		"wrong": wrong, "points": best.Points,
	}
}

func found(of learn.Findings) map[string]bool {
	findings := map[string]bool{}
	for _, f := range of {
		findings[f.Claim] = f.True
	}
	return findings
}

func releaseSays(t *testing.T, path string, text []byte) summary {
	r, err := learn.ParseRelease(text)
	require.NoError(t, err)
	written(t, text, marshal(t, r))

	findings := found(r.Verify())
	g := r.Guarantee
	price, _, err := r.Price(g.Method, g.Bound)
	require.NoError(t, err)
	epsilon, err := price.EpsilonUpper(g.Delta)
	require.NoError(t, err)
	delta, err := curve.DeltaUpper(price, g.Epsilon)
	require.NoError(t, err)
	says := summary{"findings": findings, "epsilon": epsilon, "delta": delta}

	var margins [][]float64
	for _, row := range people {
		p, err := r.Predict(row)
		require.NoError(t, err)
		margins = append(margins, p.Margins)
	}
	says["margins"] = margins
	if r.Assessment != nil {
		f := r.Assessment.Figures(r.Model)
		says["records"] = f.Records.Estimate
		if f.Accuracy != nil {
			says["accuracy"] = f.Accuracy.Estimate
		}
		if f.MeanSquaredError != nil {
			says["meanSquaredError"] = f.MeanSquaredError.Estimate
		}
	}
	return says
}

// A report's name says of which release it is: NAME.of-RELEASE.json.
func reportSays(t *testing.T, path string, text []byte) summary {
	_, of, found := strings.Cut(filepath.Base(path), ".of-")
	require.True(t, found)
	file, err := os.ReadFile(filepath.Join(filesFolder, "releases", of))
	require.NoError(t, err)
	release, err := learn.ParseRelease(file)
	require.NoError(t, err)
	r, err := report.Parse(text, release)
	require.NoError(t, err)
	today, err := r.Marshal(release)
	require.NoError(t, err)
	written(t, text, today)

	reader, err := report.Open(release, r)
	require.NoError(t, err)
	label := map[data.LabelType]string{
		data.TwoClasses: "yes", data.NumericLabel: "12",
	}[release.Schema.Label.Type]
	var bounds []float64
	for _, row := range people {
		bound, _, err := reader.Record(release.Schema, row, label)
		require.NoError(t, err)
		bounds = append(bounds, bound.Largest())
	}
	return summary{"kind": r.Kind(), "rho": r.Rho, "label": label, "bounds": bounds}
}

func ledgerSays(t *testing.T, path string, text []byte) summary {
	l := ledger.New(&ledger.Memory{}, nil)
	what, err := l.Import(t.Context(), text, false)
	require.NoError(t, err)
	sets, err := l.Datasets(t.Context())
	require.NoError(t, err)
	var accounts []summary
	for _, d := range sets {
		spent, condition, err := d.Spent()
		require.NoError(t, err)
		states := map[string]int{}
		for _, c := range d.Charges {
			states[string(c.State)]++
		}
		account := summary{"name": d.Name, "condition": string(condition), "states": states}
		if d.Budget != nil {
			account["budget"], account["spent"] = d.Budget.Epsilon, spent
		}
		accounts = append(accounts, account)
	}
	// What is exported from it reads as the same accounts.
	today, err := l.Export(t.Context())
	require.NoError(t, err)
	other := ledger.New(&ledger.Memory{}, nil)
	again, err := other.Import(t.Context(), today, false)
	require.NoError(t, err)
	assert.Equal(t, what, again)
	return summary{"datasets": what.Datasets, "charges": what.Added, "accounts": accounts}
}
