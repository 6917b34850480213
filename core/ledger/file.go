package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"time"

	"cloister/core/privacy"
)

// Format is what every ledger file says of itself.
const Format = "cloister-ledger"

// fileTree is the accounts as a file's tree: format, version, library, time,
// datasets and, over all of that, checksum. It has neither the key nor the
// hashes of contents, and no releases.
func fileTree(sets []*Dataset, now time.Time) map[string]any {
	tree := map[string]any{
		"format":   Format,
		"version":  Version,
		"library":  privacy.LibraryVersion,
		"time":     timeText(now),
		"datasets": datasetsTree(sets),
	}
	tree["checksum"] = checksum(tree)
	return tree
}

// checksum is the SHA-256 of the tree's canonical JSON, itself left out. It
// finds damage; it does not keep anybody from writing another file.
func checksum(tree map[string]any) string {
	rest := make(map[string]any, len(tree))
	for name, member := range tree {
		if name != "checksum" {
			rest[name] = member
		}
	}
	sum := sha256.Sum256([]byte(canonical(rest)))
	return hex.EncodeToString(sum[:])
}

// readFile is the inverse of fileTree. Errors are *DamageError, which says what
// is wrong, and *NewerError.
func readFile(text []byte) ([]*Dataset, error) {
	const where = "the file"
	damaged := func(what string, err error) error {
		return &DamageError{Where: where, What: what, Cause: err}
	}
	tree, err := parseJSON(text)
	if err != nil {
		what := "is not JSON: " + err.Error()
		if len(text) == 0 {
			what = "is empty"
		} else if err == errCutShort {
			what = "is cut short after " + strconv.Itoa(len(text)) + " bytes"
		}
		return nil, damaged(what, err)
	}
	document, ok := tree.(map[string]any)
	if !ok || document["format"] != Format {
		return nil, damaged("is no ledger: its format must be "+strconv.Quote(Format), nil)
	}
	if err := newer(document, where, Version); err != nil {
		return nil, err
	}
	switch sum, ok := document["checksum"].(string); {
	case !ok:
		return nil, damaged("has no checksum: a part of it is missing", nil)
	case sum != checksum(document):
		return nil, damaged(
			"does not have the checksum that it names: it was damaged, or changed by hand", nil,
		)
	}
	if _, err := migrate(tree, where, Version, fileSteps); err != nil {
		return nil, err
	}
	f := privacy.NewFields("", tree)
	f.Text("format")
	f.Int("version")
	f.Version("library")
	f.Text("checksum")
	readTime(f, "time")
	sets := readDatasets(f)
	if err := f.Done(); err != nil {
		return nil, damaged("holds something wrong: "+err.Error(), err)
	}
	return sets, nil
}

func datasetsTree(sets []*Dataset) []any {
	out := make([]any, len(sets))
	for i, d := range sets {
		out[i] = d.Tree()
	}
	return out
}

// Tree is the account as a plain tree, as files have it: id, name, created,
// charges, and where there are such also and budget.
func (d *Dataset) Tree() map[string]any {
	charges := make([]any, len(d.Charges))
	for i := range d.Charges {
		charges[i] = d.Charges[i].Tree()
	}
	tree := map[string]any{
		"id":      d.ID,
		"name":    d.Name,
		"created": timeText(d.Created),
		"charges": charges,
	}
	if len(d.Also) > 0 {
		also := make([]any, len(d.Also))
		for i, id := range d.Also {
			also[i] = id
		}
		tree["also"] = also
	}
	if d.Budget != nil {
		tree["budget"] = budgetTree(*d.Budget)
	}
	return tree
}

// Tree is the charge as a plain tree: id, event, purpose, time, state, opening,
// and digest where there is one.
func (c *Charge) Tree() map[string]any {
	tree := map[string]any{
		"id": c.ID, "event": privacy.EncodeEvent(c.Event), "purpose": c.Purpose,
		"time": timeText(c.Time), "state": string(c.State), "opening": c.Opening,
	}
	if c.Digest != "" {
		tree["digest"] = c.Digest
	}
	return tree
}

func readDatasets(f *privacy.Fields) []*Dataset {
	var out []*Dataset
	for i, tree := range f.List("datasets") {
		path := f.Path("datasets[" + strconv.Itoa(i) + "]")
		in := privacy.NewFields(path, tree)
		d := &Dataset{ID: in.Text("id"), Name: in.Text("name"), Created: readTime(in, "created")}
		if in.Has("also") {
			for _, id := range in.List("also") {
				text, ok := id.(string)
				if !ok || text == "" {
					in.Bad("also", "a list of texts that are not empty")
				}
				d.Also = append(d.Also, text)
			}
		}
		if in.Has("budget") {
			d.Budget = validBudget(in)
		}
		for j, one := range in.List("charges") {
			d.Charges = append(
				d.Charges, readCharge(in, in.Path("charges["+strconv.Itoa(j)+"]"), one, d.Budget),
			)
		}
		if d.ID == "" {
			in.Bad("id", "a text that is not empty")
		}
		if err := in.Done(); err != nil {
			f.Fail(err)
			return nil
		}
		out = append(out, d)
	}
	return out
}

// readCharge reads a charge of a file: one that another ledger has reserved.
func readCharge(outer *privacy.Fields, path string, tree any, budget *privacy.Guarantee) Charge {
	f := privacy.NewFields(path, tree)
	c := Charge{
		ID: f.Text(
			"id",
		), Event: f.Event("event"), Purpose: f.Text("purpose"), Time: readTime(f, "time"),
		State: State(f.Text("state")), Digest: f.TextOr("digest", ""), Opening: f.Bool("opening"),
		elsewhere: true,
	}
	switch {
	case c.ID == "":
		f.Bad("id", "a text that is not empty")
	case c.State != Reserved && c.State != Committed:
		f.Bad("state", `"reserved" or "committed"`)
	case c.State == Reserved && c.Digest != "":
		f.Bad("digest", "left out for a charge that is only reserved")
	case budget != nil && c.Event != nil && c.Event.Neighbours() != budget.Adjacency:
		f.Fail(
			&privacy.ParameterError{
				Field: f.Path("event.adjacency"),
				Value: c.Event.Neighbours().String(),
				Want:  budget.Adjacency.String() + ", that of the budget",
			},
		)
	}
	if err := f.Done(); err != nil {
		outer.Fail(err)
	}
	return c
}
