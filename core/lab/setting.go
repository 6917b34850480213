package lab

import (
	"strconv"
	"strings"

	"cloister/core/privacy"
)

// A setting is a list of "name=number", a space between them.

// valueOf reads one number of a setting.
func valueOf(setting, name string) (float64, error) {
	for _, part := range strings.Fields(setting) {
		if text, ok := strings.CutPrefix(part, name+"="); ok {
			if value, err := strconv.ParseFloat(text, 64); err == nil {
				return value, nil
			}
		}
	}
	return 0, &privacy.ParameterError{
		Field: "setting",
		Value: quote(setting),
		Want:  "with a number for " + name,
	}
}
