import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ExchangeCommand } from '../../../src/exchange/index.ts';
import { IS_SHORT, runs } from '../../runs.ts';
import { Harness, SHARE, START } from './harness.ts';

/** Numbers that clients send: valid, slightly wrong, and nonsense. */
const number = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 4 }) },
  { weight: 3, arbitrary: fc.constantFrom(5000, 4000, 6010, SHARE, 2 * SHARE, 10 * SHARE, 1_700_000_000_000, 1000) },
  fc.constantFrom(
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
    -0,
    -1,
    0.5,
    2 ** 53,
    -(2 ** 53),
    2 ** 31,
    2 ** 32,
    1e300,
    1e15,
    9_999,
  ),
  fc.double(),
);
const text = fc.constantFrom(
  'YES',
  'NO',
  'BUY',
  'SELL',
  'GTC',
  'GTD',
  'FOK',
  'FAK',
  'CANCEL_TAKER',
  'CANCEL_MAKER',
  'NORMAL',
  '',
  'MAYBE',
);
/** Mostly valid values, because otherwise the first check would refuse nearly all commands. */
const mostly = <T>(valid: fc.Arbitrary<T>) => fc.oneof({ weight: 12, arbitrary: valid }, number);
const flag = fc.boolean();
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const terms = fc.record({
  market: mostly(fc.nat(1)),
  outcome: fc.oneof({ weight: 12, arbitrary: fc.constantFrom('YES', 'NO') }, text),
  side: fc.oneof({ weight: 12, arbitrary: fc.constantFrom('BUY', 'BUY', 'SELL') }, text),
  price: mostly(fc.constantFrom(4000, 5000, 6010)),
  shares: mostly(fc.constantFrom(SHARE, 2 * SHARE, 10 * SHARE)),
  timeInForce: fc.oneof({ weight: 12, arbitrary: fc.constantFrom('GTC', 'GTC', 'FAK') }, text),
  postOnly: fc.constantFrom(false, false, true),
  expiration: mostly(fc.constant(0)),
  timestampMs: mostly(fc.constant(START)),
  epoch: mostly(fc.constant(0)),
  maxFeeBps: mostly(fc.constant(1000)),
  replaces: mostly(fc.constant(0)),
  selfTrade: fc.oneof({ weight: 12, arbitrary: fc.constantFrom('CANCEL_TAKER', 'CANCEL_MAKER', 'CANCEL_BOTH') }, text),
  group: mostly(fc.constant(0)),
  restriction: fc.constantFrom(...Array.from({ length: 9 }, () => undefined), 'GEO_BLOCKED', 'CLOSE_ONLY'),
  hash: fc.constantFrom(...Array.from({ length: 9 }, () => undefined), '0xa', '0xb'),
  clientOrderId: fc.constantFrom(...Array.from({ length: 9 }, () => undefined), 'a', 'b'),
});

const requests = {
  time: mostly(fc.constant(START)),
  account: mostly(fc.integer({ min: 1, max: 2 })),
  credential: mostly(fc.nat(2)),
};

const members = {
  place: terms,
  placeBatch: fc.record({ orders: fc.array(terms, { maxLength: 3 }) }),
  cancel: fc.record({ orders: fc.array(number, { maxLength: 5 }) }),
  reduce: fc.record({ order: number, by: number }),
  replace: fc.record({
    market: number,
    cancel: fc.oneof(fc.constant('all'), fc.array(number, { maxLength: 3 })),
    place: fc.array(terms, { maxLength: 3 }),
    ifNoFillSince: maybe(number),
    mustReplace: flag,
  }),
  cancelMarketOrders: fc.record({ market: number, outcome: maybe(text), side: maybe(text) }),
  cancelAllOrders: fc.record({}),
  heartbeat: fc.record({ timeout: number }),
  disarmHeartbeat: fc.record({}),
  revokeCredential: fc.record({}),
  createGroup: fc.record({ maxFilled: number, window: number }),
  updateGroup: fc.record({ group: number, maxFilled: maybe(number), window: maybe(number), reset: flag }),
  deleteGroup: fc.record({ group: number }),
  split: fc.record({ market: mostly(fc.nat(1)), shares: mostly(fc.constant(10 * SHARE)) }),
  merge: fc.record({ market: mostly(fc.nat(1)), shares: mostly(fc.constant(SHARE)) }),
  claim: fc.record({ market: maybe(number) }),
  transfer: fc.record({ amount: number }),
  setMode: fc.record({ mode: text }),
  configure: fc.record({
    config: fc.record({ minBet: number, tickBps: number, quorum: number }, { requiredKeys: [] }),
  }),
  tick: fc.record({}),
};

const command = fc
  .constantFrom(...Object.entries(members))
  .chain(([type, own]) =>
    fc.record({ ...requests, rest: own }).map(({ rest, ...request }) => ({ ...request, ...rest, type })),
  );

function isCommand(value: unknown): value is ExchangeCommand {
  return typeof value === 'object';
}

describe('random input', () => {
  it('changes the state exactly when an event is emitted, and breaks no invariant', () => {
    let changes = 0;
    let refused = 0;
    fc.assert(
      fc.property(fc.array(command, { minLength: 10, maxLength: 60, size: 'max' }), (commands) => {
        const harness = new Harness();
        harness.account(1000);
        harness.unlimitedAccount(1000);
        harness.market({ feeRateBps: 30 });
        harness.market();
        for (const value of commands as readonly unknown[]) {
          const [seq, hash] = [harness.view.seq, harness.hash()];
          if (!isCommand(value)) continue;
          const events = harness.apply(value);
          const changed = harness.view.seq !== seq;
          expect(harness.hash() !== hash).toBe(changed);
          expect(events.some((event) => 'seq' in event)).toBe(changed);
          if (changed) changes++;
          refused += events.filter((event) => event.type === 'refused').length;
          for (const event of events) {
            if (event.type !== 'refused' || event.refusal.unit === undefined) continue;
            expect([event.refusal.limit, event.refusal.value].every(Number.isSafeInteger)).toBe(true);
          }
        }
      }),
      { numRuns: runs(150) },
    );
    expect(changes).toBeGreaterThan(IS_SHORT ? 0 : 500);
    expect(refused).toBeGreaterThan(IS_SHORT ? 0 : 500);
  });
});
