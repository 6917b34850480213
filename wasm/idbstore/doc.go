// Package idbstore keeps a ledger in the browser: a ledger.Store on IndexedDB.
//
// One object store holds the entries under the keys 1, 2, 3, …. Append is one
// read-write transaction that counts, compares and adds, with durability
// "strict" where the browser has it; IndexedDB runs such transactions one after
// the other, across tabs and workers, and all or nothing of each is kept
// whatever happens to the page. So two tabs cannot append after the same entry.
//
// A browser may evict the database of a site when room is short, or that of a
// site not visited for some days; the page asks it not to (see the client), and
// offers an export.
package idbstore
