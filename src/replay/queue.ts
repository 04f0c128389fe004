import { InputFault, SHARE } from '../domain/index.ts';

/**
 * How the chance that a cancel was behind us follows from the sizes behind and before us (docs/spec/models.md#queue):
 * `split` f(back) / (f(back) + f(front)); `whole` f(back) / f(back + front); `front` 1 - f(front / (front + back)).
 */
export const QUEUE_VARIANTS = ['split', 'whole', 'front'] as const;
export type QueueVariant = (typeof QUEUE_VARIANTS)[number];

/** A size's weight; sizes in shares, so that `log` has the unit of the source. */
type Weight = (shares: number) => number;

/**
 * Only trades move an order forward: cancelled size counts as behind it, unless the whole level shrank below it.
 *
 * The cautious model: it assumes that no order ahead of ours is ever cancelled, so a real queue fills no later than
 * this.
 */
export function riskAverseQueue(): QueueModel {
  return {
    assumption: 'Queue is risk-averse: only trades advance an order, every cancel at its price was behind it.',
    afterSet: (front, _before, after) => (front < after ? front : after),
  };
}

/**
 * Cancels are shared between those before and behind us by weights f(x) = x^n (hftbacktest `models/queue.rs`, with the
 * two mends of docs/spec/models.md#queue).
 *
 * Assumes that one number describes cancellations: larger n, the more of them behind us where more stand
 * behind, and before us where more stand before. It has to be fitted to own fills before its results mean much.
 * @param n above 0, default 2
 * @throws InputFault otherwise
 */
export function powerQueue(n = 2, variant: QueueVariant = 'split'): QueueModel {
  if (!(Number.isFinite(n) && n > 0)) throw new InputFault('queue n', n, 'a number above 0');
  const weight: Weight = Number.isInteger(n) && n <= 8 ? (x) => product(x, n) : (x) => Math.exp(n * Math.log(x));
  return shared(
    weight,
    variant,
    `Queue is probabilistic: cancels ahead are shared by f(x) = x^${n} (${variant}); not fitted to own fills.`,
  );
}

/** As `powerQueue` with f(x) = ln(1 + x), x in shares: cancels are shared more evenly, whatever stands where. */
export function logQueue(variant: QueueVariant = 'split'): QueueModel {
  return shared(
    (x) => Math.log(1 + x),
    variant,
    `Queue is probabilistic: cancels ahead are shared by f(x) = ln(1 + x) (${variant}); not fitted to own fills.`,
  );
}

/**
 * The recording says which order was cancelled or reduced: what stood before ours moves it forward, what stood behind
 * does not. A fall of which the recording says nothing counts as behind (docs/spec/models.md#recorded-order-ids).
 */
export function fifoQueue(): QueueModel {
  return {
    assumption: 'Queue is that of the recording: its order ids say which cancels were ahead.',
    afterSet(front, before, after, printed, ahead = Number.POSITIVE_INFINITY) {
      const cancelled = Math.max(0, before - after - printed);
      const first = Math.min(front, Math.max(0, ahead));
      const end = Math.min(front, Math.max(0, ahead + cancelled));
      return Math.min(after, front - (end - first));
    },
  };
}

function shared(weight: Weight, variant: QueueVariant, assumption: string): QueueModel {
  const behind = chanceBehind(weight, variant);
  return {
    assumption,
    afterSet(front, before, after, printed) {
      const cancelled = before - after - printed;
      if (cancelled <= 0) return front < after ? front : after;
      if (front === 0) return 0;
      // What was printed has left the front already, and is not behind us either.
      const back = Math.max(0, before - printed - front);
      const chance = behind(back / SHARE, front / SHARE);
      const overdrawn = Math.min(0, back - chance * cancelled);
      const left = Math.max(0, front - (1 - chance) * cancelled + overdrawn);
      return Math.min(after, Math.ceil(left));
    },
  };
}

/** Both sizes in shares, `front` above 0. */
function chanceBehind(weight: Weight, variant: QueueVariant): (back: number, front: number) => number {
  if (variant === 'whole') return (back, front) => weight(back) / weight(back + front);
  if (variant === 'front') return (back, front) => 1 - weight(front / (front + back));
  return (back, front) => weight(back) / (weight(back) + weight(front));
}

/** x^n as a product: Math.pow differs between Node versions in the last bit. */
function product(x: number, n: number): number {
  let power = x;
  for (let factor = 1; factor < n; factor += 1) power *= x;
  return power;
}

/** Micro-shares before an own order at its price, rounded up (docs/spec/models.md#queue). */
export interface QueueModel {
  readonly assumption: string;
  /**
   * The front after the level went from `before` to `after`, `printed` of it by prints. Never negative.
   * @param ahead what stood before the order whose cancel or reduction this is, below 0 where own takers took more;
   *   infinite or absent where the recording does not say
   */
  afterSet(front: number, before: number, after: number, printed: number, ahead?: number): number;
}
