package expect

import (
	"math"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/lab/seeded"
	"cloister/core/learn"
)

// descendAll takes the steps of a softmax, of all its vectors at once.
func (f *fits) descendAll(fit learn.Trial, noise *seeded.Stream) ([][]float64, error) {
	d := f.all
	n, columns := d.X.Rows(), d.X.Columns
	k := inStep(n, float64(n)/f.share, fit.Steps.Rate)
	if fit.Steps.Centring != nil {
		d = centred(d, fit.Steps.Centring)
	}
	longest := make([]float64, n) // to which a row's slopes are clipped
	for i := range longest {
		squares := 0.0
		for _, v := range d.X.Row(i).Value {
			squares += v * v
		}
		longest[i] = fit.Clip / math.Sqrt(squares)
	}
	slopes, sum := make([]float64, fit.Classes), make([]float64, fit.Classes*columns)
	weight := fit.Steps.Rate * float64(n) / f.share / float64(k)
	gradient := func(theta []float64, first int) {
		clear(sum)
		for i := range k {
			at := (first + i) % n
			row := d.X.Row(at)
			for c := range slopes {
				slopes[c] = row.Dot(theta[c*columns : (c+1)*columns])
			}
			glm.Softmax{}.Scores(slopes, int(d.Y[at]))
			add(sum, row, slopes, weight*clipping(slopes, longest[at]))
		}
	}
	mean, err := f.steps(fit.Steps, n, k, gradient, sum, noise)
	if err != nil {
		return nil, err
	}
	out := vectors(mean, fit.Classes)
	for _, theta := range out {
		fit.Steps.Centring.Back(theta, d.Schema.Intercept)
	}
	return out, nil
}

// clipping is what a vector is multiplied by to be no longer than that.
func clipping(vector []float64, longest float64) float64 {
	squares := 0.0
	for _, x := range vector {
		squares += x * x
	}
	return min(1, longest/math.Sqrt(squares))
}

// add adds each class's slope times the row, times the weight, to that class's part.
func add(sum []float64, row data.Row, slopes []float64, weight float64) {
	columns := len(sum) / len(slopes)
	for c, slope := range slopes {
		slope *= weight
		own := sum[c*columns : (c+1)*columns]
		for j, column := range row.Index {
			own[column] += slope * row.Value[j]
		}
	}
}
