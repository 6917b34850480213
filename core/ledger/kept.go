package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"cloister/core/privacy"
)

// MaxKept is the longest release, in bytes of its canonical JSON, that is kept
// with its charge.
const MaxKept = 1 << 17

// CommitRelease is Commit for a release that is a plain tree. It returns its
// digest. The release is kept in the same entry, if it is no longer than MaxKept:
// if the program ends before the release was shown, or whoever saw it lost it,
// [Ledger.Kept] hands it out again, which costs nothing, because it is the same. It
// is an error if the tree has no JSON form.
func (l *Ledger) CommitRelease(
	ctx context.Context, charge string, release any,
) (digest string, err error) {
	text, err := appendJSON(nil, release)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	digest = hex.EncodeToString(sum[:])
	e := &entry{kind: kindCommit, charge: charge, digest: digest}
	if len(text) <= MaxKept {
		e.release = string(text)
	}
	return digest, l.commit(ctx, e)
}

// Kept returns the release that was kept with a charge, as a plain tree, and the
// charge. A charge that is not committed, or that has no kept release, is an
// *UnknownError. A release with another digest than the charge's is a *DamageError.
func (l *Ledger) Kept(ctx context.Context, charge string) (release any, paid Charge, err error) {
	err = l.view(ctx, func(b *book) error {
		c, err := b.charge(charge)
		if err == nil && !c.Kept() {
			err = &UnknownError{"release kept with the charge", charge}
		}
		if err != nil {
			return err
		}
		paid = *c
		return nil
	})
	if err != nil {
		return nil, paid, err
	}
	sum := sha256.Sum256([]byte(paid.kept))
	if release, err = parseJSON([]byte(paid.kept)); err != nil ||
		hex.EncodeToString(sum[:]) != paid.Digest {
		return nil, paid, &DamageError{
			Where: "the release kept with the charge " + charge,
			What:  "is damaged",
			Cause: err,
		}
	}
	return release, paid, nil
}

// PaidBy returns the charge that a release was made under, by its digest, and the
// account that it is in; *UnknownError if there is none. Two purchases of bounds can
// give identical releases, each charged; then it returns one of the charges.
func (l *Ledger) PaidBy(ctx context.Context, digest string) (Charge, *Dataset, error) {
	var charge Charge
	var set *Dataset
	err := l.view(ctx, func(b *book) error {
		id, ok := b.digests[digest]
		if !ok {
			return &UnknownError{"charge for a release with the digest", digest}
		}
		c, err := b.charge(id)
		if err == nil {
			charge, set = *c, b.paidBy[id].copy()
		}
		return err
	})
	return charge, set, err
}

// Paid is PaidBy for a release as a plain tree. A charge for another event than the release says
// is a *DamageError: whoever wrote that into a ledger, or into a file that was taken in, had it
// cost less. A release without a JSON form is an error too.
func (l *Ledger) Paid(ctx context.Context, release any) (Charge, *Dataset, error) {
	digest, err := Digest(release)
	if err != nil {
		return Charge{}, nil, err
	}
	charge, set, err := l.PaidBy(ctx, digest)
	if err == nil && !charge.paysFor(release) {
		err = otherEvent(charge.ID)
	}
	if err != nil {
		return Charge{}, nil, err
	}
	return charge, set, nil
}

// paysFor reports whether the charge's event is one that a release says it was made by: its own
// or its evaluation's, in the field "event". An evaluation's charge pays for the evaluation alone.
// A release that says none is any event's. A ledger charges for what it releases, so another event
// was written into the one or the other by hand, and most likely a cheaper one into the charge.
func (c *Charge) paysFor(release any) bool {
	tree, _ := release.(map[string]any)
	evaluation, _ := tree["evaluation"].(map[string]any)
	said := false
	for k, of := range []map[string]any{tree, evaluation} {
		if stated, is := of["event"]; is {
			said = true
			event, err := privacy.DecodeEvent("event", stated)
			if err == nil && canonical(privacy.EncodeEvent(event)) == c.eventText() &&
				(k == 0 || evaluates(event)) {
				return true
			}
		}
	}
	return !said
}

// evaluates reports whether the event is that of an evaluation: noise on counts. One of a fit, put
// in an evaluation's place, pays for no release.
func evaluates(event privacy.Event) bool {
	all, ok := event.(privacy.Composition)
	if !ok || len(all.Parts) != 1 {
		return false
	}
	_, ok = all.Parts[0].Event.(privacy.DiscreteLaplace)
	return ok
}

// depth is how many lists and objects are open at the end of a JSON text; -1 if that is within a
// text of it: what follows there is no name, but the end of one.
func depth(text string) (open int) {
	inText := false
	for i := range len(text) {
		switch text[i] {
		case '"':
			if !escaped(text, i) {
				inText = !inText
			}
		case '{', '[':
			if !inText {
				open++
			}
		case '}', ']':
			if !inText {
				open--
			}
		}
	}
	if inText {
		return -1
	}
	return open
}

func (c *Charge) eventText() string { return canonical(privacy.EncodeEvent(c.Event)) }

// keeps is paysFor of a release's canonical text, which is seldom read for it. An event that is
// only a part of the release's costs less.
func (c *Charge) keeps(release string) bool {
	before, _, has := strings.Cut(release, `"event":`+c.eventText())
	if release == "" || has && depth(before) == 1 {
		return true
	}
	tree, err := parseJSON([]byte(release))
	return err != nil || c.paysFor(tree) // what is no JSON is for Kept to say
}

// otherEvent is the error of a charge that is not for its release.
func otherEvent(charge string) error {
	return &DamageError{
		Where: "the charge " + charge,
		What:  "is for another event than its release says: one of the two was changed by hand",
	}
}
