//go:build js && wasm

// Command passes is for `make bench` (scripts/bench/kernel.mjs): passes over rows and a whole fit,
// to be timed in a page that has the kernel bound. It takes globalThis.table and
// globalThis.schema, texts of a CSV file and of its schema, posts a message when it is ready, and
// has a function pass(name, byKernel, times).
package main

import (
	"context"
	"math"
	"strings"
	"syscall/js"

	"cloister/core/data"
	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/dpgd"
	"cloister/core/learn/methods"
	"cloister/core/privacy"
	"cloister/core/random"
	"cloister/core/solve"
	"cloister/wasm/kernel"
)

func main() {
	actions, err := prepare()
	if err != nil {
		js.Global().Call("postMessage", map[string]any{"error": err.Error()})
		return
	}
	js.Global().Set("pass", js.FuncOf(func(_ js.Value, args []js.Value) any {
		solve.UseKernel(nil)
		if args[1].Bool() {
			kernel.Use()
		}
		action := actions[args[0].String()]
		for range args[2].Int() {
			action()
		}
		return nil
	}))
	js.Global().Call("postMessage", map[string]any{})
	select {}
}

func prepare() (map[string]func(), error) {
	schema, err := data.ParseSchema([]byte(js.Global().Get("schema").String()))
	if err != nil {
		return nil, err
	}
	table := strings.NewReader(js.Global().Get("table").String())
	dataset, err := data.Read(table, schema, data.ReadOptions{})
	if err != nil {
		return nil, err
	}
	actions, err := ofLosses(dataset)
	if err != nil {
		return nil, err
	}
	logistic, err := glm.Clip(glm.Logistic{}, math.Inf(1))
	if err != nil {
		return nil, err
	}
	passes(actions, "dense", dense(20_000, 100, logistic))
	return actions, nil
}

// ofLosses are passes over the file's rows, and fits of it, with each loss that has an exponential.
func ofLosses(dataset *data.Dataset) (map[string]func(), error) {
	shifted, err := glm.NewShiftedLogistic(glm.DefaultShift)
	if err != nil {
		return nil, err
	}
	hinge, err := glm.NewRoundedHinge(1)
	if err != nil {
		return nil, err
	}
	weighted, err := glm.NewWeightedLogistic(3)
	if err != nil {
		return nil, err
	}
	actions := map[string]func(){}
	for name, loss := range map[string]glm.Loss{
		"sparse": glm.Logistic{}, "shifted": shifted, "hinge": hinge, "weighted": weighted,
	} {
		problem := learn.Problem{Data: dataset, Loss: loss}
		rows, err := problem.Rows(math.Inf(1), dataset.Schema.RowNorm())
		if err != nil {
			return nil, err
		}
		passes(actions, name, rows)
		if name == "sparse" {
			name = "logistic"
			actions["fit-steps"] = func() { fit(problem, dpgd.MeanLearner.Name) }
		}
		actions["fit-"+name] = func() { fit(problem, methods.Default) }
	}
	return actions, nil
}

// fit fits by the method, with its calibration.
func fit(problem learn.Problem, method string) {
	chosen, err := methods.Choose(method, learn.Asked{
		Schema: problem.Data.Schema, Loss: problem.Loss, Records: 40_000,
		Guarantee: privacy.Guarantee{Adjacency: privacy.AddRemove, Epsilon: 1, Delta: 1e-5},
	})
	if err == nil {
		_, _, err = chosen.Fit(context.Background(), problem, random.Secure(), learn.Watch{})
	}
	if err != nil {
		panic(err)
	}
}

func passes(actions map[string]func(), name string, rows *solve.Rows) {
	theta := make([]float64, rows.Columns)
	for j := range theta {
		theta[j] = math.Sin(float64(j))
	}
	gradient, hessian := make([]float64, rows.Columns), solve.NewPacked(rows.Columns)
	actions[name+"-gradient"] = func() { rows.Derivatives(theta, gradient, nil) }
	actions[name+"-hessian"] = func() { rows.Derivatives(theta, gradient, hessian) }
	actions[name+"-certificate"] = func() { rows.Certify(theta, solve.NewSum(rows.Columns)) }
}

// dense makes up full rows of norm 1 at most and labels of either sign.
func dense(n, d int, loss glm.Clipped) *solve.Rows {
	rows := &solve.Rows{
		Block: [][]float64{}, BlockRows: data.BlockRows,
		Label: make([]float64, n), Columns: d, Loss: loss, Norm: []float64{1},
	}
	for i := range n {
		if i%data.BlockRows == 0 {
			rows.Block = append(rows.Block, make([]float64, 0, data.BlockRows*d))
		}
		last := &rows.Block[len(rows.Block)-1]
		for j := range d {
			*last = append(*last, math.Sin(float64(i*d+j))/math.Sqrt(float64(d)))
		}
		rows.Label[i] = float64(i%2*2 - 1)
	}
	return rows
}
