/** Orders of a bot, wired as in `halfspread run`, after invalid frames on each of its subscriptions. */
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { FaultyProxy } from '../venues/service/faulty-proxy.ts';
import { Harness, type Trader } from '../venues/service/harness.ts';
import { LiveFixture, placeDistantOrders, stopAndClose } from './live-fixture.ts';
import { until as untilFor } from './trading.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 });

const until = (isSo: () => boolean | Promise<boolean>, description: string) => untilFor(isSo, description, 8_000);

let harness: Harness;
let line: FaultyProxy;
let live: LiveFixture;
let opened: OpenedLive;
let other: Trader;
let ids: readonly string[];

beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  ids = [await harness.market(1), await harness.market(2)];
  for (const id of ids) await placeDistantOrders(harness, id);
  other = await harness.trader();
  line = await FaultyProxy.open(harness.url);
  live = new LiveFixture(harness, `markets: { ids: ["${ids[0]}", "${ids[1]}"] }`, line.url);
  opened = await live.run();
  await waitForQuotes();
});
afterEach(async () => {
  expect(opened.bot.status().mode).toBe('ACTIVE');
  line.heal();
});
afterAll(async () => {
  expect(await stopAndClose(opened)).toBe(0);
  await line.close();
  await harness.close();
});

function quotesOn(slug: string): number {
  return opened.bot.orders().filter(({ market, phase }) => market === slug && phase === 'live').length;
}

/** Waits for quotes on both sides of each market. A position adds an order. */
async function waitForQuotes(): Promise<void> {
  for (const slug of ['question-1', 'question-2']) await until(() => quotesOn(slug) >= 4, `it quotes on ${slug}`);
}

/** Sets a member of the venue's later frames of a field to null. */
function setNull(field: string, member: string, match = new RegExp(`"${field}":\\{`)): void {
  const rewriteMember = (text: string): string =>
    text.replace(new RegExp(`"${member}":("[^"]*"|\\d+)`), `"${member}":null`);
  line.rule({ direction: 'down', match, fault: 'rewrite', to: rewriteMember, times: Number.POSITIVE_INFINITY });
}

function loggedCount(text: string): number {
  return live.logged.filter(({ msg }) => String(msg).startsWith(text)).length;
}

/** Sells to the best bid from another account. */
async function trade(shares = 1, at = 0): Promise<void> {
  await other.place({ marketId: ids[at] ?? '', outcome: 'NO', side: 'BUY', priceBps: 5_900, shares });
}

it('an invalid trade is ignored, and quotes stay', async () => {
  setNull('tradeExecuted', 'executedAt');
  await trade();
  await until(() => loggedCount('venue: a trade cannot be read') > 0, 'the problem is logged');
  await waitForQuotes();
});

it('invalid retail prices are ignored, and quotes stay', async () => {
  setNull('priceUpdated', 'yesPriceBps');
  await trade(10, 1);
  await until(() => loggedCount('venue: retail prices cannot be read') > 0, 'the problem is logged');
  await waitForQuotes();
});

it('an invalid market state is read again, and the valid one applies', async () => {
  setNull('marketStatusChanged', 'status');
  await harness.operate('halt', { market: ids[1] });
  await until(() => loggedCount('venue: the state of a market is invalid') > 0, 'the problem is logged');
  await until(() => quotesOn('question-2') === 0, 'the quotes in the paused market are cancelled');
  expect(quotesOn('question-1')).toBeGreaterThan(0);
  line.heal();
  await harness.operate('resume', { market: ids[1] });
  await placeDistantOrders(harness, ids[1] ?? '');
  await waitForQuotes();
});

it('an invalid venue mode is read again, and quotes return after a valid one', async () => {
  setNull('venueStatusChanged', 'mode');
  await harness.operate('configure', { dispute_window: 1 });
  await until(() => loggedCount('venue: mode and limits cannot be read') > 0, 'the problem is logged');
  await waitForQuotes();
});

it('after an invalid own order event all quotes are withdrawn until the stream is valid and the account was reconciled', async () => {
  const fills = opened.bot.fills(100).length;
  setNull('orderEvents', 'prevSeq');
  await trade();
  await until(() => opened.bot.status().link === 'DOWN' || opened.bot.status().reconciled === 'comparing', 'a loss');
  await until(() => loggedCount('own orders: an event cannot be read') > 0, 'the problem is logged');
  line.heal();
  await until(() => opened.bot.fills(100).length > fills, 'the fill is found');
  await until(() => opened.bot.status().reconciled === 'agrees', 'the account agrees');
  await waitForQuotes();
});

it('an invalid book is requested again, and repeated ones halt this market and cancel its orders', async () => {
  setNull('orderBookUpdated', 'seq', new RegExp(`"orderBookUpdated":\\{.*${ids[0]}`));
  await trade();
  await until(() => loggedCount('venue: requesting a book again') > 0, 'the problem is logged');
  await until(() => quotesOn('question-1') === 0, 'its orders are cancelled');
  await until(() => opened.bot.status().markets[0]?.acceptingOrders === false, 'the market halts');
  expect(quotesOn('question-2')).toBeGreaterThan(0);
  // A valid book does not end the halt at once.
  line.heal();
  await until(() => (opened.bot.status().markets[0]?.bookAgeMs ?? 1e9) < 1_000, 'a frame of the book arrived');
  // Longer than the refresh time of the strategy.
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(quotesOn('question-1')).toBe(0);
  expect(quotesOn('question-2')).toBeGreaterThan(0);
});
