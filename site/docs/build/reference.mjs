// The reference of the package, from its types: every export of src/client/index.ts with its
// declaration and its doc comment, one page a topic. Types in declarations are links.

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { API, SymbolFlags } from "typescript/unstable/sync";
import { escaped, slug } from "./markdown.mjs";

const site = fileURLToPath(new URL("../../", import.meta.url));

/**
 * The topics, by the files that exports are declared in. What is in none of them comes under the
 * first. Each is a page, `api-NAME`.
 */
export const topics = [
  {
    name: "loading",
    title: "Loading and sealing",
    about: "Start here: get a client, seal a page, choose where the binary comes from.",
    files: ["load-types", "index", "loading", "seal", "blob-worker", "limits"],
  },
  {
    name: "clients",
    title: "The clients",
    about: "What `load` and `loadAccountant` give: every call, in one place.",
    files: ["types"],
  },
  {
    name: "calls",
    title: "Arguments and answers",
    about: "The options that the clients' calls take, and what they resolve to.",
    files: ["call-types", "result-types"],
  },
  {
    name: "schemas",
    title: "Schemas",
    about: "What is publicly known about the columns of a file.",
    files: ["schema"],
  },
  {
    name: "data",
    title: "Data",
    about: "Sources of records, and what a program may know of an open data set.",
    files: ["data-types", "data"],
  },
  {
    name: "fitting",
    title: "Fitting",
    about: "What a fit is asked for, by each method.",
    files: ["fit", "methods"],
  },
  {
    name: "releases",
    title: "Releases and predictions",
    about: "The file that may be published, what checks it, and what it predicts.",
    files: ["release", "reprice"],
  },
  {
    name: "purchases",
    title: "Evaluation, bounds and categories",
    about: "Private figures of a data set that are bought with a part of ε.",
    files: ["figures", "purchase"],
  },
  {
    name: "scorecards",
    title: "Scorecards",
    about: "Whole points for the levels of a few attributes, and what a card says of a row.",
    files: ["scorecard", "cells"],
  },
  {
    name: "votes",
    title: "Votes",
    about: "Labels for public rows by the votes of several parties, who share no model.",
    files: ["votes"],
  },
  {
    name: "reports",
    title: "Privacy reports",
    about: "What one release cost one person.",
    files: ["report", "personal-types", "reader"],
  },
  {
    name: "events",
    title: "Events",
    about: "What was run on the data, in the form that the accountant prices.",
    files: ["event"],
  },
  {
    name: "accounting",
    title: "Accounting",
    about: "Questions to the accountant: ε, δ, whole curves, and a parameter from a guarantee.",
    files: ["account"],
  },
  {
    name: "ledger",
    title: "The ledger",
    about: "The account that a browser keeps of what was spent on each file.",
    files: ["ledger-types", "ledger"],
  },
  {
    name: "errors",
    title: "Errors",
    about: "The one error of the package, and its codes.",
    files: ["error"],
  },
  {
    name: "laboratory",
    title: "The laboratory",
    about: "Experiments on made-up or public data; nothing here makes a release.",
    files: ["laboratory-types", "laboratory"],
  },
];

/** Interfaces whose members are listed one by one. */
const large = new Set([
  "Accountant",
  "FileReading",
  "Client",
  "Laboratory",
  "Ledger",
  "ReportReader",
]);

const idOf = (name) => `api-${name}`;

/** The page of a topic. */
export const pageOf = (topic) => `api-${topic.name}`;

/** A declaration as code: the names of other exports in it are links. */
function code(text, places, own) {
  const marked = text
    .split(/(\/\*[\s\S]*?\*\/|\/\/[^\n]*|"(?:[^"\\]|\\.)*"|`(?:[^`\\]|\\.)*`|[A-Za-z_$][\w$]*)/)
    .map((part) => {
      if (/^\/[*/]/.test(part))
        return `<span class="comment">${escaped(part.replace(/\{@link (\w+)(?:\.\w+)?\}/g, "$1"))}</span>`;
      if (part !== own && places.has(part)) return `<a href="${places.get(part)}">${part}</a>`;
      return escaped(part);
    })
    .join("");
  return `<pre class="code code-wrapped declaration"><code data-language="ts">${marked}</code></pre>`;
}

/** A declaration without what stands around it, moved to the left. */
function dedented(text) {
  const [first, ...rest] = text.split("\n");
  const indents = rest.filter((line) => line.trim()).map((line) => /^ */.exec(line)[0].length);
  const indent = Math.min(...indents);
  return [first, ...rest.map((line) => line.slice(indent))].join("\n");
}

/** A doc comment as Markdown: its links lead to the reference. */
function prose(text, places) {
  return text.replace(/\{@link (\w+)(?:\.(\w+))?\}/g, (_, name, member) => {
    const whole = member && large.has(name) ? `${name}-${member}` : name;
    const [page] = (places.get(name) ?? "").split("#");
    return `[\`${member ? `${name}.${member}` : name}\`](${page}#${idOf(whole)})`;
  });
}

/**
 * Reads the exports: name, kind, file, declaration, doc comment, and members where they are listed.
 */
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
      // A variable's declaration is `name = value`: the statement around it holds the doc comment,
      // and its type says more than its value.
      const value = target.flags & (SymbolFlags.Variable | SymbolFlags.Function);
      const text = value
        ? `const ${symbol.name}: ${checker.typeToString(checker.getTypeOfSymbol(target))}`
        : withoutBodies(read(node).replace(/^export /, ""));
      const members = large.has(symbol.name)
        ? node.members.map((member) => ({
            name: member.name.text,
            text: read(member).replace(/^\/\*\*[\s\S]*?\*\/\s*/, ""),
            doc: docOf(source, member),
          }))
        : [];
      return {
        name: symbol.name,
        file: /([\w-]+)\.ts$/.exec(handle.path)[1],
        text,
        members,
        doc: docOf(source, value ? statementOf(node) : node),
      };
    });
  } finally {
    api.close();
  }
}

/** Of a class, what a method does is left out. */
function withoutBodies(text) {
  return text.startsWith("class ")
    ? text.replace(/^( +(?:constructor)?\(.*\)) \{\n[\s\S]*?\n  \}/gm, "$1;")
    : text;
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
  return found ? found[1].replace(/^\s*\* ?/gm, "").trim() : "";
}

/** The exports of each topic. */
function byTopic() {
  const all = exportsOfPackage();
  const placed = new Set(topics.flatMap(({ files }) => files));
  return topics.map((topic, i) => ({
    topic,
    exports: all.filter(({ file }) => topic.files.includes(file) || (i === 0 && !placed.has(file))),
  }));
}

/** The names of a member's list, each once: overloads share one. */
const namesOf = (members) => [...new Set(members.map(({ name }) => name))];

/** The reference as Markdown with HTML: a list of all there is, and the pages that it leads to. */
export function reference() {
  const groups = byTopic();
  const places = new Map(
    groups.flatMap(({ topic, exports }) =>
      exports.map(({ name }) => [name, `${pageOf(topic)}.html#${idOf(name)}`]),
    ),
  );
  return {
    list: groups.map((group) => entries(group)).join("\n"),
    pages: groups.map(({ topic, exports }) => ({
      name: pageOf(topic),
      text: pageText(topic, exports, places),
    })),
  };
}

/**
 * What a topic has, as links. The ids are those that the reference had when it was one page: an old
 * link finds its entry here, and the page's script goes on from it.
 */
function entries({ topic, exports }) {
  const page = `${pageOf(topic)}.html`;
  const link = (id, name) => `<a id="${id}" href="${page}#${id}"><code>${name}</code></a>`;
  const items = exports.map(({ name, members }) => {
    const inner = namesOf(members).map((member) => link(idOf(`${name}-${member}`), member));
    return link(idOf(name), name) + (inner.length > 0 ? ` (${inner.join(", ")})` : "");
  });
  return `<div class="topic" id="reference-${slug(topic.title)}">

**[${topic.title}](${page})**: ${topic.about}

<details class="moved">
<summary>${exports.length === 1 ? "One name" : `${exports.length} names`}</summary>
<p>${items.join(", ")}</p>
</details>
</div>
`;
}

function pageText(topic, exports, places) {
  const lines = [
    `# ${topic.title}`,
    "",
    `${topic.about} This page is made from the types of [the package](api.md).`,
    "",
  ];
  for (const one of exports) {
    lines.push(`## \`${one.name}\` {#${idOf(one.name)}}`, "", prose(one.doc, places), "");
    if (one.members.length === 0) {
      lines.push(code(one.text, places, one.name), "");
      continue;
    }
    const seen = new Set();
    for (const member of one.members) {
      const id = idOf(`${one.name}-${member.name}`);
      if (!seen.has(member.name))
        lines.push(
          `### \`${one.name}.${member.name}\` {#${id}}`,
          "",
          prose(member.doc, places),
          "",
        );
      seen.add(member.name);
      lines.push(code(member.text, places, one.name), "");
    }
  }
  return lines.join("\n");
}
