/** Orders in neg-risk markets, which are signed for another contract. */
import { Side } from '@polymarket/clob-client-v2';
import { expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { priceBps, unchecked } from '../../../src/domain/index.ts';
import { computeBookHash, POLYMARKET_CONTRACTS } from '../../../src/protocol/polymarket/index.ts';
import { sha1 } from '../../../src/server/polymarket/markets.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import { adapter, openPolymarket, type PolymarketHarness, type TestMarket } from './harness.ts';
import { marketDataHarness } from './market-data-harness.ts';
import { placeCommand } from './parts.ts';

/** Opens a venue with two markets of one neg-risk event. */
async function openNegRisk(): Promise<{
  readonly harness: PolymarketHarness;
  readonly testMarkets: readonly TestMarket[];
}> {
  const harness = await openPolymarket({ polymarket: { negRiskEvents: ['election'] } });
  afterThisTest.add(() => harness.venue.close());
  const { operate } = harness.venue.server;
  const testMarkets: TestMarket[] = [];
  for (const question of ['Will A win?', 'Will B win?']) {
    const resolution = { resolution_date: '2100-01-01T00:00:00Z', event_id: 'election' };
    const created: unknown = await operate('create-market', {
      ...{ question, rules: 'As tested.', category: 'tests', ...resolution },
    });
    const id = String(Reflect.get(Object(created), 'id'));
    const state: unknown = await operate('market', { market: id });
    if (Reflect.get(Object(state), 'status') !== 'OPEN') await operate('open-market', { market: id });
    const { markets } = await (await fetch(`${harness.url}/gamma/markets/keyset`)).json();
    const gamma = markets.find((each: { question: string }) => each.question === question);
    const [yes, no] = JSON.parse(gamma.clobTokenIds);
    testMarkets.push({ id, condition: gamma.conditionId, yes, no });
  }
  return { harness, testMarkets };
}

const place = placeCommand(1, { price: priceBps(4_000) });

it('a neg-risk market accepts orders of the official client and refuses orders that are signed for the wrong contract', async () => {
  const { harness, testMarkets } = await openNegRisk();
  const { client } = await harness.join(1);
  const [{ condition, yes: tokenID }] = testMarkets as [TestMarket];
  expect(await client.getNegRisk(tokenID)).toBe(true);
  expect(await client.getNegRisk(harness.yes)).toBe(false);
  const order = { tokenID, price: 0.4, size: 10, side: Side.BUY };
  const { orderID } = await client.createAndPostOrder(order);
  expect((await client.cancelOrder({ orderID })).canceled).toEqual([orderID]);
  const plain = await client.createOrder(order, { tickSize: '0.001', negRisk: false });
  await expect(client.postOrder(plain)).rejects.toThrow('invalid signature');
  const other = await client.createOrder({ ...order, tokenID: harness.yes }, { tickSize: '0.001', negRisk: true });
  await expect(client.postOrder(other)).rejects.toThrow('invalid signature');
  const book = await client.getOrderBook(tokenID);
  expect(book).toMatchObject({ neg_risk: true });
  expect(computeBookHash(book, sha1)).toBe(book.hash);
  expect(await client.getClobMarketInfo(condition)).toMatchObject({ nr: true });
  const ids = await Promise.all(
    testMarkets.map(async (each) => (await client.getMarket(each.condition)).neg_risk_market_id),
  );
  expect(ids[0]).toMatch(/^0x[0-9a-f]{64}$/);
  expect(new Set(ids).size).toBe(1);
  expect(await client.getMarket(harness.condition)).toMatchObject({ neg_risk: false, neg_risk_market_id: '' });
  const { directory } = marketDataHarness(harness.url);
  const selected = await directory.select({ ids: [...testMarkets.map((each) => each.condition), harness.condition] });
  expect(selected.map(({ info }) => [info.eventId, info.exclusive])).toEqual([
    [ids[0], true],
    [ids[0], true],
    [undefined, undefined],
  ]);
});

it('the adapter trades in a neg-risk market, and its error names the contract without an approval', async () => {
  const { harness, testMarkets } = await openNegRisk();
  const [testMarket] = testMarkets as [TestMarket];
  const open = async () => {
    const parts = await adapter(harness, { no: 2, testMarket, isNegRisk: true });
    const session = parts.venue.connect({
      rows: () => {},
      event: (event) => parts.state.apply(event),
    });
    return { parts, session };
  };
  const first = await open();
  await first.session;
  first.parts.state.applyCommand(place, wallClock().now());
  (await first.session).send([place]);
  await until(
    () => first.parts.state.market(unchecked.market(0)).orders[0]?.lifecycle.isLive === true,
    'the order stands',
  );
  await (await first.session).close();
  const { operate } = harness.venue.server;
  const { address } = first.parts;
  const exchange = 'negRiskExchangeV2';
  await operate('polymarket-approve', { address, asset: 'COLLATERAL', approved: false, exchange: 'exchangeV2' });
  await (await (await open()).session).close();
  await operate('polymarket-approve', { address, asset: 'COLLATERAL', approved: false, exchange });
  const refused = await open();
  await expect(refused.session).rejects.toThrow(`${POLYMARKET_CONTRACTS[137]?.[exchange]} (${exchange})`);
});
