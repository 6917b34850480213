package search

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/account/golden"
	"cloister/core/random/randomtest"
)

// The search gives what enumeration gives, ties included, whichever attribute it
// begins with: 10,000 problems with CLOISTER_AUDIT=long, of at most 10 levels.
func TestAuditSearchIsEnumeration(t *testing.T) {
	dice := newDice(1)
	ties := 0
	problems := testLong(t, 200, 10_000)
	for range problems {
		p := dice.problem(60_000)
		separable := Separable{Denominator: int64(1 + dice.upTo(7))}
		weight := int64(dice.upTo(20))
		centre := make([]int64, p.Dimension())
		for j := range centre {
			centre[j] = int64(dice.upTo(100)) - 50
		}
		separable.Costs = Centre(separable.Denominator, p.Bound, weight, centre).Costs
		if dice.upTo(1) == 0 {
			separable.Squares = make([]int64, p.Dimension()*p.Bound*p.Bound+1)
			for k := range separable.Squares {
				separable.Squares[k] = int64(dice.upTo(60)) - 30
			}
		}
		var plain, costly int64
		var plainAt, costlyAt Points
		same := 0
		for _, w := range scorecards(p.Shape) {
			loss := p.Loss(w)
			cost, norm := loss*separable.Denominator, 0
			for j, v := range w {
				cost += weight*int64(v)*int64(v) - centre[j]*int64(v)
				norm += int(v) * int(v)
			}
			if separable.Squares != nil {
				cost += separable.Squares[norm]
			}
			if plainAt == nil || loss < plain {
				plain, plainAt, same = loss, w, 0
			} else if loss == plain {
				same++
			}
			if costlyAt == nil || cost < costly {
				costly, costlyAt = cost, w
			}
		}
		if same > 0 {
			ties++
		}
		for _, order := range permutations(len(p.Levels)) {
			p.Order = order
			w, certificate, err := Minimise(context.Background(), p, None{}, Options{})
			require.NoError(t, err)
			require.Equal(t, plainAt, w, "%+v", p)
			require.Equal(t, plain, certificate.Objective)
			require.Equal(t, plain, certificate.Loss)
			require.True(t, certificate.Complete)
			w, certificate, err = Minimise(context.Background(), p, separable, Options{})
			require.NoError(t, err)
			require.Equal(t, costlyAt, w, "%+v %+v", p, separable)
			require.Equal(t, costly, certificate.Objective)
			require.Equal(t, p.Loss(w), certificate.Loss)
		}
	}
	assert.Greater(t, ties, problems/4, "problems with ties")
}

// The minima of 10,000 problems, plain and with costs, are the same natively and under
// WebAssembly: the digest was taken natively, where the audit above holds them against
// enumeration.
func TestSearchDoesNotDependOnThePlatform(t *testing.T) {
	digest := uint64(14695981039346656037)
	add := func(x uint64) { digest = (digest ^ x) * 1099511628211 }
	dice := newDice(1)
	for range 10_000 {
		p := dice.problem(60_000)
		centre := make([]int64, p.Dimension())
		for j := range centre {
			centre[j] = int64(dice.upTo(100)) - 50
		}
		costs := Centre(int64(1+dice.upTo(7)), p.Bound, int64(dice.upTo(20)), centre)
		for _, perturbation := range []Perturbation{None{}, costs} {
			w, certificate, err := Minimise(context.Background(), p, perturbation, Options{})
			require.NoError(t, err)
			for _, v := range w {
				add(uint64(v + 16))
			}
			add(uint64(certificate.Objective))
			add(uint64(certificate.Loss))
		}
	}
	assert.Equal(t, uint64(0x10421c4b27f83a2c), digest)
}

func TestReferenceScorecardArgmin(t *testing.T) {
	cases := golden.OfKind[caseO](t, "O", "scorecard-argmin")
	for _, c := range cases {
		var params struct {
			Levels      []int
			Bound       int
			Cells       [][]int64
			Denominator int64
			R           int64
			Y           []int64
		}
		var want struct {
			Objective, Loss int64
			W               Points
			Least           int64 `json:"least_loss"`
		}
		require.NoError(t, json.Unmarshal(c.Params, &params))
		require.NoError(t, json.Unmarshal(c.Expected, &want))
		p := Problem{Shape: Shape{Levels: params.Levels, Bound: params.Bound}}
		p.Positives, p.Negatives = make([]int64, p.Cells()), make([]int64, p.Cells())
		for _, cell := range params.Cells {
			at := 0
			for g, n := range params.Levels {
				at = at*n + int(cell[g])
			}
			p.Positives[at], p.Negatives[at] = cell[len(cell)-2], cell[len(cell)-1]
		}
		for _, order := range permutations(len(p.Levels)) {
			p.Order = order
			w, certificate, err := Minimise(
				context.Background(), p, Centre(params.Denominator, p.Bound, params.R, params.Y),
				Options{},
			)
			require.NoError(t, err)
			assert.Equal(t, want.W, w, c.ID)
			assert.Equal(t, want.Objective, certificate.Objective, c.ID)
			assert.Equal(t, want.Loss, certificate.Loss, c.ID)
			_, certificate, err = Minimise(context.Background(), p, None{}, Options{})
			require.NoError(t, err)
			assert.Equal(t, want.Least, certificate.Loss, c.ID)
		}
	}
	assert.Len(t, cases, 15)
}

func TestCancelledSearchShowsNothing(t *testing.T) {
	p := newDice(3).problem(60_000)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	w, certificate, err := Minimise(ctx, p, None{}, Options{})
	assert.ErrorIs(t, err, context.Canceled)
	assert.Nil(t, w)
	assert.Equal(t, Certificate{}, certificate)
	_, err = certificate.MarshalJSON()
	assert.Error(t, err)
}

// A source that fails in the middle leaves no points either.
func TestFailingSourceShowsNothing(t *testing.T) {
	broken := errors.New("broken")
	p := newDice(5).problem(60_000)
	for n := range 2 {
		for _, law := range []Law{Geometric, Gumbel} {
			w, certificate, err := Minimise(context.Background(), p, Noise{
				Law: law, Epsilon: 0.01, Span: 1, Denominator: 64,
				Source: randomtest.NewFailAfter(1, n, broken),
			}, Options{})
			assert.ErrorIs(t, err, broken, "%s %d", law, n)
			assert.Nil(t, w)
			assert.Equal(t, Certificate{}, certificate)
		}
	}
}

func TestShapesAreRefusedByPublicSizes(t *testing.T) {
	for _, c := range []struct {
		shape Shape
		what  string
	}{
		{Shape{Bound: 1}, "attributes"},
		{Shape{Levels: []int{2, 0}, Bound: 1}, "levels of attribute 2"},
		{Shape{Levels: []int{33}, Bound: 1}, "levels of attribute 1"},
		{Shape{Levels: []int{16, 17}, Bound: 1}, "levels of all attributes"},
		{Shape{Levels: []int{5, 5, 5, 5, 5, 5, 2}, Bound: 1}, ""},
		{Shape{Levels: []int{8, 8, 8, 8}, Bound: 1}, ""},
		{Shape{Levels: []int{7, 7, 6, 6, 6}, Bound: 1}, ""},
		{Shape{Levels: []int{4, 4, 4, 4, 4, 4, 4, 4}, Bound: 1}, ""},
		{Shape{Levels: []int{4, 4, 4, 4, 4, 4, 4, 4}, Bound: 2}, "scorecards"},
		{Shape{Levels: []int{2, 2}, Bound: 0}, "largest point"},
		{Shape{Levels: []int{2, 2}, Bound: 17}, "largest point"},
		{Shape{Levels: []int{2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3}, Bound: 1}, "combinations"},
	} {
		err := c.shape.Check()
		if c.what == "" {
			assert.NoError(t, err, "%v", c.shape)
			continue
		}
		var size *SizeError
		require.ErrorAs(t, err, &size, "%v", c.shape)
		assert.Contains(t, err.Error(), c.what)
	}
	assert.Equal(t, uint64(94143178827), Shape{Levels: []int{23}, Bound: 1}.Size())
}

func TestBadProblemsAreRefused(t *testing.T) {
	good := newDice(7).problem(1000)
	try := func(change func(*Problem), perturbation Perturbation) error {
		p := good
		change(&p)
		_, _, err := Minimise(context.Background(), p, perturbation, Options{})
		return err
	}
	same := func(*Problem) {}
	assert.Error(t, try(func(p *Problem) { p.Positives = p.Positives[1:] }, None{}))
	assert.Error(
		t,
		try(
			func(p *Problem) { p.Positives = append([]int64{math.MinInt64}, p.Positives[1:]...) },
			None{},
		),
	)
	assert.Error(t, try(func(p *Problem) { p.Order = []int{0, 0} }, None{}))
	assert.Error(t, try(func(p *Problem) { p.Order = []int{} }, None{}))
	assert.Error(t, try(same, Separable{Denominator: 0}))
	assert.Error(t, try(same, Separable{Denominator: 1}))
	centre := Centre(1, good.Bound, 1, make([]int64, good.Dimension()))
	assert.NoError(t, try(same, centre))
	for _, squares := range [][]int64{
		{}, make([]int64, good.Dimension()*good.Bound*good.Bound),
		slices.Repeat([]int64{math.MinInt64}, good.Dimension()*good.Bound*good.Bound+1),
	} {
		centre.Squares = squares
		assert.Error(t, try(same, centre))
	}
	noise := Noise{Law: Geometric, Epsilon: 1, Span: 1, Denominator: 64, Source: randomtest.New(1)}
	assert.NoError(t, try(same, noise))
	for _, spoil := range []func(*Noise){
		func(n *Noise) { n.Law = "laplace" },
		func(n *Noise) { n.Epsilon = 0 },
		func(n *Noise) { n.Epsilon = math.NaN() },
		func(n *Noise) { n.Span = 0 },
		func(n *Noise) { n.Denominator = 0 },
		func(n *Noise) { n.Source = nil },
	} {
		bad := noise
		spoil(&bad)
		assert.Error(t, try(same, bad), "%+v", bad)
	}
}

// Below the range of ε the noise is beyond the bounds that the search prunes by. It ends
// where the documentation says, for both laws, and the refusal names the field.
func TestEpsilonOfNoiseIsRefusedOutsideItsRange(t *testing.T) {
	p := newDice(7).problem(1000)
	for _, law := range []Law{Geometric, Gumbel} {
		for _, span := range []int64{1, 2} {
			for _, denominator := range []int64{1, MostDenominator} {
				least, most := 0x1p-40*float64(span*denominator), 64*float64(span)
				for epsilon, good := range map[float64]bool{
					least: true, math.Nextafter(least, 0): false,
					most: true, math.Nextafter(most, 100*most): false,
					math.NaN(): false, math.Inf(1): false, 0: false,
				} {
					_, _, err := Minimise(context.Background(), p, Noise{
						Law: law, Epsilon: epsilon, Span: span, Denominator: denominator,
						Source: randomtest.New(1),
					}, Options{})
					if good {
						assert.NoError(t, err, "%s ε = %v", law, epsilon)
						continue
					}
					assert.ErrorContains(t, err, "epsilon is", "%s ε = %v", law, epsilon)
				}
			}
		}
	}
}

func TestProgressGoesToTheEnd(t *testing.T) {
	p := newDice(9).problem(60_000)
	last := Progress{}
	_, certificate, err := Minimise(
		context.Background(),
		p,
		None{},
		Options{Report: func(now Progress) {
			assert.GreaterOrEqual(t, now.Done, last.Done)
			last = now
		}},
	)
	require.NoError(t, err)
	assert.InDelta(t, 1, last.Done, 1e-9)
	assert.Equal(t, certificate.Nodes, last.Nodes)
}
