package data

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"cloister/core/nativetest"
)

// listed is n texts with commas between them.
func listed(n int, text func(i int) string) string {
	all := make([]string, n)
	for i := range all {
		all[i] = text(i)
	}
	return strings.Join(all, ",")
}

func schemaText(features, missing string) []byte {
	return []byte(`{"version":5,"features":[` + features + `],"label":{"name":"y","negative":["0"],` +
		`"positive":["1"],"provenance":"public"},"rows":{"norm":"clip"},"intercept":0.5,` +
		`"missing_values":[` + missing + `]}`)
}

// A schema is read, and what was bought for it is said, in a time that grows with its length,
// however many purchases and spellings it names: a file of a few megabytes stops no page.
func TestALongSchemaIsReadSoon(t *testing.T) {
	nativetest.Only(t)
	numbered := func(name string) func(i int) string {
		return func(i int) string { return fmt.Sprintf(`"%s %d"`, name, i) }
	}
	for name, of := range map[string]func(n int) []byte{
		"a purchase a feature": func(n int) []byte {
			return schemaText(listed(n, func(i int) string {
				return fmt.Sprintf(`{"name":"f%d","type":"numeric","min":0,"max":1,"missing":"error",`+
					`"provenance":"bought","purchase":{"charge":"charge %d","epsilon":1}}`, i, i)
			}), `"?"`)
		},
		"as many spellings of a missing value as categories": func(n int) []byte {
			return schemaText(`{"name":"f","type":"categorical","missing":"error","unknown":"error",`+
				`"provenance":"public","categories":[`+listed(n, numbered("a"))+`]}`,
				listed(n, numbered("b")))
		},
	} {
		nativetest.Linear(t, name, 16_000, func(n int) func() {
			text := of(n)
			return func() {
				s, err := ParseSchema(text)
				require.NoError(t, err, name)
				s.PurchasesText()
				_, err = NewEncoder(s)
				require.NoError(t, err, name)
			}
		})
	}
}

// Spellings of a missing value are looked up for each categorical feature: so many take minutes to
// get ready for.
func TestSpellingsForAllFeaturesTogetherAreNotTooMany(t *testing.T) {
	features := func(n int) string {
		return listed(n, func(i int) string {
			return fmt.Sprintf(`{"name":"f%d","type":"categorical","categories":["a"],`+
				`"missing":"error","unknown":"error","provenance":"public"}`, i)
		})
	}
	spellings := listed(1100, func(i int) string { return fmt.Sprintf(`"none %d"`, i) })
	_, err := ParseSchema(schemaText(features(900), spellings))
	require.NoError(t, err)
	_, err = ParseSchema(schemaText(features(1000), spellings))
	var wrong *SchemaError
	require.ErrorAs(t, err, &wrong)
	assert.Equal(t, "missing_values", wrong.Field)
}
