package lab

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/data"
	"cloister/core/lab/seeded"
	"cloister/core/privacy"
)

// published reads the public data sets where they are; tests that need them
// skip where they are not.
func published(name string) ([]byte, error) {
	folder := os.Getenv("CLOISTER_DATA")
	if folder == "" {
		folder = filepath.Join("..", "..", "..", "shared", "data")
	}
	return os.ReadFile(filepath.Join(folder, name))
}

// few is a laboratory of its own on 400 records made up here.
func few() *Lab {
	d := synthetic2D()
	d.rows, d.labels = d.rows[:400], d.labels[:400]
	return On(d.encode(DefaultEncoding))
}

func cellOf(set, method string) Cell {
	cell := Cell{Set: set, Method: method, Epsilon: 1, Delta: DefaultDelta, Trial: 1, Effort: Quick}
	m, err := FindMethod(method)
	if err != nil {
		panic(err)
	}
	cell.Setting = m.Settings(Quick)[0]
	if m.Standing == NotPrivate {
		cell.Epsilon = math.Inf(1)
	}
	return cell
}

// Every method runs on a small set, twice with the same result, by laboratories
// that share nothing; another trial has another.
func TestACellAlwaysComesOutTheSame(t *testing.T) {
	for _, m := range Methods() {
		t.Run(m.Name, func(t *testing.T) {
			cell := cellOf(Given, m.Name)
			first, err := few().Run(context.Background(), cell)
			require.NoError(t, err)
			second := few()
			again, err := second.Run(context.Background(), cell)
			require.NoError(t, err)
			assert.Equal(t, first, again)
			assert.NotEqual(t, Private, first.Standing, "the set is somebody's own")
			assert.Equal(t, m.Standing == NotPrivate, first.Standing == NotPrivate)
			assert.Equal(t, 80, first.Tested)
			assert.Equal(t, 320, first.Trained)
			assert.True(t, first.Accuracy > 0.3 && first.Accuracy <= 1)
			assert.True(t, first.Loss > 0 && !math.IsInf(first.Loss, 0))
			cell.Trial = 2
			other, err := second.Run(context.Background(), cell)
			require.NoError(t, err)
			assert.NotEqual(t, first.Key, other.Key)
			assert.NotEqual(t, first.Loss, other.Loss)
		})
	}
}

// One cell of each data set, by our default: what it reaches lies where it
// should, so nothing is upside down.
func TestSetsCanBeLearnt(t *testing.T) {
	least := map[string]float64{
		"adult":         0.82,
		"breast-cancer": 0.8,
		"synthetic-l":   0.93,
		"iris":          0.6,
		"synthetic-2d":  0.87,
	}
	l := New(published)
	for _, set := range Sets() {
		if set.Name == "synthetic-h" {
			continue // slow; its making is tested below
		}
		t.Run(set.Name, func(t *testing.T) {
			cell := cellOf(set.Name, "amp")
			cell.Epsilon = 4
			r, err := l.Run(context.Background(), cell)
			if errors.Is(err, os.ErrNotExist) {
				t.Skip("the published data are not here")
			}
			require.NoError(t, err)
			assert.GreaterOrEqual(t, r.Accuracy, least[set.Name])
			assert.Greater(t, r.Accuracy, r.Baseline-0.1)
		})
	}
}

func TestUnknownNamesListWhatThereIs(t *testing.T) {
	run := func(change func(*Cell)) error {
		cell := cellOf("synthetic-2d", "amp")
		change(&cell)
		_, err := New(nil).Run(context.Background(), cell)
		return err
	}
	err := run(func(c *Cell) { c.Set = "mnist" })
	assert.EqualError(
		t,
		err,
		`there is no set "mnist" in the laboratory: choose from adult, breast-cancer, synthetic-l, synthetic-h, iris, synthetic-2d`,
	)
	err = run(func(c *Cell) { c.Method = "magic" })
	assert.ErrorContains(t, err, `there is no method "magic" in the laboratory: choose from amp, `)
	unknown, ok := errors.AsType[*UnknownError](err)
	require.True(t, ok)
	assert.Len(t, unknown.Known, len(Methods()))

	for field, change := range map[string]func(*Cell){
		"trial":   func(c *Cell) { c.Trial = 0 },
		"effort":  func(c *Cell) { c.Effort = "" },
		"setting": func(c *Cell) { c.Setting = "rate=1" },
		"epsilon": func(c *Cell) { c.Epsilon = 0 },
		"delta":   func(c *Cell) { c.Delta = 1 },
	} {
		wrong, ok := errors.AsType[*privacy.ParameterError](run(change))
		if assert.True(t, ok, field) {
			assert.Equal(t, field, wrong.Field)
		}
	}
	missing, ok := errors.AsType[*MissingFileError](run(func(c *Cell) { c.Set = "adult" }))
	require.True(t, ok)
	assert.Equal(t, "adult.train.csv", missing.File)

	_, err = Plan{Sets: []string{"mnist"}, Trials: 1}.Cells()
	assert.ErrorContains(t, err, "choose from adult")
	_, err = Plan{Methods: []string{"magic"}, Trials: 1}.Cells()
	assert.ErrorContains(t, err, "choose from amp")
	_, err = Plan{}.Cells()
	assert.ErrorContains(t, err, "trials")
}

func TestRunEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err := New(nil).Run(ctx, cellOf("synthetic-2d", "amp"))
	assert.ErrorIs(t, err, context.Canceled)
}

func TestOnTakesADataSetAsItIs(t *testing.T) {
	d := synthetic2D().encode(DefaultEncoding)
	d = d.Select([]int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19})
	cell := cellOf("synthetic-2d", "amp")
	cell.Set = Given
	r, err := On(d).Run(context.Background(), cell)
	require.NoError(t, err)
	assert.Equal(t, 4, r.Tested)
	assert.Equal(t, 16, r.Trained)
	_, err = On(d.Select([]int{0, 1})).Run(context.Background(), cell)
	assert.ErrorContains(t, err, "5 or more")
	_, err = New(nil).Run(context.Background(), cell)
	assert.ErrorContains(t, err, `there is no set "given"`)
}

// The price of every fit is checked again by Run; here, that the check can
// fail.
func TestAFitThatCostsMoreIsCaught(t *testing.T) {
	var p prices
	event := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1}
	assert.NoError(t, p.covers(event, 4.5, 1e-5))
	unpaid, ok := errors.AsType[*UnpaidError](p.covers(event, 4, 1e-5))
	require.True(t, ok)
	assert.InDelta(t, 4.3775, unpaid.Spent, 1e-3) // Balle & Wang's formula for μ = 1, δ = 1e-5
	_, ok = errors.AsType[*UnpaidError](p.covers(nil, 4, 1e-5))
	assert.True(t, ok)
}

func TestPlanListsTrialAfterTrial(t *testing.T) {
	cells, err := Plan{
		Sets:     []string{"iris", "synthetic-2d"},
		Methods:  []string{"amp"},
		Epsilons: []float64{1, 2},
		Delta:    1e-5,
		Trials:   2,
		Effort:   Full,
	}.Cells()
	require.NoError(t, err)
	require.Len(t, cells, 8)
	for i, cell := range cells {
		assert.Equal(t, i/4+1, cell.Trial)
	}
	keys := map[string]bool{}
	for _, cell := range cells {
		key, err := cell.Key()
		require.NoError(t, err)
		keys[key] = true
	}
	assert.Len(t, keys, 8)
}

// Where the best of a grid is picked for nothing, the clipping threshold is one
// of the things picked, but for the paper's own grid; and titles say so.
func TestDishonestRivalsAreNotHandicapped(t *testing.T) {
	found := 0
	for _, m := range Methods() {
		assert.Equal(t, m.Standing == Dishonest, strings.HasSuffix(m.Title, "(dishonest)"), m.Title)
		if m.Standing != Dishonest || m.Name == "dpsgd-dishonest" {
			continue
		}
		found++
		for _, effort := range []Effort{Full, Quick} {
			rates := map[float64]int{}
			for _, s := range m.Settings(effort) {
				clip, err := valueOf(s, "clip")
				require.NoError(t, err)
				rates[clip]++
			}
			require.Len(t, rates, 3, m.Name)
			for _, clip := range []float64{0.25, 0.5, 1} {
				assert.Equal(t, len(m.Settings(effort)), 3*rates[clip], m.Name)
			}
		}
	}
	assert.Equal(t, 2, found)
}

// The threshold that a setting names is the one that the fit clips to: with the
// same noise, another threshold makes another model.
func TestClippingThresholdsMatter(t *testing.T) {
	for _, name := range []string{"dpsgd-dishonest-pld", "dpgd-momentum"} {
		m, err := FindMethod(name)
		require.NoError(t, err)
		l, losses := few(), map[float64]bool{}
		for _, clip := range []string{"0.25", "0.5", "1"} {
			out, err := m.fit(&job{
				ctx: context.Background(), train: l.given[Given], effort: Quick,
				source: seeded.New("clipping"), prices: &l.prices,
				guarantee: privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5},
				setting:   strings.Replace(m.Settings(Quick)[0], "clip=0.25", "clip="+clip, 1),
			})
			require.NoError(t, err)
			losses[meanLoss(out.model, l.given[Given])] = true
		}
		assert.Len(t, losses, 3, name)
	}
}

// Whatever the method, nothing about a data set of one's own is called private.
func TestExperimentsOnOnesOwnDataAreNotPrivate(t *testing.T) {
	for _, m := range Methods() {
		assert.Equal(t, m.Standing, m.Standing.On("adult"))
		assert.True(t, strings.HasSuffix(string(m.Standing.On(Given)), "not private"), m.Name)
	}
	r, err := few().Run(context.Background(), cellOf(Given, "amp"))
	require.NoError(t, err)
	assert.Equal(t, Experiment, r.Standing)
	assert.Equal(t, Experiment, Summaries([]Result{r})[0].Standing)
	cell := cellOf("synthetic-2d", "amp")
	r, err = New(nil).Run(context.Background(), cell)
	require.NoError(t, err)
	assert.Equal(t, Private, r.Standing)
}

// A probe has a figure for few columns and one for many, and comes out the same
// twice.
func TestProbesSeeFewColumnsAndMany(t *testing.T) {
	for _, name := range []string{"amp", "dpgd-constant"} {
		first, err := Probe(context.Background(), name)
		require.NoError(t, err, name)
		again, err := Probe(context.Background(), name)
		require.NoError(t, err)
		assert.Equal(t, first, again)
		if parts := strings.Fields(first); assert.Len(t, parts, 2, name) {
			assert.NotEqual(t, parts[0], parts[1])
		}
	}
}

// Only a price that is an interval has room beside it.
func TestPricesOfOneNumberHaveNoRoom(t *testing.T) {
	var p prices
	gaussian := privacy.Gaussian{Adjacency: privacy.AddRemove, Sensitivity: 1, Sigma: 1}
	_, ok := errors.AsType[*UnpaidError](p.covers(gaussian, 4.3775*(1-1e-3), 1e-5))
	assert.True(t, ok)
	sampled := privacy.SubsampledGaussian{
		Adjacency:       privacy.AddRemove,
		Rate:            0.1,
		NoiseMultiplier: 1,
		Steps:           30,
	}
	require.Error(t, p.covers(sampled, 1e-3, 1e-5))
	spent, err := p.spent.get(eventKey(sampled)+"/"+number(1e-5), nil)
	require.NoError(t, err)
	require.Greater(t, spent.width, 0.0)
	within := spent.epsilon - math.Min(spent.width, 1e-3*spent.epsilon)/2
	assert.NoError(t, p.covers(sampled, within, 1e-5))
	assert.Error(t, p.covers(sampled, spent.epsilon-1.1*spent.width, 1e-5))
}

// A data set of the reader's own with another label is refused by name, not by a
// parameter that cannot be set.
func TestOtherLabelsAreRefused(t *testing.T) {
	for label, want := range map[data.LabelType]string{
		data.NumericLabel: "a number for a label", data.SeveralClasses: "several classes",
	} {
		d := few().given[Given]
		d.Schema.Label.Type = label
		for _, m := range Methods() {
			_, err := On(d).Run(context.Background(), cellOf(Given, m.Name))
			wrong, ok := errors.AsType[*privacy.ParameterError](err)
			require.True(t, ok, "%v", err)
			assert.Equal(t, "dataset", wrong.Field)
			assert.Contains(t, err.Error(), want)
			assert.Contains(t, err.Error(), "two classes only")
		}
	}
}
