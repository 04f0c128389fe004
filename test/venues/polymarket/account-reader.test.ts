import { expect, it } from 'vitest';
import { AccountReader } from '../../../src/venues/polymarket/account-reader.ts';
import { NO, openParts, tradeRow, YES } from './parts.ts';

type Http = ConstructorParameters<typeof AccountReader>[0]['http'];

/** Returns a fake of Gamma that lists these markets, and the condition ids of each request. */
function fakeGamma(markets: readonly object[]) {
  const requests: (readonly string[])[] = [];
  const text = JSON.stringify({ markets });
  const answer = { type: 'answer', status: 200, text, body: Buffer.from(text), contentRange: undefined } as const;
  const http: Http = {
    send({ url }) {
      requests.push(url.searchParams.getAll('condition_ids'));
      return Promise.resolve({ ...answer, retryAfterMs: 0 });
    },
  };
  return { http, requests };
}

const ACCOUNT = { gammaUrl: 'https://gamma.example', owner: 'own-key', maker: '0x1', signatureType: 0 };

it('holdings in a market that Gamma does not list have its condition id and no outcome', async () => {
  const { deps, answers, listed, acceptedOrder, clock } = await openParts();
  const order = acceptedOrder(1);
  const row = tradeRow({ id: 't-1', at: clock.now(), makers: [[order.hash, 4]], status: 'CONFIRMED' });
  listed.trades = [row];
  answers.set('GET /balance-allowance', ({ query = {} }) => {
    return { type: 'done', json: { balance: query['token_id'] === YES ? '4000000' : '0' } };
  });
  const reader = new AccountReader({ ...deps, ...ACCOUNT, http: fakeGamma([]).http });
  const condition = Reflect.get(row, 'market');
  expect(await reader.holdings()).toEqual([{ market: condition, condition, outcome: undefined, shares: 4_000_000 }]);
});

it('the markets of all fills are read in one request, also when Gamma does not list one of them', async () => {
  const { deps, listed, acceptedOrder, clock } = await openParts();
  const order = acceptedOrder(1);
  const conditions = ['a', 'b', 'c'].map((digit) => `0x${digit.repeat(64)}`);
  listed.trades = conditions.map((market, index) => ({
    ...tradeRow({ id: `t-${index}`, at: clock.now(), makers: [[order.hash, 4]], status: 'CONFIRMED' }),
    market,
  }));
  const [rain = '', unlisted = '', snow = ''] = conditions;
  const entry = { outcomes: '["Yes","No"]', clobTokenIds: JSON.stringify([YES, NO]) };
  const { http, requests } = fakeGamma([
    { ...entry, conditionId: rain, slug: 'rain' },
    { ...entry, conditionId: snow, slug: 'snow' },
  ]);
  const reader = new AccountReader({ ...deps, ...ACCOUNT, http });
  const fills = await reader.fills(10);
  expect(fills.map(({ market }) => market).toSorted()).toEqual([unlisted, 'rain', 'snow'].toSorted());
  expect(requests).toEqual([expect.arrayContaining(conditions)]);
});
