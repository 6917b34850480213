// Package derived makes a document of a model that was computed from a release of noisy
// moments (package suffstats), and checks such a document against the release.
//
// Use it after one fit by suffstats, for every further model of the same table: another target,
// fewer columns, another ridge. Nothing is read but the release, so a derived model costs
// nothing beyond the release's own guarantee, which is that of both together: differential
// privacy is closed under post-processing (Dwork & Roth 2014, proposition 2.1). However many
// there are, and however they were chosen, as long as nothing but what is published chose them.
//
// A document names its release by its fingerprint (report.Fingerprint) and says what was asked.
// Whoever has both files computes the model again: [Check].
package derived
