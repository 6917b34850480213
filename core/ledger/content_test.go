package ledger

import (
	"bytes"
	"crypto/sha256"
	"testing"

	"github.com/stretchr/testify/assert"
)

func ofParts(parts ...string) [sha256.Size]byte {
	var c Content
	for _, part := range parts {
		c.Begin()
		c.Write([]byte(part))
	}
	return c.Sum()
}

func TestContentIgnoresWhatProgramsChange(t *testing.T) {
	want := ofParts("a,b\n1,2\n\n3,4\n")
	for _, same := range []string{
		"a,b\r\n1,2\r\n\r\n3,4\r\n", "a,b\r1,2\r\r3,4\r", "a,b\n1,2\n\n3,4", "a,b\n1,2\n\n3,4\r\n\r\n\n",
		"\xEF\xBB\xBFa,b\n1,2\n\n3,4\n",
	} {
		assert.Equal(t, want, ofParts(same), "%q", same)
	}
	for _, other := range []string{
		"a,b\n1,2\n3,4\n", "a,b\n3,4\n\n1,2\n", "a,b\n1,2\n\n3,4 \n", "\na,b\n1,2\n\n3,4\n", "a,b\n1,2\n\n\n3,4\n",
		"\xEF\xBBa,b\n1,2\n\n3,4\n", "\xEF\xBB\xBF\xEF\xBB\xBFa,b\n1,2\n\n3,4\n", "A,b\n1,2\n\n3,4\n", "",
	} {
		assert.NotEqual(t, want, ofParts(other), "%q", other)
	}
}

func TestContentKeepsPartsApart(t *testing.T) {
	sums := map[[sha256.Size]byte][]string{}
	for _, parts := range [][]string{
		nil, {""}, {"", ""}, {"a\nb"}, {"a", "b"}, {"a\nb", ""}, {"", "a\nb"}, {"b", "a"},
		{"a\x00", "b"}, {"a", "\x00b"}, {"\xEF"}, {"\xEF\xBB"}, {"", "\xEF"},
	} {
		sum := ofParts(parts...)
		assert.Nil(t, sums[sum], "%q", parts)
		sums[sum] = append(parts, "")
	}
	assert.Equal(t, ofParts("\xEF\xBB\xBF"), ofParts(""))
	var zero Content
	zero.Write([]byte("a"))
	assert.Equal(t, ofParts("a"), zero.Sum(), "a part begins by itself")
}

// However a text is cut into pieces, its digest is the same, and that of the
// text as one who normalises it at leisure would have it.
func FuzzContent(f *testing.F) {
	f.Add([]byte("a,b\r\n1,2\n"), 3)
	f.Add([]byte("\xEF\xBB\xBFx\r\r\n"), 1)
	f.Add([]byte("\xEF\xBB"), 1)
	f.Add(bytes.Repeat([]byte("0123456789\r\n"), 40), 97)
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		if size < 1 {
			size = 1
		}
		var c Content
		c.Begin()
		for rest := text; len(rest) > 0; {
			n := min(size, len(rest))
			c.Write(rest[:n])
			rest = rest[n:]
		}
		plain := bytes.TrimPrefix(text, mark)
		plain = bytes.ReplaceAll(plain, []byte("\r\n"), []byte("\n"))
		plain = bytes.ReplaceAll(plain, []byte("\r"), []byte("\n"))
		plain = bytes.TrimRight(plain, "\n")
		h := sha256.New()
		h.Write(plain)
		for _, number := range []int{len(plain), 1} {
			for shift := 56; shift >= 0; shift -= 8 {
				h.Write([]byte{byte(number >> shift)})
			}
		}
		assert.Equal(t, [sha256.Size]byte(h.Sum(nil)), c.Sum())
	})
}

func BenchmarkContent(b *testing.B) {
	text := bytes.Repeat(
		[]byte(
			"39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,United-States,<=50K\n",
		),
		10000,
	)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		var c Content
		c.Begin()
		c.Write(text)
		c.Sum()
	}
}
