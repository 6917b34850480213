package data

import (
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const bought = `"provenance":"bought","purchase":{"charge":"c1","epsilon":0.5}`

// boughtSchema has bounds of x from one charge.
var boughtSchema = strings.NewReplacer(`"version":1`, `"version":3`, `"max":10,"provenance":"public"`, `"max":10,`+bought).
	Replace(small)

func TestBoughtBoundsKeepTheirCharge(t *testing.T) {
	schema, err := ParseSchema([]byte(boughtSchema))
	require.NoError(t, err)
	assert.Equal(t, Purchase{"c1", 0.5, 0}, schema.Features[0].Purchase)
	assert.True(t, schema.CoversEverything())
	assert.Equal(t, []Purchase{{"c1", 0.5, 0}}, schema.Purchases())
	assert.Equal(
		t,
		`The bounds of "x" were bought from the data under differential privacy: charge "c1" at ε = 0.5.`,
		schema.PurchasesText(),
	)
	text := string(readAgain(t, schema))
	assert.Contains(t, text, `"version":3`)
	assert.Contains(t, text, bought)

	// What is not said is not written: older readers can read the rest.
	public := smallSchema(t, `"version":1`, `"version":3`)
	assert.Empty(t, public.PurchasesText())
	text = string(readAgain(t, public))
	assert.Contains(t, text, `"version":1`)
	assert.NotContains(t, text, "purchase")
}

func TestSeveralPurchases(t *testing.T) {
	schema := smallSchema(t)
	schema.Features = append(
		schema.Features,
		Feature{
			Name:       "u",
			Type:       Numeric,
			Max:        1,
			Provenance: Bought,
			Purchase:   Purchase{"c1", 0.5, 0},
		},
		Feature{
			Name:       "v",
			Type:       Numeric,
			Max:        1,
			Provenance: Bought,
			Purchase:   Purchase{"c2", 1, 0},
		},
		Feature{Name: "w", Type: Numeric, Max: 1, Provenance: Suggested},
	)
	schema.Label = Label{
		Name:       "y",
		Type:       NumericLabel,
		Max:        1,
		Provenance: Bought,
		Purchase:   Purchase{"c1", 0.5, 0},
	}
	require.NoError(t, schema.Validate())
	assert.Equal(t, []Purchase{{"c1", 0.5, 0}, {"c2", 1, 0}}, schema.Purchases())
	assert.Equal(
		t,
		`The bounds of "u", "v" and "y" were bought from the data under differential privacy: charge "c1" at ε = 0.5, charge "c2" at ε = 1.`,
		schema.PurchasesText(),
	)
	assert.False(t, schema.CoversEverything())
	require.Len(t, schema.Caveats(), 2)
	assert.Contains(t, schema.Caveats()[0], `"w"`)
	assert.NotContains(t, schema.Caveats()[0], `"u"`)
	text, err := schema.MarshalJSON()
	require.NoError(t, err)
	again, err := ParseSchema(text)
	require.NoError(t, err)
	assert.Equal(t, schema.Label, again.Label)
	schema.Features[3].Purchase.Charge = "c1"
	assert.ErrorContains(t, schema.Validate(), "at two prices")
}

func TestBoughtCategoriesKeepTheirCharge(t *testing.T) {
	const sold = `"provenance":"bought","purchase":{"charge":"c2","delta":1e-8,"epsilon":0.3}`
	text := strings.NewReplacer(`"version":3`, `"version":4`, `["a","b"],"provenance":"public"`, `["a","b"],`+sold).
		Replace(boughtSchema)
	schema, err := ParseSchema([]byte(text))
	require.NoError(t, err)
	assert.Equal(t, []Purchase{{"c1", 0.5, 0}, {"c2", 0.3, 1e-8}}, schema.Purchases())
	assert.True(t, schema.CoversEverything())
	assert.Equal(
		t,
		`The bounds of "x" and the categories of "`+schema.Features[1].Name+`" were bought from the data under differential privacy: charge "c1" at ε = 0.5, charge "c2" at ε = 0.3 and δ = 1e-08.`,
		schema.PurchasesText(),
	)
	assert.Contains(t, string(readAgain(t, schema)), `"version":4`)
	_, err = ParseSchema([]byte(strings.Replace(text, `"version":4`, `"version":3`, 1)))
	require.Error(t, err)
	schema.Features[0].Provenance, schema.Features[0].Purchase = Public, Purchase{}
	assert.Contains(t, schema.PurchasesText(), `The categories of "`)
}

func TestPurchasesThatAreWrong(t *testing.T) {
	for _, c := range []struct{ old, new, message string }{
		{`"version":3`, `"version":2`, `features[0].provenance is "bought": it must be "public" or "suggested" in a schema of this version`},
		{bought, `"provenance":"bought"`, `features[0].purchase is missing: it must be an object`},
		{`"charge":"c1",`, ``, `features[0].purchase.charge is missing: it must be the name of a charge`},
		{`"c1"`, `""`, `features[0].purchase.charge is missing or empty: it must be some text`},
		{`0.5`, `0`, `features[0].purchase.epsilon is 0: it must be a finite number above 0`},
		{`0.5`, `"1"`, `features[0].purchase.epsilon is "1": it must be a finite number above 0`},
		{`0.5`, `0.5,"delta":0`, `features[0].purchase.delta has no meaning for a purchase: it must be left out, or spelt as the documentation has it`},
		{`"bought"`, `"public"`, `features[0].purchase has no meaning for a numeric feature: it must be left out, or spelt as the documentation has it`},
		{`["a","b"],"provenance":"public"`, `["a","b"],` + bought, `features[1].provenance is "bought": it must be "public" or "suggested" in a schema of this version`},
		{`["yes"],"provenance":"public"`, `["yes"],` + bought, `label.provenance is "bought": it must be "public" or "suggested": the classes of a label are not bought`},
	} {
		require.Contains(t, boughtSchema, c.old)
		_, err := ParseSchema([]byte(strings.Replace(boughtSchema, c.old, c.new, 1)))
		require.EqualError(t, err, c.message, "%s for %s", c.new, c.old)
	}
	for _, p := range []Purchase{
		{"c", math.NaN(), 0}, {"c", math.Inf(1), 0}, {" c", 1, 0}, {"\xff", 1, 0}, {}, {"c", 1, 1},
		{"c", 1, -1}, {"c", 1, math.NaN()},
	} {
		schema := smallSchema(t)
		schema.Features[0].Provenance, schema.Features[0].Purchase = Bought, p
		require.Error(t, schema.Validate(), "%v", p)
	}
	schema := smallSchema(t)
	schema.Features[0].Purchase = Purchase{"c", 1, 0}
	require.ErrorContains(t, schema.Validate(), "was not bought")
}
