package data

import "unicode"

// maxReason is the length in bytes of the longest reason why something is public.
const maxReason = 300

const wantReason = "a line of at most 300 bytes that says why this is public knowledge"

// checkReason refuses a reason that is no line of text, or that is given for what is
// not declared public.
func checkReason(path, reason string, provenance Provenance) *SchemaError {
	if reason == "" {
		return nil
	}
	path += ".reason"
	if provenance != Public {
		return &SchemaError{path, "is given for what is not declared public", "left out"}
	}
	if len(reason) > maxReason {
		return &SchemaError{path, "has " + count(len(reason), "byte"), wantReason}
	}
	for _, r := range reason {
		if r == unicode.ReplacementChar || unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp) {
			return &SchemaError{path, given(reason), "one line of UTF-8 text"}
		}
		if turns(r) {
			return &SchemaError{
				path, given(reason), "without what turns the direction of the text around it",
			}
		}
	}
	return checkText(path, reason, false)
}

// hasReason reports whether something in the schema says why it is public.
func (s *Schema) hasReason() bool {
	for i := range s.Features {
		if s.Features[i].Reason != "" {
			return true
		}
	}
	return s.Label.Reason != ""
}
