// Package derived makes a document of a model that was computed from a release of noisy
// moments (package suffstats), and checks such a document against the release.
//
// Use it after one fit by suffstats, for every further model of the same table: another
// target, fewer columns, another ridge. A derived model is computed from the release alone,
// so it costs nothing more: the release's guarantee covers both together, because
// differential privacy is closed under post-processing (Dwork & Roth 2014, proposition
// 2.1). That holds for any number of derived models, however they were chosen, as long as
// the choice used only what is published.
//
// A document names its release by its fingerprint (report.Fingerprint) and says which model
// was asked for. Whoever has both files can compute the model again: [Check].
package derived
