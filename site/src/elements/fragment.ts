/**
 * An element's part of the page's address, after the #: `#KEY.view=rdp&KEY.sigma=2`. Other
 * elements' parts, and an anchor that was there first, are left alone.
 */
export class Fragment {
  readonly #prefix: string;

  constructor(key: string) {
    this.#prefix = key === "" ? "" : `${key}.`;
  }

  get(name: string): string | null {
    return pairs().find(([key]) => key === this.#prefix + name)?.[1] ?? null;
  }

  /** Sets some values and takes out those that are null, without a new entry in the history. */
  set(values: Readonly<Record<string, string | null>>): void {
    const kept = pairs().filter(
      ([key]) => !(key.startsWith(this.#prefix) && key.slice(this.#prefix.length) in values),
    );
    for (const [name, value] of Object.entries(values))
      if (value !== null) kept.push([this.#prefix + name, value]);
    const text = kept
      .map(([key, value]) => (value === undefined ? key : `${encode(key)}=${encode(value)}`))
      .join("&");
    const url = new URL(location.href);
    if (url.hash.slice(1) === text) return;
    url.hash = text;
    history.replaceState(history.state, "", url);
  }
}

const encode = (text: string): string => encodeURIComponent(text).replaceAll("%20", "+");

/** The parts of the fragment; one without a = is an anchor, and has no value. */
function pairs(): [key: string, value?: string][] {
  const text = location.hash.slice(1);
  if (text === "") return [];
  return text.split("&").map((part) => {
    const at = part.indexOf("=");
    return at < 0 ? [part] : [decoded(part.slice(0, at)), decoded(part.slice(at + 1))];
  });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}
