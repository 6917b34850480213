package lab

// outputPerturbation solves first and adds noise to the solution.
func outputPerturbation() Method {
	return Method{
		Name: "outpert", Title: "Output perturbation", Family: FamilyOutput, Standing: Private,
		About:    "The minimiser of a strongly convex objective with Gaussian noise added (Chaudhuri et al. 2011), this library's defaults, whose constants were chosen on Adult and breast cancer; λ rests on n, and n is taken for public.",
		Encoding: DefaultEncoding, Revision: 1,
		fit: func(j *job) (outcome, error) { return fitDefaults(j, "outpert") },
	}
}
