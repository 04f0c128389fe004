/** Fills are booked once, by the id of their trade: whatever path delivers them, however often, before and after a restart. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { openSigningTools, type SigningTools } from '../../../server/trader.ts';
import { quotes } from '../quoting.ts';
import { FillBot, type FillBotOptions, keyOfBot, removeFiles, SELECTED } from './fill-bot.ts';
import { ScriptedAccount } from './scripted-account.ts';

let tools: SigningTools;
const bots: FillBot[] = [];

beforeAll(async () => {
  tools = await openSigningTools();
});
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.close();
});
afterAll(removeFiles);

async function started(options: Omit<FillBotOptions, 'tools'>): Promise<FillBot> {
  const bot = await FillBot.start({ ...options, tools });
  bots.push(bot);
  return bot;
}

/** A bid of 10 at 4000 that rests. */
async function fixture() {
  const account = new ScriptedAccount(SELECTED.setup.info.id, keyOfBot(tools).address);
  const bot = await started({ account });
  // The account was adopted.
  bot.reported.length = 0;
  bot.bookFrame({ side: 'ask', price: 6_000, shares: 50 });
  await bot.submit(quotes(['bid', 4_000, 10]));
  account.accept(bot.record(1));
  return { account, bot, hash: bot.record(1).hash };
}

/** Both know the same, and each trade is in the journal once. */
function expectSame(account: ScriptedAccount, bot: FillBot, fills: number): void {
  expect(bot.yes * 1e6).toBe(account.yes);
  expect(bot.state.cash).toBe(account.cash);
  expect(bot.store.trades(100)).toHaveLength(fills);
  expect([...bot.received('holdingAdjusted'), ...bot.received('cashAdjusted')]).toEqual([]);
  expect(bot.faults).toEqual([]);
}

/** What brings a fill that the venue has to the bot once more. */
const PATHS = {
  'the stream, under its own number': (account: ScriptedAccount) => {
    for (const fill of account.fills) account.tellFill(fill);
  },
  'the stream, under a new number': (account: ScriptedAccount) => {
    for (const fill of account.fills) account.tellFill(fill, account.seq + 1);
  },
  'a replay of the stream from an older event': (account: ScriptedAccount) => {
    account.replaysFrom = 0;
    account.restart();
  },
  'a read after a gap that goes too far back': (account: ScriptedAccount) => {
    account.oldest = account.seq + 1;
    account.fillsFrom = 0;
    account.restart();
  },
};
type Path = keyof typeof PATHS;
const NAMES = Object.keys(PATHS) as readonly Path[];
const PAIRS = NAMES.flatMap((first) => NAMES.map((second) => [first, second] as const));

/** What brings a fill to the bot the first time. */
const FIRST = {
  'the stream': (account: ScriptedAccount, hash: string) => void account.fill(hash, { shares: 4 }),
  'a read after a gap': (account: ScriptedAccount, hash: string) => {
    account.fill(hash, { shares: 4, isTold: false });
    account.oldest = account.seq + 1;
    account.restart();
  },
};

describe.each(Object.entries(FIRST))('a fill reported by %s', (_, bring) => {
  it.each(PAIRS)('is not booked again by %s, then by %s', async (first, second) => {
    const { account, bot, hash } = await fixture();
    bring(account, hash);
    await bot.turn();
    expectSame(account, bot, 1);
    for (const path of [first, second]) {
      PATHS[path](account);
      await bot.turn();
      expectSame(account, bot, 1);
    }
    // The stream goes on.
    account.heal();
    account.fill(hash, { shares: 1 });
    await bot.turn();
    expectSame(account, bot, 2);
    expect(bot.state.market(SELECTED.setup.info.market).orders).toMatchObject([{ remaining: 5e6 }]);
  });

  it.each(NAMES)('is not booked again by %s after a crash', async (path) => {
    const { account, bot, hash } = await fixture();
    bring(account, hash);
    await bot.turn();
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    PATHS[path](account);
    await next.turn();
    expect(next.received('orderFilled')).toEqual([]);
    expectSame(account, next, 1);
  });

  it('is not booked again when the stream of the next run starts too early', async () => {
    const { account, bot, hash } = await fixture();
    bring(account, hash);
    await bot.turn();
    account.replaysFrom = 0;
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    expect(next.received('orderFilled')).toEqual([]);
    expectSame(account, next, 1);
  });
});

it('a fill from before the first run is already in the account, whatever the stream replays', async () => {
  const { account, bot, hash } = await fixture();
  account.fill(hash, { shares: 4 });
  await bot.turn();
  // A bot with a file of its own that begins on the same account.
  const next = await started({ account, settings: { leftovers: 'adopt' } });
  for (const path of NAMES.slice(0, 1).concat(NAMES.slice(2))) {
    PATHS[path](account);
    await next.turn();
    expect([next.yes, next.state.cash]).toEqual([4, account.cash]);
    expect(next.received('orderFilled')).toEqual([]);
  }
});

describe('a fill that the venue takes back', () => {
  it('is taken out of position and cash once, and not booked again by a later read', async () => {
    const { account, bot, hash } = await fixture();
    const kept = account.fill(hash, { shares: 1 });
    const fill = account.fill(hash, { shares: 4 });
    await bot.turn();
    expect(bot.yes).toBe(5);
    account.reverse(fill);
    await bot.turn();
    expect(bot.received('fillReversed')).toMatchObject([
      { order: 1, trade: fill.tradeId, side: 'BUY', price: 4_000, shares: 4e6, fee: 0, liquidity: 'maker' },
    ]);
    expect([bot.yes, bot.faults, kept.shares]).toEqual([1, [], 1]);
    expectSame(account, bot, 2);
    account.oldest = account.seq + 1;
    account.fillsFrom = 0;
    account.restart();
    await bot.turn();
    expectSame(account, bot, 2);
    expect(bot.state.market(SELECTED.setup.info.market).orders).toMatchObject([{ remaining: 5e6 }]);
  });

  it('is taken out by the next run when it happened while the bot was down', async () => {
    const { account, bot, hash } = await fixture();
    const fill = account.fill(hash, { shares: 4 });
    await bot.turn();
    const file = bot.crash();
    account.reverse(fill);
    const next = await started({ account, file, settings: { leftovers: 'adopt' } });
    await next.turn();
    expect(next.received('fillReversed')).toMatchObject([{ trade: fill.tradeId }]);
    expect([next.yes, next.faults]).toEqual([0, []]);
  });
});

describe('two trades with one number', () => {
  it('are both booked when the stream delivers them', async () => {
    const { account, bot, hash } = await fixture();
    account.fill(hash, { shares: 4, tradeId: 'one' });
    account.fill(hash, { shares: 3, tradeId: 'two', seq: account.seq });
    await bot.turn();
    expectSame(account, bot, 2);
    expect(bot.state.market(SELECTED.setup.info.market).orders).toMatchObject([{ remaining: 3e6 }]);
  });

  it('are both booked after a gap, also when the process ends between them', async () => {
    const { account, bot, hash } = await fixture();
    const seq = account.seq + 1;
    account.fill(hash, { shares: 4, tradeId: 'one', seq, isTold: false });
    account.fill(hash, { shares: 3, tradeId: 'two', seq, isTold: false });
    account.oldest = account.seq + 1;
    account.restart();
    const files: string[] = [];
    bot.onStep = (event) => {
      if (event?.type === 'orderFilled') files.push(bot.crash());
    };
    await bot.turn();
    expectSame(account, bot, 2);
    expect(files).toHaveLength(2);
    for (const [at, file] of files.entries()) {
      const next = await started({ account, file, settings: { leftovers: 'adopt' } });
      expect(next.received('orderFilled')).toHaveLength(1 - at);
      expectSame(account, next, 2);
    }
  });
});

describe('a fill that arrives while a start waits for answers', () => {
  it('is not undone by holdings that were read before it', async () => {
    const { account, bot, hash } = await fixture();
    const file = bot.crash();
    account.cash -= 5e6;
    account.yes += 5e6;
    account.no += 5e6;
    account.movements = [['SPLIT', -5e6]];
    account.onRead = (field) => {
      if (field !== OPERATIONS.ledger.name) return;
      account.onRead = () => {};
      account.fill(hash, { shares: 4 });
    };
    const next = await started({ account, file, settings: { leftovers: 'adopt' } });
    expect(next.received('orderFilled')).toHaveLength(1);
    expect([next.yes * 1e6, next.state.cash]).toEqual([account.yes, account.cash]);
    expect(next.received('cashAdjusted')).toMatchObject([{ amount: -5e6 }]);
  });

  it('is not undone by an order that was read before it', async () => {
    const account = new ScriptedAccount(SELECTED.setup.info.id, keyOfBot(tools).address);
    const bot = await started({ account });
    bot.bookFrame({ side: 'ask', price: 6_000, shares: 50 });
    // The first never reaches the venue, and is queried after the second was read.
    await bot.submit(quotes(['bid', 3_000, 10]));
    await bot.submit(quotes(['bid', 3_000, 10], ['bid', 4_000, 10]));
    account.accept(bot.record(2));
    await bot.turn();
    account.onRead = (field) => {
      if (field !== OPERATIONS.order.name) return;
      account.onRead = () => {};
      account.fill(bot.record(2).hash, { shares: 4 });
    };
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    expect(next.received('orderFilled')).toHaveLength(1);
    expect(next.received('orderReduced')).toEqual([]);
    expect(next.state.market(SELECTED.setup.info.market).orders).toContainEqual(
      expect.objectContaining({ order: 2, remaining: 6e6 }),
    );
  });
});

describe('fills after an event whose sequence number was too high', () => {
  it('are each booked once when they arrive, after a SYNC with a lower number, and after a crash', async () => {
    const { account, bot, hash } = await fixture();
    account.tellUnder(1_000_000, hash);
    account.fill(hash, { shares: 1 });
    await bot.turn();
    expectSame(account, bot, 1);
    account.fill(hash, { shares: 2, isTold: false });
    account.sync();
    account.sync();
    await bot.turn();
    expectSame(account, bot, 2);
    expect(bot.store.cursor).toBeLessThan(1_000_000);
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    expectSame(account, next, 2);
    await next.submit(quotes(['bid', 4_000, 10]));
    account.accept(next.record(2));
    account.fill(next.record(2).hash, { shares: 3 });
    await next.turn();
    expectSame(account, next, 3);
  });

  it('are not lost when a fill has another number than its event', async () => {
    const { account, bot, hash } = await fixture();
    const fill = account.fill(hash, { shares: 4, isTold: false });
    account.seq -= 1;
    account.tellFill({ ...fill, seq: '1' }, account.seq + 1);
    await bot.turn();
    account.events.length = 0;
    account.oldest = account.seq + 1;
    account.restart();
    await bot.turn();
    expectSame(account, bot, 1);
  });
});

it('a fill larger than the signed rest of its order is not booked; the venue’s account then is', async () => {
  const { account, bot, hash } = await fixture();
  const fill = account.fill(hash, { shares: 6 });
  const before = account.seq;
  account.tellFill({ ...fill, tradeId: 'more', seq: String(before + 1) }, before + 1);
  await bot.turn();
  expectSame(account, bot, 1);
  expect(bot.received('venueChanged').at(-1)).toMatchObject({ link: 'DOWN' });
});

describe('a trade that arrives with other contents', () => {
  it.each([
    ['shares', { shares: 5 }],
    ['price', { priceBps: 3_900 }],
    ['side', { side: 'SELL' as const }],
    ['fee', { feeMicros: '7' }],
  ])('(%s) is reported and not booked, its market is dropped, and the account is compared', async (_, change) => {
    for (const isRestarted of [false, true]) {
      const { account, bot: first, hash } = await fixture();
      const fill = account.fill(hash, { shares: 4 });
      await first.turn();
      const bot = isRestarted
        ? await started({ account, file: first.crash(), settings: { leftovers: 'adopt' } })
        : first;
      const audits = account.reads('positions');
      account.tellFill({ ...fill, ...change }, account.seq + 1);
      await bot.turn();
      expect(bot.yes).toBe(4);
      expect(bot.state.cash).toBe(account.cash);
      expect(bot.store.trades(100)).toHaveLength(1);
      expect(bot.faults).toMatchObject([{ code: 'TRADE_CONFLICT' }]);
      expect(account.reads('positions')).toBeGreaterThan(audits);
    }
  });

  it('stops all quotes when the venue’s account has the later contents', async () => {
    const { account, bot, hash } = await fixture();
    const fill = account.fill(hash, { shares: 4 });
    await bot.turn();
    account.fill(hash, { shares: 2, tradeId: fill.tradeId });
    await bot.turn();
    expect(bot.faults).toMatchObject([{ code: 'TRADE_CONFLICT' }]);
    expect(bot.received('orderFilled')).toHaveLength(1);
    expect(bot.yes).toBe(4);
    expect(bot.received('venueChanged').at(-1)).toMatchObject({ link: 'DOWN' });
  });
});
