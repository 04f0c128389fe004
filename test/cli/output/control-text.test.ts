/** Output of commands to a bot and to a venue, on terminals of several widths and in a pipe. */
import { describe, expect, it } from 'vitest';
import { wrapLines } from '../../../src/cli/output/columns-text.ts';
import { botText, venueText } from '../../../src/cli/output/control-text.ts';

const PIPE = { isTty: false, columns: 80 };
const terminal = (columns: number) => ({ isTty: true, columns });
const SLUG = 'betfair-match-odds-1-200806927-runner-228749';
const OTHER = 'betfair-match-odds-1-200806927-runner-228750';
const AT = Date.UTC(2026, 10, 22, 17, 5, 9, 123);
const FILLS = [
  {
    time: AT,
    order: 12,
    market: SLUG,
    outcome: 'YES',
    side: 'BUY',
    priceBps: 4_950,
    shares: 12_340_000,
    fee: 0,
    liquidity: 'MAKER',
  },
  {
    time: AT,
    order: 0,
    market: OTHER,
    outcome: 'NO',
    side: 'SELL',
    priceBps: 5_050,
    shares: 1e6,
    fee: 12_000,
    liquidity: 'TAKER',
  },
];
const ORDERS = [
  { order: 7, market: SLUG, outcome: 'YES', side: 'BUY', priceBps: 4_950, remaining: 20e6, phase: 'live', since: AT },
];
const STATUS = {
  mode: 'ACTIVE',
  cash: 1_000_000,
  markets: [SLUG, OTHER].map((slug) => ({
    slug,
    id: '1',
    status: 'OPEN',
    acceptingOrders: true,
    strategy: 'avellaneda-stoikov',
    bidBps: 4_900,
    askBps: 5_100,
    bookAgeMs: 120,
    openOrders: 6,
    position: 36_760_000,
  })),
};

/** The rows of a table, without the line that names the omitted columns. */
function rowsOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '' && !line.startsWith('not shown'));
}

it.each([
  [-4_999, '$0.00'],
  [-5_000, '-$0.01'],
  [999_996, '$1.00'],
  [1_005_000, '$1.01'],
])('an amount of %d micro-dollars is shown as %s, as in the live line', (pnl, text) => {
  expect(botText('status', { ...STATUS, pnl }, PIPE)).toContain(`\np&l if closed now  ${text}\n`);
});

it('the two P&Ls of a status and the result of a position say what they count', () => {
  const strategies = [{ name: 'ladder', pnlMicros: -1_330_000, fills: 27 }];
  const text = botText('status', { ...STATUS, pnl: -1_450_000, strategies }, PIPE);
  expect(text).toMatch(/^p&l if closed now +-\$1\.45$/m);
  expect(text).toMatch(/^strategies +ladder -\$1\.33 at mid prices with 27 fills$/m);
  const positions = [{ market: SLUG, yes: 1e6, worth: 500_000, realized: -130_000 }];
  expect(botText('positions', positions, PIPE)).toMatch(/worth +realized after fees\n.*\$0\.50 +-\$0\.13\n$/);
});

it('the status of a stopped bot has no present mode', () => {
  const text = botText('status', { running: false, now: AT, mode: 'ACTIVE', markets: [] }, PIPE);
  expect(text).toBe('as of  2026-11-22T17:05:09.123Z\nmode   ACTIVE at the next start\n\nno markets\n');
});

it('the positions at a venue say that closed ones are missing', () => {
  const note = 'open positions only: `positions` without --venue has the results of closed ones, too\n';
  expect(venueText('positions', { positions: [] }, PIPE)).toBe(`no positions\n${note}`);
  expect(venueText('orders', { orders: [] }, PIPE)).toBe('no orders\n');
});

describe('the tables of a bot', () => {
  it.each([80, 100, 120])('fit %i columns, keep the required columns, and name the omitted ones', (columns) => {
    for (const [command, result] of [
      ['fills', FILLS],
      ['orders', ORDERS],
      ['status', STATUS],
    ] as const) {
      const text = botText(command, result, terminal(columns));
      for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(columns);
      expect(text).not.toMatch(/…$/m);
      const whole = botText(command, result, PIPE);
      const titles = (all: string) =>
        rowsOf(all).find((line) => /^(slug|time|order|market)\b.*\b(bid|side)\b/.test(line)) ?? '';
      const left = /^not shown: (.*) \(a wider terminal, or --json\)$/m.exec(text)?.[1]?.split(', ') ?? [];
      const missing = titles(whole)
        .split(/ {2,}/)
        .filter((title) => !titles(text).split(/ {2,}/).includes(title));
      expect(left).toEqual(missing);
    }
  });

  it('show price, size, both ends of the market’s name and the time to the second at 80 columns', () => {
    const [, first = '', second = ''] = rowsOf(botText('fills', FILLS, terminal(80)));
    expect(first).toMatch(/^11-22 17:05:09 .*betfair-\S*…\S*228749 +YES +BUY +49\.50c .*12\.34$/);
    expect(second).toMatch(/…\S*228750 +NO +SELL +50\.50c/);
    expect(botText('status', STATUS, terminal(80))).toMatch(/…\S*228750 .*49\.00c +51\.00c .*6 +36\.76$/m);
  });

  it('are complete in a pipe', () => {
    const text = botText('fills', FILLS, PIPE);
    expect(text).toContain(`2026-11-22T17:05:09.123Z  12        ${SLUG}`);
    expect(text).not.toContain('not shown');
  });

  it('are cut when the required columns do not fit', () => {
    for (const line of botText('orders', ORDERS, terminal(20)).split('\n')) expect(line.length).toBeLessThanOrEqual(20);
  });

  it('mark a fill of another order of the account as external', () => {
    expect(botText('fills', FILLS, PIPE)).toMatch(/Z +external +betfair/);
    expect(botText('fills', FILLS, PIPE)).not.toMatch(/Z +0 /);
  });
});

it('the order table of a venue fits 80 columns', () => {
  const orders = [
    {
      market: { slug: SLUG },
      id: '1',
      orderId: `0x${'ab'.repeat(32)}`,
      outcome: 'YES',
      side: 'BUY',
      priceBps: 4_950,
      shares: 20,
      remainingShares: 20,
      status: 'LIVE',
      createdAt: '2026-11-22T17:05:09.123Z',
    },
  ];
  const text = venueText('orders', { orders }, terminal(80));
  for (const line of text.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
  expect(text).toMatch(/49\.50c +20 +20 +LIVE/);
});

describe('a name and its description', () => {
  it('are wrapped between words, below the text', () => {
    expect(wrapLines('orders    1 place, 2 cancel, 3 replace\nfills     0\n', 10, 24)).toBe(
      'orders    1 place, 2\n          cancel, 3\n          replace\nfills     0\n',
    );
  });

  it('are not wrapped in a pipe or when a word does not fit', () => {
    const text = `report    ${'x'.repeat(60)}\n`;
    expect(wrapLines(text, 10, Number.POSITIVE_INFINITY)).toBe(text);
    expect(wrapLines(text, 10, 40)).toBe(text);
  });
});

describe('the answer of a venue', () => {
  it('is shown with its own names, also if every object has a member of such a name', () => {
    expect(venueText('config', { constructor: 'a', toString: 'b' }, PIPE)).toBe('constructor  a\nto string    b\n');
  });
});
