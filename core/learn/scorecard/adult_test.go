package scorecard

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/learn/audittest"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/random/randomtest"
	"cloister/core/search"
)

func numeric(name string, most float64, cuts ...float64) data.Attribute {
	return data.Attribute{Name: name, Min: 0, Max: most, Cuts: cuts, Provenance: data.Public}
}

func grouped(name string, of ...data.Level) data.Attribute {
	return data.Attribute{Name: name, Levels: of, Provenance: data.Public}
}

// adultSchema is seven attributes of Adult with 23 levels: what people know of work and
// school, and round numbers. Of some twenty sets of levels it is the best without privacy
// on adult.test.csv, of which no figure here has a record. A question mark is a level like
// others.
func adultSchema() *data.CellSchema {
	return &data.CellSchema{
		Attributes: []data.Attribute{
			grouped(
				"marital-status",
				data.Level{
					Name:   "married",
					Values: []string{"Married-civ-spouse", "Married-AF-spouse"},
				},
				data.Level{Name: "never married", Values: []string{"Never-married"}},
				data.Level{
					Name:   "was married",
					Values: []string{"Divorced", "Separated", "Widowed", "Married-spouse-absent"},
				},
			),
			grouped(
				"education",
				data.Level{
					Name: "no diploma",
					Values: []string{
						"Preschool",
						"1st-4th",
						"5th-6th",
						"7th-8th",
						"9th",
						"10th",
						"11th",
						"12th",
					},
				},
				data.Level{Name: "high school", Values: []string{"HS-grad"}},
				data.Level{
					Name:   "some college",
					Values: []string{"Some-college", "Assoc-acdm", "Assoc-voc"},
				},
				data.Level{
					Name:   "degree",
					Values: []string{"Bachelors", "Masters", "Prof-school", "Doctorate"},
				},
			),
			grouped(
				"occupation",
				data.Level{
					Name:   "management, professions",
					Values: []string{"Exec-managerial", "Prof-specialty"},
				},
				data.Level{
					Name: "technical, sales, office",
					Values: []string{
						"Tech-support",
						"Sales",
						"Protective-serv",
						"Adm-clerical",
						"Armed-Forces",
					},
				},
				data.Level{
					Name:   "trades, transport",
					Values: []string{"Craft-repair", "Transport-moving"},
				},
				data.Level{
					Name:   "machines, labour",
					Values: []string{"Machine-op-inspct", "Handlers-cleaners"},
				},
				data.Level{
					Name:   "service, farming, none",
					Values: []string{"Other-service", "Farming-fishing", "Priv-house-serv", "?"},
				},
			),
			numeric("age", 90, 25, 30, 35),
			numeric("hours-per-week", 99, 40, 45),
			numeric("capital-gain", 99999, 7000),
			grouped(
				"sex", data.Level{Name: "female", Values: []string{"Female"}},
				data.Level{Name: "male", Values: []string{"Male"}},
			),
		},
		Label: data.Label{
			Name:       "Y",
			Negative:   []string{"<=50K", "<=50K."},
			Positive:   []string{">50K", ">50K."},
			Provenance: data.Public,
		},
		MissingValues: []string{""},
	}
}

// balancedAdult is the training part of Adult with as many negatives as there are
// positives: 2·7,841 records.
func balancedAdult(t testing.TB) (all *data.Cells, rows []int) {
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "..", "shared", "data")
	}
	file, err := os.Open(filepath.Join(folder, "adult.train.csv"))
	if err != nil {
		t.Skipf("no Adult: %v", err)
	}
	defer file.Close()
	all, err = data.ReadCells(
		[]data.Part{{Name: "adult.train.csv", Reader: file}}, adultSchema(), data.ReadOptions{},
	)
	require.NoError(t, err)
	var positive, negative []int
	for i, row := range all.Rows {
		if row&1 == 1 {
			positive = append(positive, i)
		} else {
			negative = append(negative, i)
		}
	}
	require.Len(t, positive, 7841)
	shuffle(t, negative, 1)
	return all, append(positive, negative[:len(positive)]...)
}

// split is 80 % of the records to fit, and the others.
func split(t testing.TB, rows []int, seed uint64) (fit, held []int) {
	rows = slices.Clone(rows)
	shuffle(t, rows, 100+seed)
	n := len(rows) * 4 / 5
	return rows[:n], rows[n:]
}

func shuffle(t testing.TB, rows []int, seed uint64) {
	src := randomtest.New(seed)
	for i := len(rows) - 1; i > 0; i-- {
		j, err := random.Below(src, uint64(i)+1)
		require.NoError(t, err)
		rows[i], rows[j] = rows[j], rows[i]
	}
}

func free(privacy.Event) error { return nil }

// fitted is one private fit, and the share of the held-out records that it gets right.
func fitted(
	t testing.TB, fit, held *data.Cells, request Request, seed uint64,
) (right float64, d *Diagnostics, took time.Duration) {
	request.Schema = fit.Schema
	plan, err := request.Plan()
	require.NoError(t, err)
	start := time.Now()
	release, d, err := Fit(context.Background(), fit, plan, randomtest.New(seed), free, nil)
	took = time.Since(start)
	require.NoError(t, err)
	var points search.Points
	for _, of := range release.Points {
		for _, p := range of {
			points = append(points, int8(p))
		}
	}
	wrong := rowLoss(held, plan.Shape, points)
	return 1 - float64(wrong)/float64(len(held.Rows)), d, took
}

// The table of the package comment: mean accuracy on held-out records over splits and
// runs, and times. The long form has 10 splits and 3 runs of each; the short one looks
// whether one run at ε = 0.1 is anywhere near.
func TestAdultTable(t *testing.T) {
	all, rows := balancedAdult(t)
	splits, runs := uint64(1), uint64(1)
	epsilons := []float64{0.1}
	if audittest.Long() {
		splits, runs, epsilons = 10, 3, []float64{0.01, 0.03, 0.1, 0.3, 1}
	} else if runtime.GOARCH == "wasm" || testing.Short() {
		t.Skip("a search of 23 levels: seconds")
	}
	// A few splits vary by half a point: these are guards, and the table says what was measured.
	least := map[float64]float64{0.01: 0.755, 0.03: 0.785, 0.1: 0.80, 0.3: 0.80, 1: 0.80}
	laws := []Request{{}, {Noise: privacy.GumbelNoise}, {Mechanism: Centre}}
	for k, request := range laws {
		if k > 0 && !audittest.Long() {
			break
		}
		for _, epsilon := range epsilons {
			request.Epsilon, request.Adjacency = epsilon, privacy.AddRemove
			right, errors, total, longest, nodes := 0.0, 0.0, time.Duration(0), time.Duration(
				0,
			), int64(0)
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			for s := range splits {
				fitRows, heldRows := split(t, rows, s)
				fit, held := all.Select(fitRows), all.Select(heldRows)
				for run := range runs {
					accuracy, d, took := fitted(t, fit, held, request, 1000*s+run)
					right += accuracy
					errors += float64(d.Loss) / float64(d.Records)
					nodes += d.Certificate.Nodes
					total, longest = total+took, max(longest, took)
				}
			}
			runtime.ReadMemStats(&after)
			n := float64(splits * runs)
			t.Logf(
				"%v %v ε=%v: test %.2f %%, training errors %.2f %%, mean %v, longest %v, %d nodes, %d kB allocated a run",
				request.Mechanism, request.Noise, epsilon, 100*right/n, 100*errors/n,
				(total / time.Duration(n)).Round(time.Millisecond), longest.Round(time.Millisecond),
				nodes/int64(n), (after.TotalAlloc-before.TotalAlloc)/1024/uint64(n),
			)
			if k == 0 && audittest.Long() {
				assert.GreaterOrEqual(t, right/n, least[epsilon], "ε = %v", epsilon)
			} else if !audittest.Long() {
				assert.GreaterOrEqual(t, right/n, 0.79)
			}
		}
	}
}

// The least 0/1 loss, without privacy, for the doc comment's sake and as a yardstick.
func TestAdultWithoutPrivacy(t *testing.T) {
	if runtime.GOARCH == "wasm" || testing.Short() {
		t.Skip("a search of 23 levels: seconds")
	}
	all, rows := balancedAdult(t)
	fit, held := split(t, rows, 0)
	cells, out := all.Select(fit), all.Select(held)
	used := 0
	for i := range cells.Positives {
		if cells.Positives[i]+cells.Negatives[i] > 0 {
			used++
		}
	}
	shape := search.Shape{Levels: cells.Schema.Sizes(), Bound: 1}
	start := time.Now()
	points, certificate, err := search.Minimise(context.Background(), search.Problem{
		Shape: shape, Positives: cells.Positives, Negatives: cells.Negatives,
	}, search.None{}, search.Options{})
	require.NoError(t, err)
	assert.Equal(t, rowLoss(cells, shape, points), certificate.Loss)
	t.Logf(
		"%d cells, least loss %d of %d, held out %.2f %% right, %v, %d nodes",
		used,
		certificate.Loss,
		len(cells.Rows),
		100-100*float64(
			rowLoss(out, shape, points),
		)/float64(len(out.Rows)),
		time.Since(start).Round(time.Millisecond),
		certificate.Nodes,
	)
	assert.Less(t, float64(certificate.Loss)/float64(len(cells.Rows)), 0.19)
}
