package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Digest is the SHA-256, in hexadecimal, of a plain tree's canonical JSON: names
// in alphabetical order, no spaces, numbers as encoding/json writes them. The
// same document has the same digest however it was indented. It is an error if
// the tree has no JSON form.
func Digest(tree any) (string, error) {
	text, err := json.Marshal(tree)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// canonical is the text of a tree that is known to have one.
func canonical(tree any) string {
	text, err := json.Marshal(tree)
	if err != nil {
		panic("ledger: " + err.Error())
	}
	return string(text)
}
