// The page of the papers' comparisons says what its file says.

import assert from "node:assert/strict";
import { test } from "node:test";
import { binomial, parse, reproduced, standings } from "../../docs/build/reproduced.mjs";

const made = `command,commit,day,runs,paths,hours
make reproduce,0123456789,2026-11-27,1234,0,2.5

set,title,about,fitted,tested,commoner
adult,Adult,"Census ""income"", 104 columns.",36177,9045,75.23

method,name,standing,what
amp,"AMP, our default",private,"By Redberg, Koskela & Wang."
dpgd-momentum,"DP-GD, momentum, grid (dishonest)",dishonest,The best of a grid.
plain,No privacy,not private,Nothing's added.

set,method,epsilon,trials,accuracy,half
adult,amp,0.1,10,82.00,0.26
adult,amp,1,1,83.00,
adult,dpgd-momentum,0.1,10,81.00,0.10
adult,dpgd-momentum,1,10,83.50,0.10
adult,plain,,10,85.00,0.20

set,rival,epsilon,trials,lead,half,elsewhere,elsewhere_half
adult,dpgd-momentum,0.1,10,1.00,0.10,1.10,0.20
adult,dpgd-momentum,1,1,-0.50,,,

set,method,epsilon,trials,paper,ours,half,where,verdict
adult,amp,0.1,10,81.37,82.00,0.26,Table 2,not reproduced: more than the ±0.31 points that may be

set,epsilon,repetitions,schedule,paper,ours,steps,least,verdict
adult,20,9,adaptive,0.5087,0.5085,40,0.5080,reproduced

claim,verdict,detail
All of it,not run,smallest lead -0.50
Some of it,does not hold,on 0 of 1
`;

test("the file's sections, with quotation marks and numbers that are not known", () => {
  const { sets, scores, methods } = parse(made);
  assert.equal(sets[0].about, 'Census "income", 104 columns.');
  assert.equal(methods[2].what, "Nothing’s added.");
  assert.deepEqual(scores[1], {
    set: "adult",
    method: "amp",
    epsilon: 1,
    trials: 1,
    accuracy: 83,
    half: undefined,
  });
});

test("a standing counts leads; those picked elsewhere only if each is there", () => {
  const [{ least, ...line }, ...more] = standings(parse(made).leads);
  assert.deepEqual(more, []);
  assert.deepEqual(line, {
    set: "adult",
    rival: "dpgd-momentum",
    trials: "1 to 10",
    of: 2,
    ahead: 1,
    elsewhere: undefined,
    mean: 0.25,
  });
  assert.equal(least.epsilon, 1);
});

test("one trial has the error of its test records alone, in parentheses", () => {
  assert.ok(Math.abs(binomial(83, 9045) - 196 * Math.sqrt((0.83 * 0.17) / 9045)) < 1e-12);
  const { numbers, panels } = reproduced(made);
  assert.match(numbers, /<td>1 to 10<\/td><td>82\.0 ± 0\.3<\/td><td>83\.0 \(± 0\.8\)<\/td>/);
  assert.match(
    panels,
    /aria-label="Adult, % right\. ε = 0\.1: AMP, our default 82\.0, DP-GD, momentum, grid \(dishonest\) 81\.0; ε = 1: .*; the commoner label 75\.2, not private 85\.0\."/,
  );
  assert.equal(panels.match(/class="usual bar"/g).length, 1);
});

test("verdicts, and what made them", () => {
  const parts = reproduced(made);
  assert.match(
    parts.published,
    /\| 81\.37 \| 82\.00\u00a0±\u00a00\.26 \| \+0\.63 \| not reproduced \(±0\.31\) \|/,
  );
  assert.match(parts.claims, /\| All of it \| open \| smallest lead −0\.50 \|/);
  assert.match(parts.claims, /\| Some of it \| \*\*does not hold\*\* \|/);
  assert.match(parts.fay, /medians of 9 descents/);
  assert.match(parts.methods, /Koskela &amp; Wang/);
  assert.equal(parts.made, "`make reproduce` at commit `0123456789`, up to 2026-11-27");
  assert.equal(parts.runs, "1,234 fits and 0 descents");
});

test("the file that is there has no number that is none", () => {
  for (const part of Object.values(reproduced()))
    assert.doesNotMatch(part, /NaN|undefined|Infinity/);
});
