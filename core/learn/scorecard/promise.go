package scorecard

import (
	"reflect"
	"slices"
	"strconv"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Promise is what a release says of its privacy.
type Promise struct {
	Guarantee privacy.Guarantee // δ = 0
	Covers    bool              // false if the guarantee leaves out something, which Caveats says
	Caveats   []string
}

// promiseOf is the guarantee with what it leaves out of a schema.
func promiseOf(schema *data.CellSchema, guarantee privacy.Guarantee) Promise {
	return Promise{guarantee, schema.CoversEverything(), schema.Caveats()}
}

func (p Promise) tree() map[string]any {
	caveats := make([]any, len(p.Caveats))
	for i, text := range p.Caveats {
		caveats[i] = text
	}
	return map[string]any{
		"adjacency": p.Guarantee.Adjacency.String(),
		"epsilon":   p.Guarantee.Epsilon,
		"delta":     p.Guarantee.Delta,
		"covers":    p.Covers,
		"caveats":   caveats,
	}
}

func readPromise(f *privacy.Fields) (p Promise, err error) {
	p.Guarantee = privacy.Guarantee{
		Adjacency: f.Adjacency(), Epsilon: f.Number("epsilon"), Delta: f.Number("delta"),
	}
	p.Covers = f.Bool("covers")
	for i, caveat := range f.List("caveats") {
		text, ok := caveat.(string)
		if !ok {
			f.Bad("caveats", "a list of texts, and entry "+strconv.Itoa(i)+" is none")
			break
		}
		p.Caveats = append(p.Caveats, text)
	}
	if !(p.Guarantee.Epsilon >= privacy.LeastScale && p.Guarantee.Epsilon <= privacy.LargestScale) {
		f.Bad("epsilon", "a number above 0")
	}
	return p, f.Done()
}

// claims are what was found of a document, claim by claim.
type claims struct{ learn.Findings }

func (c *claims) check(claim string, err error, good string) {
	if err != nil {
		good = err.Error()
	}
	c.Findings = append(c.Findings, learn.Finding{Claim: claim, True: err == nil, Text: good})
}

// promise checks what a promise says beside the event that priced, an error or nil, is of.
func (c *claims) promise(p Promise, event privacy.Event, schema *data.CellSchema, priced error) {
	var err error
	if stated := event.Neighbours(); p.Guarantee.Adjacency != stated {
		err = &privacy.ParameterError{
			Field: "guarantee.adjacency", Value: p.Guarantee.Adjacency.String(),
			Want: stated.String() + ", for which the mechanism was computed",
		}
	}
	c.check(
		"adjacency",
		err,
		"The guarantee is for the neighbours that the mechanism was computed for ("+
			p.Guarantee.Adjacency.String()+").",
	)
	if p.Guarantee.Delta != 0 {
		priced = &privacy.ParameterError{
			Field: "guarantee.delta", Value: privacy.Number(p.Guarantee.Delta),
			Want: "0: the promise of a scorecard has no δ",
		}
	}
	c.check(
		"guarantee", priced,
		"The mechanism costs at most ε = "+privacy.Number(p.Guarantee.Epsilon)+", with δ = 0.",
	)
	err = nil
	if p.Covers != schema.CoversEverything() || !slices.Equal(p.Caveats, schema.Caveats()) {
		err = &privacy.ParameterError{
			Field: "guarantee.covers", Value: strconv.FormatBool(p.Covers) + ", with its caveats",
			Want: "what follows from where the schema's parts come from",
		}
	}
	c.check("coverage", err, "What the guarantee covers is as the schema has it.")
}

// countsOf is an error unless the event is the noise of counts for what is promised, which
// [CountsEvent] priced.
func countsOf(event privacy.Event, guarantee privacy.Guarantee) error {
	counts, err := CountsEvent(guarantee.Epsilon, guarantee.Adjacency)
	if err != nil {
		return err
	}
	if !reflect.DeepEqual(counts, event) {
		return &privacy.ParameterError{
			Field: "event", Value: event.Mechanism(),
			Want: "the noise of counts, for the ε that is stated",
		}
	}
	return nil
}
