package ledger

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"slices"
)

// Content takes the digest of a data set's text, in pieces of any size, part by part.
// The bytes of the parts count, in their order, except for what programs change on
// their own: a byte order mark at the beginning of a part is left out, CR LF and CR
// become LF, and line ends at the end of a part are left out. Every other byte counts,
// and so does the order of rows. A sorted or edited file is other content, until a
// person says that it is the same data set (Ledger.Same).
//
// What counts of each part is cut into blocks of 1 MiB, the last one shorter, and the
// digest is
//
//	SHA-256(tag ‖ parts ‖ for each part: length ‖ SHA-256 of each of its blocks)
//
// with the tag "cloister content list 1\n" and 8 bytes, the highest first, for the
// number of parts and for the bytes of a part. A length says how many blocks follow it,
// so two different contents have the same digest only where SHA-256 has a collision.
// A page takes it of files as they come in, with the browser's SHA-256, which reads
// whole blocks only (site/src/client/content.ts; a test compares the two).
//
// The digest itself is as private as the data: who has it can check a guess of
// the whole. A ledger stores only a keyed hash of it.
//
// The zero Content is ready.
type Content struct {
	// Whole: the whole digest is taken too. See Identity.
	Whole bool

	// Elsewhere: the digest above is taken elsewhere, and Sum leaves it zero.
	Elsewhere bool

	whole hash.Hash
	block hash.Hash
	room  int    // bytes that the block can still take
	list  []byte // digests of the blocks of this part
	lists []byte // of the parts before: their lengths and lists
	parts int
	size  uint64 // bytes of this part that count
	mark  int    // how many bytes of a byte order mark were seen; -1: it is over
	ends  int    // line ends that count only if something follows
	cr    bool   // the last byte was a CR
	buf   []byte
}

// Identity is what a ledger recognises a content by. List is the digest that Content
// describes. Whole is the one that ledgers knew before entries of version 3: of all
// bytes that count at once, each part followed by its length, and the number of parts
// at the end. It is needed only while a ledger has contents that it knows by Whole
// alone; see the package's section on what a file is recognised by.
type Identity struct {
	List, Whole [sha256.Size]byte
	Both        bool // Whole was taken too
}

const (
	blockBytes = 1 << 20
	listTag    = "cloister content list 1\n"
)

var mark = []byte{0xEF, 0xBB, 0xBF}

// Begin starts a part. Parts without a byte count too.
func (c *Content) Begin() {
	c.begin()
	c.close()
	c.parts++
}

func (c *Content) begin() {
	if c.block == nil {
		c.whole, c.block, c.room = sha256.New(), sha256.New(), blockBytes
	}
}

// close ends a part.
func (c *Content) close() {
	if c.parts > 0 {
		c.flushMark()
		c.flush()
		if c.room < blockBytes {
			c.endBlock()
		}
		c.lists = append(binary.BigEndian.AppendUint64(c.lists, c.size), c.list...)
		c.whole.Write(binary.BigEndian.AppendUint64(nil, c.size))
	}
	c.list, c.size, c.mark, c.ends, c.cr = c.list[:0], 0, 0, 0, false
}

// endBlock adds the digest of the block to the list.
func (c *Content) endBlock() {
	c.list = c.block.Sum(c.list)
	c.block.Reset()
	c.room = blockBytes
}

// Write adds bytes to the part that was begun last.
func (c *Content) Write(chunk []byte) {
	if c.Elsewhere && !c.Whole {
		return
	}
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
		c.add(line)
		return
	}
	c.buf = append(c.buf, line...)
}

func (c *Content) flush() {
	c.add(c.buf)
	c.buf = c.buf[:0]
}

// add takes in what counts.
func (c *Content) add(text []byte) {
	if c.Whole {
		c.whole.Write(text)
	}
	for !c.Elsewhere && len(text) > 0 {
		n := min(c.room, len(text))
		c.block.Write(text[:n])
		text = text[n:]
		if c.room -= n; c.room == 0 {
			c.endBlock()
		}
	}
}

// Sum returns the digests of all parts, after which nothing can be added.
func (c *Content) Sum() Identity {
	c.begin()
	c.close()
	parts := binary.BigEndian.AppendUint64(nil, uint64(c.parts))
	id := Identity{Both: c.Whole}
	if c.Whole {
		c.whole.Write(parts)
		id.Whole = [sha256.Size]byte(c.whole.Sum(nil))
	}
	if !c.Elsewhere {
		id.List = sha256.Sum256(slices.Concat([]byte(listTag), parts, c.lists))
	}
	return id
}

// Tags of the keyed hashes, one for each kind of digest, so that no digest of one kind is taken
// for one of the other.
const (
	wholeKind = "cloister content 1\n"
	listKind  = "cloister content 2\n"
)

// fingerprint is HMAC-SHA-256 of a digest of this kind under the ledger's key.
func fingerprint(key []byte, kind string, digest [sha256.Size]byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(kind))
	mac.Write(digest[:])
	return hex.EncodeToString(mac.Sum(nil))
}
