// The built pages, as files: links and anchors, mathematics, pictures for readers without scripts,
// and the reference.

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { transformSync } from "esbuild";
import { read } from "../../docs/build/index.mjs";
import { termsOf } from "../../docs/build/glossary.mjs";
import { apart, drawn, joint } from "../../docs/build/idea.mjs";
import { mathml } from "../../docs/build/math.mjs";
import { render, slug } from "../../docs/build/markdown.mjs";
import { exportsOfPackage, pageOf, topics } from "../../docs/build/reference.mjs";
import { address, navigation, pages as list } from "../../pages.mjs";

const site = fileURLToPath(new URL("../../", import.meta.url));
const dist = join(site, "dist");
const docs = read().pages.map(({ file }) => `docs/${file}`);
const html = new Map(
  [...docs, ...readdirSync(dist).filter((name) => name.endsWith(".html"))].map((path) => [
    path,
    readFileSync(join(dist, path), "utf8"),
  ]),
);

/** Links of a page that lead nowhere, as far as files can tell. */
function broken(path, text) {
  const complaints = [];
  const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
  for (const id of ids.filter((id, i) => ids.indexOf(id) !== i))
    complaints.push(`${path}: two things are called ${id}`);
  for (const [, href] of text.matchAll(/\s(?:href|src|popovertarget)="([^"]*)"/g)) {
    if (/^(?:data|https?|mailto):/.test(href)) continue;
    if (!/[/#.]/.test(href)) continue; // popovertarget: an id, see below
    const [place, anchor] = href.replace(/\?[^#]*/, "").split("#");
    let target = place === "" ? path : normalize(join(dirname(path), place));
    if (target.endsWith("/") || target === ".") target = join(target, "index.html");
    if (!existsSync(join(dist, target))) complaints.push(`${path}: ${href} is not there`);
    else if (anchor && !(html.get(target) ?? text).includes(` id="${anchor}"`))
      complaints.push(`${path}: ${href} has no such place`);
  }
  for (const [, id] of text.matchAll(/\s(?:popovertarget|aria-labelledby)="([\w-]+)"/g))
    if (!ids.includes(id)) complaints.push(`${path}: there is no ${id}`);
  return complaints;
}

test("no link and no anchor is broken", () => {
  for (const path of docs) assert.deepEqual(broken(path, html.get(path)), []);
  for (const { path } of list)
    assert.ok(existsSync(join(dist, path)), `the list of pages has ${path}, which is not built`);
});

test("a link to a made-up table of the studio names one, and each is linked to", async () => {
  const source = readFileSync(join(site, "src/pages/studio/sample/samples.ts"), "utf8");
  const { code } = transformSync(source, { loader: "ts" });
  const { sampleNames } = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  const linked = docs.flatMap((path) =>
    [...html.get(path).matchAll(/href="(?!https?:)([^"?]*)\?([^"#]*)/g)].map(([, place, query]) => {
      assert.equal(normalize(join(dirname(path), place)), "index.html", `${path}: ?${query}`);
      const asked = new URLSearchParams(query);
      assert.deepEqual([...asked.keys()], ["sample"], path);
      return asked.get("sample");
    }),
  );
  assert.deepEqual([...new Set(linked)].sort(), [...sampleNames].sort());
});

test("the explorer leads to proofs that are there", () => {
  const proofs = [
    ...readFileSync(join(site, "src/pages/explorer/theorems.ts"), "utf8").matchAll(
      /proof: "([^"]*)"/g,
    ),
  ].map(([, href]) => `<a href="${href}">x</a>`);
  assert.ok(proofs.length >= 4);
  assert.deepEqual(broken("explorer.html", proofs.join("")), []);
});

test("lines that take the elements in have the hash of this build", () => {
  const { files } = JSON.parse(readFileSync(join(dist, "integrity.json"), "utf8"));
  const lines = [
    ...html
      .get("docs/embedding.html")
      .matchAll(/src=&quot;([\w.-]+)&quot; integrity=&quot;(sha384-[^&]*)/g),
  ];
  assert.ok(lines.length > 0);
  for (const [, name, hash] of lines) assert.equal(hash, files[name], name);
});

test("a broken link is noticed", () => {
  const complaints = broken(
    "docs/index.html",
    '<p id="a"></p><p id="a"></p><a href="nowhere.html">x</a><a href="#nothing">y</a><a href="bound.html#theorem-9">z</a><a href="bound.html#theorem-4">fine</a>',
  );
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
    assert.ok(
      text.includes(navigation(path, docs.includes(path) ? "docs/index.html" : path)),
      path,
    );
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
      const words = text
        .replace(/<(pre|script|style|svg|code)\b[\s\S]*?<\/\1>/g, "")
        .replace(/<[^>]*>/g, "");
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
    for (const path of docs)
      assert.doesNotMatch(html.get(path), /<\/mi><mo[^>]*tml-prime[^>]*>′<\/mo><\/msup>/, path);
  });
});

test("apostrophes are set as such, but for code", () => {
  assert.equal(
    render("The record's `it's`, all papers' and $f'$.").html.replace(/<math[\s\S]*<\/math>/, "m"),
    "<p>The record’s <code>it's</code>, all papers’ and m.</p>\n",
  );
  for (const path of docs) {
    const words = html
      .get(path)
      .replace(/<(pre|script|style|svg|code|math)\b[\s\S]*?<\/\1>/g, "")
      .replace(/<[^>]*>/g, "");
    assert.doesNotMatch(words, /\p{L}'/u, path);
  }
});

test("boxes: a kind that is not known, and one that is not closed, stop the build", () => {
  assert.throws(() => render("::: corollary\nx\n:::\n"), /no box of the kind corollary/);
  assert.throws(() => render("::: proof\nx\n"), /not closed/);
  assert.match(
    render("::: theorem 4: zero overhead {#four}\nx\n:::\n").html,
    /<div class="box box-theorem" id="four">\n<p class="box-name">Theorem 4 <span class="box-title">\(zero overhead\)<\/span>/,
  );
});

test("scripts: those of the site alone, none inline, none that sets mathematics", () => {
  for (const path of docs) {
    const scripts = [...html.get(path).matchAll(/<script\b([^>]*)>([\s\S]*?)<\/script>/g)].filter(
      ([, attributes]) => !attributes.includes("application/json"),
    );
    const taken = scripts.map(([, attributes, inside]) => [
      /src="([^"]*)"/.exec(attributes)?.[1],
      inside,
    ]);
    const elements = [
      [/<(privacy-curve|attack-view|noise-chooser|privacy-budget) /, "elements"],
      [/<private-(?:fit|scorecard)-demo /, "fit-demo"],
    ].filter(([element]) => element.test(html.get(path)));
    assert.deepEqual(
      taken,
      [
        ["../theme.js", ""],
        ["docs.js", ""],
        ...elements.map(([, name]) => [`../${name}.js`, ""]),
        ...(html.get(path).includes('id="votes-figure"') ? [["votes.js", ""]] : []),
        ...(html.get(path).includes("<worst-data ") ? [["cost.js", ""]] : []),
      ],
      path,
    );
    assert.match(
      html.get(path),
      /Content-Security-Policy" content="default-src 'none'; script-src 'self' 'wasm-unsafe-eval'/,
    );
  }
});

test("every figure has something inside for readers without scripts", () => {
  for (const path of docs) {
    const figures = [
      ...html
        .get(path)
        .matchAll(
          /<(privacy-curve|attack-view|noise-chooser|privacy-budget|private-fit-demo|private-scorecard-demo|worst-data)\b[^>]*>([\s\S]*?)<\/\1>/g,
        ),
    ];
    assert.equal(
      figures.length,
      html.get(path).match(/<figure class="figure">/g)?.length ?? 0,
      path,
    );
    for (const [, name, inside] of figures)
      assert.match(inside, /<svg data-cloister|<p/, `${path}: <${name}> is empty without scripts`);
  }
});

describe("the reference", () => {
  const all = exportsOfPackage();
  const parts = topics.map((topic) => `docs/${pageOf(topic)}.html`);
  const whole = parts.map((path) => html.get(path)).join("\n");

  test("has every export of the package, and every call of the client and the ledger", async () => {
    assert.ok(all.length > 100);
    const once = (id) => whole.split(` id="${id}"`).length === 2;
    for (const { name, members } of all) {
      assert.ok(once(`api-${name}`), name);
      for (const member of members)
        assert.ok(once(`api-${name}-${member.name}`), `${name}.${member.name}`);
    }
    // A client is listed with what it has beside those that it extends.
    const { Client, Accountant, FileReading } = Object.fromEntries(
      all.map((one) => [one.name, one]),
    );
    const calls = new Set(
      [Client, Accountant, FileReading].flatMap(({ members }) => members.map(({ name }) => name)),
    );
    for (const call of ["fit", "account", "reprice", "terminate", "openDataset"])
      assert.ok(calls.has(call), call);
    // What the package gives at run time in Node and in browsers is in it, but for what Node alone
    // has.
    const names = new Set(all.map(({ name }) => name));
    for (const name of Object.keys(await import("cloister")))
      assert.ok(names.has(name) || ["fileSource", "threadWorker"].includes(name), name);
  });

  test("links the types in declarations, and says what each call is for", () => {
    assert.match(whole, /openDataset[\s\S]*?<a href="api-data\.html#api-Source">Source<\/a>/);
    for (const { name, members } of all)
      for (const member of members)
        assert.ok(
          member.doc !== "" ||
            members.some((other) => other.name === member.name && other.doc !== ""),
          `${name}.${member.name} is not documented`,
        );
    assert.doesNotMatch(whole, /\{@link/);
  });

  test("has an entry on the package's page for each place of the time when it was one page", () => {
    const page = html.get("docs/api.html");
    const entry = (id) => new RegExp(`<a id="${id}" href="(api-[a-z]+\\.html)#${id}">`).exec(page);
    for (const { name, members } of all)
      for (const id of [`api-${name}`, ...members.map((one) => `api-${name}-${one.name}`)]) {
        const [, file] = entry(id) ?? assert.fail(`${id} has no entry`);
        assert.ok(html.get(`docs/${file}`).includes(` id="${id}"`), id);
      }
    for (const { title } of topics)
      assert.ok(page.includes(` id="reference-${slug(title)}"`), title);
  });
});

describe("the glossary", () => {
  const terms = termsOf(readFileSync(join(site, "docs/glossary.md"), "utf8"));
  const uses = (text) => [...text.matchAll(/<a class="term" href="glossary\.html#([\w-]+)"/g)];

  test("is linked from the first use of each term, once a page, and not from itself", () => {
    assert.ok(terms.length >= 30);
    const used = new Set();
    for (const path of docs) {
      const ids = uses(html.get(path)).map(([, id]) => id);
      assert.equal(new Set(ids).size, ids.length, path);
      for (const id of ids) used.add(id);
    }
    assert.deepEqual(uses(html.get("docs/glossary.html")), []);
    for (const { id } of terms) assert.ok(used.has(id), `no page uses ${id}`);
  });

  test("leaves headings, links and code alone, and takes the longest form", () => {
    const some = termsOf(
      "### Loss {#loss}\n<!-- also: losses -->\n\nWhat it costs. More.\n\n### Loss of face {#face}\n\nBad.\n",
    );
    const { html: made } = render(
      "# Loss\n\n`loss` [loss](x.html) a glossy, Loss of face, losses and a loss.\n",
      some,
    );
    assert.deepEqual(
      uses(made).map(([, id]) => id),
      ["face", "loss"],
    );
    assert.match(made, /title="What it costs\.">losses<\/a> and a loss\.<\/p>/);
  });

  test("has no form twice", () => {
    assert.throws(() => termsOf("### A {#a}\n\nx.\n\n### B {#b}\n<!-- also: a -->\n\ny.\n"), /“a”/);
  });
});

test("the index of the search leads to places that are there, and has every page", () => {
  const index = JSON.parse(readFileSync(join(dist, "docs/search.json"), "utf8"));
  assert.deepEqual(
    index.map(({ file }) => `docs/${file}`),
    docs,
  );
  for (const { file, places } of index)
    for (const [id, heading] of places) {
      assert.ok(id === "" || html.get(`docs/${file}`).includes(` id="${id}"`), `${file}#${id}`);
      assert.ok(heading !== "", `${file}#${id}`);
    }
});

test("the service worker keeps every page of the documentation, and what its figures need", () => {
  const worker = readFileSync(join(dist, "sw.js"), "utf8");
  const needed = [...docs, "docs/docs.js", "docs/docs.css", "docs/search.json"];
  for (const path of docs)
    for (const [, name] of html.get(path).matchAll(/<script type="module" src="\.\.\/([^"]+)"/g))
      needed.push(name, name === "fit-demo.js" ? "fit-demo.wasm" : "curves.wasm");
  for (const path of new Set(needed)) assert.ok(worker.includes(`"${path}":"sha384-`), path);
});

test("the figure of the proof's idea is drawn from its formulas", () => {
  // A second derivation: loss of the margin m by the differences of log-densities, R = 1.
  const { lambda, sigma, v } = drawn;
  const f = (m) => Math.log1p(Math.exp(-m));
  const h = 1e-4;
  let most = { sum: 0, noise: 0, curvature: 0 };
  for (let m = -30; m <= 30; m += 0.005) {
    const first = Math.abs((f(m + h) - f(m - h)) / (2 * h));
    const second = (f(m + h) - 2 * f(m) + f(m - h)) / h ** 2;
    const noise = ((v * sigma + first) ** 2 - (v * sigma) ** 2) / (2 * sigma ** 2);
    const bent = Math.log(lambda + second) - Math.log(lambda);
    most = {
      sum: Math.max(most.sum, noise + bent),
      noise: Math.max(most.noise, noise),
      curvature: Math.max(most.curvature, bent),
    };
  }
  assert.ok(Math.abs(most.sum - joint.value) < 1e-4);
  assert.ok(Math.abs(most.noise + most.curvature - apart) < 1e-4);
  assert.ok(joint.value < 0.8 * apart);
  const page = html.get("docs/bound.html");
  assert.ok(
    page.includes(`pays ${apart.toFixed(2)}; together they never exceed ${joint.value.toFixed(2)}`),
  );
  const [, figure] = /<figure class="figure drawn"([\s\S]*?)<\/figure>/.exec(page);
  assert.equal(figure.match(/<svg [^>]*role="img" aria-label="[^"]+"/g).length, 2);
});

test("troubleshooting has an entry for each title that a page gives to a failure", () => {
  const source = readFileSync(join(site, "src/pages/shell/problem.ts"), "utf8");
  const table = /const titles[^{]*\{([\s\S]*?)\n\};/.exec(source)[1];
  const titles = [...table.matchAll(/: "([^"]+)",/g)].map(([, title]) => title);
  assert.ok(titles.length >= 20);
  const page = readFileSync(join(site, "docs/troubleshooting.md"), "utf8");
  for (const title of [...titles, "Which column is to be predicted?"])
    assert.ok(page.includes(`\n### ${title}\n`), title);
});

test("the paragraph for a board has the factors of its table", () => {
  const page = readFileSync(join(site, "docs/ethics.md"), "utf8");
  const rows = [...page.matchAll(/^\| ([\d.]+) \| ([\d.]+) \| ([\d.]+) % \|$/gm)];
  assert.equal(rows.length, 4);
  for (const [, epsilon, factor, belief] of rows) {
    const odds = Math.exp(Number(epsilon));
    // Rounded upwards, as it says "at most".
    const up = (x, digits) => (Math.ceil(x * 10 ** digits) / 10 ** digits).toFixed(digits);
    assert.equal(factor, up(odds, odds < 10 ? 2 : 1));
    assert.equal(belief, up((100 * odds) / (1 + odds), 1));
  }
  assert.match(page, /factor of at most \[2\.72\]/);
});

test("the version is said in one place", () => {
  const { version } = JSON.parse(readFileSync(join(site, "package.json"), "utf8"));
  assert.match(version, /^\d+\.\d+\.\d+(?:-[\w.]+)?$/);
  assert.equal(JSON.parse(readFileSync(join(site, "package-lock.json"), "utf8")).version, version);
  assert.match(
    readFileSync(join(site, "../core/privacy/version.go"), "utf8"),
    new RegExp(`"${version.replaceAll(".", "\\.")}"`),
  );
  assert.equal(JSON.parse(readFileSync(join(dist, "integrity.json"), "utf8")).version, version);
  for (const path of docs) assert.ok(html.get(path).includes(`Cloister ${version}.`), path);
  const cite = readFileSync(join(site, "docs/cite.md"), "utf8");
  assert.ok(cite.includes(`version = {${version}}`) && cite.includes(`Cloister [${version}]`));
});

test("the licence is whole, and every page links it", () => {
  const text = readFileSync(join(site, "LICENSE"));
  // Of the text as the Apache Software Foundation publishes it: SPDX has it under Apache-2.0.
  assert.equal(
    createHash("sha256").update(text).digest("hex"),
    "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30",
  );
  assert.deepEqual(readFileSync(join(dist, "license.txt")), text);
  const { license, files } = JSON.parse(readFileSync(join(site, "package.json"), "utf8"));
  assert.equal(license, "Apache-2.0");
  assert.ok(files.includes("LICENSE"));
  for (const readme of ["README.md", "../README.md"])
    assert.match(readFileSync(join(site, readme), "utf8"), /Apache-2\.0.*\bLICENSE\b/, readme);
  for (const path of docs)
    assert.ok(
      html
        .get(path)
        .includes(
          '<a href="../license.txt">Apache-2.0</a>, with <a href="../notices.txt">parts by others</a>',
        ),
      path,
    );
  // The foot of the others is drawn by their scripts.
  for (const { path } of list.filter(({ path }) => !path.startsWith("docs/"))) {
    const script = readFileSync(
      join(dist, /type="module" src="([^"?]+)/.exec(html.get(path))[1]),
      "utf8",
    );
    assert.match(
      script.replaceAll("\\n", "\n"),
      /<a\s+href="license\.txt"\s*>Apache-2\.0<\/a\s*>,\s+with\s+<a\s+href="notices\.txt"\s*>parts by others</,
      path,
    );
  }
});

test("the lockfile names no place to download from", () => {
  assert.doesNotMatch(readFileSync(join(site, "package-lock.json"), "utf8"), /"resolved"/);
});
