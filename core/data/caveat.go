package data

// CoversEverything reports whether every feature and the label are declared
// public or bought, so that a guarantee made about the design matrix covers the
// file, together with those of the purchases ([Schema.Purchases]).
func (s *Schema) CoversEverything() bool { return len(s.Caveats()) == 0 }

// Caveats says, in plain words and one sentence or two for each kind of thing,
// what a guarantee about the design matrix does not cover because the schema
// was read off the private file. It is empty if nothing was.
//
// The last one is about the names of columns, which a release holds like the rest of
// its schema. Older releases lack it.
func (s *Schema) Caveats() []string { return s.caveats(true) }

// EarlierCaveats are the caveats without that about logarithmic scales, which older
// releases lack: no suggestion had such a scale when they were made.
func (s *Schema) EarlierCaveats() []string { return s.caveats(false) }

func (s *Schema) caveats(aboutScales bool) []string {
	var bounds, scales, categories, missing []string
	for i := range s.Features {
		if f := &s.Features[i]; f.Provenance == Suggested {
			if f.Missing.Action == Indicate {
				missing = append(missing, f.Name)
			}
			if f.Type == Numeric {
				bounds = append(bounds, f.Name)
				if f.Log && aboutScales {
					scales = append(scales, f.Name)
				}
			} else {
				categories = append(categories, f.Name)
			}
		}
	}
	var out []string
	readOff := func(what, such string) {
		out = append(
			out,
			what+" were read off the private file and nobody has confirmed that they are public knowledge. "+
				"What they reveal"+such+" is not covered by the guarantee.",
		)
	}
	if len(bounds) > 0 {
		readOff(
			"The bounds of "+list(bounds, len(bounds)),
			", such as about the smallest and the largest value in the file,",
		)
	}
	if len(scales) > 0 {
		readOff(
			"The logarithmic scales of "+list(scales, len(scales)),
			", such as that most values in the file are far below the largest,",
		)
	}
	if len(categories) > 0 {
		readOff(
			"The categories of "+list(categories, len(categories)),
			", such as that somebody in the file belongs to a rare category,",
		)
	}
	if len(missing) > 0 {
		readOff(
			"The indicators of missing values of "+list(missing, len(missing)),
			", such as that somebody in the file has no value there,",
		)
	}
	if s.Label.Provenance == Suggested {
		what := "the spellings of its two classes"
		switch s.Label.Type {
		case SeveralClasses:
			what = "the list of its classes"
		case NumericLabel:
			what = "its bounds"
		}
		readOff("The label "+quoted(s.Label.Name)+" and "+what, "")
	}
	if len(out) > 0 {
		out = append(out, namesCaveat)
	}
	return out
}

const namesCaveat = "The names of the columns are published too, and the guarantee does not cover what they reveal."
