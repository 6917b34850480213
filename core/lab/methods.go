package lab

// Methods are all there are, in the order of reports.
func Methods() []Method {
	return []Method{
		ampDefault(),
		ampPaper(),
		dpsgdHonest(),
		dpsgdDishonest(),
		dpsgdSharp(),
		dpgdMomentum(),
		dpgdAllocated(),
		dpgdAdaptive(),
		dpgdConstant(),
		outputPerturbation(),
		outputPerturbationLR(),
		withoutNoise(),
	}
}
