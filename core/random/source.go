// Package random draws noise for private releases: secure bits, Gaussian
// numbers that follow an ideal real-valued Gaussian to a stated relative
// error, the lattice cells of ideal Gaussians, exactly ([GaussianCells]), and
// exact discrete Gaussians in integer arithmetic; and Poisson samples and
// Poisson numbers, exactly as well.
//
// Randomness is always a parameter. Programs hand in [Secure]; tests hand in a
// seeded source of package randomtest, which no other code may import, because
// noise that can be drawn again protects nobody.
//
// # Failure
//
// A source that fails makes a sampler fail: the error is returned, no further
// bits are used, and what was drawn so far is not usable as noise ([Gaussian]
// overwrites it with NaN). No sampler falls back on another source.
//
// # Timing
//
// Nothing here runs in constant time. [Gaussian] uses a fixed number of words
// a pair but for chances of 2^-64, and the time of math.Log, Log1p and Sincos
// varies by a few nanoseconds with their argument. [DiscreteGaussian] rejects
// and loops, so the time of one draw depends on the value drawn, as that of
// [GaussianCells] does a little and that of a Poisson sample or number does
// entirely. Somebody who can time single draws on the data holder's machine
// learns something about the noise (Jin, McMurtry, Rubinstein & Ohrimenko, IEEE S&P 2022). The
// samplers are meant for a machine that the data holder controls and for
// releases that carry no timestamps finer than the whole fit; they do not
// protect against a process on the same machine that measures caches or time.
// Consumed bytes are wiped from the buffer of [Secure]; the numbers made from
// them live in ordinary memory until the garbage collector reuses it.
package random

import "errors"

// Source is a stream of independent, uniformly distributed bits.
type Source interface {
	// Uint64 returns the next 64 bits, or an error if there are none to be
	// had. After an error the word returned carries no meaning.
	Uint64() (uint64, error)
}

// ErrStuck says that a source gave bits that a working one gives with
// probability at most 2^-200, such as 256 zeros in a row.
var ErrStuck = errors.New("random: the source of randomness is stuck: it keeps giving the same bits")
