/** The card's styles: the page's colours, on paper too. */
export const cardStyles = `
:root { color-scheme: light dark; --paper: light-dark(#fffefb, #13191b); --sunk: light-dark(#f6f5f1, #1a2224); --ink: light-dark(#1c2b2d, #e4e8e4);
  --soft: light-dark(#4d5c5e, #a5b2b0); --rule: light-dark(#d8d5ca, #313d40); --accent: light-dark(#1b5e59, #8fd0c6); --good: light-dark(#e1eeeb, #1d3836);
  --warn: light-dark(#fbf0d8, #352a12); --warn-rule: light-dark(#d9a93f, #8a6a21); --focus: light-dark(#0b6fb8, #7cc0f5);
  --c1: var(--accent); --c2: light-dark(#a8501a, #e89a63); --c3: light-dark(#7b6410, #d3bb5c); --c4: light-dark(#74408c, #c79be0); --c5: light-dark(#5c6668, #9fabaa); }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", Arial, sans-serif; }
main, footer { max-width: 44rem; margin: 0 auto; padding: 2.5rem 1.25rem 0; }
footer { padding: 2rem 1.25rem 3rem; color: var(--soft); font-size: .8125rem; }
h1, h2, .head { font-family: "Iowan Old Style", "Palatino Nova", Palatino, "URW Palladio L", P052, Georgia, "Liberation Serif", serif; font-weight: 500; line-height: 1.2; }
h1 { margin: 0 0 .75rem; font-size: clamp(1.7rem, 1.2rem + 2.4vw, 2.5rem); overflow-wrap: anywhere; }
h2 { margin: 2.5rem 0 .5rem; font-size: 1.4rem; }
h3 { margin: 1.5rem 0 .25rem; font-size: 1.0625rem; }
p { margin: .5rem 0; max-width: 40rem; }
ul { padding-inline-start: 1.2rem; }
li { margin: .3rem 0; max-width: 39rem; }
.kind { margin: 0 0 .25rem; color: var(--accent); font-size: .8125rem; letter-spacing: .08em; text-transform: uppercase; }
.lead { font-size: 1.1875rem; }
.small, .tag { color: var(--soft); font-size: .875rem; }
.tag { padding: .05em .5em; border: 1px solid var(--warn-rule); border-radius: 1em; font-weight: 400; white-space: nowrap; }
.guarantee { margin-top: 2rem; padding: 1rem 1.25rem; border-inline-start: 4px solid var(--accent); border-radius: 4px; background: var(--good); }
.guarantee.partly { border-color: var(--warn-rule); background: var(--warn); }
.guarantee h2 { margin: 0; font-family: inherit; font-size: .9375rem; font-weight: 600; }
.head { margin: .25rem 0 .5rem; font-size: 1.25rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin: .75rem 0; font-size: .9375rem; }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--rule); text-align: start; vertical-align: top; overflow-wrap: break-word; }
th { font-weight: 500; }
thead th { color: var(--soft); font-size: .8125rem; }
.number { text-align: end; padding-inline-end: 0; font-variant-numeric: tabular-nums; white-space: nowrap; }
.found .bar { width: 34%; min-width: 5rem; vertical-align: middle; }
.found .bar svg { display: block; width: 100%; height: 18px; }
.found .more { fill: var(--c1); } .found .less { fill: var(--c2); }
.found .zero, .found .reach { fill: none; stroke: var(--soft); vector-effect: non-scaling-stroke; }
.noise :is(th, .number) { color: var(--soft); font-weight: 400; }
.noise :is(.more, .less) { fill: none; stroke: var(--soft); stroke-dasharray: 3 2; vector-effect: non-scaling-stroke; }
.between { display: block; color: var(--soft); font-size: .8125rem; font-weight: 400; }
.number .between { display: inline; }
code, pre { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace; font-size: .8125rem; }
pre { max-height: 28rem; overflow: auto; margin: .5rem 0; padding: .75rem 1rem; border-radius: 4px; background: var(--sunk); }
details { margin: .5rem 0; border-bottom: 1px solid var(--rule); }
summary { padding: .4rem 0; cursor: pointer; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
figure { margin: .75rem 0; }
figure > svg { display: block; width: 100%; height: auto; }
.legend { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; margin: .25rem 0; padding: 0; list-style: none; font-size: .875rem; }
.legend li { margin: 0; }
.rule { stroke: var(--rule); }
.axis { stroke: var(--ink); }
.tick, .title { fill: var(--soft); font-size: 12px; }
.line { fill: none; stroke-width: 1.6; stroke: var(--c5); }
.line-1 { stroke: var(--c1); stroke-width: 3; }
.line-2 { stroke: var(--c2); stroke-dasharray: 7 3; }
.line-3 { stroke: var(--c3); stroke-dasharray: 2 3; }
.line-4 { stroke: var(--c4); stroke-dasharray: 9 3 2 3; }
.line-5 { stroke: var(--c5); stroke-dasharray: 4 4; }
.promise-lines { fill: none; stroke: var(--soft); stroke-dasharray: 2 3; }
.promise { fill: var(--paper); stroke: var(--accent); stroke-width: 2.5; }
@media (max-width: 30rem) {
  th, td { padding-inline-end: .4rem; font-size: .875rem; }
  .found .bar { min-width: 4rem; }
}
@media print {
  :root { color-scheme: light; }
  body { font-size: 10.5pt; }
  main { padding-top: 0; }
  section { break-inside: avoid; }
  .files { display: none; }
  details::details-content { content-visibility: visible; height: auto; }
  tr, figure { break-inside: avoid; }
}
`;
