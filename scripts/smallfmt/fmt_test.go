package fmt

import (
	"errors"
	standard "fmt"
	"testing"
)

// What the packages of the binary print comes out as the standard library's would.
func TestAsTheStandardLibrary(t *testing.T) {
	cause := errors.New("the cause")
	for _, c := range []struct {
		format string
		values []any
	}{
		{"Unexpected negative oldVersion or newVersion: %d, %d", []any{-1, int64(7)}},
		{"%+v", []any{cause}},
		{"%v and %s: 100 %%", []any{"text", "more"}},
		{"%q %x %c", []any{"a\"b", 255, 'é'}},
		{"gradient norm %.3g, wanted %.10g, %.2e %.1f %v", []any{1234.5678, 1e-9, 2.5, 2.5, 0.1}},
		{"random: none: %w", []any{cause}},
		{"%v %v %v %d", []any{true, nil, []byte(nil), uint32(3)}},
		{"%s", nil},
	} {
		want := standard.Errorf(c.format, c.values...).Error()
		if c.format == "%v %v %v %d" {
			want = "true <nil>  3" // bytes are text here
		}
		if got := Sprintf(c.format, c.values...); got != want {
			t.Errorf("%q gives %q, and the standard library %q", c.format, got, want)
		}
	}
	if err := Errorf("above: %w", cause); !errors.Is(err, cause) {
		t.Error("what %w wraps is lost")
	}
	if got := Sprint("a", 1, 2, "b"); got != standard.Sprint("a", 1, 2, "b") {
		t.Errorf("Sprint gives %q", got)
	}
	if got := Sprintln("a", 1, errors.New("b")); got != standard.Sprintln("a", 1, errors.New("b")) {
		t.Errorf("Sprintln gives %q", got)
	}
}
