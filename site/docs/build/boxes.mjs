// ::: KIND TITLE {#id} … ::: in Markdown: a box that is set apart from the text. A theorem's
// title is its number and, after a colon, its name.

const kinds = {
  theorem: "Theorem",
  lemma: "Lemma",
  proof: "Proof",
  note: "Note",
  warning: "Beware",
};

function rule(state, startLine, endLine, silent) {
  const line = (n) => state.src.slice(state.bMarks[n] + state.tShift[n], state.eMarks[n]).trim();
  const opening = /^::: *([a-z]+) *(.*?) *(?:\{#([\w-]+)\})?$/.exec(line(startLine));
  if (!opening) return false;
  const [, kind, title, id] = opening;
  if (!(kind in kinds))
    throw new Error(
      `There is no box of the kind ${kind}: choose from ${Object.keys(kinds).join(", ")}.`,
    );
  if (silent) return true;
  let end = startLine + 1;
  while (end < endLine && line(end) !== ":::") end++;
  if (end >= endLine)
    throw new Error(`The ${kind} that begins in line ${startLine + 1} is not closed by :::.`);

  const open = state.push("box_open", "div", 1);
  open.info = { kind, title, id };
  const { lineMax, parentType } = state;
  state.lineMax = end;
  state.md.block.tokenize(state, startLine + 1, end);
  state.lineMax = lineMax;
  state.parentType = parentType;
  state.push("box_close", "div", -1).info = { kind };
  state.line = end + 1;
  return true;
}

/** A plug-in for markdown-it. */
export function boxes(markdown) {
  markdown.block.ruler.before("fence", "box", rule, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  markdown.renderer.rules.box_open = (tokens, i) => {
    const { kind, title, id } = tokens[i].info;
    const [, number, rest] = /^(\d*)(?:: *)?(.*)$/.exec(title);
    const words = markdown.renderInline(rest);
    const numbered = [kinds[kind], number].filter(Boolean).join(" ");
    const name =
      kind === "note" || kind === "warning"
        ? words || numbered
        : numbered + (words ? ` <span class="box-title">(${words})</span>` : "");
    return `<div class="box box-${kind}"${id ? ` id="${id}"` : ""}>\n<p class="box-name">${name}</p>\n`;
  };
  markdown.renderer.rules.box_close = (tokens, i) =>
    tokens[i].info.kind === "proof"
      ? '<p class="qed"><span role="img" aria-label="End of the proof"></span></p>\n</div>\n'
      : "</div>\n";
}
