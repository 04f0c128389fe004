import { describe, expect, it } from 'vitest';
import { CONFIG_KEYS, configRefusal, DEFAULT_CONFIG, type ExchangeConfig } from '../../../src/exchange/index.ts';
import { eventTexts, Harness } from './harness.ts';

describe('the default configuration', () => {
  it('equals the table of the specification', () => {
    expect(DEFAULT_CONFIG).toMatchObject({
      minBet: 10 * 10_000,
      maxInitialBet: 100_000 * 10_000,
      maxBetPerMarket: 10_000_000 * 10_000,
      maxExposurePerMarket: 100_000_000 * 10_000,
      minOrderShares: 1_000_000,
      maxQuestionLength: 300,
      spreadBps: 2000,
      tickBps: 10,
      feeRateBps: 0,
      maxBatchOrders: 20,
      maxBatchCancels: 200,
      minHeartbeat: 1000,
      maxHeartbeat: 300_000,
      maxClockSkew: 30_000,
      disputeWindow: 7_200_000,
      quorum: 2,
      panelSize: 3,
      quorumTimeout: 86_400_000,
      safetyPeriod: 86_400_000,
    });
    expect(configRefusal(DEFAULT_CONFIG)).toBeUndefined();
    expect([...CONFIG_KEYS].sort()).toEqual(Object.keys(DEFAULT_CONFIG).sort());
  });

  it.each(CONFIG_KEYS)('rejects values of %s that are not integers or outside its limits', (key) => {
    const reasonOf = (value: number) => configRefusal({ ...DEFAULT_CONFIG, [key]: value } as ExchangeConfig);
    expect(reasonOf(Number.NaN)).toEqual({ reason: 'INVALID_ORDER', field: key });
    expect(reasonOf(1.5)).toEqual({ reason: 'INVALID_ORDER', field: key });
    // The refusal of two values that depend on each other may name either.
    expect(reasonOf(-1)?.reason).toMatch(/^(BELOW_MIN|INVALID_ORDER)$/);
    expect(reasonOf(2 ** 52)?.reason).toMatch(/^(ABOVE_MAX|INVALID_ORDER|INVALID_TICK)$/);
  });
});

const HUNDRED_YEARS = 100 * 365 * 86_400_000;

describe('a configuration value', () => {
  const refusalOf = (change: Partial<Record<keyof ExchangeConfig, number>>) =>
    configRefusal({ ...DEFAULT_CONFIG, ...change } as ExchangeConfig);

  it.each<[unit: string, min: number, max: number, ...keys: (keyof ExchangeConfig)[]]>([
    ['MICRO_USD', 0, 1e15, 'minBet', 'maxInitialBet', 'maxBetPerMarket', 'maxExposurePerMarket'],
    ['MICRO_SHARES', 0, 1e15, 'minOrderShares'],
    ['COUNT', 1, 100_000, 'maxQuestionLength', 'maxBatchOrders', 'maxBatchCancels'],
    ['BPS', 0, 20_000, 'spreadBps'],
    ['BPS', 0, 1000, 'feeRateBps'],
    ['MILLISECONDS', 1, HUNDRED_YEARS, 'maxGroupWindow'],
    [
      'MILLISECONDS',
      0,
      HUNDRED_YEARS,
      'maxClockSkew',
      'disputeWindow',
      'quorumTimeout',
      'safetyPeriod',
      'chainTimeout',
    ],
  ])('in %s is between %d and %d, both included', (unit, min, max, ...keys) => {
    for (const key of keys) {
      expect([refusalOf({ [key]: min }), refusalOf({ [key]: max })]).toEqual([undefined, undefined]);
      const below = { reason: 'BELOW_MIN', field: key, limit: min, value: min - 1, unit };
      const above = { reason: 'ABOVE_MAX', field: key, limit: max, value: max + 1, unit };
      expect([refusalOf({ [key]: min - 1 }), refusalOf({ [key]: max + 1 })]).toEqual([below, above]);
    }
  });

  it.each([
    ['minHeartbeat', 'maxHeartbeat', HUNDRED_YEARS, 'MILLISECONDS'],
    ['quorum', 'panelSize', 1000, 'COUNT'],
  ] as const)('%s is at least 1 and at most %s, which is at most %d', (lower, upper, max, unit) => {
    expect(refusalOf({ [lower]: max, [upper]: max })).toBeUndefined();
    expect(refusalOf({ [lower]: 1, [upper]: 1 })).toBeUndefined();
    const crossed = { reason: 'INVALID_ORDER', field: lower, limit: 7, value: 8, unit };
    expect(refusalOf({ [lower]: 8, [upper]: 7 })).toEqual(crossed);
    const below = { reason: 'BELOW_MIN', field: lower, limit: 1, value: 0, unit };
    expect(refusalOf({ [lower]: 0 })).toEqual(below);
    const above = { reason: 'ABOVE_MAX', field: upper, limit: max, value: max + 1, unit };
    expect(refusalOf({ [lower]: 1, [upper]: max + 1 })).toEqual(above);
  });

  it.each([
    [1, undefined],
    [5000, undefined],
    [0, { reason: 'BELOW_MIN', limit: 1 }],
    [3, { reason: 'INVALID_TICK', limit: 10_000 }],
    [10_000, { reason: 'ABOVE_MAX', limit: 5000 }],
  ])('of %d bps as tick is valid only if it divides a dollar into at least two steps', (tickBps, expected) => {
    expect(refusalOf({ tickBps })).toEqual(expected && { ...expected, field: 'tickBps', value: tickBps, unit: 'BPS' });
  });
});

describe('configure', () => {
  it('changes the given values for all later commands', () => {
    const harness = new Harness();
    const account = harness.account();
    harness.market();
    expect(eventTexts(harness.send('configure', { config: { minBet: 30_000_000 } }))).toEqual(['venueChanged']);
    expect(harness.view.config).toEqual({ ...DEFAULT_CONFIG, minBet: 30_000_000 });
    expect(eventTexts(harness.place(account, { size: 4 }))).toEqual(['refused 0 BELOW_MIN shares']);
  });

  it.each([
    [{ tickBps: 7 }, 'INVALID_TICK tickBps'],
    [{ quorum: 4 }, 'INVALID_ORDER quorum'],
    [{ minHeartbeat: 400_000 }, 'INVALID_ORDER minHeartbeat'],
    [{ feeRateBps: 1001 }, 'ABOVE_MAX feeRateBps'],
    [{ minBet: -1 }, 'BELOW_MIN minBet'],
    [{ minbet: 1 }, 'INVALID_ORDER config'],
  ])('refuses %o as a whole: %s', (config, expected) => {
    const harness = new Harness();
    const before = harness.hash();
    expect(eventTexts(harness.send('configure', { config: { spreadBps: 1, ...config } }))).toEqual([
      `refused 0 ${expected}`,
    ]);
    expect(harness.hash()).toBe(before);
  });

  it('emits no event when nothing changes', () => {
    const harness = new Harness();
    expect(harness.send('configure', { config: { quorum: 2 } })).toEqual([]);
    expect(harness.send('configure', { config: {} })).toEqual([]);
  });
});

describe('setMode', () => {
  it('emits one event for a change and refuses an unknown mode', () => {
    const harness = new Harness();
    expect(harness.send('setMode', { mode: 'NORMAL' })).toEqual([]);
    expect(eventTexts(harness.send('setMode', { mode: 'POST_ONLY' }))).toEqual(['venueChanged']);
    expect(harness.send('setMode', { mode: 'POST_ONLY' })).toEqual([]);
    expect(eventTexts(harness.send('setMode', { mode: 'ASLEEP' }))).toEqual(['refused 0 INVALID_ORDER mode']);
    expect(harness.view.mode).toBe('POST_ONLY');
  });
});

describe('openAccount', () => {
  it('numbers accounts from 1 and accepts an address once', () => {
    const harness = new Harness();
    expect(harness.send('openAccount', { address: '0xa', unlimited: false })).toMatchObject([
      { seq: 1, event: { type: 'accountOpened', account: 1, address: '0xa' } },
    ]);
    expect(eventTexts(harness.send('openAccount', { address: '0xa', unlimited: true }))).toEqual([
      'refused 0 CONFLICT address',
    ]);
    expect(eventTexts(harness.send('openAccount', { address: '0xB', unlimited: true }))).toEqual([
      'refused 0 INVALID_ORDER address',
    ]);
    expect(eventTexts(harness.send('openAccount', { address: '', unlimited: true }))).toEqual([
      'refused 0 INVALID_ORDER address',
    ]);
    expect(harness.view.accountOf('0xa')).toBe(1);
    expect(harness.view.account(2)).toBeUndefined();
  });
});
