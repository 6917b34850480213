// <!-- example FILE --> in Markdown: a file of docs/examples, to read, to copy and to save.

import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The file in a block of code, longer than any fence that it has inside, below a link to it. */
export function example(sources, file) {
  const text = readFileSync(join(sources, "examples", file), "utf8");
  const fences = text.match(/`{3,}/g) ?? [];
  const fence = "`".repeat(Math.max(2, ...fences.map(({ length }) => length)) + 1);
  return `<p><a href="examples/${file}" download>Save <code>${file}</code></a></p>\n\n${fence}${file.split(".").pop()}\n${text}${fence}`;
}
