/** Frames that cannot be read, on each subscription of a bot as `halfspread run` wires it: what becomes of its orders. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { FaultyProxy } from '../venues/service/faulty-proxy.ts';
import { Harness, type Trader } from '../venues/service/harness.ts';
import { ended, LiveFixture, standing } from './live-fixture.ts';
import { until as untilFor } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const until = (isSo: () => boolean | Promise<boolean>, what: string) => untilFor(isSo, what, 8_000);

let harness: Harness;
let line: FaultyProxy;
let live: LiveFixture;
let opened: OpenedLive;
let other: Trader;
let ids: readonly string[];

beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  ids = [await harness.market(1), await harness.market(2)];
  for (const id of ids) await standing(harness, id);
  other = await harness.trader();
  line = await FaultyProxy.open(harness.url);
  live = new LiveFixture(harness, `markets: { ids: ["${ids[0]}", "${ids[1]}"] }`, line.url);
  opened = await live.run();
  await quotesBoth();
});
afterEach(async () => {
  expect(opened.bot.status().mode).toBe('ACTIVE');
  line.heal();
});
afterAll(async () => {
  expect(await ended(opened)).toBe(0);
  await line.close();
  await harness.close();
});

function quotesOn(slug: string): number {
  return opened.bot.orders().filter(({ market, phase }) => market === slug && phase === 'live').length;
}

/** Both sides stand in each market; a position makes an order more. */
async function quotesBoth(): Promise<void> {
  for (const slug of ['question-1', 'question-2']) await until(() => quotesOn(slug) >= 4, `it quotes on ${slug}`);
}

/** From now on the venue's frames of a field have a member that cannot be. */
function spoil(field: string, member: string, match = new RegExp(`"${field}":\\{`)): void {
  const to = (text: string): string => text.replace(new RegExp(`"${member}":("[^"]*"|\\d+)`), `"${member}":null`);
  line.rule({ direction: 'down', match, fault: 'rewrite', to, times: Number.POSITIVE_INFINITY });
}

function logged(text: string): number {
  return live.logged.filter(({ msg }) => String(msg).startsWith(text)).length;
}

/** Somebody sells to the best bid. */
async function trade(shares = 1, at = 0): Promise<void> {
  await other.place({ marketId: ids[at] ?? '', outcome: 'NO', side: 'BUY', priceBps: 5_900, shares });
}

it('an invalid trade is left out, and quotes stay', async () => {
  spoil('tradeExecuted', 'executedAt');
  await trade();
  await until(() => logged('venue: a trade cannot be read') > 0, 'it is logged');
  await quotesBoth();
});

it('invalid retail prices are ignored, and quotes stay', async () => {
  spoil('priceUpdated', 'yesPriceBps');
  await trade(10, 1);
  await until(() => logged('venue: retail prices cannot be read') > 0, 'it is logged');
  await quotesBoth();
});

it('an invalid market state is read again, and the result applies', async () => {
  spoil('marketStatusChanged', 'status');
  await harness.operate('halt', { market: ids[1] });
  await until(() => logged('venue: the state of a market is invalid') > 0, 'it is logged');
  await until(() => quotesOn('question-2') === 0, 'quotes go where the market is paused');
  expect(quotesOn('question-1')).toBeGreaterThan(0);
  line.heal();
  await harness.operate('resume', { market: ids[1] });
  await standing(harness, ids[1] ?? '');
  await quotesBoth();
});

it('an invalid venue mode is read again, and quotes return with it', async () => {
  spoil('venueStatusChanged', 'mode');
  await harness.operate('configure', { dispute_window: 1 });
  await until(() => logged('venue: its mode and limits cannot be read') > 0, 'it is logged');
  await quotesBoth();
});

it('invalid own orders withdraw everything until the stream is readable and the account was compared', async () => {
  const fills = opened.bot.fills(100).length;
  spoil('orderEvents', 'prevSeq');
  await trade();
  await until(() => opened.bot.status().link === 'DOWN' || opened.bot.status().reconciled === 'comparing', 'a loss');
  await until(() => logged('own orders: an event cannot be read') > 0, 'it is logged');
  line.heal();
  await until(() => opened.bot.fills(100).length > fills, 'the fill is found');
  await until(() => opened.bot.status().reconciled === 'agrees', 'the account agrees');
  await quotesBoth();
});

it('an invalid book is requested again; when that continues the market halts and its orders are cancelled, not those of others', async () => {
  spoil('orderBookUpdated', 'seq', new RegExp(`"orderBookUpdated":\\{.*${ids[0]}`));
  await trade();
  await until(() => logged('venue: requesting a book again') > 0, 'it is logged');
  await until(() => quotesOn('question-1') === 0, 'its orders go');
  await until(() => opened.bot.status().markets[0]?.acceptingOrders === false, 'it halts');
  expect(quotesOn('question-2')).toBeGreaterThan(0);
  // A book that is right again does not end the halt at once.
  line.heal();
  await until(() => (opened.bot.status().markets[0]?.bookAgeMs ?? 1e9) < 1_000, 'a frame of the book came');
  // Longer than a strategy waits between two quotes.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(quotesOn('question-1')).toBe(0);
  expect(quotesOn('question-2')).toBeGreaterThan(0);
});
