package plane

import (
	"context"

	"cloister/core/lab/clinic"
	"cloister/core/privacy"
	"cloister/wasm/api"
)

func (d *desk) made(f *privacy.Fields) (*clinic.Clinic, error) {
	patients := clinic.Patients{Count: f.Int("n"), Seed: f.IntOr("seed", 0)}
	if err := f.Done(); err != nil {
		return nil, err
	}
	if d.clinic != nil && d.clinic.Patients() == patients {
		return d.clinic, nil
	}
	made, err := clinic.New(context.Background(), patients)
	if err != nil {
		return nil, err
	}
	d.clinic = made
	return made, nil
}

// patients answers {n, seed?} with what the points of a card are for, how many of the patients
// came back, and the best card without privacy.
func (d *desk) patients(call *api.Call) (map[string]any, error) {
	c, err := d.made(call.Fields)
	if err != nil {
		return nil, err
	}
	var attributes []any
	for _, a := range clinic.Attributes() {
		levels := make([]any, len(a.Levels))
		for l, name := range a.Levels {
			levels[l] = name
		}
		attributes = append(attributes, map[string]any{"name": a.Name, "levels": levels})
	}
	return map[string]any{
		"attributes": attributes, "back": c.Back(), "plain": numbers(c.Plain()),
	}, nil
}

// cards answers {n, seed?, adjacency, epsilon, first?, draws} with one card a draw and the event of
// each choice.
func (d *desk) cards(call *api.Call) (map[string]any, error) {
	f := call.Fields
	request := clinic.Request{
		Guarantee: privacy.Guarantee{Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon")},
		First:     f.IntOr("first", 0),
		Draws:     f.Int("draws"),
	}
	c, err := d.made(f)
	if err != nil {
		return nil, err
	}
	chosen, err := c.Cards(context.Background(), request)
	if err != nil {
		return nil, err
	}
	cards := make([]any, len(chosen.Cards))
	for k, card := range chosen.Cards {
		cards[k] = numbers(card)
	}
	return map[string]any{"cards": cards, "event": privacy.EncodeEvent(chosen.Event)}, nil
}

// numbers are the points level by level, and last the share of new patients for whom the card is
// right.
func numbers(card clinic.Card) (out []float64) {
	for _, of := range card.Points {
		for _, points := range of {
			out = append(out, float64(points))
		}
	}
	return append(out, card.Right)
}
