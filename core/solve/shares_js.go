package solve

const mostAlone = 1 << 12

// Shares is one share under js/wasm, which has one processor.
func Shares[S any](
	n, _ int, zero func() S, do func(first, end int, own S), _ func(total, own S),
) S {
	own := zero()
	do(0, n, own)
	return own
}
