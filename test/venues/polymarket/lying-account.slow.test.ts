/** A venue that lies about keys, orders, trades and balances: nothing is quoted on an account that cannot be read. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import { counted, microShares, type PlaceOrder, priceBps, SHARE, type VenueEvent } from '../../../src/domain/index.ts';
import { readOrderVersion } from '../../../src/venues/polymarket/rest-client.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import { adapter, openPolymarket, openTestMarket, type PolymarketHarness, recorder } from './harness.ts';
import { endless, type Lie, type LyingAccount, lyingAccount, says } from './lying-account.ts';

const MARKET = counted.market(0);
const OWN = `0x${'5'.repeat(60)}`;
const NO_JSON: readonly (readonly [string, Lie])[] = [
  ['HTML', says('<html>busy</html>')],
  ['wrong JSON', says('{"balance":')],
  ['nothing', says('')],
  ['a number', says('7')],
  ['brackets without end', endless],
];
let harness: PolymarketHarness;
let keys = 700;

beforeAll(async () => {
  harness = await openPolymarket({ polymarket: { heartbeatMs: 60_000 } });
});
afterAll(() => harness.venue.close());

async function prepared(account: LyingAccount, settings: { readonly auditMs?: number } = {}) {
  keys += 1;
  const testMarket = await openTestMarket(harness, `Lie ${keys}?`);
  const parts = await adapter(harness, { no: keys, testMarket, url: account.url, timeoutMs: 2_000, settings });
  afterThisTest.add(() => parts.venue.leave());
  const record = recorder(parts.records);
  const events: VenueEvent[] = [];
  const connected = async () => {
    const session = await parts.venue.connect({
      rows: () => {},
      event(event, position) {
        parts.state.fold(event);
        record(event, position);
        events.push(event);
      },
    });
    afterThisTest.add(() => session.close());
    return session;
  };
  const link = (): string | undefined => events.findLast((event) => event.type === 'venueChanged')?.link;
  const fills = () => events.filter(({ type }) => type === 'orderFilled');
  return { ...parts, testMarket, events, connected, link, fills };
}

/** Connecting fails with a plain fault that shows no secret, and no order is sent. */
async function refuses(account: LyingAccount, message: RegExp): Promise<void> {
  const { connected, records, rest } = await prepared(account);
  const fault: unknown = await connected().then(
    () => undefined,
    (error: unknown) => error,
  );
  const text = String(fault);
  expect(text).toMatch(message);
  expect(text.length).toBeLessThan(600);
  for (const secret of [OWN, rest.credentials?.secret, rest.credentials?.passphrase])
    expect(text).not.toContain(secret);
  expect(records.rows).toEqual([]);
  expect(account.asked.filter((each) => each.startsWith('POST /order'))).toEqual([]);
}

const bid: PlaceOrder = {
  type: 'place',
  order: counted.order(1),
  bot: counted.bot(0),
  market: MARKET,
  outcome: 'YES',
  side: 'BUY',
  price: priceBps(4_500),
  shares: microShares(10 * SHARE),
  timeInForce: 'GTC',
  postOnly: true,
  expiration: 0,
};

it.each<readonly [string, Lie]>([
  ...NO_JSON,
  ['no secret', says('{"apiKey":"a","passphrase":"b"}')],
  ['numbers', says('{"apiKey":1,"secret":2,"passphrase":3}')],
  ['a key of two lines', says('{"apiKey":"a\\nb: c","secret":"c2VjcmV0","passphrase":"b"}')],
  ['a secret that is no base64', says('{"apiKey":"a","secret":"%%%%","passphrase":"b"}')],
  ['a secret without end', says(`{"apiKey":"a","secret":"${'A'.repeat(100_000)}","passphrase":"b"}`)],
])('an API key that is %s is a failed sign-in', async (_, lie) => {
  const account = await lyingAccount(harness.url);
  account.lies.set('/auth/derive-api-key', lie);
  await expect(adapter(harness, { no: 699, url: account.url, timeoutMs: 2_000 })).rejects.toThrow(
    /without a valid API key|no usable answer/,
  );
});

it.each<readonly [string, Lie]>([
  ...NO_JSON,
  ['none', says('{}')],
  ['negative', says('{"version":-2}')],
  ['text', says('{"version":"2"}')],
  ['another', says('{"version":4}')],
])('a version of orders that is %s signs nothing', async (_, lie) => {
  const account = await lyingAccount(harness.url);
  const { rest } = await prepared(account);
  account.lies.set('/version', lie);
  await expect(readOrderVersion(rest)).rejects.toThrow(/no usable answer|cannot sign/);
});

it.each<readonly [string, Lie]>([
  ...NO_JSON,
  ['missing', says('{}')],
  ['negative', says('{"balance":"-1"}')],
  ['huge', says(`{"balance":"${'9'.repeat(30)}"}`)],
  ['not whole', says('{"balance":"1.5"}')],
  ['text', says('{"balance":"plenty"}')],
])('a balance that is %s ends the start', async (_, lie) => {
  const account = await lyingAccount(harness.url);
  account.lies.set('/balance-allowance', lie);
  await refuses(account, /balance/);
});

describe.each(['/data/orders', '/data/trades'])('a list %s', (path) => {
  let page = 0;
  const pages: Lie = (response) => {
    page += 1;
    response.end(`{"data":[],"next_cursor":"${page}"}`);
  };
  it.each<readonly [string, Lie]>([
    ...NO_JSON,
    ['no list', says('{"data":{},"next_cursor":"LTE="}')],
    ['a list of nothing', says('{"data":[null],"next_cursor":"LTE="}')],
    ['a list of texts', says('{"data":["x"],"next_cursor":"LTE="}')],
    ['the same page again and again', says('{"data":[],"next_cursor":"MA=="}')],
    ['pages without end', pages],
  ])('that is %s ends the start', async (_, lie) => {
    const account = await lyingAccount(harness.url);
    account.lies.set(path, lie);
    await refuses(account, /cannot be read|no usable answer/);
  });
});

it('a list whose pages are full and have no end is not kept', async () => {
  const account = await lyingAccount(harness.url);
  const order = `{"id":"0x${'1'.repeat(64)}","market":"0x${'ab'.repeat(32)}","asset_id":"1","side":"BUY","price":"0.5","original_size":"5","size_matched":"0","status":"LIVE"}`;
  let page = 0;
  account.lies.set('/data/orders', (response) => {
    page += 1;
    response.end(`{"data":[${Array(5_000).fill(order).join()}],"next_cursor":"${page}"}`);
  });
  await refuses(account, /more than 20000 entries/);
  expect(page).toBe(5);
});

it('a heartbeat that is HTML ends the start', async () => {
  const account = await lyingAccount(harness.url);
  account.lies.set('/v1/heartbeats', says('<html>'));
  await refuses(account, /heartbeat/);
});

describe('a bot that trades', () => {
  it.each(['/balance-allowance', '/data/orders', '/data/trades'])(
    'is DOWN while %s cannot be read, and comes back',
    async (path) => {
      const account = await lyingAccount(harness.url);
      const bot = await prepared(account, { auditMs: 100 });
      await bot.connected();
      expect(bot.link()).toBe('UP');
      account.lies.set(path, says('<html>busy</html>'));
      await until(() => bot.link() === 'DOWN');
      expect(bot.venue.agreement).toBe('comparing');
      account.lies.delete(path);
      await until(() => bot.link() === 'UP');
      expect(bot.faults).toEqual([]);
    },
  );

  it.each([
    ['at a worse price', { price: '0.46' }],
    ['of more shares', { matched_amount: '10.01' }],
    ['of the other token', { asset_id: 'no' }],
  ])('does not book a trade %s than was signed, and is DOWN', async (_, change) => {
    const account = await lyingAccount(harness.url);
    const bot = await prepared(account, { auditMs: 100 });
    const session = await bot.connected();
    bot.state.sent(bid, wallClock().now());
    session.send([bid]);
    await until(() => bot.events.some(({ type }) => type === 'orderAccepted'));
    const hash = bot.records.rows[0]?.hash ?? '';
    account.lies.set('/data/trades', says(list(trade(bot.testMarket, hash, change))));
    await until(() => bot.link() === 'DOWN');
    expect(bot.fills()).toEqual([]);
    account.lies.delete('/data/trades');
    await until(() => bot.link() === 'UP');
  });

  it('books a trade that is listed again and again once', async () => {
    const account = await lyingAccount(harness.url);
    const bot = await prepared(account, { auditMs: 0 });
    const session = await bot.connected();
    bot.state.sent(bid, wallClock().now());
    session.send([bid]);
    await until(() => bot.events.some(({ type }) => type === 'orderAccepted'));
    const row = trade(bot.testMarket, bot.records.rows[0]?.hash ?? '', {});
    account.lies.set('/data/trades', says(list(...Array<string>(50).fill(row))));
    for (let time = 0; time < 3; time += 1) await bot.venue.audit();
    expect(bot.fills()).toHaveLength(1);
  });
});

function list(...rows: readonly string[]): string {
  return `{"data":[${rows.join()}],"next_cursor":"LTE="}`;
}

/** A maker's trade of 4 shares. */
function trade(
  testMarket: { readonly condition: string; readonly yes: string; readonly no: string },
  hash: string,
  change: Readonly<Record<string, string>>,
): string {
  const part = { order_id: hash, owner: '', asset_id: testMarket.yes, side: 'BUY', price: '0.45', matched_amount: '4' };
  const asset = change['asset_id'] === undefined ? {} : { asset_id: testMarket.no };
  return JSON.stringify({
    id: 'a-trade',
    taker_order_id: `0x${'2'.repeat(64)}`,
    market: testMarket.condition,
    asset_id: testMarket.yes,
    side: 'SELL',
    price: '0.45',
    size: '4',
    status: 'MATCHED',
    trader_side: 'MAKER',
    match_time: String(Math.floor(Date.now() / 1_000)),
    maker_orders: [{ ...part, ...change, ...asset }],
  });
}
