package ledger

import "strconv"

// A step brings a tree from one version to the next. It reads leniently: what it
// makes is checked by whoever reads the present version.
type step func(tree map[string]any)

// entrySteps and fileSteps: the step at index v leads from version v to v+1.
var (
	entrySteps = []step{entryFrom0, entryFrom1, entryFrom2}
	fileSteps  = []step{fileFrom0}
)

// newer refuses a tree of a version after the known one, and one without a version.
func newer(tree map[string]any, where string, known int) error {
	version, ok := tree["version"].(float64)
	if !ok || version != float64(int(version)) || version < 0 {
		return &DamageError{Where: where, What: "does not say which version it is"}
	}
	if int(version) > known {
		return &NewerError{Where: where, Found: int(version), Known: known}
	}
	return nil
}

// migrate brings a tree up to the version present, in place. It returns the version that it had.
func migrate(tree any, where string, present int, steps []step) (int, error) {
	document, ok := tree.(map[string]any)
	if !ok {
		return 0, &DamageError{Where: where, What: "is no object"}
	}
	if err := newer(document, where, present); err != nil {
		return 0, err
	}
	found := int(document["version"].(float64))
	for v := found; v < present; v++ {
		steps[v](document)
		document["version"] = float64(v + 1)
	}
	return found, nil
}

// Version 0 had one kind of entry for a charge in each state, a flag for the
// state of a charge in a file, the adjacency beside the budget and not in it,
// and nothing about what was reserved before the first release: no charge of it
// counts as opening.

func entryFrom0(tree map[string]any) {
	rename(tree, "at", "time")
	switch tree["kind"] {
	case "charge":
		tree["kind"] = kindReserve
		rename(tree, "set", "dataset")
		rename(tree, "id", "charge")
		setDefault(tree, "purpose", "")
	case "release":
		tree["kind"] = kindCommit
		rename(tree, "id", "charge")
	case "dataset":
		rename(tree, "set", "dataset")
		budgetFrom0(tree)
	}
}

// Version 1 of entries kept no releases.
func entryFrom1(map[string]any) {}

// Version 2 of entries knew contents by their whole digest alone.
func entryFrom2(tree map[string]any) { rename(tree, "content", "whole") }

func fileFrom0(tree map[string]any) {
	rename(tree, "at", "time")
	rename(tree, "sets", "datasets")
	setDefault(tree, "library", "0")
	sets, _ := tree["datasets"].([]any)
	for i := range sets {
		set, ok := sets[i].(map[string]any)
		if !ok {
			continue
		}
		rename(set, "at", "created")
		budgetFrom0(set)
		charges, _ := set["charges"].([]any)
		for j := range charges {
			if charge, ok := charges[j].(map[string]any); ok {
				rename(charge, "at", "time")
				setDefault(charge, "purpose", "")
				charge["state"] = string(Reserved)
				if charge["committed"] == true {
					charge["state"] = string(Committed)
				}
				delete(charge, "committed")
			}
		}
		setDefault(set, "name", "data set "+strconv.Itoa(i+1))
	}
}

func budgetFrom0(tree map[string]any) {
	if budget, ok := tree["budget"].(map[string]any); ok {
		budget["adjacency"] = tree["neighbours"]
	}
	delete(tree, "neighbours")
}

func rename(tree map[string]any, from, to string) {
	if member, ok := tree[from]; ok {
		tree[to] = member
		delete(tree, from)
	}
}

func setDefault(tree map[string]any, name string, value any) {
	if _, ok := tree[name]; !ok {
		tree[name] = value
	}
}
