package main

import (
	"context"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpsgd"
	"cloister/core/random"
)

// epochs is how many are timed together.
const epochs = 10

// descent times an epoch of DP-SGD beside one of plain SGD with the same
// batches, turn by turn, so that their ratio means something on a machine that
// is busy with other things.
func descent(figures map[string]float64, problem learn.Problem) error {
	plan := dpsgd.PaperPlan(problem.Data.X.Rows())
	plan.NoiseMultiplier, plan.Optimiser = 1, dpsgd.NewSGD(0.5)
	batches := plan.Steps / 60
	plan.Steps = epochs * batches
	source := random.Secure()
	order := shuffled(problem.Data.X.Rows())
	var private, plain []float64
	for range 15 {
		took, err := median(1, func(int) error {
			_, _, err := dpsgd.Fit(context.Background(), problem, plan, source, nil)
			return err
		})
		if err != nil {
			return err
		}
		private = append(private, took/epochs)
		took, _ = median(1, func(int) error {
			plainSGD(problem, order, batches, plan.Optimiser.LearningRate)
			return nil
		})
		plain = append(plain, took/epochs)
	}
	ratios := make([]float64, len(private))
	for i := range ratios {
		ratios[i] = private[i] / plain[i]
	}
	figures["sgd-private"], figures["sgd-plain"], figures["sgd-ratio"] = middle(private), middle(
		plain,
	), middle(ratios)
	return nil
}

// shuffled is the whole numbers below n in an order that jumps about.
func shuffled(n int) []int32 {
	order := make([]int32, n)
	state := uint64(1)
	for i := range order {
		order[i] = int32(i)
		state = state*6364136223846793005 + 1442695040888963407
		k := state >> 33 % uint64(i+1)
		order[i], order[k] = order[k], order[i]
	}
	return order
}

// plainSGD is stochastic gradient descent without privacy: batches of one size
// cut from a shuffled data set, slopes by the same block loop as DP-SGD's.
func plainSGD(problem learn.Problem, order []int32, batches int, rate float64) []float64 {
	const most = 512
	var margins, labels, slopes [most]float64
	loss, _ := glm.Clip(problem.Loss, 1e300)
	x, y := problem.Data.X, problem.Data.Y
	theta, gradient := make([]float64, x.Columns), make([]float64, x.Columns)
	norm := []float64{1}
	for range epochs {
		for b := range batches {
			batch := order[b*len(order)/batches : (b+1)*len(order)/batches]
			n := len(batch)
			for k, i := range batch {
				margins[k], labels[k] = x.Row(int(i)).Dot(theta), y[i]
			}
			loss.Derivatives(margins[:n], labels[:n], norm, slopes[:n], nil)
			clear(gradient)
			for k, i := range batch {
				row := x.Row(int(i))
				for at, j := range row.Index {
					gradient[j] += slopes[k] * row.Value[at]
				}
			}
			for j, g := range gradient {
				theta[j] -= rate * g / float64(n)
			}
		}
	}
	return theta
}
