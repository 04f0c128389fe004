import { SHARE } from '../domain/index.ts';

/**
 * Formulas for the probability that a cancel was behind our order, from the sizes behind and before the order
 * (docs/spec/models.md#queue). `split`: f(back) / (f(back) + f(front)). `whole`: f(back) / f(back + front).
 * `front`: 1 - f(front / (front + back)).
 */
export const QUEUE_VARIANTS = ['split', 'whole', 'front'] as const;
type QueueVariant = (typeof QUEUE_VARIANTS)[number];

/** The function f(x) of docs/spec/models.md#queue. x is in shares: the result of `logQueue` depends on the unit. */
type Weight = (shares: number) => number;

/**
 * Creates a cautious model in which only trades advance an order. It assumes that cancels are behind the order, unless
 * the level became smaller than the size before the order. A real queue fills the order no later.
 */
export function riskAverseQueue(): QueueModel {
  return {
    assumption: 'Queue is risk-averse: only trades advance an order, every cancel at its price was behind it.',
    frontAfter: (front, _before, after) => (front < after ? front : after),
  };
}

/**
 * Creates a model that divides cancels between the sizes before and behind our order by weights f(x) = x^n. The source
 * is `models/queue.rs` of hftbacktest, with the two corrections of docs/spec/models.md#queue.
 *
 * A larger n assigns more cancels to the larger of the two sizes. Fit n to your own fills before you trust results.
 * @param n above 0
 */
export function powerQueue(n = 2, variant: QueueVariant = 'split'): QueueModel {
  const weight: Weight = Number.isInteger(n) && n <= 8 ? (x) => product(x, n) : (x) => Math.exp(n * Math.log(x));
  return weightedQueue(
    weight,
    variant,
    `Queue is probabilistic: cancels ahead are shared by f(x) = x^${n} (${variant}); not fitted to own fills.`,
  );
}

/** Creates a model like `powerQueue` that divides cancels more evenly, with f(x) = ln(1 + x), x in shares. */
export function logQueue(variant: QueueVariant = 'split'): QueueModel {
  return weightedQueue(
    (x) => Math.log(1 + x),
    variant,
    `Queue is probabilistic: cancels ahead are shared by f(x) = ln(1 + x) (${variant}); not fitted to own fills.`,
  );
}

/**
 * Creates a model for recordings with order ids. A cancel before our order advances our order; a cancel behind does
 * not. The model assumes that a decrease without an order id is behind (docs/spec/models.md#recorded-order-ids).
 */
export function fifoQueue(): QueueModel {
  return {
    assumption: 'Queue is that of the recording: its order ids say which cancels were ahead.',
    frontAfter(front, before, after, printed, ahead = Number.POSITIVE_INFINITY) {
      const cancelled = Math.max(0, before - after - printed);
      const first = Math.min(front, Math.max(0, ahead));
      const end = Math.min(front, Math.max(0, ahead + cancelled));
      return Math.min(after, front - (end - first));
    },
  };
}

function weightedQueue(weight: Weight, variant: QueueVariant, assumption: string): QueueModel {
  const behind = chanceBehind(weight, variant);
  return {
    assumption,
    frontAfter(front, before, after, printed) {
      const cancelled = before - after - printed;
      if (cancelled <= 0) return front < after ? front : after;
      if (front === 0) return 0;
      // `before` includes the prints, `front` does not.
      const back = Math.max(0, before - printed - front);
      const chance = behind(back / SHARE, front / SHARE);
      // Cancels in excess of the size behind were before our order.
      const excess = Math.max(0, chance * cancelled - back);
      const left = Math.max(0, front - (1 - chance) * cancelled - excess);
      return Math.min(after, Math.ceil(left));
    },
  };
}

/** Returns the probability that a cancel was behind our order, by both sizes in shares; `front` is above 0. */
function chanceBehind(weight: Weight, variant: QueueVariant): (back: number, front: number) => number {
  if (variant === 'whole') return (back, front) => weight(back) / weight(back + front);
  if (variant === 'front') return (back, front) => 1 - weight(front / (front + back));
  return (back, front) => weight(back) / (weight(back) + weight(front));
}

/** Returns x^n as a product, because the last bit of Math.pow differs between Node versions. */
function product(x: number, n: number): number {
  let power = x;
  for (let factor = 1; factor < n; factor += 1) power *= x;
  return power;
}

/** Estimates an own order's front: the micro-shares before it at its price, rounded up (docs/spec/models.md#queue). */
export interface QueueModel {
  readonly assumption: string;
  /**
   * Returns the front, at least 0, after the level changed from `before` to `after`. Prints took `printed`.
   * @param ahead size before the cancelled or reduced order, less the size that own takers took, so possibly negative.
   *   Infinite or absent if the recording does not contain this size
   */
  frontAfter(front: number, before: number, after: number, printed: number, ahead?: number): number;
}
