package data

import "strings"

// Purchases are the releases that the schema's bounds and categories were bought
// by, each once, in the order of the features, the label last.
//
// Theorem. Let a mechanism be (ε, δ)-DP for every schema that its reader may hand it.
// Then the purchases, and that mechanism run with a schema whose bounds and categories
// are Bought and the rest of which is public, are together (ε + Σεᵢ, δ + Σδᵢ)-DP under
// the neighbours that all of them have in common: the schema is post-processing of the
// purchases, and adaptive composition adds up (Dwork & Roth 2014, Theorem B.1). A
// ledger, which holds all charges as events, computes less than this sum.
func (s *Schema) Purchases() []Purchase {
	var out []Purchase
	seen := map[Purchase]bool{{}: true} // what was not bought has none
	add := func(p Purchase) {
		if !seen[p] {
			seen[p] = true
			out = append(out, p)
		}
	}
	for i := range s.Features {
		add(s.Features[i].Purchase)
	}
	add(s.Label.Purchase)
	return out
}

// BoughtColumns names the columns whose bounds were bought, the label last, and
// those whose categories were.
func (s *Schema) BoughtColumns() (bounds, categories []string) {
	for i := range s.Features {
		switch f := &s.Features[i]; {
		case f.Provenance != Bought:
		case f.Type == Categorical:
			categories = append(categories, f.Name)
		default:
			bounds = append(bounds, f.Name)
		}
	}
	if s.Label.Provenance == Bought {
		bounds = append(bounds, s.Label.Name)
	}
	return bounds, categories
}

// PurchasesText says in plain words which bounds and categories were bought, by
// which charges and for which ε and δ; "" if none were.
func (s *Schema) PurchasesText() string {
	bounds, categories := s.BoughtColumns()
	var text strings.Builder
	if len(bounds) > 0 {
		text.WriteString("The bounds of " + list(bounds, len(bounds)))
	}
	if len(categories) > 0 {
		if text.Len() == 0 {
			text.WriteString("The categories of ")
		} else {
			text.WriteString(" and the categories of ")
		}
		text.WriteString(list(categories, len(categories)))
	}
	if text.Len() == 0 {
		return ""
	}
	text.WriteString(" were bought from the data under differential privacy:")
	for i, p := range s.Purchases() {
		if i > 0 {
			text.WriteString(",")
		}
		text.WriteString(" charge " + quoted(p.Charge) + " at ε = " + number(p.Epsilon))
		if p.Delta > 0 {
			text.WriteString(" and δ = " + number(p.Delta))
		}
	}
	text.WriteString(".")
	return text.String()
}

// checkPurchases refuses two prices for one charge.
func (s *Schema) checkPurchases() *SchemaError {
	seen := map[string]bool{}
	for _, p := range s.Purchases() {
		if seen[p.Charge] {
			return &SchemaError{
				"features",
				"gives the charge " + quoted(p.Charge) + " at two prices",
				"of one ε and δ a charge",
			}
		}
		seen[p.Charge] = true
	}
	return nil
}
