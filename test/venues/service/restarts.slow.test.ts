/** Ends and beginnings: of the bot, of the server, of what others do meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Conversion } from '../../../src/domain/index.ts';
import { keyOf } from '../../server/trader.ts';
import {
  Bot,
  type BotOptions,
  differences,
  Harness,
  IGNORE_CONNECTION_AND_BOOK_LOSS,
  SHARE,
  Trader,
} from './harness.ts';
import { FIRST, pairs, quotes } from './quoting.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-restarts-'));
let harness: Harness;
let other: Trader;
let fixtures = 0;
const bots: Bot[] = [];

beforeAll(async () => {
  harness = await Harness.open({ db: join(folder, 'venue.sqlite'), config: {} });
  other = await harness.trader();
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.close();
});

async function started(options: BotOptions): Promise<Bot> {
  const bot = await Bot.start(harness, options);
  bots.push(bot);
  return bot;
}

/** A bot with an account and a market of its own, and how it is started. */
async function fixture(options: Partial<BotOptions> = {}) {
  fixtures += 1;
  const id = await harness.market(1_000 + fixtures);
  const first = {
    markets: [id],
    key: keyOf(harness.tools, 700 + fixtures),
    bend: IGNORE_CONNECTION_AND_BOOK_LOSS,
    ...options,
  };
  return { bot: await started(first), id, options: first };
}

async function accepted(bot: Bot, count: number): Promise<void> {
  await bot.until(() => bot.received('orderAccepted').length === count, `${count} accepted`);
}

/** The same account through another session: a person, or another program. */
async function owner(bot: Bot): Promise<Trader> {
  return Trader.of(harness, bot.key);
}

describe('a bot that died', () => {
  it('gets the fills it missed, and its orders are cancelled before it starts', async () => {
    const { bot, id, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['ask', 6_000, 10]));
    await accepted(bot, 2);
    const records = await bot.crash();
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });

    const next = await started({ ...options, records });
    const before = next.reported.slice(
      0,
      next.reported.findIndex(({ type }) => type === 'started'),
    );
    expect(before.map(({ type }) => type).filter((type) => type.startsWith('order'))).toEqual([
      'orderFilled',
      'orderClosed',
      'orderClosed',
    ]);
    expect(next.state.openOrders).toBe(0);
    expect(next.state.market(FIRST).position.yes).toBe(4 * SHARE);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('continues with its orders when they are to be adopted', async () => {
    const { bot, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    const records = await bot.crash();
    const next = await started({ ...options, records, settings: { leftovers: 'adopt' } });
    expect(next.state.market(FIRST).orders).toMatchObject([{ order: 1, remaining: 10 * SHARE, phase: 'live' }]);
    expect(await differences(harness, next)).toEqual([]);
    next.submit(quotes(['bid', 4_100, 10]));
    await next.until(() => next.received('ordersReplaced').length === 1, 'the replace');
    expect(await differences(harness, next)).toEqual([]);
  });

  it.each([
    ['cancel', 'cancelOrders(', quotes(), 0],
    ['reduce', 'reduceOrder(', quotes(['bid', 4_000, 6]), 6],
  ] as const)('before its %s was sent carries it out when orders are adopted', async (_, match, wanted, left) => {
    const { bot, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    bot.line.rule({ direction: 'up', match, fault: 'cut', times: 99 });
    bot.submit(wanted);
    await bot.until(() => bot.line.met.length > 0, 'the loss');
    const next = await started({ ...options, records: await bot.crash(), settings: { leftovers: 'adopt' } });
    next.submit(wanted);
    const standing = (): readonly number[] => next.state.market(FIRST).orders.map(({ remaining }) => remaining / SHARE);
    await next.until(() => standing().every((shares) => shares === left) && next.settled, `${left} left`);
    expect(standing()).toHaveLength(left === 0 ? 0 : 1);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('during a cancel still knows that the venue had accepted the order', async () => {
    const { bot, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    bot.line.rule({ direction: 'up', match: 'cancelOrders(', fault: 'drop', times: 99 });
    bot.submit(quotes());
    await bot.until(() => bot.line.met.length > 0, 'the loss');
    expect(bot.state.market(FIRST).orders).toMatchObject([{ phase: 'leaving' }]);
    const next = await started({ ...options, records: await bot.crash() });
    expect(next.received('orderAccepted')).toEqual([]);
    expect(next.received('orderClosed')).toHaveLength(1);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('before its order was answered finds it and cancels it', async () => {
    const { bot, options } = await fixture();
    bot.line.rule({ direction: 'down', match: '"kind":"ACCEPTED"', fault: 'drop', times: 9 });
    bot.line.rule({ direction: 'down', match: '"placeOrder":', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.line.met.length === 2, 'both losses');
    const next = await started({ ...options, records: await bot.crash() });
    await next.until(() => next.state.openOrders === 0, 'gone');
    expect(await differences(harness, next)).toEqual([]);
    expect(next.received('orderClosed')).toHaveLength(1);
  });

  it('before its order was sent knows that it never existed', async () => {
    const { bot, options } = await fixture();
    bot.line.rule({ direction: 'up', match: 'placeOrder(', fault: 'cut', times: 9 });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.line.met.length > 0, 'the cut');
    const records = await bot.crash();
    await harness.operate('configure', { max_clock_skew: 1_000 });
    const next = await started({ ...options, records });
    await next.until(() => next.received('orderRejected').length === 1, 'the end');
    await harness.operate('configure', { max_clock_skew: 30_000 });
    expect(next.received('orderRejected')).toMatchObject([{ order: 1, reason: 'NOT_FOUND' }]);
    expect(next.state.openOrders).toBe(0);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('during a split learns whether it happened', async () => {
    const { bot, options } = await fixture();
    bot.line.rule({ direction: 'down', match: '"splitPosition":', fault: 'drop' });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.line.met.length === 1, 'the loss');
    const split = bot.commands.filter((command): command is Conversion => command.type === 'split');
    const next = await started({ ...options, records: await bot.crash(), options: { unanswered: split } });
    expect(next.received('converted')).toMatchObject([{ conversion: 'split', shares: 5 * SHARE, paid: -5 * SHARE }]);
    expect(next.state.converting(FIRST)).toBe(false);
    expect(await differences(harness, next)).toEqual([]);
  });
});

describe('an outside change of the account', () => {
  it('is adopted when the ledger explains it', async () => {
    const { bot, id, options } = await fixture();
    const me = await owner(bot);
    const records = await bot.crash();
    await harness.operate('credit', { address: bot.key.address, cents: 12_345 });
    await me.ask('mutation ($m: ID!) { splitPosition(marketId: $m, sets: "7000000") { rejection { reason } } }', {
      m: id,
    });
    const next = await started({ ...options, records });
    expect(await differences(harness, next)).toEqual([]);
    expect(next.received('holdingAdjusted')).toMatchObject([
      { yes: 7 * SHARE, no: 7 * SHARE, yesCost: 3_500_000, noCost: 3_500_000 },
    ]);
  });

  it('stops the start when nothing explains it, and each difference is named', async () => {
    const { bot, id, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    const records = await bot.crash();
    // As a file that lost a step.
    const at = records.steps.findIndex(({ event }) => event?.type === 'orderFilled');
    records.steps.splice(at, 1);
    const start = started({ ...options, records });
    await expect(start).rejects.toThrow(
      /RECONCILE|differs from the stored one: .*0 YES and 0 NO stored, 4 YES and 0 NO at the venue; cash/,
    );

    const next = await started({ ...options, records: records.afterCrash(), settings: { adopt: true } });
    expect(await differences(harness, next)).toEqual([]);
    expect(next.received('holdingAdjusted')).toMatchObject([{ yes: 4 * SHARE, yesCost: 1_600_000 }]);
  });

  it('is seen during a run: cash, pairs, fills of orders that were not sent here', async () => {
    const { bot, id } = await fixture();
    const me = await owner(bot);
    await harness.operate('credit', { address: bot.key.address, cents: -5_000 });
    await bot.service.audit();
    expect(bot.received('cashAdjusted').at(-1)).toMatchObject({ amount: -50_000_000 });

    const foreign = await me.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 4_500, shares: 10 });
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_500, shares: 3 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill of a stranger');
    expect(bot.received('orderFilled')).toMatchObject([{ order: 0, shares: 3 * SHARE, price: 4_500 }]);
    await bot.service.audit();

    // Nobody touches what is not ours.
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrders === 0, 'cancelled');
    expect(await differences(harness, bot)).toEqual([`order ${foreign}: 0, at the venue ${7 * SHARE}`]);
    expect(await bot.service.verifyNoneOpen(5_000)).toBe(0);
  });

  it('in a market that the bot does not trade changes only the cash', async () => {
    const { bot } = await fixture();
    const me = await owner(bot);
    const elsewhere = await harness.market(5_000 + fixtures);
    await me.place({ marketId: elsewhere, outcome: 'YES', side: 'BUY', priceBps: 4_500, shares: 10 });
    await other.place({ marketId: elsewhere, outcome: 'NO', side: 'BUY', priceBps: 5_500, shares: 10 });
    await bot.until(() => bot.received('cashAdjusted').length === 2, 'the cash');
    expect(bot.received('cashAdjusted').at(-1)).toMatchObject({ amount: -4_500_000 });
  });
});

describe('a venue that does not know the orders of an earlier run', () => {
  it('is not traded: the start is refused with the remedy, and queries for open orders end', async () => {
    const { bot, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['ask', 6_000, 10]));
    await accepted(bot, 2);
    const records = await bot.crash();
    // As those of another venue: it has never seen such hashes.
    const unknown = records.afterCrash();
    for (const [at, row] of unknown.rows.entries()) {
      const otherDigit = (Number.parseInt(row.hash.slice(2, 3), 16) ^ 8).toString(16);
      unknown.rows[at] = { ...row, hash: `0x${otherDigit}${row.hash.slice(3)}` };
    }

    const next = await Bot.open(harness, { ...options, records: unknown });
    bots.push(next);
    const remedy = /cannot be cancelled: 1 \(0x.*another database \(--db\)/s;
    await expect(next.run.start()).rejects.toThrow(remedy);
    await expect(next.service.verifyNoneOpen(60_000)).rejects.toMatchObject({ code: 'LINK' });
  }, 180_000);
});

describe('a restarted server', () => {
  it('finds the bot again with the same orders', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    await harness.restart();
    other = await Trader.of(harness, other.key);
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrders === 0 && bot.settled, 'cancelled');
    expect(await differences(harness, bot)).toEqual([]);
    expect(bot.faults).toEqual([]);
  });

  it('never received what was placed while it was down', async () => {
    const { bot } = await fixture();
    await harness.server.close(0);
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(
      () => bot.received('orderRejected').length + bot.received('orderUncertain').length > 0,
      'an answer',
    );
    await harness.restart();
    other = await Trader.of(harness, other.key);
    await bot.until(() => bot.settled, 'settled');
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrders === 0 && bot.settled, 'nothing left');
    expect(await differences(harness, bot)).toEqual([]);
  });
});
