// Numbers as people read them. Nothing here is used in arithmetic.

import { format } from "d3-format";

const nbsp = "\u00a0";
const superscripts = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const three = format(".3~r");
const grouped = format(",.0f");

/** An exponent as superscript text: −5 becomes "⁻⁵". */
export function superscript(n: number): string {
  const digits = String(Math.abs(Math.trunc(n)))
    .split("")
    .map((d) => superscripts[Number(d)])
    .join("");
  return n < 0 ? `⁻${digits}` : digits;
}

/** Ten to a whole power, for axis labels: "10⁻⁵", and "1" for the zeroth. */
export function powerOfTen(exponent: number): string {
  if (exponent === 0) return "1";
  return `10${superscript(exponent)}`;
}

/**
 * A number in running text: three significant digits, a true minus sign, powers of ten when it is
 * very small or large.
 */
export function readable(x: number): string {
  if (Number.isNaN(x)) return "not a number";
  if (x === Infinity) return "∞";
  if (x === -Infinity) return "−∞";
  if (x === 0) return "0";
  const size = Math.abs(x);
  const sign = x < 0 ? "−" : "";
  if (size >= 1e6 || size < 1e-3) return sign + scientific(Math.log10(size));
  if (size >= 1000) return sign + grouped(size);
  return sign + three(size);
}

/**
 * A parameter beside its symbol: with all its digits if those are six at most, else cut, with an
 * ellipsis. A rounded one would have another price.
 */
export function parameterText(x: number): string {
  if (!Number.isFinite(x) || x === 0) return readable(x);
  // Fifteen digits: beyond them a quotient of short numbers has an error of its own.
  const [all = "", power] = Number(x.toPrecision(15)).toExponential().split("e");
  const exponent = Number(power);
  const scaled = exponent < -3 || exponent >= 6;
  const whole = scaled ? 0 : exponent;
  const digits = all.replace(/[-.]/g, "");
  const kept = digits.length <= 6 ? digits : digits.slice(0, Math.max(4, whole + 1));
  const places = Math.max(0, kept.length - 1 - whole);
  const cut = Number(`${kept}e${whole - kept.length + 1}`);
  const written = (x < 0 ? "−" : "") + format(`,.${places}f`)(cut) + (kept === digits ? "" : "…");
  if (!scaled) return written;
  return digits === "1" && x > 0
    ? powerOfTen(exponent)
    : `${written}${nbsp}×${nbsp}${powerOfTen(exponent)}`;
}

/**
 * 10^log10 as "2.1 × 10⁻⁵", from the logarithm so that values below the smallest float are still
 * shown.
 */
export function scientific(log10: number): string {
  if (Number.isNaN(log10)) return "not a number";
  if (log10 === Infinity) return "∞";
  if (log10 === -Infinity) return "0";
  let exponent = Math.floor(log10);
  let mantissa = Number((10 ** (log10 - exponent)).toPrecision(3));
  if (mantissa >= 10) {
    mantissa /= 10;
    exponent += 1;
  }
  const power = powerOfTen(exponent);
  if (mantissa === 1) return power === "1" ? "1" : power;
  return exponent === 0 ? three(mantissa) : `${three(mantissa)}${nbsp}×${nbsp}${power}`;
}

/** A probability from its natural logarithm: "0.42", "2.1 × 10⁻⁵"; at most 1. */
export function probability(logP: number): string {
  if (logP >= 0) return "1";
  const p = Math.exp(logP);
  return p >= 1e-3 ? three(p) : scientific(logP / Math.LN10);
}

/** As {@link probability}, and never less than it is. */
export function probabilityBound(logP: number): string {
  const p = Math.exp(Math.min(0, logP));
  // Three digits take off less than half a hundredth.
  return p > 1e-300 ? readableBound(p) : scientific(logP / Math.LN10 + 0.0022);
}

/** A share as a percentage with sensible digits: "2.7 %", "99.97 %", "0.013 %". */
export function percent(share: number): string {
  if (Number.isNaN(share)) return "not a number";
  const p = share * 100;
  if (p === 0 || p === 100) return `${p}${nbsp}%`;
  if (p > 99.995) return `>${nbsp}99.99${nbsp}%`;
  if (p > 99) return `${p.toFixed(2)}${nbsp}%`;
  if (p >= 10) return `${p.toFixed(p % 1 < 0.05 || p % 1 > 0.95 ? 0 : 1)}${nbsp}%`;
  if (p >= 0.001) return `${format(".2~r")(p)}${nbsp}%`;
  return `${scientific(Math.log10(p))}${nbsp}%`;
}

/**
 * Up to so many significant digits: for what is said to be a bound, and must stay one when it is
 * written.
 */
export function roundedUp(x: number, digits: number): number {
  if (!(x > 0) || x === Infinity) return x;
  const unit = 10 ** (Math.floor(Math.log10(x)) + 1 - digits);
  return Number((Math.ceil(x / unit - 1e-9) * unit).toPrecision(digits));
}

/**
 * As {@link readable}, and never less than it is: for whatever is promised at most, such as an ε or
 * a δ.
 */
export const readableBound = (x: number): string =>
  readable(x >= 1000 && x < 1e6 ? Math.ceil(x - 1e-9) : roundedUp(x, 3));

/**
 * As {@link readable}, and never more than it is: for what is left of a promise, which nobody may
 * count on beyond that.
 */
export function readableLeast(x: number): string {
  if (!(x > 0) || x === Infinity) return readable(x);
  const unit = x >= 1000 && x < 1e6 ? 1 : 10 ** (Math.floor(Math.log10(x)) - 2);
  return readable(Number((Math.floor(x / unit + 1e-9) * unit).toPrecision(unit === 1 ? 6 : 3)));
}

/** As {@link percent}, and never less than it is. */
export const percentBound = (share: number): string =>
  percent(Math.min(1, roundedUp(share, share < 0.1 ? 2 : share > 0.99 ? 4 : 3)));

/** As {@link percent}, and never more than it is. */
export function percentLeast(share: number): string {
  const unit = share > 0.99 ? 1e-4 : 10 ** Math.min(-3, Math.floor(Math.log10(share)) - 1);
  const least = Number((Math.floor(share / unit + 1e-9) * unit).toPrecision(4));
  return percent(share > 0 ? least : share);
}

/**
 * How sure that is which fails with a probability, as a percentage that is never more than it is:
 * "95 %", "99.999 %".
 */
export function surely(rho: number): string {
  const unit = 10 ** Math.max(0, Math.ceil(-Math.log10(rho)) - 1);
  return `${Math.floor((1 - rho) * 100 * unit + 1e-6) / unit}${nbsp}%`;
}

/** A coefficient: fixed significant digits with a true sign, so that columns of them line up. */
export function signed(x: number): string {
  if (x === 0) return "0";
  const size = Math.abs(x);
  const body = size >= 1e5 || size < 1e-4 ? scientific(Math.log10(size)) : format(".3r")(size);
  return (x < 0 ? "−" : "+") + body;
}

/** A whole number with thin grouping, such as a count of rows: "36,177". */
export function count(n: number): string {
  return grouped(n);
}

/** Bytes as people read them. */
export function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  if (bytes < 999_500) return `${Math.round(bytes / 1000)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
