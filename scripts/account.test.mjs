// scripts/account.mjs from end to end: the same binary and client as pages use.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";

const script = fileURLToPath(new URL("account.mjs", import.meta.url));

function account(...args) {
  const input = args.at(-1)?.input;
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [script, ...args.filter((a) => typeof a === "string")], (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }));
    child.stdin.end(input ?? "");
  });
}

async function ask(description) {
  const { code, stdout, stderr } = await account(JSON.stringify(description));
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

/** got is not below want, and within a relative 1e-9 of it: an upper bound as sharp as the closed form. */
function justAbove(got, want) {
  assert.ok(got >= want * (1 - 1e-12), `${got} is below ${want}`);
  assert.ok(got <= want * (1 + 1e-9), `${got} is far above ${want}`);
}

const gaussian = (sigma) => ({ mechanism: "gaussian", adjacency: "add-remove", sensitivity: 1, sigma });

// lambda = 1 is above R²/(ε + R²/(2σ²)) at ε = 1, so the price is that of one Gaussian mechanism (theory §4.3).
const objective = { mechanism: "objective-perturbation", adjacency: "add-remove", loss: "logistic", row_norm: 1, lipschitz: 1, smoothness: 0.25, lambda: 1, sigma: 3.7 };

test("the Gaussian mechanism costs what mpmath says", async () => {
  // Balle & Wang 2018 in 80 digits (sigma = 0.3).
  justAbove((await ask({ event: gaussian(0.3), delta: 1e-5 })).epsilon, 19.130767834361926);
  justAbove((await ask({ event: gaussian(0.3), delta: 1e-12 })).epsilon, 28.46726660254994);
  const { delta, log_delta } = await ask({ event: gaussian(0.3), epsilon: 0.1 });
  justAbove(delta, 0.8995500273101146);
  assert.ok(Math.abs(log_delta - -0.10586061033975745) < 1e-9);
});

test("objective perturbation costs no more than it must", async () => {
  // Theory §4.3 and §4.2 and §4.1 in mpmath.
  justAbove((await ask({ event: objective, epsilon: 1 })).delta, 1.145608783904888e-5);
  justAbove((await ask({ event: objective, epsilon: 0.5, bound: "logistic" })).delta, 0.005797456279897631);
  justAbove((await ask({ event: objective, epsilon: 1, bound: "signed" })).delta, 2.339071926311914e-4);
  justAbove((await ask({ event: objective, epsilon: 1, bound: "glm" })).delta, 4.678143852623828e-4);
});

test("a curve, and others beside it", async () => {
  const answer = await ask({ event: objective, curve: { from: 0, to: 2, points: 5 }, compare: ["profile", "rdp", "kifer", "gaussian-lower"] });
  assert.deepEqual(answer.curve.epsilon, [0, 0.5, 1, 1.5, 2]);
  assert.equal(answer.bound, "logistic");
  assert.match(answer.theorem, /\d/);
  justAbove(answer.curve.delta[2], 1.145608783904888e-5);
  const at = Object.fromEntries(answer.comparisons.map((c) => [c.name, c]));
  assert.equal(at["gaussian-lower"].side, "lower");
  for (let i = 0; i < 5; i++) {
    assert.ok(at["gaussian-lower"].log_delta[i] <= answer.curve.log_delta[i] + 1e-9);
    assert.ok(answer.curve.log_delta[i] <= at.profile.log_delta[i]);
    assert.ok(answer.curve.log_delta[i] <= at.rdp.log_delta[i]);
  }
  const listed = await ask({ event: gaussian(1), curve: [3, 1] });
  assert.deepEqual(listed.curve.epsilon, [3, 1]);
});

test("what does not apply is named, not drawn", async () => {
  const answer = await ask({ event: gaussian(1), curve: [1], compare: ["kifer", "gaussian-lower"] });
  assert.deepEqual(answer.comparisons.map((c) => c.name), ["gaussian-lower"]);
  assert.equal(answer.inapplicable[0].name, "kifer");
});

test("extreme asks are answered or refused, never NaN", async () => {
  assert.ok((await ask({ event: gaussian(1e-6), delta: 1e-300 })).epsilon > 1e11);
  const far = await ask({ event: gaussian(1), epsilon: 1000 });
  assert.equal(far.delta, 5e-324);
  assert.ok(far.log_delta < -490000);
  assert.equal((await ask({ event: objective, curve: [0.1], compare: ["kifer"] })).comparisons[0].log_delta[0] <= 0, true);
});

test("a wrong description is refused with the name of the field", async () => {
  const wrong = {
    "event.sigma": { event: gaussian(0), delta: 1e-5 },
    "event.adjacency": { event: { mechanism: "gaussian", sensitivity: 1, sigma: 1 }, delta: 1e-5 },
    "event.mechanism": { event: { mechanism: "magic", adjacency: "add-remove" }, delta: 1e-5 },
    "event.colour": { event: { ...gaussian(1), colour: "red" }, delta: 1e-5 },
    event: { delta: 1e-5 },
    bound: { event: objective, bound: "best", delta: 1e-5 },
    delta: { event: gaussian(1), delta: 0 },
    epsilon: { event: gaussian(1), epsilon: -1 },
    "curve.points": { event: gaussian(1), curve: { from: 0, to: 1, points: 1 } },
    "curve[1]": { event: gaussian(1), curve: [1, "two"] },
    "compare[0]": { event: gaussian(1), curve: [1], compare: ["best"] },
    compare: { event: gaussian(1), delta: 1e-5, compare: ["rdp"] },
    colour: { event: gaussian(1), delta: 1e-5, colour: "red" },
  };
  for (const [field, description] of Object.entries(wrong)) {
    const { code, stdout, stderr } = await account(JSON.stringify(description));
    assert.equal(code, 1, field);
    assert.equal(stdout, "");
    assert.ok(stderr.includes(field), `${field}: ${stderr}`);
    assert.ok(stderr.startsWith("Error (parameter): "), stderr);
  }
  const nothing = await account(JSON.stringify({ event: gaussian(1) }));
  assert.equal(nothing.code, 1);
  assert.match(nothing.stderr, /epsilon.*delta.*curve/);
});

test("the description comes from the line, a file or standard input", async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "account-"));
  t.after(() => rmSync(folder, { recursive: true }));
  const text = JSON.stringify({ event: gaussian(1), epsilon: 1 });
  const file = join(folder, "d.json");
  writeFileSync(file, text);
  const line = await account(text);
  assert.equal(line.code, 0);
  assert.deepEqual(await account("--file", file), line);
  assert.deepEqual(await account("-", { input: text }), line);
});

test("usage", async () => {
  const help = await account("--help");
  assert.equal(help.code, 0);
  assert.match(help.stdout, /^Usage: node scripts\/account\.mjs/);
  for (const args of [[], ["{}", "{}"], ["--colour", "{}"]]) {
    const { code, stdout, stderr } = await account(...args);
    assert.equal(code, 2);
    assert.equal(stdout, "");
    assert.match(stderr, /--help/);
  }
  const broken = await account("{");
  assert.equal(broken.code, 1);
  assert.match(broken.stderr, /not JSON/);
  assert.equal((await account("--file", "/none/of/this")).code, 1);
});
