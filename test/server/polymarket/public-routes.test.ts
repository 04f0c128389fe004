import { expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import type { PriceRequest } from '../../../src/exchange/archive/archive.ts';
import { createPublicRoutes, type PublicDeps } from '../../../src/server/polymarket/public-routes.ts';

const HOUR_MS = 3_600_000;
const NOW = 100 * 24 * HOUR_MS;

/** Answers a query of `/prices-history`. @param rows archive's answer @param onRequest gets the archive's request */
function pricesHistory(
  ageMs: number,
  query: Readonly<Record<string, string>>,
  rows: readonly object[],
  onRequest: (request: PriceRequest) => void,
): unknown {
  const deps: unknown = {
    queue: { now: unchecked.time(NOW) },
    markets: {
      findToken: () => ({ market: { no: 4 }, outcome: 'YES' }),
      record: () => ({ number: 4, createdAt: unchecked.time(NOW - ageMs) }),
    },
    archive: {
      prices: (request: PriceRequest) => {
        onRequest(request);
        return rows;
      },
    },
  };
  const route = createPublicRoutes(deps as PublicDeps).get('GET /prices-history');
  return route?.({ query: { market: '1', ...query }, name: '', body: undefined });
}

/** Returns the request to the archive that a query of `/prices-history` causes, for a market of this age. */
function archiveRequest(ageMs: number, query: Readonly<Record<string, string>>): PriceRequest {
  const requests: PriceRequest[] = [];
  expect(pricesHistory(ageMs, query, [], (request) => requests.push(request))).toEqual({ history: [] });
  expect(requests).toHaveLength(1);
  return requests[0]!;
}

it.each([
  [HOUR_MS, 'ONE_MINUTE'],
  [33 * HOUR_MS, 'ONE_MINUTE'],
  [34 * HOUR_MS, 'FIVE_MINUTES'],
  [30 * 24 * HOUR_MS, 'ONE_HOUR'],
  [99 * 24 * HOUR_MS, 'SIX_HOURS'],
])('a history of prices of a market that is %i ms old has the buckets %s', (ageMs, interval) => {
  expect(archiveRequest(ageMs, { interval: 'max' })).toMatchObject({ market: 4, interval, until: NOW });
});

it('a history of prices of an old hour has the minutes of that hour', () => {
  const [from, to] = [NOW - 72 * HOUR_MS, NOW - 71 * HOUR_MS];
  const query = { startTs: String(from / 1_000), endTs: String(to / 1_000) };
  expect(archiveRequest(90 * 24 * HOUR_MS, query)).toMatchObject({ interval: 'ONE_MINUTE', since: from, until: to });
});

it('a history of prices with an unknown interval begins at the requested start', () => {
  const from = NOW - 72 * HOUR_MS;
  const query = { interval: 'constructor', startTs: String(from / 1_000) };
  expect(archiveRequest(90 * 24 * HOUR_MS, query)).toMatchObject({ since: from, until: NOW });
});

it('a history of prices begins with the bucket that contains the requested start, at the start', () => {
  const from = NOW / 1_000 - 90;
  const requests: PriceRequest[] = [];
  const rows = [
    { at: NOW - 120_000, lastTrade: 4_000 },
    { at: NOW - 60_000, lastTrade: 5_000 },
  ];
  const history = pricesHistory(HOUR_MS, { startTs: String(from) }, rows, (request) => requests.push(request));
  expect(requests).toMatchObject([{ interval: 'ONE_MINUTE', since: NOW - 120_000 }]);
  expect(history).toEqual({
    history: [
      { t: from, p: 0.4 },
      { t: from + 30, p: 0.5 },
    ],
  });
});

it.each([
  ['YES', 'YES', 'BUY', 'BUY'],
  ['YES', 'YES', 'SELL', 'SELL'],
  ['YES', 'NO', 'BUY', 'SELL'],
  ['NO', 'YES', 'SELL', 'BUY'],
] as const)(
  'the last trade of token %s, after a taker traded %s with a %s, has the side %s',
  (token, outcome, side, shown) => {
    const deps: unknown = {
      markets: {
        tokenWithBook: () => ({ market: { number: 4 }, outcome: token, id: '1' }),
        lastTradePrice: () => '0.53',
      },
      archive: { trades: () => ({ rows: [{ outcome, side }] }) },
    };
    const route = createPublicRoutes(deps as PublicDeps).get('GET /last-trade-price');
    expect(route?.({ query: { token_id: '1' }, name: '', body: undefined })).toEqual({ price: '0.53', side: shown });
  },
);
