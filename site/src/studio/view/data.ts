import { html, nothing, type TemplateResult } from "lit";

import { count, size } from "../../chart/numbers.ts";
import { sampleRows } from "../sample.ts";
import type { LabelKind } from "../draft/draft.ts";
import { buyingMore, sealed, waitsForMore } from "../state.ts";
import type { Studio } from "../studio.ts";
import { timeWords } from "../ledger/words.ts";
import { areaField, selectField, textField } from "./field.ts";
import { filePicker } from "./file-picker.ts";
import { problemNotice } from "./notice.ts";
import { progressBar } from "./progress.ts";
import { step } from "./step.ts";

/** Step 1: the file. */
export function dataStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const waits = buyingMore(state);
  return step({
    id: "data",
    number: "1",
    title: "Data",
    body: html`
      ${state.core.phase === "failed" ? problemNotice(state.core.problem) : nothing} ${found(studio)} ${opened(studio)} ${reading(studio)} ${chooser(studio)}
      ${
        state.source?.kind === "file" && state.reading.phase !== "running"
          ? html`<p class="actions">
              <button class="button button-quiet" type="button" ?disabled=${waits} @click=${() => void studio.reader.useSample()}>Go back to the sample</button>
              ${
                state.origin === "imported" || state.origin === "written" || state.reading.phase === "cancelled"
                  ? html`<button class="button button-quiet" type="button" ?disabled=${waits} @click=${() => void studio.reader.suggest()}>Suggest the columns from this file</button>`
                  : nothing
              }
            </p>`
          : nothing
      }
    `,
    note: html`<h3>One row per person</h3>
      <p>
        The guarantee is about adding or removing one row. If a person has several rows, put them together first: for that person it would be weaker by as
        many rows.
      </p>
      <p>The number of rows is private too. It will not be in the release.</p>`,
  });
}

/** What an earlier visit left. */
function found({ state, keeper }: Studio): TemplateResult | typeof nothing {
  const { found } = state.notes;
  if (!found || state.source?.kind === "file") return nothing;
  return html`<div class="notice" id="notes-found">
    <p>
      <strong>You were describing ${found.names.join(", ")}</strong> on ${timeWords(found.time)}. What you had entered was kept in this browser; the data were not.
      Choose the same file again to go on.
    </p>
    <p class="actions"><button class="button button-quiet" type="button" @click=${() => void keeper.forget()}>Forget what I entered</button></p>
  </div>`;
}

/** Whether what is entered is kept, and the way to change that. */
function keeping({ state, keeper }: Studio): TemplateResult {
  switch (state.notes.keeping) {
    case "on":
      return html`What you enter about it is kept in this browser for the next visit, with no row of it and no value that was read from it.
        <button class="link" type="button" id="notes-forget" @click=${() => void keeper.forget()}>Forget it</button>`;
    case "off":
      return html`What you enter about it is not kept. <button class="link" type="button" id="notes-keep" @click=${() => keeper.resume()}>Keep it</button>`;
    case "unable":
      return html`This browser has no place to keep what you enter about it: it will be gone when you leave.`;
  }
}

function opened(studio: Studio): TemplateResult | typeof nothing {
  const { source, core } = studio.state;
  if (!source) {
    return core.phase === "failed" ? nothing : html`<p class="file file-empty">${core.phase === "loading" ? "The page is fetching its own parts…" : "Making the sample…"}</p>`;
  }
  if (source.kind === "sample") {
    return html`<div class="file">
      <p class="file-name">A synthetic sample <span class="tag">nobody’s data</span></p>
      <p>
        ${count(sampleRows)} hospital stays that never happened, made in this page by a small random generator. The question: is a patient readmitted within
        30 days? Use it to see how everything works.
      </p>
    </div>`;
  }
  return html`<div class="file">
    <p class="file-name">${source.names.join(", ")}</p>
    <p class="soft">
      ${source.names.length > 1 ? `${source.names.length} parts, ` : nothing}${size(source.bytes)}, read in this browser and kept in its memory while this page is
      open
    </p>
    <p class="small soft">${keeping(studio)}</p>
  </div>`;
}

function reading(studio: Studio): TemplateResult | typeof nothing {
  const { reading, source } = studio.state;
  switch (reading.phase) {
    case "running":
      return progressBar("Reading the file to suggest its columns", reading.progress, () => studio.cancel());
    case "failed":
      return html`${problemNotice(reading.problem, { id: "data-problem" })} ${reading.problem.code === "data" && reading.problem.row === undefined ? labelHint(studio) : nothing}`;
    case "cancelled":
      return html`<div class="notice"><p>Reading was cancelled. ${source ? "Have the columns suggested again, or choose another file." : nothing}</p></div>`;
    default:
      return nothing;
  }
}

/** For a file in which the outcome cannot be recognised: the person says which column it is. */
function labelHint(studio: Studio): TemplateResult {
  const { label, kind, positive } = studio.state.hint;
  return html`<form
    class="hint-form"
    @submit=${(e: Event) => {
      e.preventDefault();
      void studio.reader.suggest();
    }}
  >
    <p class="small">If the file is right and only the outcome was not recognised, say which column it is.</p>
    <div class="row row-wide">
      ${textField({ key: "hint.label", label: "Column to predict", hint: "Its name in the file’s first line.", value: label, input: (value) => studio.reader.changeHint({ label: value }) })}
      ${selectField({
        key: "hint.kind",
        label: "What it is",
        value: kind,
        choices: [
          { value: "two", text: "One of two outcomes" },
          { value: "classes", text: "One of several classes" },
          { value: "numeric", text: "A number" },
        ],
        choose: (kind) => studio.reader.changeHint({ kind: kind as LabelKind }),
      })}
    </div>
    ${
      kind === "two"
        ? areaField({
            key: "hint.positive",
            label: "Values that count as positive",
            hint: "One on each line; all others are negative.",
            rows: 2,
            value: positive,
            input: (value) => studio.reader.changeHint({ positive: value }),
          })
        : nothing
    }
    <button class="button button-quiet" type="submit">Read the file again</button>
  </form>`;
}

function chooser(studio: Studio): TemplateResult {
  const ready = sealed(studio.state);
  const waits = buyingMore(studio.state);
  const own = studio.state.source?.kind === "file";
  return filePicker({
    id: "file",
    title: own ? "Another table" : "Your own table",
    hint: waits
      ? waitsForMore
      : ready
      ? "A CSV file with a header line. Drop it here or choose it; choose several at once if the table comes in parts with the same header."
      : "A file can be chosen as soon as the page is sealed.",
    button: "Choose CSV files",
    accept: ".csv,.tsv,.txt,text/csv,text/tab-separated-values,text/plain",
    multiple: true,
    disabled: !ready || waits,
    take: (files) => void studio.reader.useFiles(files),
  });
}
