// The reference was one page. A link to a place in it arrives at the list of what there is, whose
// entry of that name leads to the page where the place is now.

/** Goes on to where the place in the address has moved, if it has. */
export function followMoved(): void {
  const id = decodeURIComponent(location.hash.slice(1));
  const entry = id === "" ? null : document.getElementById(id);
  if (entry instanceof HTMLAnchorElement && entry.closest(".moved")) location.replace(entry.href);
}
