package data

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	maxIntercept = 1e6
	maxColumns   = 1 << 20

	// minSpan is the least distance of the bounds of a number. A coefficient in
	// the units of the file is divided by it, and must stay finite.
	minSpan = 1e-200

	// maxMarkers bounds the spellings of a missing value, each counted once a categorical feature:
	// so many are looked up.
	maxMarkers = 1 << 20
)

// Validate returns a *SchemaError for the first thing that is wrong, or nil.
func (s *Schema) Validate() error {
	if err := s.validate(); err != nil {
		return err
	}
	return nil
}

func (s *Schema) validate() *SchemaError {
	markers := s.missingValues()
	if err := checkTexts("missing_values", markers, false); err != nil {
		return err
	}
	missing := make(map[string]bool, len(markers))
	for _, text := range markers {
		missing[text] = true
	}
	if len(s.Features) == 0 {
		return &SchemaError{"features", "is empty", "a list of at least one feature"}
	}
	columns, categorical := 1, 0
	where := make(map[string]int, len(s.Features))
	for i := range s.Features {
		f := &s.Features[i]
		path := "features[" + strconv.Itoa(i) + "]"
		if err := f.validate(path, missing); err != nil {
			return err
		}
		if j, dup := where[f.Name]; dup {
			return &SchemaError{
				path + ".name",
				"is " + quoted(f.Name) + ", as features[" + strconv.Itoa(j) + "] is",
				"listed once",
			}
		}
		where[f.Name] = i
		columns += f.Width()
		if f.Type == Categorical {
			categorical++
		}
	}
	if columns > maxColumns {
		return &SchemaError{
			"features",
			"makes " + strconv.Itoa(columns) + " columns",
			"at most " + strconv.Itoa(maxColumns) + ", categories counted",
		}
	}
	if len(markers)*categorical > maxMarkers {
		return &SchemaError{
			"missing_values",
			"has " + strconv.Itoa(len(markers)) + " spellings, for " + strconv.Itoa(categorical) +
				" categorical features",
			"at most " + strconv.Itoa(maxMarkers) + " together, counted once a feature",
		}
	}
	if err := s.Label.validate(missing); err != nil {
		return err
	}
	if i, dup := where[s.Label.Name]; dup {
		return &SchemaError{
			"label.name",
			"is " + quoted(s.Label.Name) + ", as features[" + strconv.Itoa(i) + "] is",
			"a column that is not a feature: a model cannot predict a column from itself",
		}
	}
	if s.Rows.Norm != Clip && s.Rows.Norm != Unit && s.Rows.Norm != Scale {
		return &SchemaError{
			"rows.norm",
			given(string(s.Rows.Norm)),
			`"clip" (scale down rows longer than 1), "unit" (scale every row to length 1) or ` +
				`"scale" (divide all by the length of the longest that is possible)`,
		}
	}
	if err := s.checkPurchases(); err != nil {
		return err
	}
	if !(s.Intercept >= 0 && s.Intercept <= maxIntercept) {
		return &SchemaError{
			"intercept",
			"is " + number(s.Intercept),
			"a number from 0 (no intercept) to 1e6; 0.5 is usual",
		}
	}
	return nil
}

func (f *Feature) validate(path string, missing map[string]bool) *SchemaError {
	if err := checkText(path+".name", f.Name, true); err != nil {
		return err
	}
	if err := f.Provenance.validate(path, f.Purchase, true); err != nil {
		return err
	}
	if err := checkReason(path, f.Reason, f.Provenance); err != nil {
		return err
	}
	switch f.Type {
	case Numeric:
		return f.validateNumeric(path)
	case Categorical:
		return f.validateCategorical(path, missing)
	}
	return &SchemaError{path + ".type", given(string(f.Type)), `"numeric" or "categorical"`}
}

func (f *Feature) validateNumeric(path string) *SchemaError {
	switch {
	case !finite(f.Min):
		return &SchemaError{path + ".min", "is " + number(f.Min), "a finite number"}
	case !finite(f.Max):
		return &SchemaError{path + ".max", "is " + number(f.Max), "a finite number"}
	case f.Min >= f.Max:
		return &SchemaError{
			path + ".min",
			"is " + number(f.Min),
			"below max, which is " + number(f.Max),
		}
	case !finite(f.Max - f.Min):
		return &SchemaError{
			path + ".max",
			"is too far from min",
			"such that max − min is a finite double",
		}
	case f.span() < minSpan:
		return &SchemaError{path + ".max", "is too close to min", "at least 1e-200 above it"}
	case f.Categories != nil:
		return &SchemaError{path + ".categories", "is given for a numeric feature", "left out"}
	case f.Unknown != Rule{}:
		return &SchemaError{path + ".unknown", "is given for a numeric feature", "left out"}
	}
	switch f.Missing.Action {
	case Refuse, Drop, Indicate:
		if (f.Missing == Rule{Action: f.Missing.Action}) {
			return nil
		}
	case UseValue:
		if f.Missing.Value >= f.Min && f.Missing.Value <= f.Max && f.Missing.Category == "" {
			return nil
		}
		return &SchemaError{
			path + ".missing",
			"is " + number(f.Missing.Value),
			"between min and max",
		}
	}
	return &SchemaError{
		path + ".missing",
		"is " + f.Missing.String(),
		wantNumericRule,
	}
}

const (
	wantNumericRule = `"error", "drop", "indicator" or a number`
	wantUnknownRule = `"error", "drop", "zero" or {"category": "…"}`
	wantMissingRule = `"error", "drop", "indicator", "zero" or {"category": "…"}`
)

func (f *Feature) validateCategorical(path string, missing map[string]bool) *SchemaError {
	if f.Min != 0 || f.Max != 0 || f.Log {
		return &SchemaError{path, "has min, max or log though it is categorical", "without them"}
	}
	if len(f.Categories) == 0 {
		return &SchemaError{path + ".categories", "is empty", "a list of at least one category"}
	}
	if err := checkTexts(path+".categories", f.Categories, true); err != nil {
		return err
	}
	if err := checkNotMissing(path+".categories", f.Categories, missing); err != nil {
		return err
	}
	if err := f.categoryRule(path+".unknown", f.Unknown, wantUnknownRule); err != nil {
		return err
	}
	if (f.Missing == Rule{Action: Indicate}) {
		return nil
	}
	return f.categoryRule(path+".missing", f.Missing, wantMissingRule)
}

func (f *Feature) categoryRule(path string, rule Rule, want string) *SchemaError {
	switch rule.Action {
	case Refuse, Drop, UseZero:
		if (rule == Rule{Action: rule.Action}) {
			return nil
		}
	case UseCategory:
		if slices.Contains(f.Categories, rule.Category) && rule.Value == 0 {
			return nil
		}
		return &SchemaError{
			path + ".category",
			given(rule.Category),
			"one of the feature's categories",
		}
	}
	return &SchemaError{path, "is " + rule.String(), want}
}

func (p Provenance) validate(path string, purchase Purchase, sold bool) *SchemaError {
	switch {
	case p == Public || p == Suggested:
		if purchase != (Purchase{}) {
			return &SchemaError{path + ".purchase", "is given for what was not bought", "left out"}
		}
		return nil
	case p == Bought && !sold:
		return &SchemaError{
			path + ".provenance",
			given(string(p)),
			`"public" or "suggested": the classes of a label are not bought`,
		}
	case p == Bought:
		if err := checkText(path+".purchase.charge", purchase.Charge, true); err != nil {
			return err
		}
		if !(purchase.Epsilon > 0) || !finite(purchase.Epsilon) {
			return &SchemaError{
				path + ".purchase.epsilon",
				"is " + number(purchase.Epsilon),
				"a finite number above 0",
			}
		}
		if !(purchase.Delta >= 0 && purchase.Delta < 1) {
			return &SchemaError{
				path + ".purchase.delta",
				"is " + number(purchase.Delta),
				"above 0 and below 1, or left out",
			}
		}
		return nil
	}
	return &SchemaError{path + ".provenance", given(string(p)), wantProvenance}
}

func checkTexts(path string, texts []string, needed bool) *SchemaError {
	seen := make(map[string]int, len(texts))
	for i, text := range texts {
		at := path + "[" + strconv.Itoa(i) + "]"
		if err := checkText(at, text, needed); err != nil {
			return err
		}
		if j, dup := seen[text]; dup {
			return &SchemaError{
				at,
				"is " + quoted(text) + ", as [" + strconv.Itoa(j) + "] is",
				"listed once",
			}
		}
		seen[text] = i
	}
	return nil
}

// checkText refuses what no field of a file could equal, and what is unshowable.
func checkText(path, text string, needed bool) *SchemaError {
	switch {
	case needed && text == "":
		return &SchemaError{path, "is missing or empty", "some text"}
	case strings.Trim(text, " \t") != text:
		return &SchemaError{
			path,
			"is " + quoted(text),
			"without spaces at its ends, because reading trims them",
		}
	case !utf8.ValidString(text):
		return &SchemaError{path, "is " + quoted(text), "UTF-8"}
	case unshowable(text):
		return &SchemaError{path, "is " + quoted(text), wantShowable}
	}
	return nil
}

func checkNotMissing(path string, texts []string, missing map[string]bool) *SchemaError {
	for i, text := range texts {
		if missing[text] {
			return &SchemaError{
				path + "[" + strconv.Itoa(i) + "]",
				"is " + quoted(text) + ", which is among missing_values too",
				"one or the other",
			}
		}
	}
	return nil
}

func (s *Schema) missingValues() []string {
	if s.MissingValues == nil {
		return DefaultMissingValues
	}
	return s.MissingValues
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

func given(text string) string {
	if text == "" {
		return "is missing"
	}
	return "is " + quoted(text)
}
