package wire

// An experiment on sets of the laboratory, or on a data set that was read.
type RunCall interface{ isRunCall() }

func (RunOnSets) isRunCall()    {}
func (RunOnDataset) isRunCall() {}

type RunOnSets struct {
	Grid

	Sets []string `json:"sets" ts:"readonly"`
	// By name.
	Files map[string][]byte `json:"files,omitempty" ts:"Readonly<Record<string, Uint8Array>>"`
}

type RunOnDataset struct {
	Grid
	OfDataset
}
