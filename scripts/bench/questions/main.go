// Questions times what people ask the accountant interactively: made-up questions of each kind,
// each put to an accountant that remembers none before it. It prints, as JSON, the median, the 95th
// percentile and the largest of each kind, in milliseconds of the processor. It is compiled for
// this machine and, as it is, to js/wasm for Node, with the flags of the Makefile's GO_WASM. A
// program is not told there what it takes of the processor: processor-time.cjs makes that its
// clock, and without it the time of day is told.
//
//	go run ./scripts/bench/questions
//	NODE_OPTIONS=--require=./scripts/bench/questions/processor-time.cjs GOOS=js GOARCH=wasm \
//		go run -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" \
//		./scripts/bench/questions -only epsilon,curve -slow 200
//
// Asked for are 100 ms at the 95th percentile as WebAssembly, and 2 s at most. On two idle
// processors, of 80 questions, 60 curves, 20 times ten fits, 10 curves of ten fits and 10 times ten
// different events, and 8 choices (-n), the median, that percentile and the largest were, in ms of
// the processor (of so few as twenty there is no such percentile):
//
//	                                   add/remove           replace-one
//	certified ε                        3    51    80        7    79   147
//	noise                             16   139  1201       44    79  1156
//	curve of 200 points               51   293   419       69   411   492
//	ten fits                          46     –   845       54     –   474
//	curve of ten fits                 96     –   788      131     –   203
//	ten events of different kinds    540     –   972      594     –  1037
//	choice of λ                      574     –   836     1276     –  1592
//
// A curve under replace-one, asked at each point, took 142, 1406 and 1765.
//
// What is left of a fit's curve under replace-one are searches of the control problem, where its
// chords end, and the split of ε at each point. Under add/remove each point is searched for: chords
// of a direction with an output step take as many searches. A choice of λ that needs noise far
// beyond what is usual, and can be had, takes ten prices of a second each natively.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"cloister/core/glm"
	"cloister/core/learn"
	"cloister/core/learn/selection"
	"cloister/core/privacy"
	"cloister/scripts/madeup"
	"cloister/scripts/splitmix"
	"cloister/wasm/api/accounting"
)

// question is what is asked, in words, and how.
type question struct {
	says string
	ask  func() error
}

// kind are questions of one kind.
type kind struct {
	name string
	make func(*draw) question
}

func kinds() []kind {
	var all []kind
	for _, one := range []struct {
		name string
		make func(*draw, privacy.Adjacency) question
	}{
		{"epsilon", func(d *draw, a privacy.Adjacency) question { return epsilon(d, d.single(a)) }},
		{"sigma", sigma},
		{"curve", func(d *draw, a privacy.Adjacency) question { return curve(d, d.single(a)) }},
		{"ten", func(d *draw, a privacy.Adjacency) question { return epsilon(d, d.alike(a)) }},
		{"curve-ten", func(d *draw, a privacy.Adjacency) question { return curve(d, d.alike(a)) }},
		{"mixed", func(d *draw, a privacy.Adjacency) question { return epsilon(d, d.mixed(a)) }},
		{"choice", choice},
	} {
		for suffix, a := range map[string]privacy.Adjacency{
			"": privacy.AddRemove, "-replace-one": privacy.ReplaceOne,
		} {
			all = append(all, kind{one.name + suffix, func(d *draw) question {
				return one.make(d, a)
			}})
		}
	}
	slices.SortFunc(all, func(a, b kind) int { return strings.Compare(a.name, b.name) })
	return all
}

// asked is a question to the accountant.
func asked(method string, params map[string]any) question {
	text, err := json.Marshal(params)
	if err != nil {
		panic(err) // of plain trees, which there are only
	}
	return question{method + " " + string(text), func() error {
		if _, failed := accounting.Service().Answer(method, params, nil); failed != nil {
			return failed
		}
		return nil
	}}
}

func epsilon(d *draw, event privacy.Event) question {
	return asked("account", map[string]any{
		"event": privacy.EncodeEvent(event), "delta": d.between(1e-9, 1e-4),
	})
}

// curve has 200 points as far as to some small δ, as a page draws it.
func curve(d *draw, event privacy.Event) question {
	params := map[string]any{"event": privacy.EncodeEvent(event), "delta": d.between(1e-12, 1e-6)}
	end, failed := accounting.Service().Answer("account", params, nil)
	if failed != nil {
		panic(failed) // of an event that is made up here
	}
	delete(params, "delta")
	params["curve"] = map[string]any{"from": 0.0, "to": end["epsilon"], "points": 200.0}
	return asked("account", params)
}

// sigma asks for the noise of a fit, or of an event.
func sigma(d *draw, a privacy.Adjacency) question {
	g := d.guarantee(a)
	params := map[string]any{"epsilon": g.Epsilon, "delta": g.Delta}
	if d.below(2) == 0 {
		params["adjacency"] = a.String()
		params["rowNorm"] = 1.0
		params["dimension"] = float64(int(d.between(2, 300)))
		if d.below(3) == 0 {
			params["lambda"] = d.between(0.05, 50)
		}
		return asked("calibrate", params)
	}
	params["parameter"] = "noise"
	params["event"] = privacy.EncodeEvent(d.plain(a))
	return asked("solve", params)
}

// choice plans a private choice of λ: by default, or near the least that leaves anything.
func choice(d *draw, a privacy.Adjacency) question {
	asked := learn.Asked{
		Schema: madeup.Schema(int(d.between(2, 100))), Loss: glm.Logistic{},
		Guarantee: d.guarantee(a),
	}
	among, err := selection.Lambdas(asked)
	if err != nil {
		panic(err) // of a guarantee that is made up here
	}
	if d.below(2) == 0 {
		least := among[0].Lambda * d.between(1.0/64, 4)
		for i := range among {
			among[i].Lambda = least * d.between(1, 10)
		}
	}
	says := fmt.Sprintf("%v of %+v", among, asked.Guarantee)
	return question{says, func() error {
		_, err := selection.Choose(selection.Asked{Asked: asked, Candidates: among})
		return err
	}}
}

// among are the kinds of these names, separated by commas; all if there are none.
func among(all []kind, names string) ([]kind, error) {
	if names == "" {
		return all, nil
	}
	var some []kind
	for name := range strings.SplitSeq(names, ",") {
		i := slices.IndexFunc(all, func(one kind) bool { return one.name == name })
		if i < 0 {
			var known []string
			for _, one := range all {
				known = append(known, one.name)
			}
			return nil, fmt.Errorf(
				"-only: there is no kind %q: choose from %s", name, strings.Join(known, ", "),
			)
		}
		some = append(some, all[i])
	}
	return some, nil
}

func main() {
	questions := flag.Int("n", 300, "questions of each kind")
	only := flag.String("only", "", "the kinds to ask, separated by commas; all if empty")
	slow := flag.Float64("slow", 0, "questions that take longer than so many ms are printed; 0: none")
	seed := flag.Uint64("seed", 1, "of the questions")
	flag.Parse()
	chosen, err := among(kinds(), *only)
	if err == nil && *questions < 1 {
		err = fmt.Errorf("-n %d: ask at least one question of each kind", *questions)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(2)
	}
	figures := map[string]map[string]float64{}
	for _, kind := range chosen {
		d := &draw{splitmix.Source(*seed)}
		taken := make([]float64, *questions)
		for i := range taken {
			question := kind.make(d)
			before := processorTime()
			err := question.ask()
			taken[i] = float64(processorTime()-before) / float64(time.Millisecond)
			if *slow > 0 && taken[i] > *slow {
				fmt.Fprintf(
					os.Stderr, "%s: %.0f ms: %s: %v\n", kind.name, taken[i], question.says, err,
				)
			}
		}
		slices.Sort(taken)
		figures[kind.name] = map[string]float64{
			"p50": taken[len(taken)/2], "p95": taken[len(taken)*95/100], "max": taken[len(taken)-1],
		}
	}
	text, err := json.MarshalIndent(figures, "", "  ")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	fmt.Println(string(text))
}
