/** One exchange in two dialects: what a client of the one places, a client of the other meets. */
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { AssetType, ClobClient, OrderType, Side, SignatureTypeV2 } from '@polymarket/clob-client-v2';
import { describe, expect, it } from 'vitest';
import { durationMs } from '../../../src/domain/index.ts';
import { l2SecretBytes, l2Signature } from '../../../src/protocol/polymarket/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { newFolder } from '../../cli/halfspread.ts';
import { type Client, openPolymarket, type PolymarketHarness } from './harness.ts';

async function opened(options: Parameters<typeof openPolymarket>[0] = {}): Promise<PolymarketHarness> {
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

describe('a venue with both dialects', () => {
  it('matches an order of a client of GraphQL with one of a client of Polymarket, and both agree on what is left', async () => {
    const harness = await opened();
    const person = await harness.venue.person(1);
    const resting = await person.place({ outcome: 'NO', priceBps: 4_500, size: 10 });
    expect(resting.accepted).toBe(true);
    const taker = await harness.join(2);
    expect(await taker.client.getPrice(harness.yes, Side.SELL)).toEqual({ price: '0.55' });
    expect(await dollarsOf(taker)).toBe(10_000);
    const answer = await taker.client.createAndPostOrder(buy(harness, 0.6, 4));
    expect(answer).toMatchObject({ status: 'matched', makingAmount: '2.2', takingAmount: '4' });
    await expect.poll(() => sharesOf(taker, harness.yes)).toBe(4);
    expect(await dollarsOf(taker)).toBe(9_997.8);
    const seen = await person.ask(`{ order(id: "${resting.order?.id}") { order { filledShares } } }`);
    expect(seen.order.order.filledShares).toBe(4);
    const book = await taker.client.getOrderBook(harness.yes);
    expect(book.asks).toMatchObject([{ price: '0.55', size: '6' }]);
  });

  it('takes orders of all four kinds of wallets, whose money is that of the key', async () => {
    const harness = await opened();
    const wallet = (digit: string) => `0x${digit.repeat(40)}`;
    for (const [no, type] of [
      [11, SignatureTypeV2.EOA],
      [12, SignatureTypeV2.POLY_PROXY],
      [13, SignatureTypeV2.POLY_GNOSIS_SAFE],
      [14, SignatureTypeV2.POLY_1271],
    ] as const) {
      const person = await harness.join(
        no,
        type === SignatureTypeV2.EOA ? undefined : { type, address: wallet(String(type + 1)) },
      );
      const placed = await person.client.createAndPostOrder(buy(harness, 0.4, 5));
      expect(placed).toMatchObject({ success: true, status: 'live' });
      expect(await person.client.getOrder(placed.orderID)).toMatchObject({
        maker_address: type === SignatureTypeV2.EOA ? person.address : wallet(String(type + 1)),
      });
    }
    const thief = await harness.join(15, { type: SignatureTypeV2.POLY_PROXY, address: wallet('2') });
    await expect(thief.client.createAndPostOrder(buy(harness, 0.4, 5))).rejects.toThrow('signer address');
  });

  it('keeps API keys, wallets and orders over a restart', async () => {
    const db = join(newFolder(), 'venue.db');
    const first = await openPolymarket({ db });
    const { client, creds } = await first.join(1);
    const { orderID } = await client.createAndPostOrder(buy(first, 0.4, 5));
    await first.venue.close();
    const second = await opened({ db });
    expect(second.yes).toBe(first.yes);
    const again = await second.join(1);
    expect(again.creds).toEqual(creds);
    expect(await again.client.getOrder(orderID)).toMatchObject({ id: orderID, status: 'LIVE' });
  });

  it('refuses requests whose signature, time, key or passphrase is wrong', async () => {
    const harness = await opened();
    const { client, creds } = await harness.join(1);
    const signer = harness.stranger(1).signer;
    const other = harness.stranger(2).signer;
    if (signer === undefined || other === undefined) throw new Error('no signer');
    const wrong = [
      { signer, creds: { ...creds, secret: Buffer.alloc(32).toString('base64') } },
      { signer, creds: { ...creds, passphrase: 'x' } },
      { signer, creds: { ...creds, passphrase: 'é'.repeat(creds.passphrase.length) } },
      { signer, creds: { ...creds, key: '00000000-0000-4000-8000-000000000000' } },
      { signer: other, creds },
    ];
    for (const access of wrong) {
      const stranger = new ClobClient({ host: harness.url, chain: 137, ...access });
      expect(await stranger.getApiKeys()).toMatchObject({ status: 401, error: 'Unauthorized/Invalid api key' });
    }
    const elsewhere = new ClobClient({ host: harness.url, chain: 80_002, signer });
    expect(await elsewhere.createApiKey()).toMatchObject({ key: undefined });
    expect((await client.getApiKeys()).apiKeys).toEqual([creds.key]);
  });

  it('answers pages of other origins, names each request, joins repeated parameters and bounds bodies', async () => {
    const { url, yes, no } = await opened();
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

  it('refuses ticks, sizes, expirations and small purchases in the words of the venue', async () => {
    const harness = await opened();
    const { client } = await harness.join(1);
    await harness.venue.server.operate('change-tick', { market: harness.venue.marketId, tick_bps: 100 });
    const wide = { tickSize: '0.001', negRisk: false } as const;
    const fresh = (await harness.join(2)).client;
    fresh.tickSizes[harness.yes] = '0.001';
    await expect(fresh.createAndPostOrder(buy(harness, 0.523, 5), wide)).rejects.toThrow(
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
    const seller = await harness.venue.person(3);
    await seller.place({ outcome: 'NO', priceBps: 9_000, size: 10 });
    await expect(client.createAndPostOrder(buy(harness, 0.1, 9))).rejects.toThrow('min size: $1');
    await expect(client.createAndPostOrder({ ...buy(harness, 0.5, 5), side: Side.SELL })).rejects.toThrow(
      'not enough balance',
    );
  });

  it('shows a maker the part of the fees that its fills of a day brought, without those of reversed trades', async () => {
    const harness = await opened({ exchange: { feeRateBps: 1000 }, polymarket: { rebateBps: 2500 } });
    const [maker, taker] = [await harness.join(1), await harness.join(2)];
    const ask = async (of: string, date: string): Promise<unknown> => {
      const answer = await fetch(`${harness.url}/rebates/current?date=${date}&maker_address=${of}`);
      return answer.ok ? answer.json() : answer.status;
    };
    const trade = async (): Promise<void> => {
      await maker.client.createAndPostOrder({ tokenID: harness.no, price: 0.5, size: 100, side: Side.BUY });
      await taker.client.createAndPostOrder(buy(harness, 0.5, 100));
    };
    const before = new Date().toISOString().slice(0, 10);
    // A fee of $2.50 each, of which $0.625 goes back: below a dollar nothing does.
    await trade();
    expect(await ask(maker.address, before)).toEqual([]);
    await trade();
    await harness.venue.server.operate('polymarket-fault', { fault: 'fail', times: 1 });
    await trade();
    await expect
      .poll(async () => (await taker.client.getTrades()).map(({ status }) => status).sort())
      .toEqual(['CONFIRMED', 'CONFIRMED', 'FAILED']);
    const date = new Date().toISOString().slice(0, 10);
    // A test that runs over midnight has its trades in two days.
    if (date === before) {
      expect(await ask(maker.address, date)).toEqual([
        {
          date,
          condition_id: harness.condition,
          asset_address: '0xc011a7e12a19f7b1f670d46f03b03f3342e82dfb',
          maker_address: maker.address,
          rebated_fees_usdc: '1.250000',
        },
      ]);
    }
    expect(await ask(taker.address, date)).toEqual([]);
    expect(await ask(maker.address, '2020-01-01')).toEqual([]);
    expect(await ask(maker.address, '2020-13-01')).toBe(400);
    expect(await ask(maker.address, 'today')).toBe(400);
    const [gamma] = (await (await fetch(`${harness.url}/gamma/markets/keyset`)).json()).markets;
    expect(gamma.feeSchedule).toMatchObject({ rate: 0.1, rebateRate: 0.25 });
  });

  it('pays what an operator says, to the micro-dollar, shows it in its records, and keeps those over a restart', async () => {
    const db = join(newFolder(), 'venue.db');
    const first = await openPolymarket({ db });
    const { address } = await first.join(1);
    const date = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
    const pay = (cause: string, usd: string, more = {}, { venue } = first): Promise<unknown> =>
      venue.server.operate('polymarket-pay', { address, market: venue.marketId, cause, date, usd, ...more });
    await pay('rebate', '1.234567');
    await pay('reward', '2.000001');
    await pay('reward', '5', { only: 'cash' });
    await first.venue.close();
    const second = await opened({ db });
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

  it('pays a market that has ended, and shows no book for it', async () => {
    const harness = await opened({ exchange: { disputeWindow: durationMs(0) } });
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

describe('limits of a signer', () => {
  it('refuse more orders than the burst with the time to wait, and let cancels through', async () => {
    const harness = await opened({ polymarket: { tier: 'Standard' } });
    const { client, creds, address } = await harness.join(1);
    // Signed first and sent together: the bucket refills meanwhile. What both cancels cost has to stay below their burst of 120.
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
