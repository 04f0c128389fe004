import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SHARE } from '../../src/domain/index.ts';
import type { QueueModel } from '../../src/replay/index.ts';
import { fifoQueue, logQueue, powerQueue, QUEUE_VARIANTS, riskAverseQueue } from '../../src/replay/queue.ts';

const MODELS: [string, QueueModel][] = [
  ['risk-averse', riskAverseQueue()],
  ['fifo at levels without order ids', fifoQueue()],
  ...[0.5, 1, 2, 3, 9, 2.5].flatMap((n) =>
    QUEUE_VARIANTS.map((variant): [string, QueueModel] => [`power ${n} ${variant}`, powerQueue(n, variant)]),
  ),
  ...QUEUE_VARIANTS.map((variant): [string, QueueModel] => [`log ${variant}`, logQueue(variant)]),
];

const size = fc.integer({ min: 0, max: 1_000_000_000_000 }).map((lots) => lots * 100);

describe.each(MODELS)('the queue model %s', (_name, queue) => {
  it('returns whole micro-shares between zero and the recorded size', () => {
    fc.assert(
      fc.property(size, size, size, size, (front, before, after, printed) => {
        const moved = queue.frontAfter(front, before, after, printed);
        expect(Number.isSafeInteger(moved)).toBe(true);
        expect(moved).toBeGreaterThanOrEqual(0);
        expect(moved).toBeLessThanOrEqual(after);
      }),
    );
  });

  it('never moves an order back', () => {
    fc.assert(
      fc.property(size, size, size, size, (front, before, after, printed) => {
        expect(queue.frontAfter(front, before, after, printed)).toBeLessThanOrEqual(front);
      }),
    );
  });

  it('takes every cancel from the front when nothing is behind an order', () => {
    fc.assert(
      fc.property(size, size, (before, gone) => {
        const after = Math.max(0, before - gone);
        expect(queue.frontAfter(before, before, after, 0)).toBe(after);
      }),
    );
  });

  it('leaves the front unchanged when prints explain the whole decrease', () => {
    expect(queue.frontAfter(18 * SHARE, 100 * SHARE, 88 * SHARE, 12 * SHARE)).toBe(18 * SHARE);
  });

  it('describes its assumptions in one sentence', () => {
    expect(queue.assumption).toMatch(/^Queue .*\.$/);
  });
});

/** A level of 100 shares, 30 of them in front, is set to 80: at once, or after a print of 12 (then 18 are in front). */
const EXAMPLES = [
  { name: 'n=1', model: powerQueue(1), frontAfter: '24', afterPrint: '16.3636' },
  { name: 'n=2', model: powerQueue(2), frontAfter: '26.8966', afterPrint: '17.5038' },
  { name: 'n=3', model: powerQueue(3), frontAfter: '28.5405', afterPrint: '17.8663' },
  { name: 'log', model: logQueue(), frontAfter: '21.0767', afterPrint: '14.7316' },
];

describe('the worked queue of docs/spec/models.md#queue', () => {
  it.each(EXAMPLES)(
    'has a front of $frontAfter after the set and $afterPrint after print and set for $name',
    ({ model, frontAfter, afterPrint }) => {
      expect(fourDecimals(model.frontAfter(30 * SHARE, 100 * SHARE, 80 * SHARE, 0))).toBe(frontAfter);
      expect(fourDecimals(model.frontAfter(18 * SHARE, 100 * SHARE, 80 * SHARE, 12 * SHARE))).toBe(afterPrint);
    },
  );

  it('moves a risk-averse order only when the level becomes smaller than its front', () => {
    const queue = riskAverseQueue();
    expect(queue.frontAfter(30 * SHARE, 100 * SHARE, 80 * SHARE, 0)).toBe(30 * SHARE);
    expect(queue.frontAfter(30 * SHARE, 100 * SHARE, 20 * SHARE, 0)).toBe(20 * SHARE);
  });
});

describe('the variants of the queue model', () => {
  // A level of 100, 30 in front and 70 behind, is set to 80: 30 - (1 - P) * 20, with the chance P of a cancel behind.
  const frontAfterSet = (model: QueueModel): number => model.frontAfter(30 * SHARE, 100 * SHARE, 80 * SHARE, 0) / SHARE;

  it('whole takes f(back) / f(back + front) as the probability, 0.49 for n = 2', () => {
    expect(frontAfterSet(powerQueue(2, 'whole'))).toBeCloseTo(30 - 0.51 * 20, 5);
  });
  it('front takes 1 - f(front / (front + back)) as the probability, 0.91 for n = 2', () => {
    expect(frontAfterSet(powerQueue(2, 'front'))).toBeCloseTo(30 - 0.09 * 20, 5);
  });
  it('whole and front use logarithms in the log model', () => {
    expect(frontAfterSet(logQueue('whole'))).toBeCloseTo(30 - (1 - Math.log(71) / Math.log(101)) * 20, 5);
    expect(frontAfterSet(logQueue('front'))).toBeCloseTo(30 - Math.log(1.3) * 20, 5);
  });
  it('are equal for n = 1', () => {
    for (const variant of QUEUE_VARIANTS) expect(frontAfterSet(powerQueue(1, variant))).toBeCloseTo(24, 5);
  });
});

function fourDecimals(microShares: number): string {
  return String(Math.floor(microShares / 100 + 0.5) / 10_000);
}
