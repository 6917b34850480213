// The reference of the package, from its types: every export of src/client/index.ts with its declaration and its doc comment. Types in declarations are links.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { API, SymbolFlags } from "typescript/unstable/sync";
import { escaped, slug } from "./markdown.mjs";

const site = fileURLToPath(new URL("../../", import.meta.url));

/** The sections, by the files that exports are declared in. What is in none of them comes under the first. */
const sections = [
  { title: "Loading and sealing", files: ["load-types", "index", "load", "loading", "seal", "blob-worker", "limits"] },
  { title: "The client", files: ["types", "call-types"] },
  { title: "Schemas", files: ["schema"] },
  { title: "Data", files: ["data-types"] },
  { title: "Fitting", files: ["fit-types", "expectation-types"] },
  { title: "Releases and predictions", files: ["release", "predict-types"] },
  { title: "Evaluation, bounds and categories", files: ["figures-types", "bounds-types", "categories-types"] },
  { title: "Privacy reports", files: ["report-types", "personal-types"] },
  { title: "Events and accounting", files: ["event", "account"] },
  { title: "The ledger", files: ["ledger-types"] },
  { title: "Errors", files: ["error"] },
  { title: "The laboratory", files: ["laboratory"] },
];

/** Interfaces whose members are listed one by one. */
const large = new Set(["Client", "Ledger", "ReportReader"]);

const idOf = (name) => `api-${name}`;

/** A declaration as code: the names of other exports in it are links. */
function code(text, names, own) {
  const marked = text
    .split(/(\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*)/)
    .map((part) => {
      if (/^\/[*/]/.test(part)) return `<span class="comment">${escaped(part.replace(/\{@link (\w+)(?:\.\w+)?\}/g, "$1"))}</span>`;
      if (part !== own && names.has(part)) return `<a href="#${idOf(part)}">${part}</a>`;
      return escaped(part);
    })
    .join("");
  return `<pre class="code code-wrapped"><code data-language="ts">${marked}</code></pre>`;
}

/** A declaration without what stands around it, moved to the left. */
function dedented(text) {
  const [first, ...rest] = text.split("\n");
  const indents = rest.filter((line) => line.trim()).map((line) => /^ */.exec(line)[0].length);
  const indent = Math.min(...indents);
  return [first, ...rest.map((line) => line.slice(indent))].join("\n");
}

/** A doc comment as Markdown: its links lead to the reference. */
function prose(text) {
  return text.replace(/\{@link (\w+)(?:\.(\w+))?\}/g, (_, name, member) => `[\`${member ? `${name}.${member}` : name}\`](#${idOf(member && large.has(name) ? `${name}-${member}` : name)})`);
}

/** Reads the exports: name, kind, file, declaration, doc comment, and members where they are listed. */
export function exportsOfPackage() {
  const api = new API({ cwd: site });
  try {
    const project = api.updateSnapshot({ openProject: `${site}tsconfig.json` }).getProjects()[0];
    const { checker, program } = project;
    const index = program.getSourceFile(`${site}src/client/index.ts`);
    return checker.getExportsOfModule(checker.getSymbolAtLocation(index)).map((symbol) => {
      const target = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      const handle = target.declarations[0];
      const node = handle.resolve(project);
      const source = readFileSync(handle.path, "utf8");
      const read = (one) => dedented(source.slice(one.getStart(), one.end));
      // A variable's declaration is `name = value`: the statement around it holds the doc comment, and its type says more than its value.
      const value = target.flags & (SymbolFlags.Variable | SymbolFlags.Function);
      const text = value ? `const ${symbol.name}: ${checker.typeToString(checker.getTypeOfSymbol(target))}` : withoutBodies(read(node).replace(/^export /, ""));
      const members = large.has(symbol.name)
        ? node.members.map((member) => ({ name: member.name.text, text: read(member).replace(/^\/\*\*[\s\S]*?\*\/\s*/, ""), doc: docOf(source, member) }))
        : [];
      return { name: symbol.name, file: /([\w-]+)\.ts$/.exec(handle.path)[1], text, members, doc: docOf(source, value ? statementOf(node) : node) };
    });
  } finally {
    api.close();
  }
}

/** Of a class, what a method does is left out. */
function withoutBodies(text) {
  return text.startsWith("class ") ? text.replace(/^( +(?:constructor)?\(.*\)) \{\n[\s\S]*?\n  \}/gm, "$1;") : text;
}

/** The statement that declares a variable or function; its doc comment stands before it. */
function statementOf(node) {
  let one = node;
  while (one.parent.parent) one = one.parent;
  return one;
}

/** The doc comment before a node, without its stars. */
function docOf(source, node) {
  const before = source.slice(node.pos, node.end);
  const found = /^\s*\/\*\*([\s\S]*?)\*\//.exec(before);
  return found ? prose(found[1].replace(/^\s*\* ?/gm, "").trim()) : "";
}

/** The reference as Markdown with HTML. */
export function reference() {
  const all = exportsOfPackage();
  const names = new Set(all.map(({ name }) => name));
  const lines = [];
  const placed = new Set(sections.flatMap(({ files }) => files));
  sections.forEach(({ title, files }, i) => {
    const here = all.filter(({ file }) => files.includes(file) || (i === 0 && !placed.has(file)));
    lines.push(`## Reference: ${title[0].toLowerCase()}${title.slice(1)} {#reference-${slug(title)}}`, "");
    for (const one of here) {
      lines.push(`### \`${one.name}\` {#${idOf(one.name)}}`, "", one.doc, "");
      if (one.members.length === 0) {
        lines.push(code(one.text, names, one.name), "");
        continue;
      }
      const seen = new Set();
      for (const member of one.members) {
        const first = !seen.has(member.name);
        seen.add(member.name);
        if (first) lines.push(`#### \`${one.name}.${member.name}\` {#${idOf(`${one.name}-${member.name}`)}}`, "", member.doc, "");
        lines.push(code(member.text, names, one.name), "");
      }
    }
  });
  return lines.join("\n");
}
