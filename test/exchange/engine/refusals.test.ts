import { describe, expect, it } from 'vitest';
import { REJECT_REASONS } from '../../../src/domain/index.ts';
import type { ExchangeEvent } from '../../../src/exchange/index.ts';
import { eventTexts, type Harness } from './harness.ts';
import { combine, exchangeForViolations, VIOLATIONS, type Violation } from './violations.ts';

/** Reasons of the API: such an order never reaches the exchange. */
const API_ONLY = ['RATE_LIMITED', 'BAD_SIGNATURE'];
/** Reasons for commands on existing orders. */
const EXISTING_ORDER = ['ALREADY_FINAL'];

function attempt(
  harness: Harness,
  { overrides = {}, account = 1, credential = 0, mode }: Omit<Violation, 'reason' | 'reported'>,
) {
  if (mode !== undefined) harness.send('setMode', { mode });
  const before = [harness.hash(), harness.view.seq, harness.view.now];
  const events = harness.place(account, overrides, credential);
  expect([harness.hash(), harness.view.seq, harness.view.now]).toEqual(before);
  if (mode !== undefined) harness.send('setMode', { mode: 'NORMAL' });
  return events;
}

/** Returns reason and field of the only event. */
function reasonAndField([event, ...more]: readonly ExchangeEvent[]): string | undefined {
  if (more.length > 0 || event?.type !== 'refused') return undefined;
  const { reason, field } = event.refusal;
  return field === undefined ? reason : `${reason} ${field}`;
}

function reason([event, ...more]: readonly ExchangeEvent[]) {
  return more.length === 0 && event?.type === 'refused' ? event.refusal.reason : undefined;
}

describe('a refused order', () => {
  const harness = exchangeForViolations();

  it('would be accepted without the one violation under test', () => {
    const fresh = exchangeForViolations();
    expect(eventTexts(fresh.place(1))).toEqual(['accepted 3']);
    expect(eventTexts(fresh.place(1, { price: 5600, size: 3, timeInForce: 'FOK' })).at(-1)).toBe('closed 4 FILLED 0');
  });

  it('has a test for every reason, in the order of the reasons', () => {
    const reasons = VIOLATIONS.map((violation) => violation.reason);
    expect(reasons).toEqual(REJECT_REASONS.filter((each) => ![...API_ONLY, ...EXISTING_ORDER].includes(each)));
  });

  it.each(VIOLATIONS)('reports $reason with field, limit and value and changes nothing', (violation) => {
    const { reported: received, ...rest } = violation;
    const refusal = { reason: violation.reason, ...received };
    expect(attempt(harness, rest)).toEqual([{ type: 'refused', entry: 0, refusal }]);
  });

  it('reports the first of any two reasons that can occur together', () => {
    let pairs = 0;
    for (const [at, first] of VIOLATIONS.entries()) {
      for (const second of VIOLATIONS.slice(at + 1)) {
        const both = combine([first, second]);
        if (both === undefined) continue;
        pairs++;
        expect(`${second.reason}: ${reason(attempt(harness, both))}`).toBe(`${second.reason}: ${first.reason}`);
      }
    }
    expect(pairs).toBeGreaterThan(180);
  });

  it('reports the first of all reasons that can occur together', () => {
    for (const at of VIOLATIONS.keys()) {
      const [first, ...rest] = VIOLATIONS.slice(at);
      if (first === undefined) continue;
      const many = [first];
      for (const next of rest) if (combine([...many, next]) !== undefined) many.push(next);
      const all = combine(many);
      expect(reason(attempt(harness, all ?? {}))).toBe(first.reason);
    }
  });
});

describe('an order', () => {
  const harness = exchangeForViolations();

  it.each([
    ['a group of another account', { account: 2, overrides: { group: 1 } as never }, 'NOT_FOUND groupId'],
    ['an unknown group', { overrides: { group: 7 } as never }, 'NOT_FOUND groupId'],
    ['an unknown account', { account: 99 }, 'NOT_FOUND account'],
    ['a negative credential', { credential: -1 }, 'NOT_FOUND credential'],
    [
      'a client order id that is not a text',
      { overrides: { clientOrderId: 7 } as never },
      'INVALID_ORDER clientOrderId',
    ],
    ['a hash that is not a text', { overrides: { hash: 7 } as never }, 'INVALID_ORDER order'],
    ['the replacement of an order outside a replace command', { overrides: { replaces: 1 } }, 'CONFLICT replaces'],
    ['the replacement of an unknown order', { overrides: { replaces: -1 } }, 'CONFLICT replaces'],
    ['a match in a post-only venue', { mode: 'POST_ONLY' }, 'VENUE_MODE'],
    ['a halted venue', { mode: 'HALTED', overrides: { postOnly: true } }, 'VENUE_MODE'],
    ['a purchase by a close-only account', { overrides: { restriction: 'CLOSE_ONLY' } }, 'GEO_BLOCKED'],
    [
      'a sale without shares by a close-only account',
      { overrides: { restriction: 'CLOSE_ONLY', side: 'SELL', outcome: 'NO' } },
      'INSUFFICIENT_SHARES shares',
    ],
    ['a GTC with an expiration', { overrides: { expiration: harness.time + 1 } }, 'INVALID_ORDER expiration'],
    ['a GTD without an expiration', { overrides: { timeInForce: 'GTD' } }, 'INVALID_ORDER expiration'],
    [
      'a GTD with a fractional expiration',
      { overrides: { timeInForce: 'GTD', expiration: harness.time + 0.5 } },
      'INVALID_ORDER expiration',
    ],
    ['an unknown outcome', { overrides: { outcome: 'MAYBE' } as never }, 'INVALID_ORDER outcome'],
    ['an empty side', { overrides: { side: '' } as never }, 'INVALID_ORDER side'],
    ['an unknown time in force', { overrides: { timeInForce: 'SOON' } as never }, 'INVALID_ORDER timeInForce'],
    ['an unknown self-trade mode', { overrides: { selfTrade: 'BOTH' } as never }, 'INVALID_ORDER selfTradePrevention'],
    ['a price of 0', { overrides: { price: 0 } }, 'INVALID_TICK priceBps'],
    ['a price of 10,000 bps', { overrides: { price: 10_000 } }, 'INVALID_TICK priceBps'],
    ['a negative price', { overrides: { price: -5000 } }, 'INVALID_TICK priceBps'],
    ['a price of NaN', { overrides: { price: Number.NaN } }, 'INVALID_TICK priceBps'],
    ['a fractional price', { overrides: { price: 5000.5 } }, 'INVALID_TICK priceBps'],
    ['zero shares', { overrides: { microShares: 0 } }, 'INVALID_LOT shares'],
    ['negative shares', { overrides: { microShares: -1_000_000 } }, 'INVALID_LOT shares'],
    ['NaN shares', { overrides: { microShares: Number.NaN } }, 'INVALID_LOT shares'],
    ['2^53 shares', { overrides: { microShares: 2 ** 53 } }, 'INVALID_LOT shares'],
    ['infinite shares', { overrides: { microShares: Number.POSITIVE_INFINITY } }, 'INVALID_LOT shares'],
    [
      'more than 10^15 micro-shares',
      { account: 3, overrides: { microShares: 1_000_000_000_010_000 } },
      'ABOVE_MAX shares',
    ],
    ['a timestamp of NaN', { overrides: { timestampMs: Number.NaN } as never }, 'STALE_TIMESTAMP timestampMs'],
    [
      'a timestamp ahead of the clock',
      { overrides: { timestampMs: harness.time + 30_001 } as never },
      'STALE_TIMESTAMP timestampMs',
    ],
    ['an epoch of NaN', { overrides: { epoch: Number.NaN } }, 'STALE_EPOCH epoch'],
    ['a fee of NaN', { overrides: { maxFeeBps: Number.NaN } }, 'FEE_ABOVE_MAX maxFeeBps'],
    ['a bet below the minimum', { overrides: { price: 10, microShares: 2_000_000 } }, 'BELOW_MIN shares'],
  ] as const)('is refused for %s', (_name, violation, expected) => {
    expect(reasonAndField(attempt(harness, violation))).toBe(expected);
  });

  it('gets a refusal that omits a value without a decimal form, such as NaN', () => {
    const [event] = attempt(harness, { overrides: { price: Number.NaN } });
    expect(event).toEqual({ type: 'refused', entry: 0, refusal: { reason: 'INVALID_TICK', field: 'priceBps' } });
  });

  it('of an unlimited account skips only the checks of limits, clock, epoch and cash', () => {
    const overrides = { microShares: 990_000, timestampMs: 0, epoch: 9 } as never as object;
    expect(eventTexts(harness.place(3, overrides))[0]).toMatch(/^accepted/);
    expect(eventTexts(harness.place(3, { microShares: 300_000 * 1_000_000 }))[0]).toMatch(/^accepted/);
    expect(harness.view.account(3)?.available).toBeLessThan(0);
    expect(reason(attempt(harness, { account: 3, overrides: { side: 'SELL' } }))).toBe('INSUFFICIENT_SHARES');
    expect(reason(attempt(harness, { account: 3, overrides: { maxFeeBps: 0 } }))).toBe('FEE_ABOVE_MAX');
  });
});
