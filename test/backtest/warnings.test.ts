import { describe, expect, it } from 'vitest';
import { listWarnings, type WarningInput } from '../../src/backtest/warnings.ts';

const mean = (bps: number) => ({ bps, count: 10, shares: 1_000_000, censored: 0, interval: undefined });

const INPUT: WarningInput = {
  pnl: {
    totalMicros: 5_000_000,
    realizedMicros: 5_000_000,
    unrealizedMicros: 0,
    feesMicros: 0,
    commissionMicros: 0,
    settlementMicros: 0,
  },
  split: {
    spreadMicros: 9_000_000,
    inventoryMicros: -4_000_000,
    settlementMicros: 0,
    feesMicros: 0,
    rewardsMicros: 0,
    roundingMicros: 0,
  },
  orders: { placed: 10, cancelled: 0, reduced: 0, rejected: 0, refused: 0 },
  orderReasons: { rejected: {}, refused: { STALE_BOOK: 3 } },
  fills: { count: 10, maker: 10, taker: 0, shares: 100_000_000 },
  fillsByTag: { through: { count: 10, inside: 0, shares: 100_000_000, pnlMicros: 5_000_000 } },
  insideShares: 0,
  volumeShare: 0.02,
  effective: { own: mean(50), recorded: mean(60) },
  horizons: [{ label: '30 s', own: mean(3), recorded: mean(4) }],
  rewards: { rebatesMicros: 0, liquidityMicros: 0 },
  queue: 'power',
  immutable: false,
  tradesOnly: false,
  content: undefined,
  unreadSignals: [],
  inSample: false,
  fittedTapes: [],
  lookAheadFields: [],
  receiveTime: 'recorded',
  earlyMessageCount: 0,
  unresolved: 0,
  markets: 40,
  endedBy: undefined,
};

const queueFills = (shares: number): WarningInput['fillsByTag'] => ({
  queue: { count: 1, inside: 0, shares, pnlMicros: 1 },
});
const warn = (change: Partial<WarningInput>): string => listWarnings({ ...INPUT, ...change }).join('\n');

describe('the warnings of a report', () => {
  it('are absent when no check finds a problem', () => {
    expect(listWarnings(INPUT)).toEqual([]);
  });

  it('name the most frequent refusal with its limit when no order was placed', () => {
    const orders = { ...INPUT.orders, placed: 0 };
    const warnOf = (refused: Readonly<Record<string, number>>) =>
      warn({ orders, orderReasons: { rejected: {}, refused } });
    expect(warnOf({ PAUSED: 90, STALE_BOOK: 1_796, OFF_GRID: 3 })).toBe(
      'No order was placed. The most frequent refusal is STALE_BOOK, 1796 times, by the limit `risk.max_book_age_ms`.',
    );
    expect(warnOf({ FEE_ABOVE_MAX: 7 })).toBe(
      'No order was placed. The most frequent refusal is FEE_ABOVE_MAX, 7 times, by the limit `risk.max_fee_bps`.',
    );
    expect(warnOf({ OFF_GRID: 3 })).toBe('No order was placed. The most frequent refusal is OFF_GRID, 3 times.');
    expect(warnOf({ PAUSED: 90 })).toBe('');
    expect(warnOf({})).toBe('');
  });

  it('name the share that depends on the queue model or on quotes inside the spread, above one half', () => {
    expect(warn({ fillsByTag: queueFills(30_000_000), insideShares: 20_000_000, queue: 'risk-averse' })).toBe('');
    expect(warn({ fillsByTag: queueFills(30_000_000), insideShares: 20_010_000, queue: 'risk-averse' })).toMatch(
      /^50\.0 % of the volume/,
    );
  });

  it('do not count queue fills as assumed when the recording has the queue ahead', () => {
    expect(warn({ fillsByTag: queueFills(90_000_000), queue: 'fifo' })).toBe('');
    expect(warn({ fillsByTag: queueFills(10_000_000), insideShares: 60_000_000, queue: 'fifo' })).toMatch(
      /^60\.0 % of the volume rests on quotes inside the recorded touch/,
    );
  });

  it('mention a profit that disappears with the risk-averse queue, if that is possible', () => {
    expect(warn({ fillsByTag: queueFills(1_000_000) })).toContain('is not a profit');
    expect(warn({ fillsByTag: queueFills(1_000_000), queue: 'risk-averse' })).toBe('');
    expect(warn({ fillsByTag: queueFills(1_000_000), pnl: { ...INPUT.pnl, totalMicros: -1 } })).toBe('');
  });

  it('mention a result that was made or lost at settlement', () => {
    const warnAtSettlement = (totalMicros: number, settlementMicros: number) =>
      warn({ pnl: { ...INPUT.pnl, totalMicros }, split: { ...INPUT.split, settlementMicros } });
    expect(warnAtSettlement(2_000_000, -86_000_000)).toContain(
      'The result was made or lost at settlement: it was $88.00 before the payouts, which took $86.00 at the end.',
    );
    expect(warnAtSettlement(10_000_000, 6_000_000)).toContain('which added $6.00 at the end');
    expect(warnAtSettlement(10_000_000, 4_000_000)).not.toContain('at settlement');
    expect(warnAtSettlement(0, 0)).not.toContain('at settlement');
  });

  it('mention more than a tenth of the recorded volume', () => {
    expect(warn({ volumeShare: 0.1 })).toBe('');
    expect(warn({ volumeShare: 0.101 })).toContain('10.1 % of the recorded volume');
    expect(warn({ volumeShare: null })).toBe('');
  });

  it('mention own fills that keep more after 30 s than the recorded makers earned at first', () => {
    expect(warn({ horizons: [{ label: '30 s', own: mean(60), recorded: mean(4) }] })).toBe('');
    expect(warn({ horizons: [{ label: '30 s', own: mean(60.1), recorded: mean(4) }] })).toContain('too optimistic');
  });

  it('call a single market a sample of one, and a large result at settlement a bet on the outcome', () => {
    expect(warn({ markets: 1 })).toContain('a sample of one');
    expect(warn({ split: { ...INPUT.split, settlementMicros: -6_000_000 } })).toContain('a bet on the outcome');
  });

  it('begin with the limit that ended trading', () => {
    const [first] = listWarnings({ ...INPUT, endedBy: 'DRAWDOWN, $600.00 against a limit of $500.00', inSample: true });
    expect(first).toContain('DRAWDOWN, $600.00');
  });

  it('list the assumptions', () => {
    expect(warn({ immutable: true })).toContain('immutable');
    expect(warn({ tradesOnly: true })).toContain('no book');
    const placed = 'around which the included strategies quote';
    expect(warn({ tradesOnly: true })).not.toContain(placed);
    expect(warn({ tradesOnly: true, orders: { ...INPUT.orders, placed: 0 } })).toContain(placed);
    expect(warn({ unreadSignals: ['model.shif'] })).toContain('signals of the file: model.shif');
    expect(warn({ inSample: true })).toContain('in-sample');
    expect(warn({ lookAheadFields: ['volume', 'payout'] })).toContain(
      'in-sample: the tapes were chosen by volume, payout',
    );
    expect(warn({ receiveTime: 'missing' })).toContain('feed latency is an assumption');
    expect(warn({ earlyMessageCount: 3 })).toContain('3 messages of the tape were received before their exchange time');
    expect(warn({ unresolved: 3 })).toContain('3 of 40 markets did not resolve');
    expect(warn({ fills: { count: 0, maker: 0, taker: 0, shares: 0 }, fillsByTag: {} })).toContain(
      'Nothing was filled',
    );
  });
});
