import { html, nothing, type TemplateResult } from "lit/html.js";

import { counted, failed, grouped } from "../claims.ts";
import type { Refusal } from "../refusal.ts";
import type { Checked, CheckedCard } from "../state.ts";
import { mark } from "./mark.ts";

interface Verdict {
  readonly kind: "true" | "partly" | "false";
  readonly title: string;
  readonly name: string;
  readonly body: TemplateResult;
}

function verdict({ kind, title, name, body }: Verdict): TemplateResult {
  return html`<section class="judged judged-${kind}" aria-labelledby="verdict-title">
    ${mark(kind)}
    <div>
      ${name === "" ? nothing : html`<p class="judged-name">${name}</p>`}
      <h2 id="verdict-title" tabindex="-1">${title}</h2>
      ${body}
    </div>
  </section>`;
}

/** The verdict on a release that could be read. */
export function checkedVerdict({
  name,
  card,
  release,
  answer,
}: Checked | CheckedCard): TemplateResult {
  const lies = failed(answer.findings);
  const { checked: count, word } = counted(answer.findings);
  const unchecked =
    word > 0
      ? html` ${word === 1 ? "One more, marked below, is" : `${word} more, marked below, are`} the
        word of whoever published it: no file can show ${word === 1 ? "it" : "them"}.`
      : nothing;
  const inside = card
    ? html`<p class="small">
        Only the release inside the card was checked, not the rest of what the card says.
      </p>`
    : nothing;
  if (lies.length > 0) {
    return verdict({
      kind: "false",
      title: "This file does not tell the truth",
      name,
      body: html`<p>
          ${lies.length === 1 ? "One" : lies.length} of the ${count} claims that can be checked
          ${lies.length === 1 ? "fails" : "fail"}:
        </p>
        <ul class="lies">
          ${lies.map(({ group, claim }) => html`<li><strong>${group}: ${claim.title}.</strong> ${claim.text}</li>`)}
        </ul>
        <p>
          Rely on nothing in it. It was changed after it was made, or made by a program that does
          not keep its word. Ask whoever gave it to you for the original file.
        </p>
        ${inside}`,
    });
  }
  // What is paid beside the guarantee belongs to the verdict, and what it leaves out unsaid.
  const beside = (claim: string) =>
    grouped(answer.findings.filter((f) => f.claim === claim)).flatMap((g) =>
      g.claims.map(({ text }) => html`<p>${text}</p>`),
    );
  const bought = beside("bounds");
  if (!release.guarantee.covers) {
    return verdict({
      kind: "partly",
      title: "It tells the truth, and the guarantee leaves something out",
      name,
      body: html`<p>
          All ${count} claims that can be checked from the file are true.${unchecked} The file says
          itself what its guarantee does not cover:
        </p>
        <ul class="lies">
          ${release.guarantee.caveats.map((c) => html`<li>${c}</li>`)}
        </ul>
        ${beside("unsaid")} ${bought} ${inside}`,
    });
  }
  return verdict({
    kind: "true",
    title: "It tells the truth: the guarantee holds",
    name,
    body: html`<p>
        All ${count} claims that can be checked from the file are true, and the guarantee covers
        everything in
        it${bought.length > 0 ? ", but for the bounds or categories that were bought." : "."}${unchecked}
      </p>
      ${bought} ${inside}`,
  });
}

/** The verdict on a file in which nothing could be worked out. */
export function refusalVerdict(
  name: string,
  { title, message, part, advice }: Refusal,
): TemplateResult {
  return verdict({
    kind: "false",
    title,
    name,
    body: html`<p>${part === undefined ? nothing : html`<strong>${part}.</strong>`} ${message}</p>
      ${advice === "" ? nothing : html`<p>${advice}</p>`}`,
  });
}
