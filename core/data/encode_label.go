package data

import "strings"

// EncodeLabel turns a label's text into what Dataset.Y has for it: −1 or +1 for
// two classes, the class' number for several, a number from −1 to 1 for a numeric
// label. It returns the *Error with which a file would be refused, also for a
// label that is missing.
func (s *Schema) EncodeLabel(text string) (float64, error) {
	if err := s.Validate(); err != nil {
		return 0, err
	}
	text = strings.Trim(text, " \t")
	r := newLabelReader(s)
	code, class, err := r.read([]byte(text))
	if err != nil {
		return 0, err
	}
	if class == isMissing {
		return 0, s.Label.refusal(text, true)
	}
	return code, nil
}
