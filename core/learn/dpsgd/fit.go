package dpsgd

import (
	"context"
	"math"
	"strconv"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
)

// Fit runs the plan on the problem with randomness from source, and returns the model,
// which may be published, and diagnostics, which may not. progress may be nil. Its
// arguments were paid for, but the times of its calls are private, as is the time of
// the fit.
//
// Errors: a *privacy.ParameterError if the plan does not suit the problem or the
// problem its schema, a *learn.RowError if a row breaks what the schema promises
// (neither draws randomness), the context's error, the source's, or a
// *learn.DivergedError. Charge for the event before calling, and keep the charge
// whatever comes back.
func Fit(
	ctx context.Context, problem learn.Problem, plan Plan, source random.Source,
	progress func(solve.Progress),
) (learn.Model, *learn.Diagnostics, error) {
	run, err := prepare(problem, plan)
	if err != nil {
		return learn.Model{}, nil, err
	}
	theta, err := run.descend(ctx, plan.Optimiser, source, progress)
	if err != nil {
		return learn.Model{}, nil, err
	}
	return learn.NewModel(problem, plan.Clip, theta), run.diagnostics(), nil
}

// run is a plan made ready for a problem; it may be descended more than once.
type run struct {
	plan    Plan
	lattice lattice
	sampler *random.PoissonSampler
	data    *data.Dataset
	loss    glm.Clipped
	norms   []float64 // one a row, or one for all

	sample []int32
	sum    []float64
	noise  []float64
}

func prepare(problem learn.Problem, plan Plan) (*run, error) {
	if _, err := plan.Event(); err != nil {
		return nil, privacy.Within("plan", err)
	}
	schema := problem.Data.Schema
	if schema == nil {
		return nil, &privacy.ParameterError{
			Field: "schema",
			Value: "missing",
			Want:  "the one that the data were read with",
		}
	}
	if err := problem.Check(schema.RowNorm()); err != nil {
		return nil, err
	}
	d := problem.Dimension()
	if d != schema.Dimension() {
		return nil, &privacy.ParameterError{
			Field: "dimension", Value: strconv.Itoa(d), Want: strconv.Itoa(schema.Dimension()) + ", the number of columns of the schema",
		}
	}
	lattice, err := plan.lattice(d)
	if err != nil {
		return nil, privacy.Within("plan", err)
	}
	sampler, err := random.NewPoissonSampler(plan.Rate)
	if err != nil {
		return nil, err
	}
	rows, err := problem.Rows(plan.Clip, schema.RowNorm())
	if err != nil {
		return nil, err
	}
	return &run{
		plan: plan, lattice: lattice, sampler: sampler,
		data: problem.Data, loss: rows.Loss, norms: rows.Norm,
		sum: make([]float64, d), noise: make([]float64, d),
	}, nil
}

func (r *run) diagnostics() *learn.Diagnostics {
	return &learn.Diagnostics{Rows: r.data.X.Rows(), Iterations: r.plan.Steps}
}

// descend is the mechanism itself, from θ = 0.
func (r *run) descend(
	ctx context.Context, optimiser Optimiser, source random.Source, progress func(solve.Progress),
) ([]float64, error) {
	d := newDescent(optimiser, len(r.sum))
	defer clear(r.sum)
	var mean []float64
	if r.plan.Average > 1 {
		mean = make([]float64, len(r.sum))
	}
	every := max(1, int(math.Min(1/r.plan.Rate, 1000)))
	for t := 1; t <= r.plan.Steps; t++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := r.noisySum(d.theta, source); err != nil {
			return nil, err
		}
		length := 0.0
		for j, x := range r.sum {
			x *= r.lattice.gradient
			r.sum[j] = x
			length += float64(x * x)
		}
		d.step(r.sum)
		for _, x := range d.theta {
			if !(math.Abs(x) <= learn.Farthest) {
				return nil, &learn.DivergedError{Step: t}
			}
		}
		if t > r.plan.Steps-r.plan.Average && mean != nil {
			for j, x := range d.theta {
				mean[j] += x
			}
		}
		if progress != nil && (t%every == 0 || t == r.plan.Steps) {
			progress(solve.Progress{Iteration: t, GradientNorm: math.Sqrt(length)})
		}
	}
	if mean == nil {
		return d.theta, nil
	}
	for j := range mean {
		mean[j] /= float64(r.plan.Average)
	}
	return mean, nil
}

// noisySum puts the sum of one step's whole numbers, noise included, in r.sum.
func (r *run) noisySum(theta []float64, source random.Source) error {
	var err error
	if r.sample, err = r.sampler.Sample(source, r.data.X.Rows(), r.sample); err != nil {
		return err
	}
	if err := random.GaussianCells(source, r.noise, r.lattice.bits); err != nil {
		return err
	}
	clear(r.sum)
	r.gradients(theta)
	for j, x := range r.noise {
		r.sum[j] += x
	}
	return nil
}

// chunk is how many records are differentiated together.
const chunk = 128

// gradients adds the whole numbers of the sampled records to r.sum.
func (r *run) gradients(theta []float64) {
	var margins, labels, norms, slopes [chunk]float64
	for sample := r.sample; len(sample) > 0; {
		n := min(chunk, len(sample))
		given := r.norms
		if len(r.norms) > 1 {
			given = norms[:n]
		}
		for k, i := range sample[:n] {
			row := r.data.X.Row(int(i))
			margins[k] = row.Dot(theta)
			labels[k] = r.data.Y[i]
			if len(r.norms) > 1 {
				norms[k] = r.norms[i]
			}
		}
		r.loss.Derivatives(margins[:n], labels[:n], given, slopes[:n], nil)
		for k, i := range sample[:n] {
			row := r.data.X.Row(int(i))
			addRecord(r.sum, row.Index, row.Value, slopes[k]*r.lattice.scale)
		}
		sample = sample[n:]
	}
}
