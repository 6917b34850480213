package data

// Purchases are the releases that the schema's bounds were bought by, each once,
// in the order of the features, the label last.
//
// Theorem. Let a mechanism be (ε, δ)-DP for every schema that its reader may
// hand it. Then the purchases, and that mechanism run with a schema whose bounds
// are Bought and the rest of which is public, are together (ε + Σεᵢ, δ)-DP under
// the neighbours that all of them have in common: the schema is post-processing
// of the purchases, and adaptive composition adds up (Dwork & Roth 2014,
// Theorem B.1). A ledger, which has all charges as events, says less.
func (s *Schema) Purchases() []Purchase {
	var out []Purchase
	for i := range s.Features {
		out = s.Features[i].Purchase.among(out)
	}
	return s.Label.Purchase.among(out)
}

// among appends a purchase that is not on the list.
func (p Purchase) among(list []Purchase) []Purchase {
	if p == (Purchase{}) {
		return list
	}
	for _, other := range list {
		if other == p {
			return list
		}
	}
	return append(list, p)
}

// BoughtColumns names the columns whose bounds were bought, the label last.
func (s *Schema) BoughtColumns() []string {
	var out []string
	for i := range s.Features {
		if s.Features[i].Provenance == Bought {
			out = append(out, s.Features[i].Name)
		}
	}
	if s.Label.Provenance == Bought {
		out = append(out, s.Label.Name)
	}
	return out
}

// PurchasesText says in plain words which bounds were bought, by which charges
// and for which ε; "" if none were.
func (s *Schema) PurchasesText() string {
	names := s.BoughtColumns()
	if len(names) == 0 {
		return ""
	}
	text := "The bounds of " + list(names, len(names)) + " were bought from the data under differential privacy:"
	for i, p := range s.Purchases() {
		if i > 0 {
			text += ","
		}
		text += " charge " + quoted(p.Charge) + " at ε = " + number(p.Epsilon)
	}
	return text + "."
}

// checkPurchases refuses two prices for one charge.
func (s *Schema) checkPurchases() *SchemaError {
	price := map[string]float64{}
	for _, p := range s.Purchases() {
		if _, twice := price[p.Charge]; twice {
			return &SchemaError{"features", "gives the charge " + quoted(p.Charge) + " at two prices", "of one ε a charge"}
		}
		price[p.Charge] = p.Epsilon
	}
	return nil
}
