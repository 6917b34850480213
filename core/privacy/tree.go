package privacy

// SameTree reports whether two plain trees are alike to the bit.
func SameTree(a, b any) bool {
	switch a := a.(type) {
	case map[string]any:
		b, ok := b.(map[string]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for name, member := range a {
			other, ok := b[name]
			if !ok || !SameTree(member, other) {
				return false
			}
		}
		return true
	case []any:
		b, ok := b.([]any)
		if !ok || len(a) != len(b) {
			return false
		}
		for i := range a {
			if !SameTree(a[i], b[i]) {
				return false
			}
		}
		return true
	}
	switch a.(type) {
	case string, float64, bool:
		return a == b
	}
	return a == nil && b == nil
}
