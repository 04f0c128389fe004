/** Restarts of the bot and of the server, with changes of the account in between. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Conversion } from '../../../src/domain/index.ts';
import type { RecoveryReport } from '../../../src/runtime/index.ts';
import { Bot, type BotOptions, IGNORE_CONNECTION_AND_BOOK_LOSS } from './bot.ts';
import { Harness, SHARE, Trader } from './harness.ts';
import { differences } from './holdings.ts';
import { FIRST, pairs, quotes } from './quoting.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-restarts-'));
let harness: Harness;
let other: Trader;

beforeAll(async () => {
  harness = await Harness.open({ db: join(folder, 'venue.sqlite'), config: {} });
  other = await harness.trader();
});
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

const started = (options: BotOptions) => Bot.startForTest(harness, options);
const fixture = (options: Partial<BotOptions> = {}) =>
  Bot.startAlone(harness, { intercept: IGNORE_CONNECTION_AND_BOOK_LOSS, ...options });

async function accepted(bot: Bot, count: number): Promise<void> {
  await bot.until(() => bot.received('orderAccepted').length === count, `${count} accepted`);
}

/** Opens another session of the bot's account. */
async function openSession(bot: Bot): Promise<Trader> {
  return Trader.of(harness, bot.key);
}

describe('a bot that crashed', () => {
  it('receives the missed fills, and its orders are cancelled before it starts', async () => {
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
    expect(next.state.openOrderCount).toBe(0);
    expect(next.state.market(FIRST).position.yes).toBe(4 * SHARE);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('continues with its orders when leftovers are adopted', async () => {
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
  ] as const)('before its %s was sent executes it when orders are adopted', async (_, match, newQuotes, remaining) => {
    const { bot, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    bot.proxy.rule({ direction: 'up', match, fault: 'cut', times: 99 });
    bot.submit(newQuotes);
    await bot.until(() => bot.proxy.applied.length > 0, 'the fault');
    const next = await started({ ...options, records: await bot.crash(), settings: { leftovers: 'adopt' } });
    next.submit(newQuotes);
    const openShares = (): readonly number[] => next.state.market(FIRST).orders.map((order) => order.remaining / SHARE);
    await next.until(
      () => openShares().every((shares) => shares === remaining) && next.isSettled,
      `${remaining} remaining`,
    );
    expect(openShares()).toHaveLength(remaining === 0 ? 0 : 1);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('during a cancel does not report the order as accepted again', async () => {
    const { bot, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    bot.proxy.rule({ direction: 'up', match: 'cancelOrders(', fault: 'drop', times: 99 });
    bot.submit(quotes());
    await bot.until(() => bot.proxy.applied.length > 0, 'the fault');
    expect(bot.state.market(FIRST).orders).toMatchObject([{ phase: 'cancelling' }]);
    const next = await started({ ...options, records: await bot.crash() });
    expect(next.received('orderAccepted')).toEqual([]);
    expect(next.received('orderClosed')).toHaveLength(1);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('before its order was answered finds the order and cancels it', async () => {
    const { bot, options } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"kind":"ACCEPTED"', fault: 'drop', times: 9 });
    bot.proxy.rule({ direction: 'down', match: '"placeOrder":', fault: 'drop' });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.proxy.applied.length === 2, 'both faults');
    const next = await started({ ...options, records: await bot.crash() });
    await next.until(() => next.state.openOrderCount === 0, 'cancelled');
    expect(await differences(harness, next)).toEqual([]);
    expect(next.received('orderClosed')).toHaveLength(1);
  });

  it('before its order was sent reports the order as rejected', async () => {
    const { bot, options } = await fixture();
    bot.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'cut', times: 9 });
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(() => bot.proxy.applied.length > 0, 'the cut');
    const records = await bot.crash();
    await harness.operate('configure', { max_clock_skew: 1_000 });
    const next = await started({ ...options, records });
    await next.until(() => next.received('orderRejected').length === 1, 'the rejection');
    await harness.operate('configure', { max_clock_skew: 30_000 });
    expect(next.received('orderRejected')).toMatchObject([{ order: 1, reason: 'NOT_FOUND' }]);
    expect(next.state.openOrderCount).toBe(0);
    expect(await differences(harness, next)).toEqual([]);
  });

  it('during a split reports the result of the split', async () => {
    const { bot, options } = await fixture();
    bot.proxy.rule({ direction: 'down', match: '"splitPosition":', fault: 'drop' });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.proxy.applied.length === 1, 'the fault');
    const split = bot.commands.filter((command): command is Conversion => command.type === 'split');
    const next = await started({ ...options, records: await bot.crash(), options: { unansweredConversions: split } });
    expect(next.received('converted')).toMatchObject([{ conversion: 'split', shares: 5 * SHARE, paid: -5 * SHARE }]);
    expect(next.state.isConverting(FIRST)).toBe(false);
    expect(await differences(harness, next)).toEqual([]);
  });
});

describe('an outside change of the account', () => {
  it('is adopted when the ledger explains it', async () => {
    const { bot, id, options } = await fixture();
    const session = await openSession(bot);
    const records = await bot.crash();
    await harness.operate('credit', { address: bot.key.address, cents: 12_345 });
    await session.query(
      'mutation ($m: ID!) { splitPosition(marketId: $m, sets: "7000000") { rejection { reason } } }',
      {
        m: id,
      },
    );
    const next = await started({ ...options, records });
    expect(await differences(harness, next)).toEqual([]);
    expect(next.received('holdingAdjusted')).toMatchObject([
      { yes: 7 * SHARE, no: 7 * SHARE, yesCost: 3_500_000, noCost: 3_500_000 },
    ]);
  });

  it('fails the start when the ledger does not explain it, and the error names each difference', async () => {
    const { bot, id, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    const records = await bot.crash();
    // Simulates a journal that lost a step.
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

  it('fails the start at a venue that was reset, which would refuse each new order, even with `adopt`', async () => {
    const { bot, options } = await fixture();
    const records = await bot.crash();
    records.setEpoch(records.epoch + 1);
    const start = started({ ...options, records, settings: { adopt: true } });
    await expect(start).rejects.toThrow(/the venue was reset: it has order epoch \d+ .* another database \(--db\)/);
  });

  it('is adopted during a run, whether it is cash or a fill of an order of another session', async () => {
    const { bot, id } = await fixture();
    const session = await openSession(bot);
    await harness.operate('credit', { address: bot.key.address, cents: -5_000 });
    await bot.service.audit();
    expect(bot.received('cashAdjusted').at(-1)).toMatchObject({ amount: -50_000_000 });

    const foreign = await session.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 4_500, shares: 10 });
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 5_500, shares: 3 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill of the foreign order');
    expect(bot.received('orderFilled')).toMatchObject([{ order: 0, shares: 3 * SHARE, price: 4_500 }]);
    await bot.service.audit();

    // The bot does not cancel orders of other sessions.
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrderCount === 0, 'cancelled');
    expect(await differences(harness, bot)).toEqual([`order ${foreign}: 0, at the venue ${7 * SHARE}`]);
    expect(await bot.service.verifyNoneOpen(5_000)).toBe(0);
  });

  it('in a market that the bot does not trade changes only the cash', async () => {
    const { bot } = await fixture();
    const session = await openSession(bot);
    const elsewhere = await harness.market(harness.nextMarket());
    await session.place({ marketId: elsewhere, outcome: 'YES', side: 'BUY', priceBps: 4_500, shares: 10 });
    await other.place({ marketId: elsewhere, outcome: 'NO', side: 'BUY', priceBps: 5_500, shares: 10 });
    await bot.until(() => bot.received('cashAdjusted').length === 2, 'the cash');
    expect(bot.received('cashAdjusted').at(-1)).toMatchObject({ amount: -4_500_000 });
  });
});

describe('a venue that does not know the orders of an earlier run', () => {
  /** Crashes a bot with two live orders. `records` has other hashes, which the venue does not know. */
  async function crashedWithUnknownOrders() {
    const { bot, options } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10], ['ask', 6_000, 10]));
    await accepted(bot, 2);
    const records = await bot.crash();
    const unknown = records.afterCrash();
    for (const [at, row] of unknown.rows.entries()) {
      const otherDigit = (Number.parseInt(row.hash.slice(2, 3), 16) ^ 8).toString(16);
      unknown.rows[at] = { ...row, hash: `0x${otherDigit}${row.hash.slice(3)}` };
    }
    return { records: unknown, recordsOfVenue: records, options };
  }

  it.each([
    ['cancel', 'cannot be cancelled'],
    ['adopt', 'are not known to the venue'],
  ] as const)(
    'is refused at the start with remedies, when leftovers are for %s',
    async (leftovers, problem) => {
      const { records, options } = await crashedWithUnknownOrders();
      const next = await Bot.openForTest(harness, { ...options, records, settings: { leftovers } });
      const remedies = new RegExp(`${problem}: 1 \\(0x.*start with --adopt.*another database \\(--db\\)`, 's');
      await expect(next.run.start()).rejects.toThrow(remedies);
      await expect(next.service.verifyNoneOpen(60_000)).rejects.toMatchObject({ code: 'LINK' });
    },
    180_000,
  );

  it.each(['cancel', 'adopt'] as const)(
    'is accepted with `adopt`, which closes and counts them, when leftovers are for %s',
    async (leftovers) => {
      const { records, options } = await crashedWithUnknownOrders();
      const reports: RecoveryReport[] = [];
      const next = await started({
        ...options,
        records,
        settings: { adopt: true, leftovers },
        options: { onRecovered: (report) => void reports.push(report) },
      });
      expect(next.received('orderClosed')).toMatchObject([
        { order: 1, reason: 'ADMIN' },
        { order: 2, reason: 'ADMIN' },
      ]);
      expect(next.state.openOrderCount).toBe(0);
      expect(next.records.unfinishedOrders()).toEqual([]);
      expect(reports).toMatchObject([{ cause: 'start', ordersFound: 0, ordersEnded: 2, outcome: 'adjusted' }]);
      expect(reports[0]?.differences).toEqual([
        expect.stringMatching(/: open here and unknown to the venue: orders 1, 2$/),
      ]);
      await next.service.audit();
      expect(next.service.agreement).toBe('agrees');
    },
  );

  it('is refused with `adopt`, too, when the answer to the second read is lost', async () => {
    const { records, options } = await crashedWithUnknownOrders();
    const next = await Bot.openForTest(harness, { ...options, records, settings: { adopt: true } });
    let reads = 0;
    next.proxy.onMessage = (direction, text) => {
      if (direction === 'up' && text.includes('query Order(')) reads += 1;
      if (reads === 3) next.proxy.rule({ direction: 'up', match: 'query Order(', fault: 'drop', times: 999 });
    };
    await expect(next.run.start()).rejects.toMatchObject({ code: 'LINK' });
    expect(reads).toBeGreaterThan(2);
    expect(next.received('orderClosed')).toEqual([]);
  }, 60_000);

  it('has the orders cancelled, not closed, when the second read with `adopt` finds them', async () => {
    const { recordsOfVenue: records, options } = await crashedWithUnknownOrders();
    const next = await Bot.openForTest(harness, { ...options, records, settings: { adopt: true } });
    const down = { direction: 'down', fault: 'rewrite' } as const;
    const noOrder = '{"data":{"order":{"found":false,"order":null,"fills":[]}}}';
    const noOrders = '{"data":{"orders":{"edges":[],"pageInfo":{"hasNextPage":false,"endCursor":null}}}}';
    next.proxy.rule({ ...down, match: '"data":{"order":{', times: 2, to: () => noOrder });
    next.proxy.rule({ ...down, match: '"data":{"orders":{', times: 1, to: () => noOrders });
    await next.run.start();
    expect(next.proxy.applied).toHaveLength(3);
    expect(next.received('orderClosed')).toMatchObject([
      { order: 1, reason: 'USER' },
      { order: 2, reason: 'USER' },
    ]);
    expect(await differences(harness, next)).toEqual([]);
  });
});

describe('a restarted server', () => {
  it('is traded again with the same orders', async () => {
    const { bot, id } = await fixture();
    bot.submit(quotes(['bid', 4_000, 10]));
    await accepted(bot, 1);
    await harness.restart();
    other = await Trader.of(harness, other.key);
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => bot.received('orderFilled').length === 1, 'the fill');
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrderCount === 0 && bot.isSettled, 'cancelled');
    expect(await differences(harness, bot)).toEqual([]);
    expect(bot.faults).toEqual([]);
  });

  it('never receives orders that were placed while it was down', async () => {
    const { bot } = await fixture();
    await harness.server.close(0);
    bot.submit(quotes(['bid', 4_000, 10]));
    await bot.until(
      () => bot.received('orderRejected').length + bot.received('orderUncertain').length > 0,
      'an answer',
    );
    await harness.restart();
    other = await Trader.of(harness, other.key);
    await bot.until(() => bot.isSettled, 'settled');
    bot.submit(quotes());
    await bot.until(() => bot.state.openOrderCount === 0 && bot.isSettled, 'nothing left');
    expect(await differences(harness, bot)).toEqual([]);
  });
});
