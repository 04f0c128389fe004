/** A bot that reconnects to its venue compares the account before it quotes again. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { epochMs, unchecked } from '../../../src/domain/index.ts';
import { type RecoveryReport, recoveryText } from '../../../src/runtime/index.ts';
import { afterThisTest } from '../../cleanup.ts';
import { keyOf } from '../../server/trader.ts';
import { Bot, type BotOptions } from './bot.ts';
import { Harness, SHARE, type Trader } from './harness.ts';
import { accountAt, differences } from './holdings.ts';
import { FIRST, pairs, quotes } from './quoting.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-reconnect-'));
let fixtures = 0;
const harness = await Harness.open({ db: join(folder, 'venue.sqlite'), config: {} });
const other = await harness.trader();
afterAll(async () => {
  await harness.close();
  rmSync(folder, { recursive: true });
});

/** Frames that place or replace orders. */
const PLACES = /placeOrder\(|placeOrders\(|replaceOrders\(/;
const CANCELS = /cancelOrders\(/;

/** A strategy that quotes around the best bid on every book while `isOn`, whatever the state of the connection. */
class Maker {
  isOn = true;
  readonly handlers: NonNullable<BotOptions['handlers']> = {
    onBook: ({ book }) => {
      const bid = book.bestBid() ?? 3_000;
      return [this.isOn ? quotes(['bid', bid + 1_000, 10], ['ask', bid + 3_000, 10]) : quotes()];
    },
  };
}

interface Fixture {
  readonly bot: Bot;
  readonly id: string;
  readonly maker: Maker;
  readonly reports: readonly RecoveryReport[];
  /** Frames and requests that the bot sent since the fixture was ready. */
  readonly sent: string[];
  /** Places an order of the counterparty: the book changes, and the strategy is called. */
  placeCounterOrder(priceBps: number): Promise<unknown>;
}

/** Starts a bot that quotes, by default on the shared venue. */
async function startQuoting(at: Harness = harness, options: Partial<BotOptions> = {}): Promise<Fixture> {
  fixtures += 1;
  const id = await at.market(fixtures);
  const counterparty = at === harness ? other : await at.trader();
  const placeCounterOrder = (priceBps: number) =>
    counterparty.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps, shares: 5 });
  const maker = new Maker();
  const reports: RecoveryReport[] = [];
  const bot = await Bot.startForTest(at, {
    markets: [id],
    key: keyOf(at.tools, 2_000 + fixtures),
    handlers: maker.handlers,
    ...options,
    options: { onRecovered: (report) => void reports.push(report), ...options.options },
  });
  await placeCounterOrder(3_000);
  await bot.until(() => bot.received('orderAccepted').length >= 2, 'quotes');
  const sent: string[] = [];
  bot.proxy.onMessage = (direction, text) => {
    if (direction === 'up') sent.push(text);
  };
  return { bot, id, maker, reports, sent, placeCounterOrder };
}

/** Fills 4 shares of the bid at 4000. */
async function fillBid({ bot, id }: Fixture, at: Trader = other): Promise<void> {
  const before = bot.received('orderFilled').length;
  await at.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
  await bot.until(() => bot.received('orderFilled').length > before, 'the fill');
}

/** Returns true if all quotes are open and nothing is in flight. */
function isQuoting(bot: Bot): boolean {
  const { orders } = bot.state.market(FIRST);
  return bot.isSettled && orders.length >= 2 && orders.every(({ phase }) => phase === 'live');
}

const count = (sent: readonly string[], pattern: RegExp): number => sent.filter((text) => pattern.test(text)).length;
const linksOf = ({ bot }: Fixture): readonly string[] => bot.received('venueChanged').map(({ link }) => link);

describe('a venue that returns without its account', () => {
  it.each([
    ['with its quotes open', true],
    ['with no quotes open', false],
  ])(
    'is not quoted by a bot that was disconnected %s',
    async (_, hasQuotes) => {
      const original = await Harness.open({ config: {} });
      afterThisTest.add(() => original.close());
      const fixture = await startQuoting(original, { settings: { auditMs: 500 } });
      const { bot, id, maker, reports, sent } = fixture;
      await fillBid(fixture, await original.trader());
      if (!hasQuotes) {
        maker.isOn = false;
        await fixture.placeCounterOrder(3_010);
        await bot.until(() => bot.state.openOrderCount === 0, 'withdrawn');
        maker.isOn = true;
      }
      sent.length = 0;
      const port = Number(new URL(original.url).port);
      await original.close();
      const restarted = await Harness.open({ config: {}, port });
      afterThisTest.add(() => restarted.close());
      await restarted.market(fixtures);
      const counterparty = await restarted.trader();
      await bot.until(() => bot.service.agreement === 'disagrees', 'the disagreement');
      for (let at = 0; at < 20; at += 1) {
        await counterparty.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 3_000 + 10 * at, shares: 5 });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      expect(count(sent, PLACES)).toBe(0);
      expect(count(sent, CANCELS)).toBeLessThan(10);
      expect((await accountAt(restarted, bot.key)).open.size).toBe(0);
      expect(linksOf(fixture)).toEqual(['UP', 'DOWN']);
      expect(bot.faults).toEqual([]);

      expect(reports.map(({ cause, outcome }) => [cause, outcome])).toEqual([
        ['start', 'agrees'],
        ['reconnect', 'disagrees'],
      ]);
      const text = recoveryText(reports[1]!);
      expect(text).toMatch(/^connected again after .*: [02] orders? compared, 0 fills found, DISAGREES: /);
      expect(text).toContain(
        '4 YES and 0 NO stored, 0 YES and 0 NO at the venue; cash $9,998.40 stored, $10,000.00 at',
      );
      if (hasQuotes) expect(text).toMatch(/open here and unknown to the venue: orders 1, 2$/);
      await expect(bot.service.recheck()).rejects.toMatchObject({ code: 'RECONCILE' });
      expect(linksOf(fixture)).toEqual(['UP', 'DOWN']);
      expect(await bot.service.verifyNoneOpen(100)).toBe(0);
    },
    60_000,
  );
});

describe('a venue that returns with its account', () => {
  it('is compared before the first quote, and the report lists the fills found', async () => {
    const fixture = await startQuoting();
    const { bot, id, reports, sent } = fixture;
    bot.proxy.refusesSockets = true;
    // The quotes stay open: no cancel reaches the venue.
    bot.proxy.rule({ direction: 'up', match: 'cancelOrders(', fault: 'drop', times: Number.POSITIVE_INFINITY });
    bot.proxy.cutSockets();
    await bot.until(() => !bot.transport.isOpen, 'no connection');
    for (const shares of [3, 2]) {
      await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares });
    }
    const comparedAt: number[] = [];
    bot.proxy.onMessage = (direction, text) => {
      if (direction !== 'up') return;
      sent.push(text);
      if (/query Balance|balance\{/.test(text)) comparedAt.push(sent.length);
    };
    bot.proxy.heal();
    await bot.until(() => linksOf(fixture).length === 3, 'the connection');
    await bot.until(() => isQuoting(bot), 'quotes again');

    expect(linksOf(fixture)).toEqual(['UP', 'DOWN', 'UP']);
    expect(comparedAt[0]).toBeLessThanOrEqual(sent.findIndex((text) => PLACES.test(text)));
    expect(reports[1]).toMatchObject({
      cause: 'reconnect',
      outcome: 'agrees',
      ordersCompared: 2,
      fillsFound: 2,
      positions: [{ before: { yes: 0, no: 0 }, after: { yes: 5 * SHARE, no: 0 } }],
    });
    const found = bot.received('orderFilled').slice(-2);
    expect(found.map(({ recovery }) => recovery)).toEqual(['reconnect', 'reconnect']);
    expect(recoveryText({ ...reports[1]!, downMs: 12_345 })).toBe(
      'connected again after 12 s: 2 orders compared, 2 fills found, position agrees',
    );
    expect(await differences(harness, bot)).toEqual([]);
  });

  it('with a new deposit is quoted again, and the report shows the adjustment', async () => {
    const fixture = await startQuoting();
    const { bot, reports } = fixture;
    bot.proxy.refusesSockets = true;
    bot.proxy.cutSockets();
    await bot.until(() => !bot.transport.isOpen, 'no connection');
    await harness.operate('credit', { address: bot.key.address, cents: 12_345 });
    bot.proxy.heal();
    await bot.until(() => linksOf(fixture).length === 3, 'the connection');
    expect(reports[1]).toMatchObject({ outcome: 'adjusted', differences: [expect.stringContaining('cash ')] });
    await bot.until(() => isQuoting(bot), 'quotes again');
    expect(await differences(harness, bot)).toEqual([]);
  });

  it('with a new deposit before a split by the bot is adjusted', async () => {
    fixtures += 1;
    const reports: RecoveryReport[] = [];
    const bot = await Bot.startForTest(harness, {
      markets: [await harness.market(fixtures)],
      key: keyOf(harness.tools, 2_000 + fixtures),
      options: { onRecovered: (report) => void reports.push(report) },
    });
    await harness.operate('credit', { address: bot.key.address, cents: 12_345 });
    bot.submit(pairs('split', 5));
    await bot.until(() => bot.received('converted').length === 1, 'split');
    bot.proxy.cutSockets();
    await bot.until(() => reports.length === 2, 'compared');
    expect(reports[1]).toMatchObject({ outcome: 'adjusted', differences: [expect.stringContaining('cash ')] });
    expect(await differences(harness, bot)).toEqual([]);
  });

  it('is compared again when the connection is lost during the comparison', async () => {
    const fixture = await startQuoting();
    const { bot, sent } = fixture;
    bot.proxy.rule({ direction: 'up', match: /balance ?\{/, fault: 'drop', times: 3 });
    bot.proxy.cutSockets();
    await bot.until(() => linksOf(fixture).at(-1) === 'DOWN', 'no connection');
    await bot.until(() => bot.transport.isOpen, 'open');
    bot.proxy.cutSockets();
    await bot.until(() => linksOf(fixture).length === 3, 'the connection');
    expect(linksOf(fixture)).toEqual(['UP', 'DOWN', 'UP']);
    expect(sent.length).toBeGreaterThan(0);
    expect(bot.faults).toEqual([]);
  });
});

describe('an own-order stream that is silent while books arrive', () => {
  it('counts as lost, so quotes are withdrawn until the stream is back and the account was compared', async () => {
    const fixture = await startQuoting(harness, { settings: { silenceMs: 1_500 }, timeoutMs: 500 });
    const { bot, id, reports } = fixture;
    bot.proxy.rule({ direction: 'down', match: '"orderEvents":', fault: 'drop', times: Number.POSITIVE_INFINITY });
    await other.place({ marketId: id, outcome: 'NO', side: 'BUY', priceBps: 6_000, shares: 4 });
    await bot.until(() => linksOf(fixture).at(-1) === 'DOWN', 'the lost stream');
    expect(bot.transport.isOpen).toBe(true);
    await expect.poll(async () => (await accountAt(harness, bot.key)).open.size, { timeout: 5_000 }).toBe(0);
    bot.proxy.heal();
    await bot.until(() => linksOf(fixture).at(-1) === 'UP', 'the connection');
    expect(bot.state.market(FIRST).position.yes).toBe(4 * SHARE);
    expect(reports[1]).toMatchObject({ outcome: 'agrees', fillsFound: 1 });
  }, 180_000);
});

describe('an unexplained difference', () => {
  it('stops quoting until an operator requests a comparison and the account agrees again', async () => {
    const fixture = await startQuoting();
    const { bot, reports } = fixture;
    const time = epochMs(Date.now());
    const excess = unchecked.usd(7_000_000);
    // Simulates a defect: the bot's cash is too high.
    bot.state.apply({ type: 'cashAdjusted', time, venueTime: time, amount: excess });
    await bot.service.audit();
    expect(bot.service.agreement).toBe('disagrees');
    await bot.until(() => bot.state.openOrderCount === 0, 'withdrawn');
    await fixture.placeCounterOrder(3_020);
    await expect(bot.service.recheck()).rejects.toThrow(
      /account differs from the bot.s: cash \$10,007.00 stored, \$10,000.00 at the venue.*--adopt/,
    );
    expect(reports[1]).toMatchObject({ cause: 'audit', outcome: 'disagrees' });
    bot.state.apply({ type: 'cashAdjusted', time, venueTime: time, amount: unchecked.usd(-excess) });
    await bot.service.recheck();
    expect(linksOf(fixture)).toEqual(['UP', 'DOWN', 'UP']);
    await bot.until(() => isQuoting(bot), 'quotes again');
  });
});
