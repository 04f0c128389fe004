/** The standard normal distribution, by + - * / sqrt, exp and log only, because all Node versions agree on these. */

/** From this value on, a continued fraction replaces the quotient of two polynomials. */
const FRACTION_FROM = 7.07106781186547;
const SQRT_TWO_PI = 2.506628274631;
/** Hart, Computer Approximations (1968), number 5666. Highest power first. */
const TAIL_NUMERATOR = [
  0.0352624965998911, 0.700383064443688, 6.37396220353165, 33.912866078383, 112.079291497871, 221.213596169931,
  220.206867912376,
];
const TAIL_DENOMINATOR = [
  0.0883883476483184, 1.75566716318264, 16.064177579207, 86.7807322029461, 296.564248779674, 637.333633378831,
  793.826512519948, 440.413735824752,
];
/** Wichura, algorithm AS 241, PPND16 (1988): near the middle, in the tails, far out. Highest power first. */
const MIDDLE_NUMERATOR = [
  2509.0809287301227, 33430.57558358813, 67265.7709270087, 45921.95393154987, 13731.69376550946, 1971.5909503065513,
  133.14166789178438, 3.3871328727963665,
];
const MIDDLE_DENOMINATOR = [
  5226.495278852854, 28729.085735721943, 39307.89580009271, 21213.794301586597, 5394.196021424751, 687.1870074920579,
  42.31333070160091, 1,
];
const OUTER_NUMERATOR = [
  0.0007745450142783414, 0.022723844989269184, 0.2417807251774506, 1.2704582524523684, 3.6478483247632045,
  5.769497221460691, 4.630337846156546, 1.4234371107496835,
];
const OUTER_DENOMINATOR = [
  1.0507500716444169e-9, 0.0005475938084995345, 0.015198666563616457, 0.14810397642748008, 0.6897673349851,
  1.6763848301838038, 2.053191626637759, 1,
];
const FAR_NUMERATOR = [
  2.0103343992922881e-7, 0.000027115555687434876, 0.0012426609473880784, 0.026532189526576124, 0.29656057182850487,
  1.7848265399172913, 5.463784911164114, 6.657904643501103,
];
const FAR_DENOMINATOR = [
  2.0442631033899397e-15, 1.421511758316446e-7, 0.000018463183175100548, 0.0007868691311456133, 0.014875361290850615,
  0.1369298809227358, 0.599832206555888, 1,
];

/** Returns the probability of a value up to `x`. Error below 1e-15 (docs/spec/searches.md#normal-distribution). */
export function normalCdf(x: number): number {
  const tail = upperTail(Math.abs(x));
  return x > 0 ? 1 - tail : tail;
}

/** Returns the `p`-quantile; ±Infinity for 1 and 0. Error below 1e-14 (docs/spec/searches.md#normal-distribution). */
export function normalQuantile(p: number): number {
  const fromMiddle = p - 0.5;
  if (Math.abs(fromMiddle) <= 0.425) {
    const argument = 0.180625 - fromMiddle * fromMiddle;
    return (fromMiddle * polynomial(MIDDLE_NUMERATOR, argument)) / polynomial(MIDDLE_DENOMINATOR, argument);
  }
  if (p <= 0 || p >= 1) return p <= 0 ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  const argument = Math.sqrt(-Math.log(fromMiddle < 0 ? p : 1 - p));
  const distance =
    argument <= 5
      ? polynomial(OUTER_NUMERATOR, argument - 1.6) / polynomial(OUTER_DENOMINATOR, argument - 1.6)
      : polynomial(FAR_NUMERATOR, argument - 5) / polynomial(FAR_DENOMINATOR, argument - 5);
  return fromMiddle < 0 ? -distance : distance;
}

function upperTail(x: number): number {
  if (x > 37) return 0;
  const density = Math.exp((-x * x) / 2);
  if (x < FRACTION_FROM) return (density * polynomial(TAIL_NUMERATOR, x)) / polynomial(TAIL_DENOMINATOR, x);
  let fraction = x + 0.65;
  for (let numerator = 4; numerator >= 1; numerator -= 1) fraction = x + numerator / fraction;
  return density / fraction / SQRT_TWO_PI;
}

function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (const coefficient of coefficients) sum = sum * x + coefficient;
  return sum;
}
