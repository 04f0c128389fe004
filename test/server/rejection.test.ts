import { describe, expect, it } from 'vitest';
import { type ApiRefusal, presentRejection, refusalFault } from '../../src/server/rejection.ts';

const textOf = (refusal: ApiRefusal): string => presentRejection(refusal).message;

describe('the message of a rejection', () => {
  it('shows money exactly when it is not a whole number of cents', () => {
    const bet = { reason: 'BELOW_MIN', field: 'shares', limit: 100_000, unit: 'MICRO_USD' } as const;
    expect(textOf({ ...bet, value: 99_900 })).toBe('shares: below the minimum (limit $0.10, got $0.099900)');
    expect(textOf({ ...bet, value: 90_000 })).toBe('shares: below the minimum (limit $0.10, got $0.09)');
    expect(textOf({ ...bet, value: -1 })).toBe('shares: below the minimum (limit $0.10, got -$0.000001)');
  });

  it.each([0, 10_000, -10, 10_010])('reports the price %i as out of range instead of off the tick', (value) => {
    const refusal = { reason: 'INVALID_TICK', field: 'priceBps', limit: 10, value, unit: 'BPS' } as const;
    expect(textOf(refusal)).toBe(`priceBps: out of range: above 0 and below 10000 (limit 10 bps, got ${value} bps)`);
    expect(textOf({ ...refusal, value: 5_001 })).toMatch(/^priceBps: the price is not on the tick/);
    expect(textOf({ ...refusal, field: 'tickBps' })).toMatch(/^tickBps: the price is not on the tick/);
  });
});

describe('a rejection as a field error', () => {
  it('contains the time to wait like a typed rejection', () => {
    expect(refusalFault({ reason: 'RATE_LIMITED', retryAfterMs: 40 }).message).toBe('rate limited: retry in 40 ms');
    expect(refusalFault({ reason: 'VENUE_MODE' }).message).toMatch(/^refused: .*: retry in 1000 ms$/);
    expect(presentRejection({ reason: 'VENUE_MODE' }).retryAfterMs).toBe(1_000);
  });

  it('names the argument that was refused', () => {
    expect(refusalFault({ reason: 'NOT_FOUND', field: 'id' }).message).toBe('invalid argument: id: not found');
    expect(refusalFault({ reason: 'SIGNER_NOT_ALLOWED' }).message).toMatch(/^refused: the maker must be/);
  });
});
