package expect

import (
	"math"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
	"cloister/core/solve"
)

// inStep is how many of m rows that stand for n records a step takes, so that by
// the choice of them a mean of gradients errs as much as by that of each of n
// records with probability q: (1/k − 1/m)s² = (1 − q)/(qn) s².
func inStep(m int, n, q float64) int {
	k := 1 / (1/float64(m) + (1-q)/(q*n))
	return min(max(int(math.Round(k)), 1), m)
}

// descend takes the steps of a fit for each problem: those on rows, drawn
// independently of each other, so that any k of them are as good a sample as any
// other; here k in a row from a place that is drawn.
func (f *fits) descend(fit *learn.TrialSteps, noise *seeded.Stream) ([][]float64, error) {
	var out [][]float64
	for c, rows := range f.rows {
		d := f.on[c]
		n := d.X.Rows()
		k := inStep(n, float64(n)/f.share, fit.Rate)
		norms := rows.Norm
		if fit.Centring != nil {
			d, norms = centred(d, fit.Centring), fit.Centring.Norms(d.X)
		}
		w := &walk{
			d: d, loss: rows.Loss, norms: norms,
			weight:  fit.Rate * float64(n) / f.share / float64(k),
			margins: make([]float64, k), labels: make([]float64, k), slopes: make([]float64, k),
			sum: make([]float64, d.X.Columns),
		}
		if len(norms) > 1 {
			w.norms, w.all = make([]float64, k), norms
		}
		if k == n {
			if d != f.on[c] {
				var err error
				rows, err = learn.Problem{Data: d, Loss: f.loss}.Rows(f.clip, f.norm)
				if err != nil {
					return nil, err
				}
				rows.Norm = norms
			}
			w.whole = rows
		}
		mean, err := f.steps(fit, n, k, w.gradient, w.sum, noise)
		if err != nil {
			return nil, err
		}
		fit.Centring.Back(mean, d.Schema.Intercept)
		out = append(out, mean)
	}
	return out, nil
}

// steps walks from 0 by sums that gradient adds up, of k of n rows from a first one on.
func (f *fits) steps(
	fit *learn.TrialSteps, n, k int, gradient func(theta []float64, first int), sum []float64,
	noise *seeded.Stream,
) ([]float64, error) {
	theta, velocity := make([]float64, len(sum)), make([]float64, len(sum))
	draw, mean := make([]float64, len(sum)), make([]float64, len(sum))
	last := max(1, fit.Tail)
	for t, sigma := range fit.Sigmas {
		if err := f.ctx.Err(); err != nil {
			return nil, err
		}
		first := 0
		if k < n {
			first = noise.Below(n)
		}
		gradient(theta, first)
		normals(noise, draw)
		for j, x := range sum {
			velocity[j] = fit.Momentum*velocity[j] + x + sigma*draw[j]
			theta[j] -= fit.Sizes[t] * velocity[j]
			if t >= len(fit.Sigmas)-last {
				mean[j] += theta[j] / float64(last)
			}
		}
	}
	return mean, nil
}

// centred is the data set of the centred rows.
func centred(d *data.Dataset, by *learn.Centring) *data.Dataset {
	n, columns := d.X.Rows(), d.X.Columns
	var blocks [][]float64
	for first := 0; first < n; first += data.BlockRows {
		block := make([]float64, min(n-first, data.BlockRows)*columns)
		for i := range len(block) / columns {
			by.Apply(d.X.Row(first+i), block[i*columns:(i+1)*columns])
		}
		blocks = append(blocks, block)
	}
	return &data.Dataset{Schema: d.Schema, X: data.NewDense(columns, blocks...), Y: d.Y}
}

// walk holds what the steps of a descent share.
type walk struct {
	d      *data.Dataset
	loss   glm.Clipped
	all    []float64 // norms of all rows, if each has its own
	weight float64   // of a row in a step's sum

	whole *solve.Rows // all rows at once, if each step takes all

	margins, labels, norms, slopes []float64 // of a step
	sum                            []float64
}

// gradient sets sum to that of the rows from first on, as many as there is room
// for, round the end.
func (w *walk) gradient(theta []float64, first int) {
	if w.whole != nil {
		clear(w.sum)
		w.whole.Derivatives(theta, w.sum, nil)
		for j := range w.sum {
			w.sum[j] *= w.weight
		}
		return
	}
	n := w.d.X.Rows()
	for i := range w.margins {
		row := (first + i) % n
		w.margins[i], w.labels[i] = w.d.X.Row(row).Dot(theta), w.d.Y[row]
		if w.all != nil {
			w.norms[i] = w.all[row]
		}
	}
	w.loss.Derivatives(w.margins, w.labels, w.norms, w.slopes, nil)
	clear(w.sum)
	for i, slope := range w.slopes {
		row := w.d.X.Row((first + i) % n)
		slope *= w.weight
		for j, column := range row.Index {
			w.sum[column] += slope * row.Value[j]
		}
	}
}
