package report

import (
	"crypto/sha256"
	"encoding/hex"

	"cloister/core/learn"
)

// Fingerprint names a release by the SHA-256 of its JSON form, in hexadecimal,
// without the evaluation: the model is the same before and after it was evaluated.
// It is the same for a release that was read from a file, however that is laid out.
func Fingerprint(release *learn.Release) (string, error) {
	bare := *release
	bare.Assessment = nil
	tree, err := bare.Tree()
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(appendJSON(nil, tree))
	return hex.EncodeToString(sum[:]), nil
}
