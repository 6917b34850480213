// Draws the map of the repository: site/docs/map.svg and map-narrow.svg, which the README shows,
// and the same in the documentation, in the page's own colours.
//
//   node site/docs/build/map.mjs --write    after a room was added to house.mjs, or moved
//
// `make lint` fails if a room that is named there does not exist, if one that exists is not named,
// or if the drawings are not what this file draws.

import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { house, rooms, way, workshop } from "./house.mjs";

const top = fileURLToPath(new URL("../../../", import.meta.url));

const there = (path) => existsSync(join(top, path));

/** Rooms that are drawn when they are there; a branch may not have them yet. */
const toCome = new Set(["core/search", "wasm/wire"]);

/** What only tests use is no room. */
const forTests = ({ name }) => name === "testdata" || name.endsWith("test");

/** Complaints about rooms that are named and not there, and about those there and not named. */
export function checkMap() {
  const named = new Set(rooms());
  const gone = [...named].filter((path) => !there(path) && !toCome.has(path));
  const folders = (of) =>
    readdirSync(join(top, of), { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !forTests(entry))
      .map(({ name }) => `${of}/${name}`);
  const forgotten = house
    .flatMap(({ of }) => folders(of))
    .filter((path) => !named.has(path) && path !== "site/src/pages");
  const stale = files.filter(
    ({ path, narrow }) => !there(path) || readFileSync(join(top, path), "utf8") !== svg({ narrow }),
  );
  const table = "site/docs/build/house.mjs";
  return [
    ...gone.map((path) => `the map has a room ${path}, which is not there: mend ${table}`),
    ...forgotten.map((path) => `the map has no room ${path}: add it to ${table}`),
    ...stale.map(
      ({ path }) => `${path} is not what is drawn: node site/docs/build/map.mjs --write`,
    ),
  ];
}

const escaped = (text) =>
  text.replace(/[&<>]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);

/** Names one after another, in lines that are at most so wide: a letter of them is 6.4 wide. */
function listed(names, width) {
  const lines = [""];
  for (const name of names) {
    const longer = lines.at(-1) === "" ? name : `${lines.at(-1)} · ${name}`;
    if (longer.length * 6.4 <= width) lines[lines.length - 1] = longer;
    else lines.push(name);
  }
  return lines;
}

/** Lines of a text that are at most so wide; a letter is about half as wide as it is high. */
function wrapped(text, width, size) {
  const most = Math.floor(width / (size * 0.52));
  const lines = [""];
  for (const word of text.split(" ")) {
    const line = lines.at(-1);
    if (line === "") lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= most) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}

const round = (x) => Math.round(x * 10) / 10;

function words(lines, x, y, step, name, anchor = "middle") {
  return lines
    .map(
      (line, i) =>
        `<text class="${name}" x="${round(x)}" y="${round(y + i * step)}" text-anchor="${anchor}">${escaped(line)}</text>`,
    )
    .join("");
}

/** A numbered stone of the way. */
function stone(x, y, number, radius = 9) {
  return `<circle class="stone" cx="${round(x)}" cy="${round(y)}" r="${radius}"/><text class="number" x="${round(x)}" y="${round(y + radius * 0.42)}" text-anchor="middle">${number}</text>`;
}

/** How high a room has to be for its words. */
function heightOf({ says, inside, also }, width) {
  const list = inside ?? also;
  return (
    44 +
    15 * wrapped(says, width - 18, 12).length +
    (list ? 5 + 14 * listed(list, width - 14).length : 0)
  );
}

/** A room is an arch of the cloister: a niche with its name, and what is in it. */
function room({ place, says, inside, also }, of, x, y, width, height) {
  const path = `${of}/${place}`;
  const rise = 16;
  const niche = `M${round(x)} ${round(y + height)}V${round(y + rise)}Q${round(x)} ${round(y)} ${round(x + rise * 1.4)} ${round(y)}H${round(x + width - rise * 1.4)}Q${round(x + width)} ${round(y)} ${round(x + width)} ${round(y + rise)}V${round(y + height)}Z`;
  const middle = x + width / 2;
  const lines = wrapped(says, width - 18, 12);
  const list = inside ?? also;
  const names = list
    ? words(listed(list, width - 14), middle, y + 46 + 15 * lines.length, 14, "inside")
    : "";
  const numbers = way.flatMap((step, i) => (step.room === path ? [i + 1] : []));
  const stones = numbers
    .map((n, i) => stone(x + width - 12 - 21 * (numbers.length - 1 - i), y + 3, n))
    .join("");
  return `<g data-room="${path}"><path class="room" d="${niche}"/>${words([place], middle, y + 22, 0, "name")}${words(lines, middle, y + 40, 15, "says")}${names}${stones}</g>`;
}

/** An arrow head, the way imports point: down, or to the right. */
function arrow(x, y, right) {
  const tip = right ? "l5 5l-5 5" : "l6 5l6 -5";
  const [left, above] = right ? [x - 2.5, y - 5] : [x - 6, y - 2.5];
  return `<path class="arrow" d="M${round(left)} ${round(above)}${tip}"/>`;
}

/** The roof, whose eaves stand out a little. */
function roof(width, height) {
  const middle = width / 2;
  return `<path class="roof" d="M4 ${height}L${middle} 6L${width - 4} ${height}Z"/><text class="title" x="${middle}" y="${height - 14}" text-anchor="middle">Cloister</text>`;
}

/** Rows as wide as they may be: in a narrow drawing two rooms stand beside each other. */
function broken(row, narrow) {
  if (!narrow) return [row];
  const rows = [];
  for (let i = 0; i < row.length; i += 2) rows.push(row.slice(i, i + 2));
  return rows;
}

/** The way's stations, from left to right and back again; beneath each other where it is narrow. */
function stations(y, width, narrow) {
  const columns = narrow ? 1 : 5;
  const [cell, high] = [width / columns, narrow ? 44 : 96];
  const at = (i) => {
    const [row, k] = [Math.floor(i / columns), i % columns];
    const x = narrow ? 22 : cell * ((row % 2 ? columns - 1 - k : k) + 0.5);
    return [x, y + 14 + row * high];
  };
  const points = way.map((_, i) => at(i));
  const turn = points[columns - 1];
  const line = narrow
    ? `M${points[0].map(round).join(" ")}V${round(points.at(-1)[1])}`
    : `M${points[0].map(round).join(" ")}H${round(turn[0])}c${round(cell * 0.55)} 0 ${round(cell * 0.55)} ${high} 0 ${high}H${round(points.at(-1)[0])}`;
  const marks = way.map(({ name, says }, i) => {
    const [x, at] = points[i];
    if (narrow)
      return (
        stone(x, at, i + 1, 11) +
        words([name], x + 22, at - 2, 0, "station", "start") +
        words([says], x + 22, at + 15, 0, "says", "start")
      );
    return (
      stone(x, at, i + 1, 11) +
      words([name], x, at + 30, 0, "station") +
      words(wrapped(says, cell - 16, 12), x, at + 46, 15, "says")
    );
  });
  const height = narrow ? way.length * high : 2 * high;
  return { drawn: `<path class="way" d="${line}"/>${marks.join("")}`, height };
}

/** What is drawn, and how high it is. */
function drawing(narrow) {
  const width = narrow ? 380 : 820;
  const [edge, gap, label] = [18, 10, 24];
  const parts = [];
  const roofs = narrow ? 64 : 84;
  let y = roofs + 4;
  for (const { name, of, rows } of house) {
    const start = y;
    parts.push(
      words([name], edge, y + 18, 0, "floor", "start"),
      words([`${of}/`], width - edge, y + 18, 0, "path", "end"),
    );
    y += label + 10;
    for (const row of rows.flatMap((row) =>
      broken(
        row.filter(({ place }) => there(`${of}/${place}`)),
        narrow,
      ),
    )) {
      const each = (width - 2 * edge - gap * (row.length - 1)) / row.length;
      const height = Math.max(...row.map((one) => heightOf(one, each)));
      row.forEach((one, i) => {
        const x = edge + i * (each + gap);
        parts.push(room(one, of, x, y, each, height));
        if (one.next && i < row.length - 1)
          parts.push(arrow(x + each + gap / 2, y + height / 2, true));
      });
      y += height + 14;
    }
    if (of !== house.at(-1).of) parts.push(arrow(width / 2, y));
    parts.unshift(
      `<rect class="storey" x="8" y="${round(start)}" width="${width - 16}" height="${round(y - start)}"/>`,
    );
  }
  parts.unshift(roof(width, roofs));
  // Beside the house, on the same ground.
  y += 14;
  parts.push(`<path class="ground" d="M0 ${round(y - 10)}H${width}"/>`);
  const each = (width - 16 - gap * (workshop.length - 1)) / workshop.length;
  workshop.forEach(({ path, says }, i) => {
    const middle = 8 + i * (each + gap) + each / 2;
    parts.push(
      `<g data-room="${path}">${words([path], middle, y + 14, 0, "name")}${words(wrapped(says, each - 8, 12), middle, y + 32, 15, "says")}</g>`,
    );
  });
  y += narrow ? 88 : 62;
  parts.push(
    words(
      [
        narrow
          ? "Imports point down, and never back up"
          : "Imports point down the house, from row to row, and never back up",
      ],
      width / 2,
      y,
      0,
      "caption",
    ),
  );
  y += 40;
  parts.push(words(["One fit’s way through it"], width / 2, y, 0, "heading"));
  y += 24;
  const path = stations(y, width, narrow);
  parts.push(path.drawn);
  return { width, height: Math.ceil(y + path.height + 2), content: parts.join("\n") };
}

const described =
  "A map of the repository, drawn as a house: pages above, the package below them, then WebAssembly, and the core as " +
  "foundation. Imports point down. Numbered stones show one fit’s way: CSV, reader, schema, charge, noise, solve, " +
  "certificate, release, verify, report.";

/**
 * The palettes of the pages: paper, surface, ink, soft ink, rule, accent, what is written on it.
 */
const palettes = {
  light: ["#f6f5f1", "#fffefb", "#1c2b2d", "#4d5c5e", "#d8d5ca", "#1b5e59", "#ffffff", "#e1eeeb"],
  dark: ["#161d1f", "#1f292b", "#e4e8e4", "#a5b2b0", "#3a474a", "#8fd0c6", "#0c2321", "#1d3836"],
};
const colours = (palette) =>
  ["paper", "surface", "ink", "soft", "rule", "accent", "on", "ground"]
    .map((name, i) => `--map-${name}:${palette[i]}`)
    .join(";");

/** How it looks, in colours that are named; in the documentation the style sheet says the same. */
export const look = `.storey{fill:var(--map-paper);stroke:var(--map-rule)}
.roof{fill:var(--map-ground);stroke:var(--map-rule);stroke-linejoin:round}
.room{fill:var(--map-surface);stroke:var(--map-rule)}
.ground{stroke:var(--map-soft);stroke-width:1.5;stroke-dasharray:1 5;stroke-linecap:round}
.way{fill:none;stroke:var(--map-accent);stroke-width:2;stroke-dasharray:.1 7;stroke-linecap:round}
.stone{fill:var(--map-accent)}
.arrow{fill:none;stroke:var(--map-accent);stroke-width:1.8;stroke-linecap:round;stroke-linejoin:round}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Liberation Sans",sans-serif;fill:var(--map-ink)}
.number{font-size:11px;font-weight:650;fill:var(--map-on)}
.name,.inside,.path{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"Liberation Mono",monospace}
.name{font-size:13px;font-weight:650}
.says{font-size:12px;fill:var(--map-soft)}
.inside{font-size:10.5px;fill:var(--map-accent)}
.floor,.station{font-size:13px;font-weight:650}
.floor{fill:var(--map-accent)}
.path{font-size:11px;fill:var(--map-soft)}
.caption{font-size:12px;font-style:italic;fill:var(--map-soft)}
.heading{font-size:17px;font-weight:600}
.title{font-size:19px;font-weight:600;letter-spacing:.06em}
.title,.heading{font-family:"Iowan Old Style","Palatino Linotype",Palatino,"URW Palladio L",P052,Georgia,"Liberation Serif",serif}`;

/** The drawing as a file of its own, for either theme of who looks at it. */
export function svg({ narrow = false } = {}) {
  const { width, height, content } = drawing(narrow);
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="${described}">
<!-- Drawn by site/docs/build/map.mjs -->
<style>:root{${colours(palettes.light)}}
@media(prefers-color-scheme:dark){:root{${colours(palettes.dark)}}}
${look}</style>
${content}
</svg>
`;
}

/** The drawing within a page, in the page's colours: both widths, of which its styles show one. */
export function inPage() {
  const one = (narrow) => {
    const { width, height, content } = drawing(narrow);
    return `<svg class="map ${narrow ? "map-narrow" : "map-wide"}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${described}">${content.replaceAll("\n", "")}</svg>`;
  };
  return `<figure class="map-figure">${one(false)}${one(true)}</figure>`;
}

const files = [
  { path: "site/docs/map.svg", narrow: false },
  { path: "site/docs/map-narrow.svg", narrow: true },
];

if (process.argv.includes("--write") && import.meta.url === pathToFileURL(process.argv[1]).href) {
  for (const { path, narrow } of files) writeFileSync(join(top, path), svg({ narrow }));
}
