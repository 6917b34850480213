// Package audittest audits private learners. Use it in a learner's tests: it runs the
// real mechanism many times on two neighbouring data sets, and compares the outputs
// with the whole claimed privacy profile, in both directions. Only tests may import it.
//
// # What is tested
//
// A mechanism with laws P on one data set and Q on its neighbour has H_{e^ε}(P‖Q) ≥
// P(S) − e^ε Q(S) for every event S and every real ε. So each observed event gives a
// lower bound on the divergence, and a claim δ(ε) below one of them is false. The
// events are fixed beforehand: a real statistic of the output lies above, or not above,
// each of some thresholds.
//
// # Confidence
//
// P(S) and Q(S) are counted, and replaced by Clopper & Pearson's exact bounds for a
// binomial (1934): the lower one for P(S), the upper one for Q(S). With T thresholds
// there are 4T such bounds (two data sets, lower and upper; the bounds of the
// complement are those of the event), each wrong with probability at most
// [FalseAlarm]/(4T). So all hold together with probability at least 1 − FalseAlarm
// (Bonferroni), whatever the law, the number of runs and the number of ε at which the
// claim is read. An honest mechanism fails an audit with probability at most
// FalseAlarm.
//
// An audit that never fails proves little. So each audit has twins that are broken on
// purpose (half the noise, no clipping), and must catch them.
package audittest
