// Package random draws noise for private releases. It has secure bits; Gaussian numbers
// within a stated relative error of an ideal real-valued Gaussian ([Gaussian]); and,
// exactly, the lattice cells of ideal Gaussians ([GaussianCells]), discrete Gaussians
// in integer arithmetic ([DiscreteGaussian]), Poisson samples and Poisson numbers.
//
// Randomness is always a parameter. Programs pass [Secure]. Tests pass a seeded source
// of package randomtest. No other code may import that package, because noise that can
// be drawn again protects nobody.
//
// # Failure
//
// If a source fails, the sampler fails: it returns the error and uses no further bits.
// Numbers drawn so far must not be used as noise ([Gaussian] overwrites them with NaN).
// No sampler falls back on another source.
//
// # Timing
//
// Nothing here runs in constant time. [Gaussian] uses a fixed number of words for each
// pair, except with probability 2^-64; the time of math.Log, Log1p and Sincos varies by
// a few nanoseconds with their argument. [DiscreteGaussian] rejects and loops, so the
// time of one draw depends on the value drawn. The time of [GaussianCells] depends on
// it a little, that of a Poisson sample or number entirely. Somebody who can time
// single draws on the data holder's machine learns something about the noise (Jin,
// McMurtry, Rubinstein & Ohrimenko, IEEE S&P 2022).
//
// Use the samplers on a machine that the data holder controls, and for releases whose
// timestamps are no finer than the whole fit. They do not protect against a process on
// the same machine that measures caches or time. Bytes are wiped from the buffer of
// [Secure] once they are used. The numbers made from them stay in ordinary memory until
// the garbage collector reuses it.
package random

import "errors"

// Source is a stream of independent, uniformly distributed bits.
type Source interface {
	// Uint64 returns the next 64 bits, or an error if none are available. After an error
	// the returned word has no meaning.
	Uint64() (uint64, error)
}

// ErrStuck says that a source gave bits that a working one gives with
// probability at most 2^-200, such as 256 zeros in a row.
var ErrStuck = errors.New(
	"random: the source of randomness is stuck: it keeps giving the same bits",
)
