// Package audittest holds what the audits of private learners share: it runs a
// real mechanism many times on two neighbouring data sets and holds what is
// observed against the whole privacy profile that is claimed, in both
// directions. Only tests may import it.
//
// # What is tested
//
// A mechanism with laws P on one data set and Q on its neighbour has
// H_{e^ε}(P‖Q) ≥ P(S) − e^ε Q(S) for every event S and every real ε. So each
// event that is seen gives a lower bound for the divergence, and a claim
// δ(ε) that lies below one of them is false. The events are fixed beforehand: a
// real statistic of the output above, or not above, each of some thresholds.
//
// # Confidence
//
// P(S) and Q(S) are estimated by counting, and Clopper & Pearson's exact bounds
// for a binomial (1934) are taken in the place of the estimates: the lower one
// for P(S), the upper one for Q(S). With T thresholds there are 4T such bounds
// (two data sets, lower and upper; the bounds of the complement are those of
// the event), each wrong with probability at most [FalseAlarm]/(4T). So all hold
// together but for a probability of FalseAlarm (Bonferroni), whatever the law,
// the number of runs and the number of ε at which the claim is read: an honest
// mechanism fails an audit with probability at most FalseAlarm.
//
// An audit that never fails proves little. So each has twins that are broken on
// purpose (half the noise, no clipping), which it must catch.
package audittest
