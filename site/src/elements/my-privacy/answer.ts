// The answer: in words, then as a picture, then what moves it. Widths are set as properties: a
// content security policy may forbid style attributes.

import { html, nothing, type TemplateResult } from "lit";

import { choiceWords } from "../../chart/choice.ts";
import { readableBound, surely } from "../../chart/numbers.ts";
import { own } from "../../client/own.ts";
import type { AnySchema, Choice, Move, PersonalBound, PersonalReport } from "../../client/types.ts";
import {
  expectation,
  forWhom,
  fromEven,
  leftOutWords,
  levels,
  movers,
  notCounted,
  promised,
  seen,
  times,
  whole,
  withReport,
} from "./words.ts";

export interface AnswerView {
  readonly report: PersonalReport;
  readonly bound: PersonalBound;
  readonly moves: readonly Move[];
  readonly schema: AnySchema;
  /** How the release says that its model was chosen. */
  readonly choice: Choice | undefined;
  readonly fields: Readonly<Record<string, string>>;
  /** The probability of failure that was proposed. */
  readonly proposed: number;
  readonly choose: (rho: number) => void;
}

export function answer(view: AnswerView): TemplateResult {
  const { bound, report } = view;
  if (bound.leftOut) {
    return html`<p class="lead" part="sentence">
        <strong>${leftOutWords(report)}</strong>
      </p>
      <p>In “${bound.leftOut.column}” ${bound.leftOut.text}. It was left out before the fit.</p>
      ${besides(report)} ${meaning(view)}`;
  }
  return html`${words(view)} ${besides(report)} ${picture(view)} ${surety(view)} ${notes(bound)}
  ${parts(view)} ${columns(view)} ${meaning(view)}`;
}

function words({ report, bound }: AnswerView): TemplateResult {
  const mine = whole(bound);
  const worst = promised(report);
  const better = mine < worst;
  return html`<p class="lead" part="sentence">
      Whoever sees ${seen(report)} can be at most
      <strong class="mine">${times(mine)} times</strong> surer about you than before, with
      probability ${surely(bound.rho)}.
    </p>
    <p>
      ${
        better
          ? html`The worst case promised to everyone is <strong>${times(worst)} times</strong>.`
          : html`That is no better than the worst case promised to everyone,
              <strong>${times(worst)} times</strong>: for your row this report says no more than the
              promise does.`
      }
      Whoever thought it an even chance that your row is in the data can think it at most
      <strong>${fromEven(mine)}</strong> likely
      now${better ? html`; by the worst case, ${fromEven(worst)}` : nothing}.
    </p>`;
}

/** What else stands in the release: the bound is on the model alone. */
function besides(report: PersonalReport): TemplateResult | typeof nothing {
  const text = notCounted(report);
  return text === "" ? nothing : html`<p class="note" part="note" id="besides">${text}</p>`;
}

/** Both bounds on one scale of nats. */
function picture({ report, bound }: AnswerView): TemplateResult {
  const mine = whole(bound);
  const worst = promised(report);
  const end = Math.max(mine, worst) * 1.02 || 1;
  const at = (loss: number) => `${Math.min(100, (100 * loss) / end)}%`;
  return html`<figure class="bound" part="picture">
    <div
      class="scale"
      role="img"
      aria-label=${`Your bound, ${times(mine)} times, beside the worst case, ${times(worst)} times.`}
    >
      <div class="whole" .style=${`inline-size: ${at(worst)}`}></div>
      <div class="own" .style=${`inline-size: ${at(mine)}`}></div>
      <div class="worst" .style=${`inset-inline-start: ${at(worst)}`}></div>
    </div>
    <figcaption>
      <span
        ><svg class="swatch own" width="11" height="11" aria-hidden="true">
          <rect width="11" height="11" rx="2" />
        </svg>
        yours, ×${times(mine)}</span
      >
      <span
        ><svg class="swatch everyone" width="11" height="11" aria-hidden="true">
          <rect width="11" height="11" rx="2" />
        </svg>
        promised to everyone, ×${times(worst)}</span
      >
    </figcaption>
  </figure>`;
}

/** How sure the bound is to be: a surer one is larger. */
function surety({ report, bound, proposed, choose }: AnswerView): TemplateResult {
  const chosen = (event: Event) => choose(Number((event.target as HTMLSelectElement).value));
  return html`<p class="sure" part="sure">
    <label for="sure">How sure should it be?</label>
    <select id="sure" autocomplete="off" aria-describedby="sure-hint" @change=${chosen}>
      ${levels(report, proposed).map((rho) => html`<option value=${rho} .selected=${rho === bound.rho}>${surely(rho)}${rho === report.worst.delta ? ", as sure as the promise" : rho === proposed ? ", as published" : nothing}</option>`)}
    </select>
    <span class="small soft" id="sure-hint">A surer bound is a larger one.</span>
  </p>`;
}

function notes({ notes: list }: PersonalBound): TemplateResult | typeof nothing {
  if (list.length === 0) return nothing;
  return html`<div class="note" part="note">
    <p>Not used as it was typed, but as the fit would have used it:</p>
    <ul>
      ${list.map((n) => html`<li><strong>${n.feature}</strong>: ${n.text}.</li>`)}
    </ul>
  </div>`;
}

/** Leverage, surprise, the output's noise, and the report’s own releases. */
function parts({ report, bound, schema, fields }: AnswerView): TemplateResult {
  const end = Math.max(bound.leverage, bound.surprise, bound.output, bound.report, 1e-9);
  const label = own(fields, schema.label.name)?.trim() ?? "";
  const rows: readonly (readonly [name: string, loss: number, about: string])[] = [
    [
      "Surprise",
      bound.surprise,
      `How badly the model predicts you. ${expectation(bound.expected, schema.label.name, label)}`,
    ],
    [
      "Leverage",
      bound.leverage,
      "How far a row like yours could pull the fit towards itself. Unusual rows pull more.",
    ],
    ["Final noise", bound.output, "What the noise added to the result at the end does not hide."],
    ...(report.cost
      ? [["The report itself", bound.report, "It was made from the data, too."] as const]
      : []),
  ];
  return html`<p class="heading">What it is made of</p>
    <p class="small soft">Each part alone, as the most that it can add.</p>
    <ul class="parts" part="parts">
      ${rows.map(
        ([name, loss, about]) =>
          html`<li>
            <span class="name">${name}</span><span class="number">×${times(loss)}</span>
            <span class="meter" aria-hidden="true"
              ><span .style=${`inline-size: ${(100 * loss) / end}%`}></span
            ></span>
            <span class="small soft about">${about}</span>
          </li>`,
      )}
    </ul>`;
}

/** What it would be if one column alone were different. */
function columns({ bound, moves, report, fields }: AnswerView): TemplateResult | typeof nothing {
  if (moves.length === 0) return nothing;
  const list = movers(moves, bound);
  const end = Math.max(bound.largest, ...list.map((m) => m.most.bound), 1e-9) * 1.02;
  const at = (loss: number) => `${(100 * loss) / end}%`;
  const value = (text: string) => (text === "" ? "missing" : text);
  return html`<p class="heading">What it depends on</p>
    ${
      list.length === 0
        ? html`<p>No column alone would move it by much.</p>`
        : html`<p class="small soft">
              Your bound${report.cost ? " on the model" : ""}, ×${times(bound.largest)}, if one
              column alone were different: the lowest and the highest of the values tried.
            </p>
            <table part="moves">
              <caption class="hidden">
                Columns, those that move the bound most first
              </caption>
              <thead>
                <tr>
                  <th scope="col">Column</th>
                  <th scope="col" class="span-cell"><span class="hidden">As a picture</span></th>
                  <th scope="col">lowest</th>
                  <th scope="col">highest</th>
                </tr>
              </thead>
              <tbody>
                ${list.slice(0, 12).map(
                  (m) =>
                    html`<tr>
                      <th scope="row">
                        ${m.name}${m.label ? html` <span class="soft">(predicted)</span>` : nothing}<span
                          class="small soft yours"
                          >yours: ${value(own(fields, m.name)?.trim() ?? "")}</span
                        >
                      </th>
                      <td class="span-cell" aria-hidden="true">
                        <span class="span"
                          ><span
                            class="reach"
                            .style=${`inset-inline-start: ${at(m.least.bound)}; inline-size: ${at(m.most.bound - m.least.bound)}`}
                          ></span
                          ><span
                            class="dot"
                            .style=${`inset-inline-start: ${at(bound.largest)}`}
                          ></span
                        ></span>
                      </td>
                      <td>
                        ×${times(m.least.bound)}
                        <span class="small soft at">at ${value(m.least.value)}</span>
                      </td>
                      <td>
                        ×${times(m.most.bound)}
                        <span class="small soft at">at ${value(m.most.value)}</span>
                      </td>
                    </tr>`,
                )}
              </tbody>
            </table>
            ${list.length > 12 ? html`<p class="small soft">And ${list.length - 12} more that move it less.</p>` : nothing}`
    }`;
}

function meaning({ report, bound, choice }: AnswerView): TemplateResult {
  const { epsilon, delta, covers } = report.worst;
  return html`<details part="meaning">
    <summary>What this number is, and what it is not</summary>
    <ul>
      <li>
        “Surer” is about whether your row was in the data, and about anything that could be learnt
        from that. The odds change by at most that factor, up or down.
      </li>
      <li>
        It counts what was lost by ${seen(report)} alone. Anything else released from the same data
        adds to it. It holds whether your row was in the data or not.
      </li>
      <li>
        It is an upper bound, not the loss itself, which nobody can know without the data. It fails
        with probability at most ${readableBound(bound.rho)}, ${forWhom(bound.people)}.
      </li>
      <li>
        It assumes that the numbers
        ${report.cost ? "in the release and in its report" : "in the release"} really came from the
        data and the noise. That is the word of whoever published them: no file can show it.
      </li>
      <li>
        It is about the row as you typed it. If you were in the data, type your own row. For another
        row it says what another person lost.
      </li>
      ${bound.people === 0 ? nothing : html`<li>It holds for a row that existed before the result, not for one that is made up after seeing it.</li>`}
      <li>
        The promise to everyone is (ε = ${readableBound(epsilon)}, δ =
        ${readableBound(delta)})-differential privacy${withReport(report)}. It was made before
        anything was released, and does not depend on anybody’s row. It is not certain either: δ
        bounds what it leaves open.${covers ? nothing : " It leaves out what is said above."}
      </li>
      <li>How the model was chosen: ${choiceWords(choice)}</li>
    </ul>
  </details>`;
}
