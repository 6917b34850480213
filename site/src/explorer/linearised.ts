/**
 * The bound of appendix C.1 of Redberg, Koskela & Wang 2023 on the Rényi divergence of order α > 1, in nats, as an ESTIMATE: its proof has a gap (see theorems.ts).
 * The least over q > 1 with 2q(α−1)κ < 1 of
 *
 *   −log(1 − κ) + μ²/2 + p(α−1)μ²/2 − log(1 − 2q(α−1)κ)/(2q(α−1)),  1/p + 1/q = 1,  μ = L/σ,  κ = βR²/λ;
 *
 * Infinity where there is none. core/account/rdp has the same in Go.
 */
export function linearised(alpha: number, mu: number, kappa: number): number {
  const s = alpha - 1;
  if (!(s > 0 && mu > 0 && kappa > 0 && kappa < 1)) return Infinity;
  const largest = 1 / (2 * s * kappa);
  if (largest <= 1) return Infinity;
  const at = (share: number) => {
    const q = 1 + (largest - 1) * share;
    return ((q / (q - 1)) * s * mu * mu) / 2 - Math.log1p(-2 * q * s * kappa) / (2 * q * s);
  };
  // It rises to infinity at both ends; the least of a scan by logarithms of q − 1 is then refined by thirds.
  const shares = Array.from({ length: 400 }, (_, i) => 1 / (1 + Math.exp(20 - i / 10)));
  const best = shares.reduce((least, share, i) => (at(share) < at(shares[least]!) ? i : least), 0);
  let [from, to] = [shares[Math.max(0, best - 1)]!, shares[Math.min(shares.length - 1, best + 1)]!];
  for (let i = 0; i < 80; i++) {
    const [a, b] = [from + (to - from) / 3, to - (to - from) / 3];
    if (at(a) < at(b)) to = b;
    else from = a;
  }
  return -Math.log1p(-kappa) + (mu * mu) / 2 + at((from + to) / 2);
}
