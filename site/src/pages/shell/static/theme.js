// Applies the chosen theme before the first paint. A file of its own, because the page's policy
// allows no inline script.
try {
  const chosen = localStorage.getItem("cloister-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is closed to this page: the system's theme it is.
}
