package ledger

import (
	"crypto/sha256"
	"encoding/hex"
)

// Digest is the SHA-256, in hexadecimal, of a plain tree's canonical JSON: names
// in the order of their bytes, no spaces, numbers and texts as JavaScript's
// JSON.stringify writes them. The same document has the same digest however it
// was indented. It is an error if the tree has no JSON form.
func Digest(tree any) (string, error) {
	text, err := appendJSON(nil, tree)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// canonical is the text of a tree that is known to have one.
func canonical(tree any) string {
	text, err := appendJSON(nil, tree)
	if err != nil {
		panic("ledger: " + err.Error())
	}
	return string(text)
}
