import { expect, it } from 'vitest';
import { AccountReader } from '../../../src/venues/polymarket/account-reader.ts';
import { openParts, tradeRow, YES } from './parts.ts';

it('holdings in a market that Gamma does not list have its condition id and no outcome', async () => {
  const { deps, answers, listed, acceptedOrder, clock } = await openParts();
  const order = acceptedOrder(1);
  const row = tradeRow({ id: 't-1', at: clock.now(), makers: [[order.hash, 4]], status: 'CONFIRMED' });
  listed.trades = [row];
  answers.set('GET /balance-allowance', ({ query = {} }) => {
    return { type: 'done', json: { balance: query['token_id'] === YES ? '4000000' : '0' } };
  });
  const text = '{"markets":[]}';
  const body = Buffer.from(text);
  const noMarkets = { type: 'answer', status: 200, text, body, contentRange: undefined, retryAfterMs: 0 } as const;
  const reader = new AccountReader({
    ...deps,
    http: { send: () => Promise.resolve(noMarkets) },
    gammaUrl: 'https://gamma.example',
    owner: 'own-key',
    maker: '0x1',
    signatureType: 0,
  });
  const condition = Reflect.get(row, 'market');
  expect(await reader.holdings()).toEqual([{ market: condition, condition, outcome: undefined, shares: 4_000_000 }]);
});
