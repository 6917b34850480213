package expect

import (
	"context"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/solve"
)

// Request says everything that a trial depends on, all of it public.
type Request struct {
	Schema  *data.Schema
	Records int // about how many there will be
	Signal  Signal
	Trial   int // 1, 2, …: another population, other records, other noise
	Loss    glm.Loss

	// Rarer is the share of the rarer of two classes, above 0 and at most ½, if it is public
	// knowledge; 0 if not, and then the population says how large the classes are.
	Rarer float64

	Fits []learn.Trial // to try: of one vector, or of one a class
}

// Result is the share of records predicted right, or for a numeric label the
// share of its variance explained, from 0 (below it, 0) to 1: of the fit
// without noise, and of each private one.
type Result struct {
	Plain   float64
	Private []float64
	Known   float64 // of naming the largest class (0 of a number: naming its mean)
}

// Limits of a trial.
const (
	MaxDimension = 400 // columns
	MinRecords   = 10
	MaxRecords   = 1e9

	mostFitted = 2_500
	leastWork  = 5e6 // of one fit, in products
	tested     = 2_000
)

// ridges are the λ that the fit without noise is tried with; the best counts.
var ridges = []float64{0.01, 0.1, 1}

// Run is one trial. Errors: a *privacy.ParameterError, the context's, or a
// *solve.NotConvergedError.
func Run(ctx context.Context, r Request) (Result, error) {
	if err := r.check(); err != nil {
		return Result{}, err
	}
	trial := strconv.Itoa(r.Trial)
	s := seeded.New("expect/records/" + trial)
	population := draw(s, r.Schema)
	n := r.fitted()
	x, scores := population.records(s, n)
	test := &fresh{kind: r.Schema.Label.Type, truth: truth{Signal: r.Signal}}
	test.x, test.scores = population.records(s, tested)
	for c := range population.effects {
		mean, square := 0.0, 0.0
		for _, z := range test.scores {
			mean += z[c] / float64(len(test.scores))
			square += z[c] * z[c] / float64(len(test.scores))
		}
		dev := math.Sqrt(math.Max(square-mean*mean, 1e-12))
		for _, zs := range [][][]float64{test.scores, scores} {
			for _, z := range zs {
				z[c] = (z[c] - mean) / dev
			}
		}
	}
	test.weigh(r.Rarer)
	y := test.labels(s, test.kind, scores)

	fits := fits{
		ctx:   ctx,
		loss:  r.Loss,
		share: float64(n) / float64(r.Records),
		norm:  r.Schema.RowNorm(),
		all:   &data.Dataset{Schema: r.Schema, X: x, Y: y},
	}
	plain := learn.Trial{Clip: math.Inf(1)}
	if _, softmax := r.Loss.(glm.Softmax); softmax {
		plain.Classes = len(r.Schema.Label.Classes)
	}
	result := Result{Known: test.known(), Private: make([]float64, len(r.Fits))}
	for _, plain.Lambda = range ridges {
		theta, err := fits.fit(plain, nil)
		if err != nil {
			return Result{}, err
		}
		result.Plain = math.Max(result.Plain, test.score(theta))
	}
	for i, fit := range r.Fits {
		// The same draws for each, so that what differs is the noise's scale.
		theta, err := fits.fit(fit, seeded.New("expect/noise/"+trial))
		if err != nil {
			return Result{}, err
		}
		result.Private[i] = test.score(theta)
	}
	return result, nil
}

func (r *Request) check() error {
	if r.Records < MinRecords || r.Records > MaxRecords {
		return &privacy.ParameterError{
			Field: "records",
			Value: strconv.Itoa(r.Records),
			Want:  "from 10 to 1,000,000,000",
		}
	}
	if r.Trial < 1 {
		return &privacy.ParameterError{
			Field: "trial",
			Value: strconv.Itoa(r.Trial),
			Want:  "1 or more",
		}
	}
	if _, err := ParseSignal(string(r.Signal)); err != nil {
		return err
	}
	two := r.Schema.Label.Type == data.TwoClasses
	if r.Rarer != 0 && !(two && r.Rarer > 0 && r.Rarer <= 0.5) {
		return &privacy.ParameterError{
			Field: "rarer",
			Value: privacy.Number(r.Rarer),
			Want:  "above 0 and at most 0.5, the share of the rarer of two classes, or left out",
		}
	}
	d := r.Schema.Dimension()
	if d > MaxDimension {
		return &privacy.ParameterError{
			Field: "schema",
			Value: "of " + strconv.Itoa(d) + " columns",
			Want: "at most " + strconv.Itoa(MaxDimension) +
				": more take too long to try out beforehand",
		}
	}
	for _, fit := range r.Fits {
		if fit.Dimension != d {
			return &privacy.ParameterError{
				Field: "dimension",
				Value: strconv.Itoa(fit.Dimension),
				Want:  strconv.Itoa(d) + ", the number of columns of the schema",
			}
		}
	}
	return learn.CheckLoss(r.Loss, &r.Schema.Label)
}

// fitted is how many records stand for all: what is quick, but ten a column.
func (r *Request) fitted() int {
	entries := float64(len(r.Schema.Features) + 1)
	quick := leastWork / (entries * (entries + 20)) / float64(max(1, len(r.Schema.Label.Classes)))
	return min(r.Records, max(int(math.Min(quick, mostFitted)), 10*r.Schema.Dimension(), 1000))
}

// fits are the fits of one trial.
type fits struct {
	ctx   context.Context
	loss  glm.Loss
	share float64 // of the records that there are
	norm  float64
	all   *data.Dataset
	on    []*data.Dataset // all, or one a class against the rest, for fits of one vector
	rows  []*solve.Rows   // theirs
	clip  float64         // of rows
}

// fit returns the coefficients of each vector; noise may be nil.
func (f *fits) fit(fit learn.Trial, noise *seeded.Stream) ([][]float64, error) {
	switch {
	case fit.Selection != nil:
		return f.selected(fit.Selection, noise)
	case fit.Classes > 0 && fit.Steps != nil:
		return f.descendAll(fit, noise)
	case fit.Classes > 0:
		scores := learn.Problem{Data: f.all, Loss: f.loss}.Scores()
		theta, err := f.solved(fit, noise, scores, solve.Blockwise)
		return vectors(theta, fit.Classes), err
	}
	if err := f.prepare(fit.Clip); err != nil {
		return nil, err
	}
	if fit.Steps != nil {
		return f.descend(fit.Steps, noise)
	}
	var out [][]float64
	for _, rows := range f.rows {
		theta, err := []float64(nil), error(nil)
		if fit.Moments != nil {
			theta, err = f.moments(*fit.Moments, rows, noise)
		} else {
			theta, err = f.solved(fit, noise, rows, solve.Newton)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, theta)
	}
	return out, nil
}

// prepare sets rows to those of fits of one vector whose gradients are clipped there.
func (f *fits) prepare(clip float64) error {
	if f.rows != nil && f.clip == clip {
		return nil
	}
	if f.on == nil {
		for k := range f.all.Schema.Label.Classes {
			f.on = append(f.on, f.all.AgainstRest(k))
		}
		if f.on == nil {
			f.on = []*data.Dataset{f.all}
		}
	}
	f.rows, f.clip = nil, clip
	for _, d := range f.on {
		rows, err := learn.Problem{Data: d, Loss: f.loss}.Rows(clip, f.norm)
		if err != nil {
			return err
		}
		f.rows = append(f.rows, rows)
	}
	return nil
}

// solved is a fit that is solved for.
func (f *fits) solved(
	fit learn.Trial, noise *seeded.Stream, part solve.Part, solver solve.Solver,
) ([]float64, error) {
	b, last := make([]float64, part.Dim()), make([]float64, part.Dim())
	if noise != nil {
		normals(noise, b)
		normals(noise, last)
		for j := range b {
			b[j] *= fit.Sigma * f.share
		}
	}
	// Far below what noise or chance does to the gradient.
	tolerance := 1e-4 * f.norm * math.Sqrt(float64(f.all.X.Rows()))
	result, err := solver(
		f.ctx, solve.NewObjective(fit.Lambda*f.share, b, part),
		solve.Options{Tolerance: tolerance},
	)
	if err != nil {
		return nil, err
	}
	squares := 0.0
	for j := range last {
		result.Theta[j] += fit.Out * last[j]
		squares += result.Theta[j] * result.Theta[j]
	}
	if length := math.Sqrt(squares); fit.Radius > 0 && length > fit.Radius {
		for j := range last {
			result.Theta[j] *= fit.Radius / length
		}
	}
	return result.Theta, nil
}

// vectors cuts θ into one vector a class.
func vectors(theta []float64, classes int) [][]float64 {
	out, columns := make([][]float64, classes), len(theta)/classes
	for k := range out {
		out[k] = theta[k*columns : (k+1)*columns]
	}
	return out
}

// moments are the coefficients that the records' moments with such noise give.
func (f *fits) moments(
	m learn.Moments, rows *solve.Rows, noise *seeded.Stream,
) ([]float64, error) {
	// Of the squared loss at 0 the gradient is −Σ yx and the Hessian Σ xxᵀ.
	d := rows.Columns
	m.Matrix, m.Vector = solve.NewPacked(d), make([]float64, d)
	rows.Derivatives(make([]float64, d), m.Vector, m.Matrix)
	draw := make([]float64, len(m.Matrix.At)+d)
	normals(noise, draw)
	for j := range d {
		m.Vector[j] = m.VectorSigma*draw[j] - m.Vector[j]/f.share
	}
	for i, at := 0, 0; i < d; i++ {
		for j := range i + 1 {
			sigma := m.MatrixSigma
			if i == j {
				sigma *= math.Sqrt2
			}
			m.Matrix.At[at] = m.Matrix.At[at]/f.share + sigma*draw[d+at]
			at++
		}
	}
	spectrum, err := m.Spectrum()
	if err != nil {
		return nil, err
	}
	return spectrum.Coefficients(m.DefaultRidge()), nil
}
