/** Faults that withdraw a book, and its recovery, on a venue with scripted responses. */
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import type { PolymarketDataSettings } from '../../../src/venues/polymarket/market-data.ts';
import { type MarketDataHarness, marketDataHarness } from './market-data-harness.ts';
import { CONDITION, NO, ScriptedVenue, YES } from './scripted-venue.ts';

const SOON = { timeout: 20_000 };
/** Longer than the interval between two checks of the books. */
const CHECKED_MS = 300;

async function openFollowed(
  settings: Partial<PolymarketDataSettings> = {},
): Promise<{ readonly venue: ScriptedVenue; readonly harness: MarketDataHarness }> {
  const venue = await ScriptedVenue.open();
  const harness = marketDataHarness(venue.url, settings);
  await harness.start({ ids: [CONDITION] });
  expect(harness.core.levels(0)).toEqual({ bids: ['4000:10'], asks: ['6000:10'] });
  // Waits for the first check, because a book that is lost earlier is requested only 3 s after the subscription.
  await new Promise((resolve) => setTimeout(resolve, CHECKED_MS));
  return { venue, harness };
}

function venueLevels(venue: ScriptedVenue) {
  const side = (levels: readonly (readonly [string, string])[], best: 1 | -1) =>
    levels
      .map(([price, size]): [number, number] => [
        Math.round(Number(price) * 10_000),
        Math.floor(Number(size) * 100) / 100,
      ])
      .filter(([, size]) => size > 0)
      .sort(([a], [b]) => best * (a - b))
      .map(([price, size]) => `${price}:${size}`);
  return { bids: side(venue.book.bids, -1), asks: side(venue.book.asks, 1) };
}

/** Waits until the book has had a gap and equals the venue's again. */
async function expectRecovery(venue: ScriptedVenue, { core, data }: MarketDataHarness): Promise<void> {
  await expect.poll(() => core.statuses, SOON).toContain('gap');
  await expect.poll(() => data.bookStates()[0]?.isSynced, SOON).toBe(true);
  await expect.poll(() => core.levels(0), SOON).toEqual(venueLevels(venue));
  expect(core.errors).toEqual([]);
}

describe('a book is withdrawn until REST and the stream agree', () => {
  it('when the best prices are not those that a change states', async () => {
    const { venue, harness } = await openFollowed();
    venue.change('BUY', '0.41', '5', { best_bid: '0.45' });
    await expectRecovery(venue, harness);
    expect(harness.logged.text()).toContain('its best prices are 4100 and 6000, not 4500 and 6000');
    expect(venue.received.filter((text) => text.includes('unsubscribe'))).toHaveLength(1);
    expect(venue.connections).toBe(1);
  });

  it('when the best prices of NO are not those of YES mirrored', async () => {
    const { venue, harness } = await openFollowed();
    const change = { asset_id: NO, price: '0.6', size: '10', side: 'SELL', best_bid: '0.39', best_ask: '0.6' };
    const timestamp = String(venue.now());
    venue.send({ event_type: 'price_change', market: CONDITION, timestamp, price_changes: [change] });
    await expectRecovery(venue, harness);
  });

  it('when a bid crosses an ask', async () => {
    const { venue, harness } = await openFollowed();
    const before = venue.book;
    venue.change('BUY', '0.61', '5');
    venue.book = before;
    await expectRecovery(venue, harness);
    expect(harness.logged.text()).toContain('its book is crossed');
  });

  it('when an event is repeated after a later one', async () => {
    const { venue, harness } = await openFollowed();
    const first = venue.change('BUY', '0.41', '5');
    venue.change('BUY', '0.41', '0');
    await expect.poll(() => harness.core.messages.length).toBe(3);
    venue.send(first);
    await expectRecovery(venue, harness);
    expect(harness.logged.text()).toContain('its time went back');
  });

  it('when an old book is sent again', async () => {
    const { venue, harness } = await openFollowed();
    const old = venue.bookEvent();
    venue.change('BUY', '0.41', '5');
    venue.send(old);
    await expectRecovery(venue, harness);
  });

  it('when a time lies in the future', async () => {
    const { venue, harness } = await openFollowed();
    venue.send(venue.bookEvent(venue.book, Date.now() + 3_600_000));
    await expectRecovery(venue, harness);
  });

  it('when an event cannot be read, or names a token of another market', async () => {
    const { venue, harness } = await openFollowed();
    venue.send({ event_type: 'price_change', market: CONDITION, timestamp: 'soon', price_changes: [] });
    await expectRecovery(venue, harness);
    harness.core.statuses.length = 0;
    const timestamp = String(venue.now());
    venue.send({
      event_type: 'last_trade_price',
      market: CONDITION,
      timestamp,
      asset_id: '333',
      price: '0.5',
      side: 'BUY',
      size: '1',
    });
    await expectRecovery(venue, harness);
    expect(harness.core.prints).toEqual([]);
  });

  it('when a price is off the grid', async () => {
    const { venue, harness } = await openFollowed();
    const timestamp = String(venue.now());
    const price_changes = [{ asset_id: YES, price: '0.405', size: '1', side: 'BUY' }];
    venue.send({ event_type: 'price_change', market: CONDITION, timestamp, price_changes });
    await expectRecovery(venue, harness);
  });

  it('when REST shows another book while the stream is silent, with a new connection', async () => {
    const { venue, harness } = await openFollowed({ silenceMs: 200 });
    venue.book = { bids: [['0.45', '7']], asks: [['0.6', '10']] };
    await expectRecovery(venue, harness);
    expect(venue.connections).toBe(2);
    expect(harness.logged.text()).toContain('a book differs from that of REST');
  });

  it('when announced best prices differ from those of the book', async () => {
    const { venue, harness } = await openFollowed();
    venue.book = { bids: [['0.45', '7']], asks: [['0.6', '10']] };
    const timestamp = String(venue.now());
    venue.send({
      event_type: 'best_bid_ask',
      market: CONDITION,
      timestamp,
      asset_id: NO,
      best_bid: '0.4',
      best_ask: '0.55',
    });
    await expectRecovery(venue, harness);
  });
});

it('a book that contradicted itself stays withdrawn while REST shows another book', async () => {
  const { venue, harness } = await openFollowed();
  venue.overrides.set('/books', (response) =>
    response.end(JSON.stringify([venue.bookEvent({ bids: [['0.01', '1']], asks: [['0.99', '1']] })])),
  );
  venue.change('BUY', '0.41', '5', { best_bid: '0.45' });
  await expect.poll(() => harness.core.statuses).toContain('gap');
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(harness.data.bookStates()).toMatchObject([{ isSynced: false }]);
  venue.overrides.clear();
  await expectRecovery(venue, harness);
});

it('a market halts when its book contradicts itself repeatedly', async () => {
  const { venue, harness } = await openFollowed();
  for (let round = 0; round < 3; round += 1) {
    venue.change('BUY', '0.41', '5', { best_bid: '0.45' });
    await expect.poll(() => harness.data.bookStates()[0]?.isSynced, SOON).toBe(false);
    if (round < 2) await expect.poll(() => harness.data.bookStates()[0]?.isSynced, SOON).toBe(true);
  }
  await expect.poll(() => harness.data.bookStates()[0]?.isSynced, SOON).toBe(true);
  expect(harness.core.statuses.at(-1)).toBe('HALTED');
});

it('a silent book stays in use while REST confirms it, and its market halts when nothing does', async () => {
  const { venue, harness } = await openFollowed({ silenceMs: 100, staleMs: 1_500 });
  const { core } = harness;
  await expect.poll(() => core.messages.filter((text) => text === 'bid 4000=10').length, SOON).toBeGreaterThan(3);
  expect(core.statuses).toEqual([]);
  venue.overrides.set('/books', (response) => response.end('<html>busy</html>'));
  await expect.poll(() => core.statuses, SOON).toContain('HALTED');
  await expect.poll(() => core.states.at(-1), SOON).toBe('NORMAL DOWN');
  expect(harness.logged.text()).toContain('<html>busy</html>');
  venue.overrides.clear();
  await expect.poll(() => core.states.at(-1), SOON).toBe('NORMAL UP');
  await expect.poll(() => core.statuses.at(-1), SOON).toBe('OPEN');
});

it('endless responses and invalid frames do not stop market data', async () => {
  const { venue, harness } = await openFollowed({ silenceMs: 100 });
  const endless = (response: ServerResponse): void => {
    response.on('error', () => undefined);
    const more = (): void => {
      while (!response.destroyed && response.write('[1,'.repeat(50_000)));
      if (!response.destroyed) response.once('drain', more);
    };
    more();
  };
  venue.overrides.set('/books', endless);
  for (const frame of [
    '<html>',
    '[',
    '{}',
    '[[[[1]]]]',
    '{"event_type":7}',
    `[${'{},'.repeat(10_001)}{}]`,
    '{"event_type":"newer"}',
  ])
    venue.send(frame);
  venue.send(`{"event_type":"book","x":${'['.repeat(5_000)}${']'.repeat(5_000)}}`);
  await expect.poll(() => harness.logged.text(), SOON).toContain('books could not be compared');
  venue.overrides.clear();
  venue.change('SELL', '0.59', '2');
  await expect.poll(() => harness.core.levels(0), SOON).toEqual(venueLevels(venue));
  expect(harness.core.errors).toEqual([]);
});

it('sizes are rounded down to whole lots, and a size below a lot is hidden but counts as best price', async () => {
  const { venue, harness } = await openFollowed();
  venue.change('BUY', '0.41', '5.019999');
  venue.change('BUY', '0.42', '0.009');
  venue.change('SELL', '0.59', '1');
  await expect
    .poll(() => harness.core.levels(0))
    .toEqual({ bids: ['4100:5.01', '4000:10'], asks: ['5900:1', '6000:10'] });
  venue.change('BUY', '0.42', '0');
  venue.change('SELL', '0.58', '1');
  await expect.poll(() => harness.core.levels(0).asks[0]).toBe('5800:1');
  expect(harness.core.statuses).toEqual([]);
});

describe('states of a market', () => {
  it('a market resolves only when both sources name the same winner', async () => {
    const { venue, harness } = await openFollowed({ pollMs: 200 });
    venue.terms['ao'] = false;
    Object.assign(venue.state, {
      closed: true,
      accepting_orders: false,
      tokens: [
        { token_id: YES, outcome: 'Yes', winner: false },
        { token_id: NO, outcome: 'No', winner: true },
      ],
    });
    await expect.poll(() => harness.core.statuses.at(-1), SOON).toBe('PENDING_RESOLUTION');
    venue.send({
      event_type: 'market_resolved',
      market: CONDITION,
      timestamp: String(venue.now()),
      assets_ids: [YES, NO],
      winning_asset_id: YES,
    });
    await expect.poll(() => harness.logged.text(), SOON).toContain('two sources name different winners');
    expect(harness.core.statuses.at(-1)).toBe('PENDING_RESOLUTION');
    venue.send({
      event_type: 'market_resolved',
      market: CONDITION,
      timestamp: String(venue.now()),
      assets_ids: [YES, NO],
      winning_asset_id: NO,
    });
    await expect.poll(() => harness.core.statuses.at(-1), SOON).toBe('resolution 0');
  });

  it('limits and ticks that change are reported', async () => {
    const { venue, harness } = await openFollowed({ pollMs: 200 });
    venue.terms['mos'] = 15;
    await expect.poll(() => harness.core.limits.map(({ limits }) => limits.minOrderShares), SOON).toEqual([15_000_000]);
    venue.terms['mts'] = 0.001;
    await expect.poll(() => harness.core.failures.map(({ code }) => code), SOON).toEqual(['TICK_CHANGED']);
  });

  it('a market halts when its state cannot be read several times', async () => {
    const { venue, harness } = await openFollowed({ pollMs: 200 });
    venue.overrides.set(`/clob-markets/${CONDITION}`, (response) => response.end('{"c": 7}'));
    await expect.poll(() => harness.core.statuses, SOON).toContain('HALTED');
    venue.overrides.clear();
    await expect.poll(() => harness.core.statuses.at(-1), SOON).toBe('OPEN');
  });
});

it('the link is DOWN while a connection is lost, and its books are in a gap', async () => {
  const { venue, harness } = await openFollowed();
  venue.cut();
  await expect.poll(() => harness.core.states.at(-1)).toBe('NORMAL DOWN');
  expect(harness.core.statuses).toContain('gap');
  await expectRecovery(venue, harness);
  await expect.poll(() => harness.core.states.at(-1)).toBe('NORMAL UP');
});
