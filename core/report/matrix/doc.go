// Package matrix releases symmetric matrices that are sums over records, such as
// covariances, Fisher information and Hessians, with noise of the Gaussian orthogonal
// ensemble. It also computes the eigenvalues of such matrices.
package matrix
