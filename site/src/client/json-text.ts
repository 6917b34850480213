// What JSON.parse does not say of a text: that it was cut short; that it gives a name twice, of
// which JSON.parse takes the last and a reader the first; or that a number is beyond all that a
// program counts with, which JSON.parse takes for infinity and others refuse. And what reading a
// text does not say of its bytes.

/**
 * The text of bytes that are UTF-8, without a byte order mark; undefined for others. A browser
 * reads those with replacement characters, another program in another encoding, and the core
 * not at all.
 */
export function utf8(bytes: ArrayBuffer | Uint8Array<ArrayBuffer>): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

export interface Survey {
  /** The text ends before what it began does. */
  readonly cut: boolean;
  /** The path of the first name that stands twice in one object, such as "guarantee.epsilon". */
  readonly twice?: string;
  /** The path of the first number that is too large. */
  readonly beyond?: string;
}

/** One object or list that is open: where in it the survey stands. */
interface Place {
  readonly names: Set<string> | null;
  name: string;
  index: number;
  wantsName: boolean;
}

/** Looks a text over that is JSON, or was until something happened to it. */
export function survey(text: string): Survey {
  const open: Place[] = [];
  let twice: string | undefined;
  let beyond: string | undefined;
  const found = (cut: boolean): Survey => ({
    cut,
    ...(twice !== undefined && { twice }),
    ...(beyond !== undefined && { beyond }),
  });
  for (let i = 0; i < text.length; i++) {
    const at = open.at(-1);
    switch (text[i]) {
      case '"': {
        const end = endOfString(text, i);
        if (end < 0) return found(true);
        if (at?.names && at.wantsName) {
          at.name = unquoted(text.slice(i, end + 1));
          at.wantsName = false;
          if (at.names.has(at.name)) twice ??= pathOf(open);
          at.names.add(at.name);
        }
        i = end;
        break;
      }
      case "{":
        open.push({ names: new Set(), name: "", index: 0, wantsName: true });
        break;
      case "[":
        open.push({ names: null, name: "", index: 0, wantsName: false });
        break;
      case ",":
        if (at) {
          at.index++;
          at.wantsName = at.names !== null;
        }
        break;
      case "}":
      case "]":
        open.pop();
        break;
      default: {
        aNumber.lastIndex = i;
        const [number] = aNumber.exec(text) ?? [];
        if (number === undefined) break;
        if (Math.abs(Number(number)) === Infinity) beyond ??= pathOf(open);
        i += number.length - 1;
      }
    }
  }
  return found(open.length > 0);
}

const aNumber = /-?\d[\d.eE+-]*/y;

/** Where the string ends that begins at `from`; −1 if it does not. */
function endOfString(text: string, from: number): number {
  for (let i = from + 1; i < text.length; i++) {
    if (text[i] === "\\") i++;
    else if (text[i] === '"') return i;
  }
  return -1;
}

function unquoted(text: string): string {
  try {
    return JSON.parse(text) as string;
  } catch {
    return text;
  }
}

function pathOf(open: readonly Place[]): string {
  return open.reduce(
    (path, { names, name, index }) =>
      names === null ? `${path}[${index}]` : path === "" ? name : `${path}.${name}`,
    "",
  );
}
