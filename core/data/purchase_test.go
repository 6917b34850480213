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
var boughtSchema = strings.NewReplacer(`"version":1`, `"version":3`, `"max":10,"provenance":"public"`, `"max":10,`+bought).Replace(small)

func TestBoughtBoundsKeepTheirCharge(t *testing.T) {
	schema, err := ParseSchema([]byte(boughtSchema))
	require.NoError(t, err)
	assert.Equal(t, Purchase{"c1", 0.5}, schema.Features[0].Purchase)
	assert.True(t, schema.CoversEverything())
	assert.Equal(t, []Purchase{{"c1", 0.5}}, schema.Purchases())
	assert.Equal(t, `The bounds of "x" were bought from the data under differential privacy: charge "c1" at ε = 0.5.`, schema.PurchasesText())
	text, err := schema.MarshalJSON()
	require.NoError(t, err)
	assert.Contains(t, string(text), `"version":3`)
	assert.Contains(t, string(text), bought)
	again, err := ParseSchema(text)
	require.NoError(t, err)
	assert.Equal(t, schema, again)
	tree, err := schema.Tree()
	require.NoError(t, err)
	again, err = SchemaFromTree("", tree)
	require.NoError(t, err)
	assert.Equal(t, schema, again)

	// What is not said is not written: older readers can read the rest.
	public := smallSchema(t, `"version":1`, `"version":3`)
	assert.Empty(t, public.PurchasesText())
	text, err = public.MarshalJSON()
	require.NoError(t, err)
	assert.Contains(t, string(text), `"version":1`)
	assert.NotContains(t, string(text), "purchase")
}

func TestSeveralPurchases(t *testing.T) {
	schema := smallSchema(t)
	schema.Features = append(schema.Features,
		Feature{Name: "u", Type: Numeric, Max: 1, Provenance: Bought, Purchase: Purchase{"c1", 0.5}},
		Feature{Name: "v", Type: Numeric, Max: 1, Provenance: Bought, Purchase: Purchase{"c2", 1}},
		Feature{Name: "w", Type: Numeric, Max: 1, Provenance: Suggested})
	schema.Label = Label{Name: "y", Type: NumericLabel, Max: 1, Provenance: Bought, Purchase: Purchase{"c1", 0.5}}
	require.NoError(t, schema.Validate())
	assert.Equal(t, []Purchase{{"c1", 0.5}, {"c2", 1}}, schema.Purchases())
	assert.Equal(t, `The bounds of "u", "v" and "y" were bought from the data under differential privacy: charge "c1" at ε = 0.5, charge "c2" at ε = 1.`, schema.PurchasesText())
	assert.False(t, schema.CoversEverything())
	require.Len(t, schema.Caveats(), 1)
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
		{`["a","b"],"provenance":"public"`, `["a","b"],` + bought, `features[1].provenance is "bought": it must be "public" or "suggested": bounds of numbers alone are bought`},
		{`["yes"],"provenance":"public"`, `["yes"],` + bought, `label.provenance is "bought": it must be "public" or "suggested": bounds of numbers alone are bought`},
	} {
		require.Contains(t, boughtSchema, c.old)
		_, err := ParseSchema([]byte(strings.Replace(boughtSchema, c.old, c.new, 1)))
		require.EqualError(t, err, c.message, "%s for %s", c.new, c.old)
	}
	for _, p := range []Purchase{{"c", math.NaN()}, {"c", math.Inf(1)}, {" c", 1}, {"\xff", 1}, {}} {
		schema := smallSchema(t)
		schema.Features[0].Provenance, schema.Features[0].Purchase = Bought, p
		require.Error(t, schema.Validate(), "%v", p)
	}
	schema := smallSchema(t)
	schema.Features[0].Purchase = Purchase{"c", 1}
	require.ErrorContains(t, schema.Validate(), "was not bought")
}
