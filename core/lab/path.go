package lab

import (
	"context"
	"math"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/plain"
	"cloister/core/privacy"
)

// Path is one run of the experiments of Fay et al. 2023, section 4: a descent on
//
//	F(θ) = (1/N) Σ log(1 + e^{−yᵢzᵢᵀθ}) + (λ/2)‖θ‖²
//
// over all records of a set, features of mean 0 and variance 1, no intercept,
// watched on the way. One descent serves every ε, because a schedule does not
// depend on it: ε says how far it may go.
//
// As there, noise is priced by zero-concentrated differential privacy under
// replace-one, δ = 1/N. What the paper leaves open is chosen so: θ₀ = 0; Z is the
// longest record of the set; for λ > 0, F(θ₀) − F* is taken to be what strong
// convexity bounds it by, ‖∇F(0)‖²/(2λ) ≤ Z²/(8λ); for λ = 0, ‖θₜ − θ*‖ ≤
// R = PathRadius.
type Path struct {
	Set        string
	Lambda     float64 // λ: 0, or 0.1
	Schedule   string  // one of PathSchedules
	Repetition int     // 1, 2, …: other noise
	Seed       int
}

// PathRadius is R.
const PathRadius = 5

// pathSteps is how long a descent of constant noise, and the oracle's, may be.
// The adaptive schedule ends by itself, before longestPath.
const (
	pathSteps   = 2000
	longestPath = 20_000
)

const pathRevision = 3

// Schedules of Path.
const (
	PathAdaptive = "adaptive" // Proposition 3b for λ = 0, 3c for λ > 0
	PathOracle   = "oracle"   // Proposition 1, not private
)

// PathSchedules are all there are; the constants are those of the paper.
func PathSchedules() []string {
	return []string{
		PathAdaptive,
		"constant 0.001",
		"constant 0.01",
		"constant 0.1",
		"constant 1",
		PathOracle,
	}
}

// PathSets are the sets that the paper and the laboratory share.
func PathSets() []string { return []string{"synthetic-2d", "iris", "breast-cancer"} }

// PathEpsilons are where a path is looked at: from 0.01 to 20, evenly by
// logarithm, with the 0.1 and the 20 of the paper's Table 3 among them.
func PathEpsilons() []float64 {
	var out []float64
	for k := -10; k <= 23; k++ {
		out = append(out, math.Round(1e4*0.1*math.Pow(200, float64(k)/23))/1e4)
	}
	return out
}

// PathPoint is a path as far as one ε allows.
type PathPoint struct {
	Epsilon  float64
	Steps    int     // taken; 0: not one could be paid for
	Gradient float64 // ‖∇F(θ)‖
	Risk     float64 // F(θ)
}

// PathResult is what a path comes to at each of PathEpsilons.
type PathResult struct {
	Path   Path
	Key    string
	Points []PathPoint
}

// Key names the path and the revisions behind it.
func (p Path) Key() (string, error) {
	set, err := FindSet(p.Set)
	if err != nil {
		return "", err
	}
	return "path@" + decimal(pathRevision) + "/" + p.Set + "@" + decimal(set.Revision) + "/" +
		number(p.Lambda) + "/" + p.Schedule + "/" + decimal(p.Repetition) + "/" +
		decimal(p.Seed), nil
}

// standardised is a set as the paper prepares it.
type standardised struct {
	data   *data.Dataset // rows of norm at most 1: z/Z
	radius float64       // Z
}

// Follow runs a path. Errors are as those of Run.
func (l *Lab) Follow(ctx context.Context, p Path) (PathResult, error) {
	key, err := p.Key()
	if err != nil {
		return PathResult{}, err
	}
	if err := p.check(); err != nil {
		return PathResult{}, err
	}
	set, err := l.paths.get(p.Set, func() (*standardised, error) { return l.standardise(p.Set) })
	if err != nil {
		return PathResult{}, err
	}
	walk := newWalk(set, p)
	if err := walk.run(ctx); err != nil {
		return PathResult{}, err
	}
	return PathResult{Path: p, Key: key, Points: walk.pointsOf()}, nil
}

func (p Path) check() error {
	for _, s := range PathSchedules() {
		if s != p.Schedule {
			continue
		}
		if p.Repetition < 1 {
			return &privacy.ParameterError{
				Field: "repetition",
				Value: decimal(p.Repetition),
				Want:  "1 or more",
			}
		}
		return privacy.CheckNonNegative("lambda", p.Lambda)
	}
	return &UnknownError{Field: "schedule", Name: p.Schedule, Known: PathSchedules()}
}

// standardise reads a set and gives every feature mean 0 and variance 1, and
// divides by the longest row.
func (l *Lab) standardise(name string) (*standardised, error) {
	set, err := FindSet(name)
	if err != nil {
		return nil, err
	}
	raw, err := set.raw(l.files)
	if err != nil {
		return nil, err
	}
	return raw.standardised(), nil
}

func (raw *dense) standardised() *standardised {
	n := float64(len(raw.rows))
	for j := range raw.rows[0] {
		mean, squares := 0.0, 0.0
		for _, row := range raw.rows {
			mean += row[j] / n
		}
		for _, row := range raw.rows {
			squares += float64((row[j]-mean)*(row[j]-mean)) / n
		}
		for _, row := range raw.rows {
			row[j] = (row[j] - mean) / math.Sqrt(squares)
		}
	}
	raw.radius = 0
	for _, row := range raw.rows {
		squares := 0.0
		for _, v := range row {
			squares += float64(v * v)
		}
		raw.radius = math.Max(raw.radius, math.Sqrt(squares))
	}
	return &standardised{data: raw.encode(Encoding{data.Clip, 0}), radius: raw.radius}
}

// raw is the set's features before they are encoded, up to a factor for each.
func (s Set) raw(files func(string) ([]byte, error)) (*dense, error) {
	if s.make != nil {
		return s.make(), nil
	}
	// A schema divides by its bounds; by so large ones that no row is clipped.
	wide := s
	wide.schema = func() *data.Schema {
		schema := s.schema()
		for i := range schema.Features {
			schema.Features[i].Max *= 1024
		}
		return schema
	}
	read, err := wide.load(Encoding{data.Clip, 0}, files)
	if err != nil {
		return nil, err
	}
	d := &dense{labels: read.Y}
	for i := range read.X.Rows() {
		row := make([]float64, read.X.Columns)
		entries := read.X.Row(i)
		for k, j := range entries.Index {
			row[j] = entries.Value[k]
		}
		d.rows = append(d.rows, row)
	}
	return d, nil
}

// walk is one path. It walks in the coordinates θ' = Zθ, in which rows are no
// longer than 1: there λ' = λ/Z², and gradients are 1/Z of what they are.
type walk struct {
	set     *standardised
	path    Path
	records float64
	request dpgd.Request
	setting dpgd.Setting
	states  []state
	spent   []float64 // ρ after so many steps
}

// state is where a walk stands after so many steps.
type state struct {
	gradient float64   // ‖∇F‖, in the paper's coordinates
	theta    []float64 // in the walk's own
}

func newWalk(set *standardised, p Path) *walk {
	w := &walk{set: set, path: p, records: float64(set.data.X.Rows())}
	convexity := p.Lambda / (set.radius * set.radius)
	distance := PathRadius * set.radius
	w.request = dpgd.Request{
		Guarantee: privacy.Guarantee{
			Adjacency: privacy.ReplaceOne,
			Epsilon:   20,
			Delta:     1 / w.records,
		},
		Schedule:  dpgd.ScheduleConvex,
		Loss:      glm.Logistic{},
		Dimension: set.data.X.Columns,
		RowNorm:   1,
		Clip:      1, // nothing is clipped: slopes are below 1
		Lambda:    convexity * w.records,
		Records:   w.records,
		Distance:  distance,
	}
	if convexity > 0 {
		w.request.Gap = 1 / (8 * convexity)
	}
	return w
}

func (w *walk) run(ctx context.Context) error {
	var err error
	if w.setting, err = w.request.Setting(); err != nil {
		return err
	}
	key, err := w.path.Key()
	if err != nil {
		return err
	}
	source := seeded.New("path/" + key)
	budget := w.rho(PathEpsilons()[len(PathEpsilons())-1])
	problem := learn.Problem{Data: w.set.data, Loss: glm.Logistic{}}
	if w.path.Schedule == PathOracle {
		// Its noise follows the gradient, and so does the price.
		spent := 0.0
		_, err := dpgd.Oracle{
			Request: w.request,
			Rho:     budget,
			Steps:   pathSteps,
		}.Run(
			ctx,
			problem,
			source,
			func(s dpgd.State) {
				w.spent = append(w.spent, spent)
				sigma, _ := w.setting.Best(s.GradientNorm / w.records)
				spent += w.setting.Cost(sigma)
				w.see(s)
			},
		)
		return err
	}
	plan := dpgd.Plan{
		Adjacency: privacy.ReplaceOne,
		Dimension: w.request.Dimension,
		RowNorm:   1,
		Clip:      w.request.Clip,
		Lambda:    w.request.Lambda,
	}
	spent := 0.0
	w.spent = []float64{0}
	longest := pathSteps
	if w.path.Schedule == PathAdaptive {
		longest = longestPath
	}
	for t := 1; t <= longest; t++ {
		sigma := w.sigma(t)
		if spent += w.setting.Cost(sigma); spent > budget {
			break
		}
		w.spent = append(w.spent, spent)
		plan.Sigmas = append(plan.Sigmas, sigma*w.records)
		plan.Rates = append(plan.Rates, w.setting.Rate()/w.records)
	}
	return dpgd.Watch(ctx, problem, plan, source, w.see)
}

func (w *walk) see(s dpgd.State) {
	w.states = append(
		w.states,
		state{s.GradientNorm / w.records * w.set.radius, append([]float64(nil), s.Theta...)},
	)
}

// sigma is the noise of step t, in these coordinates.
func (w *walk) sigma(t int) float64 {
	switch w.path.Schedule {
	case "constant 0.001":
		return 0.001 / w.set.radius
	case "constant 0.01":
		return 0.01 / w.set.radius
	case "constant 0.1":
		return 0.1 / w.set.radius
	case "constant 1":
		return 1 / w.set.radius
	}
	if w.path.Lambda > 0 {
		return w.setting.StronglyConvex(t)
	}
	return w.setting.Convex(t)
}

// rho is how much zero-concentrated privacy an ε pays for.
func (w *walk) rho(epsilon float64) float64 {
	g := w.request.Guarantee
	g.Epsilon = epsilon
	return dpgd.RhoOf(g)
}

// pointsOf looks at the path at each ε: after as many steps as it pays for.
func (w *walk) pointsOf() []PathPoint {
	var out []PathPoint
	t := 0
	for _, epsilon := range PathEpsilons() {
		for t+1 < len(w.states) && w.spent[t+1] <= w.rho(epsilon) {
			t++
		}
		s := w.states[t]
		out = append(
			out, PathPoint{Epsilon: epsilon, Steps: t, Gradient: s.gradient, Risk: w.risk(s.theta)},
		)
	}
	return out
}

// LeastRisk is F*, the least that F can be for λ > 0. It is not private.
func (l *Lab) LeastRisk(ctx context.Context, set string, lambda float64) (float64, error) {
	if err := privacy.CheckPositive("lambda", lambda); err != nil {
		return 0, err
	}
	s, err := l.paths.get(set, func() (*standardised, error) { return l.standardise(set) })
	if err != nil {
		return 0, err
	}
	return leastRisk(ctx, s, set, lambda)
}

func leastRisk(ctx context.Context, s *standardised, set string, lambda float64) (float64, error) {
	w := newWalk(s, Path{Set: set, Lambda: lambda})
	model, _, err := plain.Fit(
		ctx, learn.Problem{Data: s.data, Loss: glm.Logistic{}}, w.request.Lambda, nil,
	)
	if err != nil {
		return 0, err
	}
	return w.risk(model.Coefficients()), nil
}

// FirstStep is what ε pays for on a path's set, and what the path's first step
// costs, both in zero-concentrated privacy (ρ). Where the first is less than the
// second, the path stays at its start. Errors are as those of Run; the oracle's
// steps have no price that is known beforehand.
func (l *Lab) FirstStep(p Path, epsilon float64) (budget, cost float64, err error) {
	if err := p.check(); err != nil {
		return 0, 0, err
	}
	if err := privacy.CheckEpsilon(epsilon); err != nil {
		return 0, 0, err
	}
	if p.Schedule == PathOracle {
		return 0, 0, &privacy.ParameterError{
			Field: "schedule",
			Value: quote(p.Schedule),
			Want:  "one that does not look at the data",
		}
	}
	set, err := l.paths.get(p.Set, func() (*standardised, error) { return l.standardise(p.Set) })
	if err != nil {
		return 0, 0, err
	}
	w := newWalk(set, p)
	if w.setting, err = w.request.Setting(); err != nil {
		return 0, 0, err
	}
	return w.rho(epsilon), w.setting.Cost(w.sigma(1)), nil
}

// risk is F(θ).
func (w *walk) risk(theta []float64) float64 {
	sum, squares := 0.0, 0.0
	for i, y := range w.set.data.Y {
		m := y * w.set.data.X.Row(i).Dot(theta)
		sum += math.Max(-m, 0) + math.Log1p(math.Exp(-math.Abs(m)))
	}
	for _, t := range theta {
		squares += float64(t * t)
	}
	return sum/w.records + w.request.Lambda/w.records/2*squares
}
