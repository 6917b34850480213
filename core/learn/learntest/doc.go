// Package learntest holds what the tests of the learners share: small problems,
// degenerate data, the published data sets, and the requirements that every learner's
// Fit must meet. Only tests may import it.
package learntest
