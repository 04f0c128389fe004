/** One exchange with two APIs: GraphQL and Polymarket clients trade with each other. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { AssetType, ClobClient, OrderType, Side, SignatureTypeV2 } from '@polymarket/clob-client-v2';
import { describe, expect, it, vi } from 'vitest';
import { durationMs } from '../../../src/domain/index.ts';
import { rateLimited } from '../../../src/protocol/index.ts';
import { l2SecretBytes, l2Signature } from '../../../src/protocol/polymarket/index.ts';
import { CommandQueue } from '../../../src/server/command-queue.ts';
import { afterThisTest } from '../../cleanup.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { type Client, openPolymarket, type PolymarketHarness, userChannel } from './harness.ts';

async function openHarness(options: Parameters<typeof openPolymarket>[0] = {}): Promise<PolymarketHarness> {
  const harness = await openPolymarket(options);
  afterThisTest.add(() => harness.venue.close());
  return harness;
}

function buy({ yes }: PolymarketHarness, price: number, size: number) {
  return { tokenID: yes, price, size, side: Side.BUY };
}

async function dollarsOf({ client }: Client): Promise<number> {
  return Number((await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).balance) / 1e6;
}

async function sharesOf({ client }: Client, token_id: string): Promise<number> {
  return Number((await client.getBalanceAllowance({ asset_type: AssetType.CONDITIONAL, token_id })).balance) / 1e6;
}

describe('a venue with both APIs', () => {
  it('matches orders of a GraphQL client and a Polymarket client, which then see the same remaining book', async () => {
    const harness = await openHarness();
    const trader = await harness.venue.openTrader(1);
    const resting = await trader.place({ outcome: 'NO', priceBps: 4_500, size: 10 });
    expect(resting.accepted).toBe(true);
    const taker = await harness.join(2);
    expect(await taker.client.getPrice(harness.yes, Side.SELL)).toEqual({ price: '0.55' });
    expect(await dollarsOf(taker)).toBe(10_000);
    const answer = await taker.client.createAndPostOrder(buy(harness, 0.6, 4));
    expect(answer).toMatchObject({ status: 'matched', makingAmount: '2.2', takingAmount: '4' });
    await expect.poll(() => sharesOf(taker, harness.yes)).toBe(4);
    expect(await dollarsOf(taker)).toBe(9_997.8);
    const found = await trader.request(`{ order(id: "${resting.order?.id}") { order { filledShares } } }`);
    expect(found.order.order.filledShares).toBe(4);
    const book = await taker.client.getOrderBook(harness.yes);
    expect(book.asks).toMatchObject([{ price: '0.55', size: '6' }]);
  });

  it('accepts orders of all four kinds of wallets, which use the money of their key', async () => {
    const harness = await openHarness();
    const wallet = (digit: string) => `0x${digit.repeat(40)}`;
    for (const [no, type] of [
      [11, SignatureTypeV2.EOA],
      [12, SignatureTypeV2.POLY_PROXY],
      [13, SignatureTypeV2.POLY_GNOSIS_SAFE],
      [14, SignatureTypeV2.POLY_1271],
    ] as const) {
      const trader = await harness.join(
        no,
        type === SignatureTypeV2.EOA ? undefined : { type, address: wallet(String(type + 1)) },
      );
      const placed = await trader.client.createAndPostOrder(buy(harness, 0.4, 5));
      expect(placed).toMatchObject({ success: true, status: 'live' });
      expect(await trader.client.getOrder(placed.orderID)).toMatchObject({
        maker_address: type === SignatureTypeV2.EOA ? trader.address : wallet(String(type + 1)),
      });
    }
    const otherOwner = await harness.join(15, { type: SignatureTypeV2.POLY_PROXY, address: wallet('2') });
    await expect(otherOwner.client.createAndPostOrder(buy(harness, 0.4, 5))).rejects.toThrow('signer address');
  });

  it('lists the price of each minute of a short history, and only minutes that overlap the requested time', async () => {
    const harness = await openHarness();
    const trader = await harness.venue.openTrader(1);
    await trader.place({ outcome: 'NO', priceBps: 4_500, size: 10 });
    const { client } = await harness.join(2);
    await client.createAndPostOrder(buy(harness, 0.6, 4));
    const historyOf = async (filter: object): Promise<object[]> =>
      Object(await client.getPricesHistory({ market: harness.yes, ...filter })).history;
    const [point, ...others] = await historyOf({ interval: 'max' });
    expect({ point, others }).toEqual({ point: { t: expect.any(Number), p: 0.55 }, others: [] });
    const { t } = Object(point);
    expect(await historyOf({ startTs: t, endTs: t })).toEqual([point]);
    expect(await historyOf({ startTs: t + 0.001, endTs: t + 59 })).toEqual([point]);
    expect(await historyOf({ startTs: t + 60, endTs: t + 120 })).toEqual([]);
    expect(await historyOf({ startTs: 0, endTs: t - 1 })).toEqual([]);
  });

  it('has the same API keys, wallets and orders after a restart', async () => {
    const db = join(newFolder(), 'venue.db');
    const first = await openPolymarket({ db });
    const { client, creds } = await first.join(1);
    const { orderID } = await client.createAndPostOrder(buy(first, 0.4, 5));
    await first.venue.close();
    const second = await openHarness({ db });
    expect(second.yes).toBe(first.yes);
    const again = await second.join(1);
    expect(again.creds).toEqual(creds);
    expect(await again.client.getOrder(orderID)).toMatchObject({ id: orderID, status: 'LIVE' });
  });

  it('refuses requests with an invalid signature, key, passphrase or chain', async () => {
    const harness = await openHarness();
    const { client, creds } = await harness.join(1);
    const signer = harness.stranger(1).signer;
    const other = harness.stranger(2).signer;
    if (signer === undefined || other === undefined) throw new Error('no signer');
    const invalid = [
      { signer, creds: { ...creds, secret: Buffer.alloc(32).toString('base64') } },
      { signer, creds: { ...creds, passphrase: 'x' } },
      { signer, creds: { ...creds, passphrase: 'é'.repeat(creds.passphrase.length) } },
      { signer, creds: { ...creds, key: '00000000-0000-4000-8000-000000000000' } },
      { signer: other, creds },
    ];
    for (const access of invalid) {
      const stranger = new ClobClient({ host: harness.url, chain: 137, ...access });
      expect(await stranger.getApiKeys()).toMatchObject({ status: 401, error: 'Unauthorized/Invalid api key' });
    }
    const elsewhere = new ClobClient({ host: harness.url, chain: 80_002, signer });
    expect(await elsewhere.createApiKey()).toMatchObject({ key: undefined });
    expect((await client.getApiKeys()).apiKeys).toEqual([creds.key]);
  });

  it('allows other origins, sends request ids, joins repeated parameters and limits bodies', async () => {
    const { url, yes, no } = await openHarness();
    const headers = { origin: 'https://example.org' };
    const good = await fetch(`${url}/midpoint?token_id=${yes}`, { headers });
    const bad = await fetch(`${url}/midpoint?token_id=${yes}&token_id=${no}`, { headers });
    const large = await fetch(`${url}/books`, { method: 'POST', headers, body: ' '.repeat(262_145) });
    const put = await fetch(`${url}/order`, { method: 'PUT', headers, body: '{}' });
    expect([good, bad, large, put].map(({ status }) => status)).toEqual([200, 404, 413, 404]);
    for (const answer of [good, bad, large, put]) {
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
      expect(answer.headers.get('x-request-id')).toMatch(/-\w+$/);
      expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    }
    expect(large.headers.get('connection')).toBe('close');
    expect(await large.json()).toEqual({ error: 'the body is larger than 262144 bytes' });
    expect((await fetch(`${url}/books`, { method: 'POST', body: ' '.repeat(262_144) })).status).toBe(400);
  });

  it('refuses invalid ticks, sizes, expirations and small purchases with the messages of Polymarket', async () => {
    const harness = await openHarness();
    const { client } = await harness.join(1);
    await harness.venue.server.operate('change-tick', { market: harness.venue.marketId, tick_bps: 100 });
    const finerTick = { tickSize: '0.001', negRisk: false } as const;
    const otherClient = (await harness.join(2)).client;
    otherClient.tickSizes[harness.yes] = '0.001';
    await expect(otherClient.createAndPostOrder(buy(harness, 0.523, 5), finerTick)).rejects.toThrow(
      'breaks minimum tick size rule: 0.01',
    );
    await expect(client.createAndPostOrder(buy(harness, 0.5, 0.5))).rejects.toThrow('lower than the minimum: 1');
    await expect(client.createAndPostOrder(buy(harness, 0.01, 5))).rejects.toThrow(
      'Size ($0.05) lower than the minimum: $0.1',
    );
    const soon = Math.floor(Date.now() / 1_000) + 100;
    await expect(
      client.createAndPostOrder({ ...buy(harness, 0.5, 5), expiration: soon }, undefined, OrderType.GTD),
    ).rejects.toThrow('invalid expiration');
    const seller = await harness.venue.openTrader(3);
    await seller.place({ outcome: 'NO', priceBps: 9_000, size: 10 });
    await expect(client.createAndPostOrder(buy(harness, 0.1, 9))).rejects.toThrow('min size: $1');
    await expect(client.createAndPostOrder({ ...buy(harness, 0.5, 5), side: Side.SELL })).rejects.toThrow(
      'not enough balance',
    );
  });

  it('reports the daily rebates of a maker without those of reversed trades', async () => {
    const harness = await openHarness({ exchange: { feeRateBps: 1000 }, polymarket: { rebateBps: 2500 } });
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    const rebatesOf = async (maker: string, date: string): Promise<unknown> => {
      const answer = await fetch(`${harness.url}/rebates/current?date=${date}&maker_address=${maker}`);
      return answer.ok ? answer.json() : answer.status;
    };
    const trade = async (): Promise<void> => {
      await maker.client.createAndPostOrder({ tokenID: harness.no, price: 0.5, size: 100, side: Side.BUY });
      await taker.client.createAndPostOrder(buy(harness, 0.5, 100));
    };
    const before = new Date().toISOString().slice(0, 10);
    // Each trade has a fee of $2.50 and a rebate of $0.625. Rebates below $1 a day are not paid.
    await trade();
    expect(await rebatesOf(maker.address, before)).toEqual([]);
    await trade();
    await harness.venue.server.operate('polymarket-fault', { fault: 'fail', times: 1 });
    await trade();
    await expect
      .poll(async () => (await taker.client.getTrades()).map(({ status }) => status).sort())
      .toEqual(['CONFIRMED', 'CONFIRMED', 'FAILED']);
    const date = new Date().toISOString().slice(0, 10);
    // When the test runs over midnight, its trades are on two days.
    if (date === before) {
      expect(await rebatesOf(maker.address, date)).toEqual([
        {
          date,
          condition_id: harness.condition,
          asset_address: '0xc011a7e12a19f7b1f670d46f03b03f3342e82dfb',
          maker_address: maker.address,
          rebated_fees_usdc: '1.250000',
        },
      ]);
    }
    expect(await rebatesOf(taker.address, date)).toEqual([]);
    expect(await rebatesOf(maker.address, '2020-01-01')).toEqual([]);
    expect(await rebatesOf(maker.address, '2020-13-01')).toBe(400);
    expect(await rebatesOf(maker.address, 'today')).toBe(400);
    const [gamma] = (await (await fetch(`${harness.url}/gamma/markets/keyset`)).json()).markets;
    expect(gamma.feeSchedule).toMatchObject({ rate: 0.1, rebateRate: 0.25 });
  });

  it("pays an operator's rebates and rewards to the micro-dollar and has their records after a restart", async () => {
    const db = join(newFolder(), 'venue.db');
    const first = await openPolymarket({ db });
    const { address } = await first.join(1);
    const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const pay = (cause: string, usd: string, options = {}, { venue } = first): Promise<unknown> =>
      venue.server.operate('polymarket-pay', { address, market: venue.marketId, cause, date, usd, ...options });
    await pay('rebate', '1.234567');
    await pay('reward', '2.000001');
    await pay('reward', '5', { only: 'cash' });
    await first.venue.close();
    const second = await openHarness({ db });
    const { client } = await second.join(1);
    expect((await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).balance).toBe('10008234568');
    const rebates = await fetch(`${second.url}/rebates/current?date=${date}&maker_address=${address}`);
    expect(await rebates.json()).toMatchObject([{ condition_id: second.condition, rebated_fees_usdc: '1.234567' }]);
    expect(await client.getEarningsForUserForDay(date)).toMatchObject([
      { date, condition_id: second.condition, maker_address: address, earnings: 2.000001, asset_rate: 1 },
    ]);
    expect(await client.getEarningsForUserForDay('2026-01-01')).toEqual([]);
    await pay('rebate', '3', { only: 'record' }, second);
    const changed = await fetch(`${second.url}/rebates/current?date=${date}&maker_address=${address}`);
    expect(await changed.json()).toMatchObject([{ rebated_fees_usdc: '3.000000' }]);
    await expect(pay('rebate', '-1', {}, second)).rejects.toThrow('usd');
    await expect(pay('rebate', '0.0000001', {}, second)).rejects.toThrow('usd');
    await expect(pay('rebate', '1', { date: '2999-01-01' }, second)).rejects.toThrow('date');
  });

  it('lists no reward that the exchange refused to pay', async () => {
    const { venue, join } = await openHarness();
    const { client, address } = await join(1);
    // The exchange allows $3,000,000,000 of money in play.
    for (let credit = 1; credit <= 30; credit += 1)
      await venue.server.operate('credit', { address, cents: credit < 30 ? 10_000_000_000 : 9_950_000_000 });
    const date = new Date().toISOString().slice(0, 10);
    const reward = { address, market: venue.marketId, cause: 'reward', date, usd: 1_000_000 };
    await expect(venue.server.operate('polymarket-pay', reward)).rejects.toThrow('ABOVE_MAX');
    expect(await client.getEarningsForUserForDay(date)).toEqual([]);
  });

  it('redeems shares of a market that has ended, which then has no book', async () => {
    const harness = await openHarness({ exchange: { disputeWindow: durationMs(0) } });
    const { client, address } = await harness.join(1);
    const { operate } = harness.venue.server;
    const market = harness.venue.marketId;
    await operate('polymarket-convert', { address, action: 'split', market, shares: 10 });
    const { orderID } = await client.createAndPostOrder(buy(harness, 0.4, 5));
    await operate('close-early', { market });
    for (const model of ['one', 'two']) await operate('vote', { market, model, vote: 'YES' });
    await expect.poll(async () => (await client.getMarket(harness.condition)).closed).toBe(true);
    expect(await client.getMarket(harness.condition)).toMatchObject({ tokens: [{ winner: true }, { winner: false }] });
    const before = Number((await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).balance);
    await operate('polymarket-convert', { address, action: 'redeem', market });
    const after = Number((await client.getBalanceAllowance({ asset_type: AssetType.COLLATERAL })).balance);
    expect(after - before).toBe(10_000_000);
    await expect(client.getOrderBook(harness.yes)).rejects.toThrow('No orderbook exists');
    await expect(client.getOrder(orderID)).rejects.toThrow('Order not found');
  });
});

describe('a cancel of one market and one token', () => {
  it('cancels nothing when the token belongs to another market', async () => {
    const harness = await openHarness();
    await harness.venue.market('Another market?');
    const { client } = await harness.join(1);
    const { orderID } = await client.createAndPostOrder(buy(harness, 0.4, 5));
    const { data } = await client.getMarkets();
    const other = data.find(({ condition_id }: { condition_id: string }) => condition_id !== harness.condition);
    const cancel = (market: string) => client.cancelMarketOrders({ market, asset_id: harness.yes });
    expect(await cancel(other.condition_id)).toEqual({ canceled: [], not_canceled: {} });
    expect(await cancel(harness.condition)).toEqual({ canceled: [orderID], not_canceled: {} });
  });
});

describe('a cancel by ids', () => {
  it('contains a reason for every id that is not cancelled', async () => {
    const harness = await openHarness();
    const { client } = await harness.join(1);
    const ids = ['__proto__', 'constructor'];
    const { canceled, not_canceled: reasons } = await client.cancelOrders(ids);
    expect([canceled, Object.keys(reasons).sort()]).toEqual([[], ids]);
  });
});

describe('an API key', () => {
  it('stays valid when its revocation is refused because the command queue is full', async () => {
    const harness = await openHarness();
    const joined = await harness.join(1);
    const { client, creds } = joined;
    const channel = await userChannel(harness, joined);
    vi.spyOn(CommandQueue.prototype, 'run').mockImplementationOnce(() => {
      throw rateLimited(250);
    });
    await expect(client.deleteApiKey()).rejects.toThrow('rate limited: retry in 250 ms');
    expect(await client.getApiKeys()).toEqual({ apiKeys: [creds.key] });
    expect(channel.socket.readyState).toBe(channel.socket.OPEN);
    expect(await client.deleteApiKey()).toBe('OK');
    await expect(client.getApiKeys()).rejects.toThrow('Unauthorized/Invalid api key');
  });
});

describe('the rate limit of a signer', () => {
  it('refuses orders above the burst, but not cancels', async () => {
    const harness = await openHarness({ polymarket: { tier: 'Standard' } });
    const { client, creds, address } = await harness.join(1);
    // Signs first and sends together, because the bucket refills. Both cancels must stay below their burst of 120.
    const batches = await Promise.all(
      Array.from({ length: 7 }, async () =>
        Promise.all(
          Array.from({ length: 15 }, async () => ({
            order: await client.createOrder(buy(harness, 0.1, 5)),
            orderType: OrderType.GTC,
          })),
        ),
      ),
    );
    const answers = await Promise.allSettled(batches.map(async (batch) => client.postOrders(batch)));
    const refused = answers.find((answer) => answer.status === 'rejected')?.reason;
    expect(refused).toMatchObject({ status: 429, message: 'rate limit exceeded' });
    const open = await client.getOpenOrders();
    expect(open.length).toBeGreaterThanOrEqual(60);
    expect((await client.cancelOrders(open.slice(0, 100).map(({ id }) => id))).canceled).toHaveLength(
      Math.min(100, open.length),
    );
    const timestamp = String(Math.floor(Date.now() / 1_000));
    const signature = l2Signature({ timestamp, method: 'DELETE', path: '/cancel-all' }, (text) =>
      createHmac('sha256', l2SecretBytes(creds.secret)).update(text).digest('base64'),
    );
    const headers = {
      ...{ POLY_ADDRESS: address, POLY_SIGNATURE: signature, POLY_TIMESTAMP: timestamp },
      ...{ POLY_API_KEY: creds.key, POLY_PASSPHRASE: creds.passphrase },
    };
    const answer = await fetch(`${harness.url}/cancel-all`, { method: 'DELETE', headers });
    expect(answer.status).toBe(200);
    expect(answer.headers.get('poly-ratelimit-tier')).toBe('Standard');
    expect(Number(answer.headers.get('poly-ratelimit-remaining'))).toBeGreaterThan(0);
  });
});
