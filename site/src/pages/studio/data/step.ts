import { html, nothing, type TemplateResult } from "lit/html.js";

import { size } from "../../../chart/numbers.ts";
import { buyingMore, sealed, waitsForMore } from "../state/state.ts";
import { firstLine } from "./first-line.ts";
import { gallery, unknownSample } from "./gallery.ts";
import { labelHint, whichColumn } from "./label-hint.ts";
import { layoutOf } from "./layout.ts";
import type { Studio } from "./studio.ts";
import type { Problem } from "../../shell/problem.ts";
import { timeWords } from "../../shell/words.ts";
import { filePicker } from "../../shell/file-picker.ts";
import { problemNotice } from "../../shell/notice.ts";
import { progressBar } from "../../shell/progress.ts";
import { step } from "../../shell/step.ts";

/** Step 1: the file. */
export function dataStep(studio: Studio): TemplateResult {
  const { state } = studio;
  const waits = buyingMore(state);
  return step({
    id: "data",
    number: "1",
    title: "Your data",
    body: html`
      ${state.core.phase === "failed" ? problemNotice(state.core.problem) : nothing}
      ${found(studio)} ${unknownSample(studio)} ${opened(studio)} ${reading(studio)}
      ${layoutOf(studio)} ${chooser(studio)}
      ${state.source?.kind === "file" || state.core.phase === "failed" ? nothing : gallery(studio)}
      ${
        state.source?.kind === "file" && state.reading.phase !== "running"
          ? html`<p class="actions">
              <button
                class="button button-quiet"
                type="button"
                ?disabled=${waits}
                @click=${() => {
                  studio.openSample(state.sample);
                  studio.show(`sample-${state.sample}`);
                }}
              >
                Go back to the made-up tables
              </button>
              ${
                state.origin === "imported" ||
                state.origin === "written" ||
                state.reading.phase === "cancelled"
                  ? html`<button
                      class="button button-quiet"
                      type="button"
                      ?disabled=${waits}
                      @click=${() => void studio.reader.suggest()}
                    >
                      Suggest the columns from this file
                    </button>`
                  : nothing
              }
            </p>`
          : nothing
      }
    `,
    note: html`<h3>One row per person</h3>
      <p>
        The guarantee is about adding or removing one row. If a person has several rows, combine
        them first. Otherwise each further row makes the guarantee for that person weaker.
      </p>
      <p>The number of rows is private too. It will not be in the release.</p>`,
  });
}

/** What an earlier visit left. */
function found({ state, autosave }: Studio): TemplateResult | typeof nothing {
  const { found, outdated } = state.notes;
  if (outdated && !found && state.source?.kind !== "file")
    return html`<div class="notice" id="notes-outdated">
      <p>
        An earlier version of this page kept what you had entered about a file in a form that may
        hold values of its rows. It was deleted from this browser; please enter it again.
      </p>
    </div>`;
  if (!found || state.source?.kind === "file") return nothing;
  return html`<div class="notice" id="notes-found">
    <p>
      <strong>You were describing ${found.names.join(", ")}</strong> on ${timeWords(found.time)}.
      What you had entered was kept in this browser; the data were not. Choose the same file again
      to go on.
    </p>
    <p class="actions">
      <button class="button button-quiet" type="button" @click=${() => void autosave.forget()}>
        Forget what I entered
      </button>
    </p>
  </div>`;
}

/** Whether what is entered is kept, and the way to change that. */
function keeping({ state, autosave }: Studio): TemplateResult {
  switch (state.notes.keeping) {
    case "on":
      return html`What you enter about it is kept in this browser for the next visit, without any
        row of it or any value read from it.
        <button class="link" type="button" id="notes-forget" @click=${() => void autosave.forget()}>
          Forget it
        </button>`;
    case "off":
      return html`What you enter about it is not kept.
        <button class="link" type="button" id="notes-keep" @click=${() => autosave.resume()}>
          Keep it
        </button>`;
    case "unable":
      return html`This browser cannot store what you enter about it: it will be gone when you leave.`;
  }
}

function opened(studio: Studio): TemplateResult | typeof nothing {
  const { source } = studio.state;
  if (source?.kind !== "file") return nothing;
  return html`<div class="file">
    <p class="file-name">${source.names.join(", ")}</p>
    <p class="soft">
      ${source.names.length > 1 ? `${source.names.length} parts, ` : nothing}${size(source.bytes)},
      read in this browser and kept in its memory while this page is open
    </p>
    <p class="small soft">${keeping(studio)}</p>
  </div>`;
}

function reading(studio: Studio): TemplateResult | typeof nothing {
  const { reading, source } = studio.state;
  switch (reading.phase) {
    case "running":
      return progressBar("Reading the file to suggest its columns", reading.progress, () =>
        studio.cancel(),
      );
    case "failed":
      return failed(studio, reading.problem);
    case "cancelled":
      return html`<div class="notice">
        <p>
          Reading was cancelled.
          ${source ? "Have the columns suggested again, or choose another file." : nothing}
        </p>
      </div>`;
    default:
      return nothing;
  }
}

/** What is asked of the person, or what is wrong. */
function failed(studio: Studio, problem: Problem): TemplateResult {
  const { code, line, row, column } = problem;
  if (code === "header" && line) return firstLine(studio, line);
  // No column looks like an outcome, and none was named.
  if (line && column === undefined) return whichColumn(studio, line);
  return html`${problemNotice(problem, { id: "data-problem" })}
  ${code === "data" && row === undefined ? labelHint(studio, line) : nothing}`;
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
        ? "A CSV file or one like it: fields between commas, semicolons, tabs, bars or spaces. Drop it here or choose it; choose several at once if the table comes in parts with the same header."
        : "You can choose a file once the page is sealed: once the browser refuses its requests.",
    button: "Choose CSV files",
    accept: ".csv,.tsv,.tab,.dat,.data,.txt,text/csv,text/tab-separated-values,text/plain",
    multiple: true,
    disabled: !ready || waits,
    take: (files) => void studio.reader.useFiles(files),
  });
}
