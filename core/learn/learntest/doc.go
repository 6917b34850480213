// Package learntest holds what the tests of the learners share: small problems,
// data that are degenerate in one way or another, the published data sets, and
// what is asked of every learner's Fit alike. Only tests may import it.
package learntest
