import { html, nothing, type TemplateResult } from "lit/html.js";
import { ref } from "lit/directives/ref.js";

import type { AttackPlan, AttackResult } from "../../../../client/types.ts";
import { count, percent, readable, readableBound } from "../../../../chart/numbers.ts";
import { radios } from "../../../shell/field.ts";
import { problemNotice } from "../../../shell/notice.ts";
import { leftWords } from "../../../shell/pace.ts";
import { section } from "../../../shell/section.ts";
import type { Result } from "../../state/state.ts";
import { drawing } from "./chart.ts";
import { type Attacked, type LiveAudit, type Target, workers } from "./live-audit.ts";
import { planOf } from "./plan-of.ts";
import { shareWords } from "./words.ts";

/** "Attack it yourself": folded, below what was spent. */
export function attackPanel(audit: LiveAudit, result: Result): TemplateResult {
  return section(
    "attack",
    "Attack it yourself",
    planOf(result) ? open(audit, result) : result.asked ? chosen : unknown,
  );
}

const unknown = html`<p class="small">
  This model was made in an earlier visit, and how it was asked for was not kept. Models that are
  fitted now can be attacked.
</p>`;

const chosen = html`<p class="small">
  The rows chose this model’s setting, by several fits and a noisy score. An attack here is on one
  fit, so there is none of this model.
</p>`;

function open(audit: LiveAudit, result: Result): TemplateResult {
  const attacked = audit.of(result);
  const { target, phase, plan, found } = attacked;
  const working = phase === "planning" || phase === "running";
  const shown = found[target];
  return html`
    <p class="small">
      Is the model as private as it says? Let this machine try to find out. It makes up two tables
      of people who never lived. They differ by one person. It then runs this very fit, with its
      settings and fresh noise, thousands of times on one table or the other, and tries to tell from
      the coefficients which table it was. The promise limits how often that may succeed.
    </p>
    <p class="small">
      <strong>Your data is not part of it.</strong> The attack costs no privacy, and you can go on
      working meanwhile.
    </p>
    <form
      @submit=${(e: Event) => {
        e.preventDefault();
        void audit.attack(result);
      }}
    >
      ${radios({
        name: "attack-target",
        legend: "What shall it attack?",
        value: target,
        choices: [
          {
            value: "shipped",
            id: "attack-shipped",
            label: html`<strong>The fit as it is.</strong>
              <span class="soft">The attack should find nothing.</span>`,
          },
          {
            value: "less",
            id: "attack-less",
            label: html`<strong>A broken fit, with ${shareWords(plan?.suspect ?? 0.5)}.</strong>
              <span class="soft"
                >Nobody gets this one. It is there to show that the attack would notice.</span
              >`,
          },
        ],
        choose: (value) => audit.choose(result, value as Target),
      })}
      ${plan && plan.suspect < 0.5 ? limits(plan) : nothing}
      ${
        working
          ? underWay(attacked, () => audit.cancel())
          : html`<p class="actions">
              <button class="button" type="submit" id="attack-start">
                ${shown ? "Attack again" : "Attack"}
              </button>
              <span class="small soft">${plan ? takes(plan) : "about a minute"}</span>
            </p>`
      }
    </form>
    ${attacked.problem && phase === "failed" ? problemNotice(attacked.problem, { id: "attack-failed" }) : nothing}
    ${phase === "cancelled" ? html`<p class="small" id="attack-cancelled">The attack was cancelled. An attack that is stopped half-way says nothing.</p>` : nothing}
    ${shown && !working ? verdict(shown, target, plan!) : nothing}
  `;
}

/** Why the broken fit has less than half of the noise. */
function limits(plan: AttackPlan): TemplateResult {
  return html`<p class="small" id="attack-limits">
    Half of the noise could not be told from all of it within a minute here: this fit was proved
    private with room to spare, or little is promised to begin with. So the broken fit has
    ${shareWords(plan.suspect)}.
  </p>`;
}

const takes = ({ rounds, milliseconds }: AttackPlan): string =>
  `${count(rounds)} runs, ${leftWords(Math.max(3, milliseconds / 1000 / workers())).replace(" left", "")}`;

function underWay({ phase, fraction, left }: Attacked, cancel: () => void): TemplateResult {
  const more = leftWords(left);
  return html`<div class="progress">
    <label for="attack-progress"
      >${phase === "planning" ? "Looking for the best way to attack" : "Attacking"}${more ? html`<span class="soft">, ${more}</span>` : nothing}</label
    >
    ${
      phase === "planning"
        ? html`<progress id="attack-progress"></progress>`
        : html`<progress id="attack-progress" max="1" .value=${fraction}></progress>`
    }
    <button class="button button-quiet" type="button" @click=${cancel}>Cancel</button>
  </div>`;
}

function verdict(found: AttackResult, target: Target, plan: AttackPlan): TemplateResult {
  return html`<div class="attack-found" data-broken=${String(found.broken)}>
    <p id="attack-says"><strong>${headline(found, target)}</strong> ${sign(found)}</p>
    ${chart(found)} ${meaning(found, target, plan)}
  </div>`;
}

function headline({ broken, rounds }: AttackResult, target: Target): string {
  const runs = `${count(rounds)} runs`;
  if (target === "less")
    return broken
      ? `The broken fit was found out, by ${runs}.`
      : `The broken fit was not found out this time, by ${runs}.`;
  return broken ? `The promise does not hold, say ${runs}.` : `No fault was found in ${runs}.`;
}

/** The one number that counts most, in words. */
function sign({ sign: { of, share, elsewhere, allowed } }: AttackResult): TemplateResult {
  const [mine, other] =
    of === "with" ? ["with that person", "without them"] : ["without that person", "with them"];
  return html`The sign that tells the tables apart best was seen in ${percent(share)} of the fits
  ${mine}, and in ${percent(elsewhere)} of those ${other}. By the promise it may be seen in
  ${percent(allowed)} of the fits ${mine}, but for chance.`;
}

function meaning(
  { broken, falseAlarm }: AttackResult,
  target: Target,
  plan: AttackPlan,
): TemplateResult {
  const wrong = `one attack in ${count(Math.round(1 / falseAlarm))}`;
  if (target === "shipped" && broken)
    return html`<p class="small">
      A fit that keeps its promise is accused like this in fewer than ${wrong}. Do not publish the
      model. Attack it again, and if the attack finds the fault again, tell the authors.
    </p>`;
  return html`<p class="small">
    ${
      target === "shipped"
        ? html`This proves nothing: an attack can only find faults, and another one might find one.
          That the model is private is proved, by the theorem below. What this attack would have
          noticed is ${shareWords(plan.suspect)}, in more than 99 of 100 tries.`
        : broken
          ? html`That is what the attack is good for. A fit that keeps its promise is accused like
            this in fewer than ${wrong}.`
          : "That happens less than once in 100 tries. Attack again."
    }
  </p>`;
}

function chart(found: AttackResult): TemplateResult {
  // Some in between, and where the attack aims.
  const rows = found.points.filter(
    ({ epsilon }, i) => i % 8 === 0 || epsilon === found.sign.epsilon,
  );
  return html`<figure class="attack-chart">
    <svg
      role="img"
      aria-label="Privacy curves: promised, and measured by the attack. The table below has the numbers."
      ${ref((svg) => svg && drawing(svg as SVGSVGElement, found))}
    ></svg>
    <figcaption class="attack-legend small">
      <span><i class="attack-key attack-promised"></i> promised: δ is below this line</span>
      <span><i class="attack-key attack-seen"></i> measured by the attack</span>
      <span><i class="attack-key attack-band"></i> its confidence band</span>
    </figcaption>
    <p class="small soft">
      The promise is broken where the whole band lies above the promised line. A measured line that
      lies above it by a little is chance. Where no measured line is drawn, the attack saw nothing.
    </p>
    <details>
      <summary class="small">The same in numbers</summary>
      <div class="scroll" role="region" tabindex="0" aria-label="Curves in numbers">
        <table class="plain">
          <thead>
            <tr>
              <th scope="col" class="number">ε</th>
              <th scope="col" class="number">δ promised</th>
              <th scope="col" class="number">measured</th>
              <th scope="col" class="number">at least</th>
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (p) =>
                html`<tr>
                  <td class="number">${readableBound(p.epsilon)}</td>
                  <td class="number">${readableBound(p.promised)}</td>
                  <td class="number">${readable(p.seen)}</td>
                  <td class="number">
                    ${p.lower > p.promised ? html`<strong>broken:</strong> ` : nothing}${readable(p.lower)}
                  </td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`;
}
