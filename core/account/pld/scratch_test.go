package pld

import (
	"fmt"
	"math"
	"testing"
	"time"

	"cloister/core/account"
	"cloister/core/privacy"
)

func TestScratchObj(t *testing.T) {
	for _, e := range []privacy.ObjectivePerturbation{
		{Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: 2, Sigma: 4},
		{Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: 1, Smoothness: 0.25, Lambda: .1, Sigma: 4},
		{Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: 1, Lipschitz: .5, Smoothness: 0.25, Lambda: .01, Sigma: 1},
		{Adjacency: privacy.AddRemove, Loss: privacy.LossLogistic, RowNorm: 10, Lipschitz: 10, Smoothness: 0.25, Lambda: 100, Sigma: 30},
	} {
		for _, bound := range []account.Bound{"logistic", "signed", "glm"} {
			curve, err := account.Of(e, bound)
			if err != nil {
				t.Fatal(err)
			}
			d, err := Of(e, Options{Bound: bound})
			if err != nil {
				t.Fatal(err)
			}
			for _, eps := range []float64{-.1, 0, .05, .3, 1, 3, 8} {
				start := time.Now()
				i, _ := d.Delta(eps)
				x := curve.LogDeltaUpper(eps)
				bad := ""
				if i.LogLower > x+1e-11 || i.LogUpper < x-1e-11-1e-13*math.Abs(x) {
					bad = "BAD"
				}
				fmt.Printf("%s %v ε=%g  account %.12g  lower %.3g upper %.3g %v %s\n", bound, e.Lambda, eps, x, i.LogLower-x, i.LogUpper-x, time.Since(start), bad)
			}
			for _, k := range []int{2, 100, 10000} {
				start := time.Now()
				d, err := Of(privacy.Composition{Adjacency: privacy.AddRemove, Parts: []privacy.Part{{Event: e, Count: k}}}, Options{Bound: bound})
				if err != nil {
					t.Fatal(err)
				}
				i, _ := d.Epsilon(1e-6)
				took := time.Since(start)
				start = time.Now()
				v, _ := d.Estimate().Epsilon(1e-6)
				a, r, _ := d.EpsilonEach(1e-6)
				fmt.Println("  ", k, i, (i.Upper-i.Lower)/i.Upper, len(d.added.sheets), d.added.sheets[len(d.added.sheets)-1].length, took, v, time.Since(start), a, r)
			}
		}
	}
}
