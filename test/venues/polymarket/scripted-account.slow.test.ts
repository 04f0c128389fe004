/** Invalid responses about keys, orders, trades and balances. The bot does not quote for an unreadable account. */
import { afterAll, describe, expect, it } from 'vitest';
import { wallClock } from '../../../src/clock/index.ts';
import type { VenueEvent } from '../../../src/domain/index.ts';
import { readOrderVersion } from '../../../src/venues/polymarket/rest-client.ts';
import { afterThisTest } from '../../cleanup.ts';
import { until } from '../service/real-venue.ts';
import { adapter, openPolymarket, openTestMarket, recorder } from './harness.ts';
import { placeCommand } from './parts.ts';
import {
  endless,
  openScriptedAccount,
  respondsWith,
  type ScriptedAccount,
  type ScriptedResponse,
} from './scripted-account.ts';

const OWN = `0x${'5'.repeat(60)}`;
const INVALID_BODIES: readonly (readonly [string, ScriptedResponse])[] = [
  ['HTML', respondsWith('<html>busy</html>')],
  ['wrong JSON', respondsWith('{"balance":')],
  ['nothing', respondsWith('')],
  ['a number', respondsWith('7')],
  ['brackets without end', endless],
];
let keys = 700;

const harness = await openPolymarket({ polymarket: { heartbeatMs: 60_000 } });
afterAll(() => harness.venue.close());

async function prepareBot(account: ScriptedAccount, settings: { readonly auditMs?: number } = {}) {
  keys += 1;
  const testMarket = await openTestMarket(harness, `Response ${keys}?`);
  const parts = await adapter(harness, { no: keys, testMarket, url: account.url, timeoutMs: 2_000, settings });
  afterThisTest.add(() => parts.venue.abortConnect());
  const record = recorder(parts.records);
  const events: VenueEvent[] = [];
  const connect = async () => {
    const session = await parts.venue.connect({
      rows: () => {},
      event(event, position) {
        parts.state.apply(event);
        record(event, position);
        events.push(event);
      },
    });
    afterThisTest.add(() => session.close());
    return session;
  };
  const link = (): string | undefined => events.findLast((event) => event.type === 'venueChanged')?.link;
  const fills = () => events.filter(({ type }) => type === 'orderFilled');
  return { ...parts, testMarket, events, connect, link, fills };
}

/** Checks that connecting fails with a short fault without secrets, and that no order is sent. */
async function expectFailedStart(account: ScriptedAccount, message: RegExp): Promise<void> {
  const { connect, records, rest } = await prepareBot(account);
  const fault: unknown = await connect().then(
    () => undefined,
    (error: unknown) => error,
  );
  const text = String(fault);
  expect(text).toMatch(message);
  expect(text.length).toBeLessThan(600);
  for (const secret of [OWN, rest.credentials?.secret, rest.credentials?.passphrase])
    expect(text).not.toContain(secret);
  expect(records.rows).toEqual([]);
  expect(account.requests.filter((each) => each.startsWith('POST /order'))).toEqual([]);
}

const bid = placeCommand(1);

it.each<readonly [string, ScriptedResponse]>([
  ...INVALID_BODIES,
  ['a key without a secret', respondsWith('{"apiKey":"a","passphrase":"b"}')],
  ['numbers', respondsWith('{"apiKey":1,"secret":2,"passphrase":3}')],
  ['a key of two lines', respondsWith('{"apiKey":"a\\nb: c","secret":"c2VjcmV0","passphrase":"b"}')],
  ['a secret that is not base64', respondsWith('{"apiKey":"a","secret":"%%%%","passphrase":"b"}')],
  ['a secret without end', respondsWith(`{"apiKey":"a","secret":"${'A'.repeat(100_000)}","passphrase":"b"}`)],
])('a response to the sign-in that is %s fails the sign-in', async (_, scripted) => {
  const account = await openScriptedAccount(harness.url);
  account.responses.set('/auth/derive-api-key', scripted);
  await expect(adapter(harness, { no: 699, url: account.url, timeoutMs: 2_000 })).rejects.toThrow(
    /without a valid API key|no usable answer/,
  );
});

it.each<readonly [string, ScriptedResponse]>([
  ...INVALID_BODIES,
  ['none', respondsWith('{}')],
  ['negative', respondsWith('{"version":-2}')],
  ['text', respondsWith('{"version":"2"}')],
  ['another', respondsWith('{"version":4}')],
])('an order version that is %s is refused', async (_, scripted) => {
  const account = await openScriptedAccount(harness.url);
  const { rest } = await prepareBot(account);
  account.responses.set('/version', scripted);
  await expect(readOrderVersion(rest)).rejects.toThrow(/no usable answer|cannot sign/);
});

it.each<readonly [string, ScriptedResponse]>([
  ...INVALID_BODIES,
  ['missing', respondsWith('{}')],
  ['negative', respondsWith('{"balance":"-1"}')],
  ['huge', respondsWith(`{"balance":"${'9'.repeat(30)}"}`)],
  ['not whole', respondsWith('{"balance":"1.5"}')],
  ['text', respondsWith('{"balance":"plenty"}')],
])('a balance that is %s ends the start', async (_, scripted) => {
  const account = await openScriptedAccount(harness.url);
  account.responses.set('/balance-allowance', scripted);
  await expectFailedStart(account, /balance/);
});

describe.each(['/data/orders', '/data/trades'])('the list %s', (path) => {
  let page = 0;
  const pages: ScriptedResponse = (response) => {
    page += 1;
    response.end(`{"data":[],"next_cursor":"${page}"}`);
  };
  it.each<readonly [string, ScriptedResponse]>([
    ...INVALID_BODIES,
    ['an object instead of a list', respondsWith('{"data":{},"next_cursor":"LTE="}')],
    ['a list of null', respondsWith('{"data":[null],"next_cursor":"LTE="}')],
    ['a list of texts', respondsWith('{"data":["x"],"next_cursor":"LTE="}')],
    ['the same page again and again', respondsWith('{"data":[],"next_cursor":"MA=="}')],
    ['pages without end', pages],
  ])('ends the start when it is %s', async (_, scripted) => {
    const account = await openScriptedAccount(harness.url);
    account.responses.set(path, scripted);
    await expectFailedStart(account, /cannot be read|no usable answer/);
  });
});

it('a list with endless full pages ends the start', async () => {
  const account = await openScriptedAccount(harness.url);
  const order = `{"id":"0x${'1'.repeat(64)}","market":"0x${'ab'.repeat(32)}","asset_id":"1","side":"BUY","price":"0.5","original_size":"5","size_matched":"0","status":"LIVE"}`;
  let page = 0;
  account.responses.set('/data/orders', (response) => {
    page += 1;
    response.end(`{"data":[${Array(5_000).fill(order).join()}],"next_cursor":"${page}"}`);
  });
  await expectFailedStart(account, /more than 20000 entries/);
  expect(page).toBe(5);
});

it('a heartbeat that is HTML ends the start', async () => {
  const account = await openScriptedAccount(harness.url);
  account.responses.set('/v1/heartbeats', respondsWith('<html>'));
  await expectFailedStart(account, /heartbeat/);
});

describe('a bot that trades', () => {
  it.each(['/balance-allowance', '/data/orders', '/data/trades'])(
    'has a DOWN link while %s cannot be read, and recovers',
    async (path) => {
      const account = await openScriptedAccount(harness.url);
      const bot = await prepareBot(account, { auditMs: 100 });
      await bot.connect();
      expect(bot.link()).toBe('UP');
      account.responses.set(path, respondsWith('<html>busy</html>'));
      await until(() => bot.link() === 'DOWN');
      expect(bot.venue.agreement).toBe('comparing');
      account.responses.delete(path);
      await until(() => bot.link() === 'UP');
      expect(bot.faults).toEqual([]);
    },
  );

  it.each([
    ['at a worse price', { price: '0.46' }],
    ['of more shares', { matched_amount: '10.01' }],
    ['of another token', { asset_id: 'no' }],
  ])('does not book a trade %s than signed, and has a DOWN link', async (_, change) => {
    const account = await openScriptedAccount(harness.url);
    const bot = await prepareBot(account, { auditMs: 100 });
    const session = await bot.connect();
    bot.state.applyCommand(bid, wallClock().now());
    session.send([bid]);
    await until(() => bot.events.some(({ type }) => type === 'orderAccepted'));
    const hash = bot.records.rows[0]?.hash ?? '';
    account.responses.set('/data/trades', respondsWith(list(trade(bot.testMarket, hash, change))));
    await until(() => bot.link() === 'DOWN');
    expect(bot.fills()).toEqual([]);
    account.responses.delete('/data/trades');
    await until(() => bot.link() === 'UP');
  });

  it('books a trade once when it is listed repeatedly', async () => {
    const account = await openScriptedAccount(harness.url);
    const bot = await prepareBot(account, { auditMs: 0 });
    const session = await bot.connect();
    bot.state.applyCommand(bid, wallClock().now());
    session.send([bid]);
    await until(() => bot.events.some(({ type }) => type === 'orderAccepted'));
    const row = trade(bot.testMarket, bot.records.rows[0]?.hash ?? '', {});
    account.responses.set('/data/trades', respondsWith(list(...Array<string>(50).fill(row))));
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
