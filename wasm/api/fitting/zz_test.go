package fitting

import (
	"context"
	"fmt"
	"math/rand"
	"os"
	"strings"
	"testing"

	"cloister/core/account"
	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/ovr"
	"cloister/core/privacy"
	"cloister/core/random/randomtest"
)

func TestZZ(t *testing.T) {
	text, _ := os.ReadFile("/tmp/iris.schema.json")
	for _, norm := range []data.Norm{data.Clip} {
		for _, tight := range []bool{false, true} {
			schema, err := data.ParseSchema(text)
			if err != nil {
				t.Fatal(err)
			}
			schema.Rows.Norm = norm
			if tight {
				for i, b := range [][2]float64{{4, 8}, {2, 5}, {0, 7}, {0, 3}} {
					schema.Features[i].Min, schema.Features[i].Max = b[0], b[1]
				}
			}
			file, _ := os.Open("/work/shared/data/iris.csv")
			d, err := data.Read(file, schema, data.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if tight {
				schema.Features = schema.Features[:2]
				rng := rand.New(rand.NewSource(5))
				var b strings.Builder
				b.WriteString("sepal_length,sepal_width,species\n")
				for i := range 1500 {
					k := i % 3
					fmt.Fprintf(&b, "%.3f,%.3f,%s\n", 2+3*[]float64{0, 1, 2}[k]+rng.NormFloat64(), 3+4*[]float64{0, 1, 0}[k]+1.5*rng.NormFloat64(), []string{"setosa", "versicolor", "virginica"}[k])
				}
				for i := range 2 {
					schema.Features[i].Min, schema.Features[i].Max = 0, 10
				}
				if d, err = data.Read(strings.NewReader(b.String()), schema, data.ReadOptions{}); err != nil {
					t.Fatal(err)
				}
			}
			n0 := d.X.Rows()
			for _, loss := range []glm.Loss{glm.Logistic{}} {
				for _, mult := range []float64{0.25, 0.5, 0.7, 1} {
					if loss != (glm.Logistic{}) && mult != 1 {
						continue
					}
					fmt.Printf("%v tight=%v %T λ×%v:", norm, tight, loss, mult)
					for _, eps := range []float64{1, 4, 8} {
						req := account.Request{Guarantee: privacy.Guarantee{Epsilon: eps, Delta: 1e-5, Adjacency: privacy.AddRemove}, Loss: loss.Class(), RowNorm: schema.RowNorm(), Smoothness: loss.MaxCurvature(), Dimension: schema.Dimension()}
						one, err := ovr.Calibrate(req, 3)
						if err == nil && mult != 1 {
							req.Lambda = one.Objective.Lambda * mult
							one, err = ovr.Calibrate(req, 3)
						}
						if err != nil {
							fmt.Print(" ", err)
							continue
						}
						right, n := 0, 0
						for seed := range 30 {
							perm := rand.New(rand.NewSource(int64(seed))).Perm(n0)
							train, test := d.Select(perm[:4*n0/5]), d.Select(perm[4*n0/5:])
							m, _, err := ovr.Fit(context.Background(), learn.Problem{Data: train, Loss: loss}, one, approximateMinima, randomtest.New(uint64(seed)), nil)
							if err != nil {
								t.Fatal(err)
							}
							e := m.Evaluate(test)
							right += e.Correct
							n += e.Rows
						}
						fmt.Printf("  ε=%v %.1f%%", eps, 100*float64(right)/float64(n))
					}
					fmt.Println()
				}
			}
		}
	}
}
