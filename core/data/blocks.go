package data

// Large is the size of a file, in bytes, from which on its rows are cut into blocks.
// Several workers can then compute sums over them.
const Large = 16 << 20

// Blocks is the number of blocks. It can be shared evenly among 1, 2, 3 or 4 workers.
const Blocks = 12

// blockBounds says which rows of a large file make a block: the records that
// begin in one twelfth of its bytes. That follows from the file alone, whatever
// the pieces in which it comes and whoever takes the sums.
type blockBounds struct {
	size int64 // of the file; 0: its rows are one block
	ends []int // of the blocks that were left behind
}

func boundsOf(size int64) blockBounds {
	if size < Large {
		return blockBounds{}
	}
	return blockBounds{size: size}
}

// record takes the position of a record, and how many rows there are before it.
func (b *blockBounds) record(at int64, rows int) {
	for b.ended(at) {
		b.ends = append(b.ends, rows)
	}
}

// ended reports whether the block at hand ends before a record at that position.
func (b *blockBounds) ended(at int64) bool {
	return b.size > 0 && len(b.ends) < Blocks-1 && at >= int64(len(b.ends)+1)*b.size/Blocks
}

// whole returns the ends of all blocks; nil where the rows are one.
func (b *blockBounds) whole(rows int) []int {
	for b.size > 0 && len(b.ends) < Blocks {
		b.ends = append(b.ends, rows)
	}
	return b.ends
}
