package ledger

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
)

// Content takes the digest of a data set's text, in pieces of any size, part by part.
// The bytes of the parts count, in their order, except for what programs change on
// their own: a byte order mark at the beginning of a part is left out, CR LF and CR
// become LF, and line ends at the end of a part are left out. Every other byte counts,
// and so does the order of rows. A sorted or edited file is other content, until a
// person says that it is the same data set (Ledger.Same).
//
// The digest itself is as private as the data: who has it can check a guess of
// the whole. A ledger stores only a keyed hash of it.
//
// The zero Content is ready.
type Content struct {
	hash  hash.Hash
	parts int
	size  uint64 // bytes of this part that count
	mark  int    // how many bytes of a byte order mark were seen; -1: it is over
	ends  int    // line ends that count only if something follows
	cr    bool   // the last byte was a CR
	buf   []byte
}

var mark = []byte{0xEF, 0xBB, 0xBF}

// Begin starts a part. Parts without a byte count too.
func (c *Content) Begin() {
	if c.hash == nil {
		c.hash = sha256.New()
	}
	c.close()
	c.parts++
}

// close ends a part: its length is written after it, so that no two lists of
// parts give the same bytes.
func (c *Content) close() {
	if c.parts > 0 {
		c.flushMark()
		c.flush()
		c.hash.Write(binary.BigEndian.AppendUint64(nil, c.size))
	}
	c.size, c.mark, c.ends, c.cr = 0, 0, 0, false
}

// Write adds bytes to the part that was begun last.
func (c *Content) Write(chunk []byte) {
	if c.parts == 0 {
		c.Begin()
	}
	for c.mark >= 0 && len(chunk) > 0 {
		if c.mark == len(mark) {
			c.mark = -1
			break
		}
		if chunk[0] != mark[c.mark] {
			c.flushMark()
			break
		}
		c.mark++
		chunk = chunk[1:]
	}
	for len(chunk) > 0 {
		n := bytes.IndexByte(chunk, '\r')
		if n < 0 {
			c.plain(chunk)
			return
		}
		c.plain(chunk[:n])
		c.ends++
		c.cr = true
		chunk = chunk[n+1:]
	}
}

// plain adds bytes without a CR: as they are, but for line ends that may be the
// part's last.
func (c *Content) plain(chunk []byte) {
	if len(chunk) == 0 {
		return
	}
	if c.cr && chunk[0] == '\n' {
		chunk = chunk[1:]
	}
	c.cr = false
	line := bytes.TrimRight(chunk, "\n")
	if len(line) > 0 {
		c.text(line)
	}
	c.ends += len(chunk) - len(line)
}

// flushMark adds the beginning of what was no byte order mark in the end.
func (c *Content) flushMark() {
	seen := c.mark
	c.mark = -1
	if seen > 0 && seen < len(mark) {
		c.text(mark[:seen])
	}
}

func (c *Content) text(line []byte) {
	for ; c.ends > 0; c.ends-- {
		c.buf = append(c.buf, '\n')
		c.size++
		if len(c.buf) > 1<<15 {
			c.flush()
		}
	}
	c.size += uint64(len(line))
	if len(c.buf)+len(line) > 1<<15 {
		c.flush()
		c.hash.Write(line)
		return
	}
	c.buf = append(c.buf, line...)
}

func (c *Content) flush() {
	c.hash.Write(c.buf)
	c.buf = c.buf[:0]
}

// Sum returns the digest of all parts, after which nothing can be added.
func (c *Content) Sum() [sha256.Size]byte {
	if c.hash == nil {
		c.hash = sha256.New()
	}
	c.close()
	c.hash.Write(binary.BigEndian.AppendUint64(nil, uint64(c.parts)))
	return [sha256.Size]byte(c.hash.Sum(nil))
}

// fingerprint is HMAC-SHA-256 of a digest under the ledger's key.
func fingerprint(key []byte, digest [sha256.Size]byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte("cloister content 1\n"))
	mac.Write(digest[:])
	return hex.EncodeToString(mac.Sum(nil))
}
