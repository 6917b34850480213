// $…$ and $$…$$ in Markdown, rendered to MathML when the pages are built: browsers lay it out
// themselves, and screen readers read it.

import temml from "temml";

const macros = {
  "\\eps": "\\varepsilon",
  "\\R": "\\mathbb{R}",
  "\\E": "\\operatorname{E}",
  "\\norm": "\\lVert #1 \\rVert",
  "\\given": "\\mathrel{|}",
};

/**
 * TeX as MathML. Throws for what cannot be set. In a line of text it comes in parts, between which
 * the line may break.
 */
export function mathml(tex, display) {
  const rendered = temml.renderToString(tex, {
    displayMode: display,
    throwOnError: true,
    strict: true,
    trust: false,
    macros: { ...macros },
    wrap: display ? "none" : "tex",
  });
  // What the inline style says, the browser's own style sheet says too.
  return primed(rendered.replace(/ style="display:\s*block math;"/g, ""));
}

const prime = '<mo lspace="0em" rspace="0em" class="tml-prime[^"]*">′</mo>';
const raised = new RegExp(
  `<msup>(<mi(?: [^>]*)?>[^<]*</mi>)(?:<mrow[^>]*>((?:${prime})+)</mrow>|(${prime}))</msup>`,
  "g",
);

/**
 * A prime stands beside its letter, for it is raised by itself: as a superscript it is set too
 * small and too high where a font has no other form of it.
 */
function primed(text) {
  return text.replace(
    raised,
    (_, letter, several, one) => `<mrow>${letter}${several ?? one}</mrow>`,
  );
}

/**
 * A formula that may be wider than a narrow window can be scrolled, so it must be within reach of
 * the keyboard.
 */
function displayed(tex) {
  const reach =
    tex.replace(/\\[a-zA-Z]+|[{}^_\s]/g, "").length > 24
      ? ' tabindex="0" role="group" aria-label="Formula"'
      : "";
  return `<div class="formula"${reach}>${mathml(tex, true)}</div>\n`;
}

function inlineRule(state, silent) {
  const { src, pos } = state;
  if (src[pos] !== "$" || src[pos + 1] === "$" || /\s/.test(src[pos + 1] ?? " ")) return false;
  let end = pos + 1;
  while ((end = src.indexOf("$", end)) !== -1 && src[end - 1] === "\\") end++;
  if (end === -1 || /\s/.test(src[end - 1])) return false;
  if (!silent) state.push("math_inline", "math", 0).content = src.slice(pos + 1, end);
  state.pos = end + 1;
  return true;
}

function blockRule(state, startLine, endLine, silent) {
  const line = (n) => state.src.slice(state.bMarks[n] + state.tShift[n], state.eMarks[n]).trim();
  if (!line(startLine).startsWith("$$")) return false;
  if (silent) return true;
  const text = [line(startLine).slice(2)];
  let next = startLine;
  while (!text.at(-1).endsWith("$$")) {
    if (++next >= endLine)
      throw new Error(`A formula that begins in line ${startLine + 1} is not closed by $$.`);
    text.push(line(next));
  }
  text.push(text.pop().slice(0, -2));
  const token = state.push("math_block", "math", 0);
  token.block = true;
  token.content = text.join("\n").trim();
  state.line = next + 1;
  return true;
}

/** A plug-in for markdown-it. */
export function math(markdown) {
  markdown.inline.ruler.after("escape", "math_inline", inlineRule);
  markdown.block.ruler.after("blockquote", "math_block", blockRule, {
    alt: ["paragraph", "reference", "blockquote", "list"],
  });
  markdown.renderer.rules.math_inline = (tokens, i) => mathml(tokens[i].content, false);
  markdown.renderer.rules.math_block = (tokens, i) => displayed(tokens[i].content);
}
