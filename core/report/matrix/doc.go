// Package matrix releases symmetric matrices that are sums over records
// (covariances, Fisher information, Hessians) with noise of the Gaussian
// orthogonal ensemble, and knows the eigenvalues of such matrices.
package matrix
