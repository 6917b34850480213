package data

// labelReader turns the text of a label into its code in Dataset.Y.
type labelReader struct {
	label   *Label
	codes   *dictionary // of classes and missing values; a numeric label has the latter only
	numbers []int       // records kept of each class
	missing int         // records without a label
	clamped int         // records whose number was moved to a bound
}

func newLabelReader(s *Schema) labelReader {
	classes := s.Label.classes()
	size := len(s.missingValues())
	for _, spellings := range classes {
		size += len(spellings)
	}
	r := labelReader{
		label:   &s.Label,
		codes:   newDictionary(size),
		numbers: make([]int, len(classes)),
	}
	for _, text := range s.missingValues() {
		r.codes.set(text, isMissing)
	}
	for k, spellings := range classes {
		for _, text := range spellings {
			r.codes.set(text, int32(k))
		}
	}
	return r
}

// read returns the code of a label and the class that it is of, isMissing for
// one that is missing and whose record is to be dropped.
func (r *labelReader) read(text []byte) (code float64, class int32, err *Error) {
	class, known := r.codes.find(text)
	switch {
	case known && class == isMissing:
		if r.label.Missing.Action != Drop {
			return 0, isMissing, r.label.refusal(string(text), true)
		}
		r.missing++
		return 0, isMissing, nil
	case known:
		return r.label.code(int(class)), class, nil
	case r.label.Type != NumericLabel:
		return 0, 0, r.label.refusal(string(text), false)
	}
	x, kind := parseNumber(text)
	if kind != isNumber {
		return 0, 0, notNumber(r.label.Name, string(text), kind, r.label.Min, r.label.Max)
	}
	return r.number(x), 0, nil
}

// number is the code of a number.
func (r *labelReader) number(x float64) float64 {
	code, clamped := r.label.scaled(x)
	if clamped {
		r.clamped++
	}
	return code
}

// keep counts a record that became a row.
func (r *labelReader) keep(class int32) {
	if len(r.numbers) > 0 {
		r.numbers[class]++
	}
}

// check refuses a file whose rows are all of one class.
func (r *labelReader) check(rows int) *Error {
	for k, n := range r.numbers {
		if n != rows {
			continue
		}
		err := &Error{Kind: OneClass, Column: r.label.Name}
		if r.label.Type == SeveralClasses {
			err.Problem = "every record is of the class " + quoted(r.label.Classes[k][0])
			err.Want = "A model needs records of more than one; look whether the other classes' spellings in the schema are those of the file"
			return err
		}
		names := []string{"negative", "positive"}
		err.Problem = "every record is of the " + names[k] + " class"
		err.Want = "A model needs records of both; look whether the " + names[1-k] + " spellings in the schema are those of the file"
		return err
	}
	return nil
}
