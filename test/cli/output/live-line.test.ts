import { describe, expect, it } from 'vitest';
import { formatStatusLine } from '../../../src/cli/output/live-line.ts';
import type { MarketStatusLine } from '../../../src/ops/control/bot-port.ts';
import type { BotStatus } from '../../../src/ops/index.ts';
import { STATUS } from '../../ops/controlled-bot.ts';

const MARKET: MarketStatusLine = {
  slug: 'will-it-rain',
  id: '1',
  status: 'OPEN',
  acceptingOrders: true,
  strategy: 'ladder',
  bidBps: 4_900,
  askBps: 5_100,
  bookAgeMs: 120,
  openOrders: 6,
  position: -36_760_000,
  worth: 0,
  feeBps: 0,
  acceptedFeeBps: 0,
  stopped: null,
};
const QUOTING: BotStatus = {
  ...STATUS,
  now: 60_000,
  clockSkewMs: 2,
  equity: 9_987_660_000,
  pnl: -12_340_000,
  openOrders: 6,
  fills: 19,
  run: { pnl: -12_340_000, fills: 19 },
  markets: [MARKET],
};

describe('the status line of a running bot', () => {
  it('shows everything when there is room', () => {
    expect(formatStatusLine(QUOTING)).toBe(
      'ACTIVE | p&l -$12.34 | 6 open | 19 fills | 36.76 held | equity $9,987.66 | book 0.1 s | 1 market | venue NORMAL',
    );
    expect(formatStatusLine({ ...QUOTING, fills: 1, markets: [MARKET, MARKET] })).toContain('| 1 fill | 73.52 held |');
  });

  it('shows the number of markets without a book, and no age for a missing book', () => {
    const missing = { ...MARKET, bookAgeMs: null };
    expect(formatStatusLine({ ...STATUS, markets: [MARKET, missing] })).toContain('| no book in 1 of 2 | 2 markets |');
    expect(formatStatusLine({ ...STATUS, markets: [{ ...missing, strategy: null }, MARKET] })).toContain(
      '| book 0.1 s |',
    );
  });

  it('omits whole parts in 80 columns and keeps profit and equity', () => {
    const line = formatStatusLine(QUOTING, 79);
    expect(line).toBe('ACTIVE | p&l -$12.34 | 6 open | 19 fills | 36.76 held | equity $9,987.66');
    expect(formatStatusLine(QUOTING, 10)).toBe('ACTIVE');
    expect(formatStatusLine(QUOTING, 3)).toBe('ACT');
  });

  it('starts with problems of the venue and the clock', () => {
    const ill: BotStatus = { ...QUOTING, mode: 'KILLED', link: 'DOWN', clockSkewMs: 2_500 };
    expect(formatStatusLine(ill, 79)).toMatch(/^KILLED \| venue DOWN \| clock off by 2500 ms \| p&l -\$12\.34 \|/);
    expect(formatStatusLine({ ...QUOTING, reconciled: 'disagrees' })).toMatch(/^ACTIVE \| ACCOUNT DISAGREES \| p&l/);
    expect(formatStatusLine({ ...QUOTING, venueMode: 'CANCEL_ONLY' })).toMatch(/^ACTIVE \| venue CANCEL_ONLY \| p&l/);
  });
});
