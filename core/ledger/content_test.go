package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
)

// ofParts is both digests of these parts.
func ofParts(parts ...string) Identity {
	c := Content{Whole: true}
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
	lists := map[[sha256.Size]byte][]string{}
	wholes := map[[sha256.Size]byte][]string{}
	for _, parts := range [][]string{
		nil, {""}, {"", ""}, {"a\nb"}, {"a", "b"}, {"a\nb", ""}, {"", "a\nb"}, {"b", "a"},
		{"a\x00", "b"}, {"a", "\x00b"}, {"\xEF"}, {"\xEF\xBB"}, {"", "\xEF"},
	} {
		sum := ofParts(parts...)
		assert.Nil(t, lists[sum.List], "%q", parts)
		assert.Nil(t, wholes[sum.Whole], "%q", parts)
		lists[sum.List] = append(parts, "")
		wholes[sum.Whole] = append(parts, "")
	}
	assert.Equal(t, ofParts("\xEF\xBB\xBF"), ofParts(""))
	var zero Content
	zero.Write([]byte("a"))
	assert.Equal(
		t, Identity{List: ofParts("a").List}, zero.Sum(), "a part begins by itself",
	)
	apart := Content{Whole: true, Elsewhere: true}
	apart.Write([]byte("a"))
	assert.Equal(t, Identity{Whole: ofParts("a").Whole, Both: true}, apart.Sum())
}

// Both digests of contents whose blocks end before, at and after the end of a part or a line, from
// a few lines of Python that normalise at leisure (hashlib.sha256, Python 3.11):
//
//	def norm(p): return (p[3:] if p[:3] == b"\xef\xbb\xbf" else p) \
//	    .replace(b"\r\n", b"\n").replace(b"\r", b"\n").rstrip(b"\n")
//	u = lambda n: n.to_bytes(8, "big")
//	def whole(*parts): return hashlib.sha256(
//	    b"".join(norm(p) + u(len(norm(p))) for p in parts) + u(len(parts)))
//	def listed(*parts): return hashlib.sha256(b"cloister content list 1\n" + u(len(parts)) + b"".join(
//	    u(len(p)) + b"".join(hashlib.sha256(p[i:i + 2**20]).digest() for i in range(0, len(p), 2**20))
//	    for p in map(norm, parts)))
func TestContentAgainstPython(t *testing.T) {
	block := strings.Repeat("x", 1<<20)
	for name, c := range map[string]struct {
		parts       []string
		whole, list string
	}{
		"nothing": {
			nil,
			"af5570f5a1810b7af78caf4bc70a660f0df51e42baf91d4de5b2328de0e83dfc",
			"8d1cf3c4617dfd106b454430d45c496a70d5f7548826f1ad25877a74bdb7c420",
		},
		"an empty part": {
			[]string{""},
			"7c3ccd10bb7ec37b46d37926ae6274267f007a34aeaf15c882a715a7f3300529",
			"bdea31b38cb5003961028ff41bf651f4a95679cc4adeb43621c387175be9142d",
		},
		"two parts": {
			[]string{"a,b\n1,2\n", "\xEF\xBB\xBF3,4\r\n5,6\r\n"},
			"d33141988129a076c8f4986cc7f9c0985d546bfbaf212ecc935aeea4fc882f14",
			"c9e020262360c9345ae9280b2d675954464358bcdcbeb5135328bd789769c74a",
		},
		"a block": {
			[]string{block},
			"7e3ce248691c43828b5c84eb44609309d45d23200c2375faa9fa290732fd59ef",
			"c5b1b53d6c2c951ece20f2834a840c39f87dfb68c1b9b29a4027f7433096fabe",
		},
		"a block and line ends": {
			[]string{block + "\r\n\r\n"},
			"7e3ce248691c43828b5c84eb44609309d45d23200c2375faa9fa290732fd59ef",
			"c5b1b53d6c2c951ece20f2834a840c39f87dfb68c1b9b29a4027f7433096fabe",
		},
		"a line end behind a block": {
			[]string{block + "\r\ny"},
			"d46e583dd917ad214c7288b812c2393b7de45775a572cd9cf14b9e80ad8e911d",
			"279f1d8ed4fdac9a02fcca900f38f18af0efd8d38ca0fa2fcdaaff8a333d9476",
		},
		"rows": {
			[]string{
				"\xEF\xBB\xBF" + strings.Repeat("12,yes,34.5\r\n", 300_000), "\r",
				strings.Repeat("12,no\r", 200_000),
			},
			"f7b48afe312738f2385a28ca3e260f220d22094d4d499c0c6b2f2443b29b9729",
			"cd29f2234e6f61b4e3d5f7a1d8f492c654fd73b5edfb7b37ff6560dd037a3e28",
		},
	} {
		sum := ofParts(c.parts...)
		assert.Equal(t, c.whole, hex.EncodeToString(sum.Whole[:]), name)
		assert.Equal(t, c.list, hex.EncodeToString(sum.List[:]), name)
	}
}

// However a text is cut into pieces, its digests are the same, and those of the
// text as one who normalises it at leisure would have them.
func FuzzContent(f *testing.F) {
	f.Add([]byte("a,b\r\n1,2\n"), 3)
	f.Add([]byte("\xEF\xBB\xBFx\r\r\n"), 1)
	f.Add([]byte("\xEF\xBB"), 1)
	f.Add(bytes.Repeat([]byte("0123456789\r\n"), 40), 97)
	for spare := range 4 { // the CR, the LF or what follows is the last byte of a block
		f.Add(append(bytes.Repeat([]byte("x"), 1<<20-spare), "\r\ny\r\n"...), 1<<16-1)
	}
	f.Fuzz(func(t *testing.T, text []byte, size int) {
		if size < 1 {
			size = 1
		}
		c := Content{Whole: true}
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
		size8 := binary.BigEndian.AppendUint64(nil, uint64(len(plain)))
		one8 := binary.BigEndian.AppendUint64(nil, 1)
		list := slices.Concat([]byte("cloister content list 1\n"), one8, size8)
		for block := range slices.Chunk(plain, 1<<20) {
			sum := sha256.Sum256(block)
			list = append(list, sum[:]...)
		}
		assert.Equal(t, Identity{
			List:  sha256.Sum256(list),
			Whole: sha256.Sum256(slices.Concat(plain, size8, one8)),
			Both:  true,
		}, c.Sum())
	})
}

func BenchmarkContent(b *testing.B) {
	text := bytes.Repeat(
		[]byte(
			"39,State-gov,77516,Bachelors,13,Never-married,Adm-clerical,Not-in-family,White,Male,2174,0,40,United-States,<=50K\n",
		),
		10000,
	)
	for name, whole := range map[string]bool{"list": false, "both": true} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				c := Content{Whole: whole}
				c.Begin()
				c.Write(text)
				c.Sum()
			}
		})
	}
}
