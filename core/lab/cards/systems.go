package cards

import (
	"context"

	"cloister/core/lab/linear"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/scorecard"
	"cloister/core/privacy"
	"cloister/core/search"
)

// System is one way to predict the label from the levels, at an ε.
type System struct {
	Name  string
	Title string // for people; it says what the claim is worth
	run   func(ctx context.Context, p Part, g privacy.Guarantee, noise *seeded.Stream) (
		held, fitted float64, err error)
}

// Systems are report noisy min, the proximal centre, private logistic regression, and the
// mechanisms of package linear, over cards with points −1, 0 and 1. Those of pure ε leave δ
// alone.
func Systems() []System {
	baseline := &logistic{chosen: map[privacy.Guarantee]learn.Chosen{}}
	systems := []System{
		card("noisy-min", "report noisy min: pure ε proved", scorecard.Request{}),
		card("noisy-min-gumbel", "report noisy min, Gumbel noise: pure ε proved",
			scorecard.Request{Noise: privacy.GumbelNoise}),
		card("centre", "proximal centre: pure ε proved",
			scorecard.Request{Mechanism: scorecard.Centre}),
		{
			Name: "logistic", Title: "private logistic regression, our default: (ε, δ) proved",
			run: func(
				ctx context.Context, p Part, g privacy.Guarantee, noise *seeded.Stream,
			) (held, fitted float64, err error) {
				return baseline.right(ctx, p, g, noise)
			},
		},
	}
	for _, m := range linear.Mechanisms() {
		systems = append(systems, System{m.Name, m.Title, perturbed(m)})
	}
	return systems
}

// card chooses a card by package scorecard, which charges nobody here.
func card(name, title string, request scorecard.Request) System {
	return System{name, title, func(
		ctx context.Context, p Part, g privacy.Guarantee, noise *seeded.Stream,
	) (held, fitted float64, err error) {
		request := request
		request.Schema, request.Epsilon, request.Adjacency = p.fit.Schema, g.Epsilon, g.Adjacency
		plan, err := request.Plan()
		if err != nil {
			return 0, 0, err
		}
		free := func(privacy.Event) error { return nil }
		release, _, err := scorecard.Fit(ctx, p.fit, plan, noise, free, nil)
		if err != nil {
			return 0, 0, err
		}
		held, fitted = p.rightBy(release)
		return held, fitted, nil
	}}
}

// Explored is the best card of noisy cells: bought once at ε, and then looked for without noise.
func Explored() System {
	return System{"noisy-cells", "the best card of noisy cells: pure ε proved", func(
		ctx context.Context, p Part, g privacy.Guarantee, noise *seeded.Stream,
	) (held, fitted float64, err error) {
		free := func(privacy.Event) error { return nil }
		cells, err := scorecard.Buy(p.fit, g.Epsilon, g.Adjacency, noise, free)
		if err != nil {
			return 0, 0, err
		}
		release, _, err := cells.Best(ctx, 1, nil)
		if err != nil {
			return 0, 0, err
		}
		held, fitted = p.rightBy(release)
		return held, fitted, nil
	}}
}

// perturbed minimises with a random linear term.
func perturbed(m linear.Mechanism) func(
	context.Context, Part, privacy.Guarantee, *seeded.Stream) (held, fitted float64, err error) {
	return func(
		ctx context.Context, p Part, g privacy.Guarantee, stream *seeded.Stream,
	) (held, fitted float64, err error) {
		problem := p.problem()
		class := linear.Ternary(problem.Dimension())
		noise, err := m.Noise(class, linear.Promise{
			Epsilon: g.Epsilon, Delta: g.Delta, Span: float64(privacy.SpanOf(g.Adjacency)),
		})
		if err != nil {
			return 0, 0, err
		}
		eta := make([]float64, m.Features.Count(class))
		if err := noise.Draw(stream, eta); err != nil {
			return 0, 0, err
		}
		points, _, err := linear.Minimise(ctx, problem, m.Features, eta)
		if err != nil {
			return 0, 0, err
		}
		held, fitted = p.right(points)
		return held, fitted, nil
	}
}

// problem is the choice of a card with points −1, 0 and 1 for the records to fit.
func (p Part) problem() search.Problem {
	return search.Problem{
		Shape:     search.Shape{Levels: p.fit.Schema.Sizes(), Bound: 1},
		Positives: p.fit.Positives, Negatives: p.fit.Negatives,
	}
}

// rightBy is [Part.right] of a release.
func (p Part) rightBy(release *scorecard.Release) (held, fitted float64) {
	var points search.Points
	for _, of := range release.Points {
		for _, v := range of {
			points = append(points, int8(v))
		}
	}
	return p.right(points)
}

// right is the share of the records held out, and of those to fit, that the card gets right.
func (p Part) right(points search.Points) (held, fitted float64) {
	problem := p.problem()
	fitted = 1 - float64(problem.Loss(points))/float64(len(p.fit.Rows))
	problem.Positives, problem.Negatives = p.held.Positives, p.held.Negatives
	return 1 - float64(problem.Loss(points))/float64(len(p.held.Rows)), fitted
}
