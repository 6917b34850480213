// Package learn holds what all private learners share: the problem they solve,
// the linear model they find, and the release that may be published.
//
// A learner (a subpackage) takes explicit noise parameters in a privacy.Event, never ε.
// Only package account prices events, and only package calibrate chooses parameters.
package learn
