// The theme: the system's, unless one was chosen by hand. static/theme.js applies a stored choice
// before the first paint.

export type Theme = "light" | "dark";

const key = "cloister-theme";

function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
}

export function currentTheme(): Theme {
  const chosen = document.documentElement.dataset.theme;
  return chosen === "light" || chosen === "dark" ? chosen : systemTheme();
}

/**
 * Chooses a theme. Choosing the system's own forgets the choice, so that the page follows the
 * system again.
 */
export function chooseTheme(theme: Theme): void {
  const same = theme === systemTheme();
  if (same) delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (same) localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage is closed to this page: the choice holds until it is left.
  }
}

export function watchSystemTheme(changed: () => void): void {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", changed);
}
