// Package idbstore keeps a ledger in the browser: a ledger.Store on IndexedDB.
//
// One object store holds the entries under the keys 1, 2, 3, …. Append is one
// read-write transaction that counts, compares and adds, with durability "strict" where
// the browser has it. IndexedDB runs such transactions one after the other, across tabs
// and workers. It keeps all of a transaction or none of it, whatever happens to the
// page. So two tabs cannot append after the same entry.
//
// A browser may delete a site's database when space is short, or when the site was not
// visited for some days. The page asks it not to (see the client), and offers an
// export.
package idbstore
