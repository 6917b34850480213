// scripts/account.mjs from end to end: the same binary and client as pages use.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import test from "node:test";
import { fileURLToPath } from "node:url";
import { objective } from "../site/test/client/sample.mjs";

const script = fileURLToPath(new URL("account.mjs", import.meta.url));

function account(...args) {
  const input = args.at(-1)?.input;
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [script, ...args.filter((a) => typeof a === "string")],
      (error, stdout, stderr) => resolve({ code: error?.code ?? 0, stdout, stderr }),
    );
    child.stdin.end(input ?? "");
  });
}

async function ask(description) {
  const { code, stdout, stderr } = await account(JSON.stringify(description));
  assert.equal(code, 0, stderr);
  assert.equal(stderr, "");
  return JSON.parse(stdout);
}

/**
 * got is not below want, and within a relative 1e-9 of it: an upper bound as sharp as the closed
 * form.
 */
function justAbove(got, want) {
  assert.ok(got >= want * (1 - 1e-12), `${got} is below ${want}`);
  assert.ok(got <= want * (1 + 1e-9), `${got} is far above ${want}`);
}

const gaussian = (sigma) => ({
  mechanism: "gaussian",
  adjacency: "add-remove",
  sensitivity: 1,
  sigma,
});

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
  justAbove(
    (await ask({ event: objective, epsilon: 0.5, bound: "logistic" })).delta,
    0.005797456279897631,
  );
  justAbove(
    (await ask({ event: objective, epsilon: 1, bound: "signed" })).delta,
    2.339071926311914e-4,
  );
  justAbove(
    (await ask({ event: objective, epsilon: 1, bound: "glm" })).delta,
    4.678143852623828e-4,
  );
});

test("a curve, and others beside it", async () => {
  const answer = await ask({
    event: objective,
    curve: { from: 0, to: 2, points: 5 },
    compare: ["profile", "rdp", "kifer", "gaussian-lower"],
  });
  assert.deepEqual(answer.curve.epsilon, [0, 0.5, 1, 1.5, 2]);
  assert.equal(answer.bound, "control");
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
  const answer = await ask({
    event: gaussian(1),
    curve: [1],
    compare: ["kifer", "gaussian-lower"],
  });
  assert.deepEqual(
    answer.comparisons.map((c) => c.name),
    ["gaussian-lower"],
  );
  assert.equal(answer.inapplicable[0].name, "kifer");
});

test("extreme asks are answered or refused, never NaN", async () => {
  assert.ok((await ask({ event: gaussian(1e-6), delta: 1e-300 })).epsilon > 1e11);
  const far = await ask({ event: gaussian(1), epsilon: 1000 });
  assert.equal(far.delta, 5e-324);
  assert.ok(far.log_delta < -490000);
  assert.equal(
    (await ask({ event: objective, curve: [0.1], compare: ["kifer"] })).comparisons[0]
      .log_delta[0] <= 0,
    true,
  );
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

const descent = {
  mechanism: "subsampled-gaussian",
  adjacency: "add-remove",
  rate: 0.01,
  noise_multiplier: 1,
  steps: 10000,
};

test("DP-SGD is priced between certified ends", async () => {
  // Exact inversion along two contours.
  const want = 6.187712389971538;
  const { method, epsilon, epsilon_lower } = await ask({ event: descent, delta: 1e-5 });
  assert.equal(method, "pld");
  assert.ok(epsilon_lower <= want && want <= epsilon, `${epsilon_lower} ${epsilon}`);
  assert.ok(epsilon - epsilon_lower <= 0.005 * want);
  const sharp = await ask({ method: "pld", event: descent, delta: 1e-5, accuracy: 1e-4 });
  assert.ok(sharp.epsilon - sharp.epsilon_lower <= 0.0005 * want);
  const { estimated_epsilon } = await ask({ method: "estimate", event: descent, delta: 1e-5 });
  assert.ok(Math.abs(estimated_epsilon - want) <= 1e-3 * want);
});

test("a Rényi curve has both directions", async () => {
  // One step at orders 1.5, 8 and 32, by mpmath.
  const { renyi } = await ask({
    method: "rdp",
    event: { ...descent, steps: 1 },
    orders: [1.5, 8, 32],
  });
  assert.deepEqual(renyi.order, [1.5, 8, 32]);
  [0.00012725374332744983, 0.0008936439076060318, 11.246275937048068].forEach((want, i) => {
    assert.ok(Math.abs(renyi.added[i] - want) <= 1e-8 * want);
    assert.ok(renyi.removed[i] <= renyi.added[i] * (1 + 1e-9));
  });
});

test("all methods side by side", async () => {
  const { closed, rdp, lower, upper, of } = await ask({
    method: "check",
    event: gaussian(1),
    delta: 1e-5,
  });
  assert.equal(of, "epsilon");
  for (const bound of [closed, rdp, upper]) assert.ok(bound >= lower - 1e-11);
});

test("private selection on (ε, δ), of candidates that DP-SGD trains", async () => {
  // Liu & Talwar 2019, Theorem 3.4, by hand: what one run has, at the δ that leaves 5e-7 for the
  // runs; T = ⌈20·log(2e6)⌉ = 291.
  const cutoff = 5e-7;
  const delta = (cutoff / 291) ** 2 / 2;
  const run = await ask({ event: { ...descent, noise_multiplier: 2, steps: 100 }, delta });
  const event = {
    mechanism: "liu-talwar-selection",
    adjacency: "add-remove",
    base: { mechanism: "approximate-dp", adjacency: "add-remove", epsilon: run.epsilon, delta },
    tau: 0.05,
    cutoff,
  };
  const chosen = await ask({ event, delta: 1.0001e-6 });
  assert.ok(
    Math.abs(chosen.epsilon - (3 * run.epsilon + 3 * Math.sqrt(2 * delta))) < 1e-6,
    String(chosen.epsilon),
  );
  assert.match(chosen.theorem, /Liu & Talwar 2019, Theorem 3\.4/);
  // Beside other events, in a filter, and the other way round.
  const twice = await ask({
    event: {
      mechanism: "composition",
      adjacency: "add-remove",
      parts: [{ event, count: 2 }, { event: gaussian(20) }],
    },
    delta: 1e-5,
  });
  assert.ok(twice.epsilon > chosen.epsilon && twice.epsilon < 2.5 * chosen.epsilon + 0.3);
  const { affords } = await ask({
    method: "filter",
    budget: { adjacency: "add-remove", epsilon: 4, delta: 1e-5 },
    mass: 2e-6,
    charged: [{ event }],
    candidate: { event: gaussian(20) },
  });
  assert.equal(affords, true);
  const { value } = await ask({
    method: "calibrate",
    event,
    parameter: "base.epsilon",
    epsilon: 1,
    delta: 1.0001e-6,
  });
  assert.ok(Math.abs(value - (1 - 3 * Math.sqrt(2 * delta)) / 3) < 1e-6, String(value));
});

test("calibration is on the safe side, to four digits", async () => {
  // Exact inversion, root to 1e-12.
  const want = 0.8135844674425206;
  const { noise_multiplier, ...template } = { ...descent, steps: 1000 };
  const { value, event, guarantee, delta } = await ask({
    method: "calibrate",
    event: template,
    parameter: "noise_multiplier",
    epsilon: 3,
    delta: 1e-5,
  });
  assert.ok(value >= want && value <= want * 1.0001, String(value));
  assert.equal(event.noise_multiplier, value);
  assert.equal(guarantee.epsilon, 3);
  assert.ok(delta <= 1e-5);
});

test("a filter affords what fits, and an odometer tells what was spent", async () => {
  const budget = { adjacency: "add-remove", epsilon: 1, delta: 1e-6 };
  const charge = { event: gaussian(10), count: 3 };
  const first = await ask({ method: "filter", budget, charged: [], candidate: charge });
  assert.equal(first.affords, true);
  const second = await ask({
    method: "filter",
    budget,
    charged: [charge],
    candidate: { ...charge, count: 30 },
  });
  assert.equal(second.affords, false);
  assert.equal(second.epsilon, first.epsilon_after);
  assert.ok(
    (await ask({ method: "odometer", adjacency: "add-remove", delta: 1e-6, charged: [charge] }))
      .epsilon >= first.epsilon_after,
  );
});

test("wrong questions of every kind name the field", async () => {
  const budget = { adjacency: "add-remove", epsilon: 1, delta: 1e-6 };
  for (const [field, description] of [
    ["method", { method: "best", event: descent, delta: 1e-5 }],
    ["event.rate", { event: { ...descent, rate: 2 }, delta: 1e-5 }],
    ["event.mechanism", { method: "closed", event: descent, delta: 1e-5 }],
    ["accuracy", { event: descent, delta: 1e-5, accuracy: 7 }],
    ["orders[0]", { method: "rdp", event: descent, orders: [0] }],
    ["compare", { method: "estimate", event: descent, delta: 1e-5, compare: ["rdp"] }],
    ["epsilon", { method: "check", event: descent, delta: 1e-5, epsilon: 1 }],
    [
      "parameter",
      { method: "calibrate", event: descent, parameter: "colour", epsilon: 1, delta: 1e-5 },
    ],
    ["budget.epsilon", { method: "filter", budget: { ...budget, epsilon: 0 }, charged: [] }],
    ["charged[0].event.sigma", { method: "filter", budget, charged: [{ event: gaussian(-1) }] }],
    ["adjacency", { method: "odometer", delta: 1e-6, charged: [] }],
  ]) {
    const { code, stderr } = await account(JSON.stringify(description));
    assert.equal(code, 1, field);
    assert.ok(stderr.includes(field), `${field}: ${stderr}`);
  }
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

test("the README's examples answer what it says", async () => {
  const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");
  const examples = [...readme.matchAll(/^node scripts\/account\.mjs '(.+)'\n(?:#=> (.+)\n)?/gm)];
  assert.ok(examples.filter(([, , said]) => said).length >= 4);
  for (const [, description, said] of examples) {
    const answer = await ask(JSON.parse(description));
    for (const claim of (said ?? "").split(", ").filter(Boolean)) {
      const [name, value] = claim.split(" ");
      if (value === "true" || value === "false") assert.equal(String(answer[name]), value, claim);
      else
        assert.ok(
          Math.abs(answer[name] - value) <= 1e-3 * Math.abs(value),
          `${claim}, but it is ${answer[name]}`,
        );
    }
  }
});

test("a description that says something twice is not answered by one of the two", async () => {
  const text = JSON.stringify({ event: gaussian(1), epsilon: 1 });
  for (const [twice, path] of [
    [text.replace('"sigma":', '"sigma":50,"sigma":'), "event.sigma"],
    [text.replace('"epsilon":', '"\\u0065psilon":5,"epsilon":'), "epsilon"],
    [
      '{"format": "cloister-release", "guarantee": {"epsilon": 9, "epsilon": 1}}',
      "guarantee.epsilon",
    ],
  ]) {
    const { code, stdout, stderr } = await account(twice);
    assert.deepEqual([code, stdout], [1, ""], twice);
    assert.match(stderr, new RegExp(`says ${path.replace(".", "\\.")} twice`));
  }
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

test("the help has an example of every mechanism that is read", async () => {
  const { stdout: help } = await account("--help");
  const codec = readFileSync(new URL("../core/privacy/codec.go", import.meta.url), "utf8");
  const names = [...codec.matchAll(/^\tcase "([\w-]+)":$/gm)].map(([, name]) => name);
  assert.ok(names.length >= 16);
  for (const name of names) {
    assert.ok(help.includes(`"mechanism": "${name}"`), `--help has no example of ${name}`);
  }
});
