package report

import (
	"crypto/sha256"
	"encoding/hex"

	"cloister/core/learn"
)

// Fingerprint names a release by the SHA-256 of its JSON form, in hexadecimal, without
// the evaluation and the stated choice, because neither changes the model. A release
// that was read from a file has the same fingerprint, whatever the file's layout.
func Fingerprint(release *learn.Release) (string, error) {
	bare := *release
	bare.Assessment = nil
	bare.Choice = learn.NotStated
	tree, err := bare.Tree()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(appendJSON(nil, tree))
	return hex.EncodeToString(sum[:]), nil
}
