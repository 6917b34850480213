package main

import (
	"encoding/json"
	"errors"
	"os"

	"cloister/wasm/api/reading"
)

// bound times what a reader of a privacy report asks of the published files in
// path: the bound on one row, and what each column does to it.
func bound(figures map[string]float64, path string) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	var published map[string]any
	if err := json.Unmarshal(text, &published); err != nil {
		return err
	}
	service := reading.NewDesk().Service()
	ask := func(method string, params map[string]any) (map[string]any, error) {
		reply, failed := service.Answer(method, params, nil)
		if failed != nil {
			return nil, errors.New(failed.Message)
		}
		return reply, nil
	}
	opened, err := ask("open", published)
	if err != nil {
		return err
	}
	question := map[string]any{"reader": opened["reader"], "label": "no", "row": map[string]any{
		"age": 71.0, "sex": "female", "smoking": "former", "systolic": 140.0, "bmi": 27.5, "creatinine": 96.0, "stays_last_year": 2.0, "ward": "cardiology", "discharged_to": "home",
	}}
	for figure, method := range map[string]string{"bound": "row", "bound-moves": "moves"} {
		if figures[figure], err = median(201, func(int) error {
			_, err := ask(method, question)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}
