// Reads ../walkthrough.md: chapters of numbered steps, each with what is heard, seen and focused
// after it. Whatever in a chapter is no such line is an error, so that nothing stands there which
// is not done.

const act = String.raw`(?:press (?<key>Enter|Space|Escape|Home|End|Control\+Enter|Arrow\w+)|type \x60(?<typed>[^\x60]+)\x60|replace it by \x60(?<replaced>[^\x60]+)\x60|choose \x60(?<chosen>[^\x60]+)\x60|save \x60(?<saved>[^\x60]+)\x60)`;
const control = String.raw`the (?<role>\w+) \*\*(?<name>[^*]+)\*\*`;
const going = new RegExp(String.raw`^\d+\. (?<way>Tab|Shift\+Tab) to ${control}(?:: ${act})?\.$`);
const staying = new RegExp(
  String.raw`^\d+\. ${act.replace("replace", "[Rr]eplace").replace("press", "[Pp]ress").replace("type", "[Tt]ype")}\.$`,
);
const after = /^ *- (?<what>Hear|See|Focus): (?<text>.+)$/;
const focus = new RegExp(`^${control}$`);
const opening = /^Open `(?<page>[^`]+)`\.(?: Only where `(?<needs>[^`]+)` is\.)?$/;

/**
 * @returns {{title: string, page: string, needs?: string, steps: Step[]}[]} needs: a file that may
 * be absent
 * @typedef {{line: string, way?: "Tab" | "Shift+Tab", control?: Control, act?: {kind: string, what:
 * string}, then: {what: "Hear" | "See" | "Focus", text: string, control?: Control}[]}} Step
 * @typedef {{role: string, name: string, open: boolean}} Control open: the name may go on
 */
export function chapters(markdown) {
  const list = [];
  let chapter, step;
  for (const line of markdown.split("\n")) {
    if (line.startsWith("## ")) {
      chapter = { title: line.slice(3), page: "", steps: [] };
      step = undefined;
      list.push(chapter);
      continue;
    }
    if (!chapter || line.trim() === "") continue;
    const found = opening.exec(line) ?? going.exec(line) ?? staying.exec(line) ?? after.exec(line);
    if (!found) throw new Error(`“${chapter.title}” has a line that is no step: ${line}`);
    const { page, needs, way, what, text, role, name, ...does } = found.groups;
    if (page) {
      Object.assign(chapter, { page, ...(needs && { needs }) });
      step = { line, then: [] };
      chapter.steps.push(step);
    } else if (what) {
      if (!step) throw new Error(`“${chapter.title}” begins with what is heard: ${line}`);
      const at = what === "Focus" ? focus.exec(text)?.groups : undefined;
      if (what === "Focus" && !at)
        throw new Error(`“${chapter.title}” has a focus that is no control: ${line}`);
      step.then.push({ what, text, ...(at && { control: controlOf(at) }) });
    } else {
      const [done] = Object.entries(does).filter(([, value]) => value !== undefined);
      step = {
        line: line.trim(),
        then: [],
        ...(way && { way, control: controlOf({ role, name }) }),
        ...(done && { act: { kind: done[0], what: done[1] } }),
      };
      chapter.steps.push(step);
    }
  }
  for (const { title, page, steps } of list)
    if (page === "" || steps.length < 2)
      throw new Error(`“${title}” opens no page, or does nothing there`);
  return list;
}

const controlOf = ({ role, name }) => ({
  role,
  name: name.replace(/…$/, ""),
  open: name.endsWith("…"),
});

/** Whether a control is the one that is meant. */
export const is = (control, { role, name }) =>
  role === control.role && (control.open ? name.startsWith(control.name) : name === control.name);
