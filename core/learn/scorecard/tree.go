package scorecard

import (
	"strconv"

	"cloister/core/data"
	"cloister/core/learn"
	"cloister/core/privacy"
)

// Tree is the release as a document, a plain tree:
//
//	format, version   ReleaseFormat and ReleaseVersion
//	library           version of the library that made it
//	guarantee         what is promised: adjacency, epsilon, delta (0), covers, caveats
//	event             what was done to the data (package privacy)
//	from_counts       true if the card was found on noisy counts; else left out
//	card
//	  bound           B: points are from −B to B
//	  threshold       1: it says yes where the total is this or more
//	  attributes      list, in the schema's order; each:
//	    name          of the column
//	    levels        list of {"name", "points"}, in the schema's order
//	schema            the public schema (data.ParseCellSchema)
//	evaluation        left out for none (see learn.Assessment): in cells first the negatives and
//	                  positives that the card says no to, then those that it says yes to
//	  adjacency, epsilon, event, cells, sums
//
// A release is written in the oldest version that can say it: version 1 has no
// evaluation, and version 2 must.
//
// It is an error if the schema is not valid or the points are not those of its levels.
func (r *Release) Tree() (map[string]any, error) {
	schema, err := r.Schema.Tree()
	if err != nil {
		return nil, err
	}
	if err := r.fits(); err != nil {
		return nil, err
	}
	attributes := make([]any, len(r.Points))
	for g, of := range r.Points {
		levels := make([]any, len(of))
		for l, name := range r.Schema.Attributes[g].LevelNames() {
			levels[l] = map[string]any{"name": name, "points": float64(of[l])}
		}
		attributes[g] = map[string]any{"name": r.Schema.Attributes[g].Name, "levels": levels}
	}
	tree := map[string]any{
		"format":    ReleaseFormat,
		"version":   1.0,
		"library":   r.Library,
		"guarantee": r.Promise.tree(),
		"event":     privacy.EncodeEvent(r.Event),
		"card": map[string]any{
			"bound":      float64(r.Bound),
			"threshold":  float64(Threshold),
			"attributes": attributes,
		},
		"schema": schema,
	}
	if r.FromCounts {
		tree["from_counts"] = true
	}
	if r.Assessment != nil {
		tree["version"], tree["evaluation"] = float64(ReleaseVersion), r.Assessment.Tree()
	}
	return tree, nil
}

// fits is whether there is a point for each level of the schema and no other.
func (r *Release) fits() error {
	sizes := r.Schema.Sizes()
	if len(r.Points) != len(sizes) {
		return &privacy.ParameterError{
			Field: "card.attributes",
			Value: strconv.Itoa(len(r.Points)) + " attributes",
			Want:  strconv.Itoa(len(sizes)) + ", those of the schema",
		}
	}
	for g, n := range sizes {
		if len(r.Points[g]) != n {
			return &privacy.ParameterError{
				Field: "card.attributes[" + strconv.Itoa(g) + "].levels",
				Value: strconv.Itoa(len(r.Points[g])) + " levels",
				Want:  strconv.Itoa(n) + ", those of the schema",
			}
		}
	}
	return nil
}

// ParseRelease reads a release from JSON text. It refuses fields that it does not know
// or that are given twice, other formats, newer versions, and a card whose names are
// not those of the schema. Whether its guarantee holds is for Verify to say. Errors are
// *data.SchemaError and *privacy.ParameterError.
func ParseRelease(text []byte) (*Release, error) {
	tree, err := data.ParseJSON("the release", text)
	if err != nil {
		return nil, err
	}
	return ReleaseFromTree(tree)
}

// ReleaseFromTree is ParseRelease for a decoded document.
func ReleaseFromTree(tree any) (*Release, error) {
	f := privacy.NewFields("", tree)
	if format := f.Text("format"); format != ReleaseFormat {
		f.Bad("format", strconv.Quote(ReleaseFormat)+", as in every scorecard of this library")
	}
	version := f.Int("version")
	if version < 1 || version > ReleaseVersion {
		f.Bad("version", "1 or 2; a newer release needs a newer version of this page or library")
	}
	r := &Release{Library: f.Version("library"), FromCounts: f.Bool("from_counts")}
	var evaluation *privacy.Fields
	if version > 1 {
		evaluation = privacy.NewFields("evaluation", f.Any("evaluation"))
	}
	schemaTree, eventTree := f.Any("schema"), f.Any("event")
	guarantee := privacy.NewFields("guarantee", f.Any("guarantee"))
	card := privacy.NewFields("card", f.Any("card"))
	if err := f.Done(); err != nil {
		return nil, err
	}
	var err error
	if r.Schema, err = data.CellSchemaFromTree("schema", schemaTree); err != nil {
		return nil, err
	}
	if r.Event, err = privacy.DecodeEvent("event", eventTree); err != nil {
		return nil, err
	}
	if r.Promise, err = readPromise(guarantee); err != nil {
		return nil, err
	}
	if evaluation != nil {
		if r.Assessment, err = learn.ReadAssessment(evaluation, r.Classifier()); err != nil {
			return nil, err
		}
	}
	return r, r.readCard(card)
}

func (r *Release) readCard(f *privacy.Fields) error {
	r.Bound = f.Int("bound")
	if f.Int("threshold") != Threshold {
		f.Bad("threshold", "1, at which every card of this library says yes")
	}
	for g, tree := range f.List("attributes") {
		attribute := privacy.NewFields(f.Path("attributes["+strconv.Itoa(g)+"]"), tree)
		var names []string
		if g < len(r.Schema.Attributes) {
			names = r.Schema.Attributes[g].LevelNames()
			if attribute.Text("name") != r.Schema.Attributes[g].Name {
				attribute.Bad("name", "the name that the schema has in this place")
			}
		} else {
			attribute.Bad("name", "left out: the schema has fewer attributes")
		}
		var points []int
		for l, tree := range attribute.List("levels") {
			level := privacy.NewFields(attribute.Path("levels["+strconv.Itoa(l)+"]"), tree)
			if name := level.Text("name"); l >= len(names) || name != names[l] {
				level.Bad("name", "the name of the schema's level in this place")
			}
			points = append(points, level.Int("points"))
			if err := level.Done(); err != nil {
				return err
			}
		}
		r.Points = append(r.Points, points)
		if err := attribute.Done(); err != nil {
			return err
		}
	}
	if err := f.Done(); err != nil {
		return err
	}
	return r.fits()
}
