// What comes before a page's own script. A file of its own, because the page's policy allows no
// inline script.

// The chosen theme, before the first paint.
try {
  const chosen = localStorage.getItem("cloister-theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Storage is closed to this page: the system's theme it is.
}

// A script that is not there, or that imports what is not there: after an update of the host, that
// of an earlier version. Nothing else would say that the page stays as it is.
addEventListener(
  "error",
  ({ target }) => {
    if (!(target instanceof HTMLScriptElement)) return;
    const say = () => {
      const status = document.querySelector(".wait");
      if (status) status.textContent = "A part of this page is missing. Load the page again.";
    };
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", say);
    else say();
  },
  true,
);
