import { cardStyles } from "./card.styles.ts";
import { escaped } from "./escaped.ts";

/** The beginning of a card's HTML file, which runs no script and fetches nothing. */
export const cardHead = (kind: string, name: string, library: string, styles = ""): string =>
  `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'none'; base-uri 'none'">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="Cloister ${escaped(library)}">
<title>${kind}: ${escaped(name)}</title>
<style>${cardStyles}${styles}</style>
</head>
<body>
<main>
<header>
<p class="kind">${kind}</p>`;
