package learn

import "cloister/core/privacy"

// Includes reports whether a bound for class is one for a loss of class other.
// "smooth" is left out: it bounds Hessians and not curvatures, and every loss
// here is at least a GLM's.
func Includes(class, other privacy.LossClass) bool {
	order := []privacy.LossClass{privacy.LossGLM, privacy.LossSigned, privacy.LossLogistic}
	wide, narrow := -1, -1
	for i, c := range order {
		if c == class {
			wide = i
		}
		if c == other {
			narrow = i
		}
	}
	return wide >= 0 && wide <= narrow
}
