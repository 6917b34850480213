// The built pages, as files: links and anchors, mathematics, pictures for readers without scripts, and the reference.

import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { read } from "../../docs/build/index.mjs";
import { mathml } from "../../docs/build/math.mjs";
import { render } from "../../docs/build/markdown.mjs";
import { exportsOfPackage } from "../../docs/build/reference.mjs";
import { address, navigation, pages as list } from "../../pages.mjs";

const site = fileURLToPath(new URL("../../", import.meta.url));
const dist = join(site, "dist");
const docs = read().pages.map(({ file }) => `docs/${file}`);
const html = new Map([...docs, ...readdirSync(dist).filter((name) => name.endsWith(".html"))].map((path) => [path, readFileSync(join(dist, path), "utf8")]));

/** Links of a page that lead nowhere, as far as files can tell. */
function broken(path, text) {
  const complaints = [];
  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  for (const id of ids.filter((id, i) => ids.indexOf(id) !== i)) complaints.push(`${path}: two things are called ${id}`);
  for (const [, href] of text.matchAll(/\s(?:href|src|popovertarget)="([^"]*)"/g)) {
    if (/^(?:data|https?|mailto):/.test(href)) continue;
    if (!/[/#.]/.test(href)) continue; // popovertarget: an id, see below
    const [place, anchor] = href.split("#");
    let target = place === "" ? path : normalize(join(dirname(path), place));
    if (target.endsWith("/") || target === ".") target = join(target, "index.html");
    if (!existsSync(join(dist, target))) complaints.push(`${path}: ${href} is not there`);
    else if (anchor && !(html.get(target) ?? text).includes(` id="${anchor}"`)) complaints.push(`${path}: ${href} has no such place`);
  }
  for (const [, id] of text.matchAll(/\s(?:popovertarget|aria-labelledby)="([\w-]+)"/g)) if (!ids.includes(id)) complaints.push(`${path}: there is no ${id}`);
  return complaints;
}

test("no link and no anchor is broken", () => {
  for (const path of docs) assert.deepEqual(broken(path, html.get(path)), []);
  for (const { path } of list) assert.ok(existsSync(join(dist, path)), `the list of pages has ${path}, which is not built`);
});

test("the explorer leads to proofs that are there", () => {
  const proofs = [...readFileSync(join(site, "src/explorer/theorems.ts"), "utf8").matchAll(/proof: "([^"]*)"/g)].map(([, href]) => `<a href="${href}">x</a>`);
  assert.ok(proofs.length >= 4);
  assert.deepEqual(broken("explorer.html", proofs.join("")), []);
});

test("lines that take the elements in have the hash of this build", () => {
  const { files } = JSON.parse(readFileSync(join(dist, "integrity.json"), "utf8"));
  const lines = [...html.get("docs/embedding.html").matchAll(/src=&quot;([\w.-]+)&quot; integrity=&quot;(sha384-[^&]*)/g)];
  assert.ok(lines.length > 0);
  for (const [, name, hash] of lines) assert.equal(hash, files[name], name);
});

test("a broken link is noticed", () => {
  const complaints = broken("docs/index.html", '<p id="a"></p><p id="a"></p><a href="nowhere.html">x</a><a href="#nothing">y</a><a href="bound.html#theorem-9">z</a><a href="bound.html#theorem-4">fine</a>');
  assert.deepEqual(complaints, [
    "docs/index.html: two things are called a",
    "docs/index.html: nowhere.html is not there",
    "docs/index.html: #nothing has no such place",
    "docs/index.html: bound.html#theorem-9 has no such place",
  ]);
});

test("every page of the site has the list of pages, and none has its place holder", () => {
  for (const [path, text] of html) {
    if (!docs.includes(path) && !list.some((one) => one.path === path)) continue;
    assert.ok(text.includes(navigation(path, docs.includes(path) ? "docs/index.html" : path)), path);
    assert.doesNotMatch(text, /<!-- (look|header|opening|picture|says) -->/, path);
  }
  assert.equal(address("index.html", "docs/go.html"), "../");
  assert.equal(address("docs/index.html", "verify.html"), "docs/");
  assert.equal(address("docs/index.html", "docs/go.html"), "../docs/");
});

describe("mathematics", () => {
  test("is set when the pages are built, and by the browser", () => {
    for (const path of docs) {
      const text = html.get(path);
      const words = text.replace(/<(pre|script|style|svg|code)\b[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, "");
      assert.doesNotMatch(words, /\$|\\[a-zA-Z]/, path);
      assert.doesNotMatch(text, /merror|temml-error|katex|mathjax/i, path);
    }
    assert.ok(html.get("docs/bound.html").match(/<math/g).length > 200);
  });

  test("that cannot be set stops the build", () => {
    assert.throws(() => mathml("\\frac{1", false));
    assert.throws(() => mathml("\\nosuchthing", true));
    assert.throws(() => render("$$ x"), /not closed/);
  });

  test("leaves sums of money and code alone", () => {
    assert.equal(render("It costs $ 5 or $ 6.").html, "<p>It costs $ 5 or $ 6.</p>\n");
    assert.equal(render("`$x$`").html, "<p><code>$x$</code></p>\n");
  });

  test("has no superscript of a prime, which is raised by itself", () => {
    assert.match(mathml("{f'}^2 + g''", false), /<mrow><mi>f<\/mi><mo[^>]*>′<\/mo><\/mrow>/);
    for (const path of docs) assert.doesNotMatch(html.get(path), /<\/mi><mo[^>]*tml-prime[^>]*>′<\/mo><\/msup>/, path);
  });
});

test("apostrophes are set as such, but for code", () => {
  assert.equal(render("The record's `it's`, all papers' and $f'$.").html.replace(/<math[\s\S]*<\/math>/, "m"), "<p>The record’s <code>it's</code>, all papers’ and m.</p>\n");
  for (const path of docs) {
    const words = html.get(path).replace(/<(pre|script|style|svg|code|math)\b[\s\S]*?<\/\1>/g, "").replace(/<[^>]*>/g, "");
    assert.doesNotMatch(words, /\p{L}'/u, path);
  }
});

test("boxes: a kind that is not known, and one that is not closed, stop the build", () => {
  assert.throws(() => render("::: corollary\nx\n:::\n"), /no box of the kind corollary/);
  assert.throws(() => render("::: proof\nx\n"), /not closed/);
  assert.match(render("::: theorem 4: zero overhead {#four}\nx\n:::\n").html, /<div class="box box-theorem" id="four">\n<p class="box-name">Theorem 4 <span class="box-title">\(zero overhead\)<\/span>/);
});

test("scripts: those of the site alone, none inline, none that sets mathematics", () => {
  for (const path of docs) {
    const scripts = [...html.get(path).matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].filter(([, attributes]) => !attributes.includes("application/json"));
    const taken = scripts.map(([, attributes, inside]) => [/src="([^"]*)"/.exec(attributes)?.[1], inside]);
    const elements = [[/<(privacy-curve|attack-view|noise-chooser|privacy-budget) /, "elements"], [/<private-fit-demo /, "fit-demo"]].filter(([element]) => element.test(html.get(path)));
    assert.deepEqual(taken, [["../theme.js", ""], ["docs.js", ""], ...elements.map(([, name]) => [`../${name}.js`, ""])], path);
    assert.match(html.get(path), /Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/);
  }
});

test("every figure has something inside for readers without scripts", () => {
  for (const path of docs) {
    const figures = [...html.get(path).matchAll(/<(privacy-curve|attack-view|noise-chooser|privacy-budget|private-fit-demo)\b[^>]*>([\s\S]*?)<\/\1>/g)];
    assert.equal(figures.length, html.get(path).match(/<figure class="figure">/g)?.length ?? 0, path);
    for (const [, name, inside] of figures) assert.match(inside, /<svg data-cloister|<p/, `${path}: <${name}> is empty without scripts`);
  }
});

describe("the reference", () => {
  const page = html.get("docs/api.html");
  const all = exportsOfPackage();

  test("has every export of the package, and every call of the client and the ledger", async () => {
    assert.ok(all.length > 100);
    for (const { name, members } of all) {
      assert.ok(page.includes(` id="api-${name}"`), name);
      for (const member of members) assert.ok(page.includes(` id="api-${name}-${member.name}"`), `${name}.${member.name}`);
    }
    const { Client } = Object.fromEntries(all.map((one) => [one.name, one]));
    for (const call of ["fit", "account", "reprice", "terminate"]) assert.ok(Client.members.some(({ name }) => name === call));
    // What the package gives at run time in Node and in browsers is in it, but for what Node alone has.
    const names = new Set(all.map(({ name }) => name));
    for (const name of Object.keys(await import("cloister"))) assert.ok(names.has(name) || ["fileSource", "threadWorker"].includes(name), name);
  });

  test("links the types in declarations, and says what each call is for", () => {
    assert.match(page, /openDataset[\s\S]*?<a href="#api-Source">Source<\/a>/);
    for (const { name, members } of all) for (const member of members) assert.ok(member.doc !== "" || members.some((other) => other.name === member.name && other.doc !== ""), `${name}.${member.name} is not documented`);
    assert.doesNotMatch(page, /\{@link/);
  });
});

test("the version is said in one place", () => {
  const { version } = JSON.parse(readFileSync(join(site, "package.json"), "utf8"));
  assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  assert.equal(JSON.parse(readFileSync(join(site, "package-lock.json"), "utf8")).version, version);
  assert.match(readFileSync(join(site, "../core/privacy/version.go"), "utf8"), new RegExp(`"${version.replaceAll(".", "\\.")}"`));
  assert.equal(JSON.parse(readFileSync(join(dist, "integrity.json"), "utf8")).version, version);
  for (const path of docs) assert.ok(html.get(path).includes(`Cloister ${version}.`), path);
});

test("the lockfile names no place to download from", () => {
  assert.doesNotMatch(readFileSync(join(site, "package-lock.json"), "utf8"), /"resolved"/);
});
