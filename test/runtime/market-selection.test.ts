import { describe, expect, it } from 'vitest';
import { epochMs } from '../../src/domain/index.ts';
import { polymarketMarketId } from '../../src/runtime/market-id-from-name.ts';
import { computeSelectionChange, type MarketCandidate, selectionSchema } from '../../src/runtime/market-selection.ts';

const NOW = epochMs(1_800_000_000_000);
const hours = (count: number) => epochMs(NOW + count * 3_600_000);

function market(id: string, fields: Partial<MarketCandidate> = {}): MarketCandidate {
  return {
    id,
    slug: id,
    isOpen: true,
    acceptsOrders: true,
    category: 'sports',
    tags: [],
    volume: 1_000_000,
    spreadBps: 100,
    resolvesAt: hours(48),
    ...fields,
  };
}

function change(candidates: readonly MarketCandidate[], rules: object, traded: readonly string[] = []) {
  const { enter, leave } = computeSelectionChange(candidates, new Set(traded), selectionSchema.parse(rules), NOW);
  return { enter: enter.map(({ id }) => id), leave: leave.map(({ market: { id }, reason }) => `${id} ${reason}`) };
}

describe('computeSelectionChange', () => {
  it('selects the best markets by rank up to the maximum', () => {
    const markets = [
      market('a', { volume: 1e6, spreadBps: 300, resolvesAt: hours(1) }),
      market('b', { volume: 3e6, spreadBps: 200, resolvesAt: hours(9) }),
      market('c', { volume: 3e6, spreadBps: undefined, resolvesAt: undefined }),
    ];
    expect(change(markets, { most: 2 }).enter).toEqual(['b', 'c']);
    expect(change(markets, { most: 2, rank: 'spread' }).enter).toEqual(['b', 'a']);
    expect(change(markets, { most: 2, rank: 'resolution' }).enter).toEqual(['a', 'b']);
    expect(change(markets.toReversed(), { most: 2 }).enter).toEqual(['b', 'c']);
  });

  it.each([
    ['category', { category: 'sports' }, { category: 'politics' }],
    ['tag', { tags: ['tennis', 'darts'] }, { tags: ['golf'] }],
    ['volume', { min_volume_usd: 1 }, { volume: 999_999 }],
    ['spread', { max_spread_bps: 100 }, { spreadBps: 101 }],
    ['one-sided book', { max_spread_bps: 100 }, { spreadBps: undefined }],
    ['too little time', { min_hours_left: 48 }, { resolvesAt: hours(47) }],
    ['too much time', { max_hours_left: 48 }, { resolvesAt: hours(49) }],
    ['an unknown end', { min_hours_left: 1 }, { resolvesAt: undefined }],
    ['a halt', {}, { acceptsOrders: false }],
  ] as const)('filters by %s', (_what, rules, bad) => {
    const good = { tags: ['tennis'] };
    expect(change([market('bad', { ...good, ...bad }), market('good', good)], rules).enter).toEqual(['good']);
  });

  it('keeps a market when a better one appears, and fills only free places', () => {
    const markets = [market('old', { volume: 0 }), market('new', { volume: 9e6 }), market('next', { volume: 8e6 })];
    expect(change(markets, { most: 1, min_volume_usd: 1 }, ['old'])).toEqual({ enter: [], leave: [] });
    expect(change(markets, { most: 2, min_volume_usd: 1 }, ['old'])).toEqual({ enter: ['new'], leave: [] });
  });

  it('leaves a market before resolution and before the start of play, and does not enter it then', () => {
    const starts = { starts: new Date(hours(0.5)).toISOString(), later: new Date(hours(1)).toISOString() };
    const rules = { most: 2, leave_hours_before_resolution: 2, leave_hours_before_start: 0.5, starts_at: starts };
    const markets = [
      market('ends', { resolvesAt: hours(2) }),
      market('starts'),
      market('later', { resolvesAt: hours(3) }),
      market('closed', { isOpen: false }),
    ];
    expect(change(markets, rules, ['ends', 'starts', 'closed'])).toEqual({
      enter: ['later'],
      leave: ['ends before resolution', 'starts before start', 'closed closed'],
    });
    expect(change(markets, rules).enter).toEqual(['later']);
  });

  it('finds the start of play of a Polymarket market by its condition id', () => {
    const condition = `0x${'AB'.repeat(32)}`;
    const rules = { leave_hours_before_start: 1, starts_at: { [condition]: new Date(hours(0.5)).toISOString() } };
    const id = polymarketMarketId(condition.toLowerCase());
    expect(change([market(id, { slug: 'rain' })], rules, [id]).leave).toEqual([`${id} before start`]);
  });

  it('finds no start of play for a market that is called as a member of every object', () => {
    const rules = { leave_hours_before_start: 1, starts_at: { rain: '2026-12-01T18:00:00Z' } };
    expect(change([market('constructor')], rules).enter).toEqual(['constructor']);
  });

  it('keeps a market during a halt', () => {
    expect(change([market('halted', { acceptsOrders: false })], {}, ['halted']).leave).toEqual([]);
  });
});

describe('selectionSchema', () => {
  it.each([
    [{ min_hours_left: 5, max_hours_left: 4 }, 'at least min_hours_left (5)'],
    [{ max_hours_left: 2, leave_hours_before_resolution: 2 }, 'more than leave_hours_before_resolution (2)'],
    [{ leave_hours_before_start: 1 }, 'times in starts_at'],
    [{ starts_at: { rain: '2026-12-01T18:00:00Z' } }, 'leave_hours_before_start beside it'],
    [{ starts_at: { rain: 'noon' } }, 'a time such as'],
  ])('refuses %j', (rules, message) => {
    expect(selectionSchema.safeParse(rules).error?.message).toContain(message);
  });
});
