package ledger

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
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
