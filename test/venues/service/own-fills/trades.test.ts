/** Each fill is booked once, by the id of its trade, on every delivery path, before and after a restart. */
import { describe, expect, it } from 'vitest';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { openSigningTools } from '../../../server/trader.ts';
import { quotes } from '../quoting.ts';
import { FillBot, type FillBotOptions, keyOfBot, SELECTED } from './fill-bot.ts';
import { expectAgreement, fixture } from './fill-fixture.ts';
import { ScriptedAccount } from './scripted-account.ts';

const tools = await openSigningTools();

const started = (options: Omit<FillBotOptions, 'tools'>) => FillBot.start({ ...options, tools });

/** Ways to deliver all fills of the venue to the bot again. */
const REDELIVERIES = {
  'the stream with its own number': (account: ScriptedAccount) => {
    for (const fill of account.fills) account.reportFill(fill);
  },
  'the stream with a new number': (account: ScriptedAccount) => {
    for (const fill of account.fills) account.reportFill(fill, account.seq + 1);
  },
  'a replay of the stream from an older event': (account: ScriptedAccount) => {
    account.replaysFrom = 0;
    account.restart();
  },
  'a query after a gap that starts too early': (account: ScriptedAccount) => {
    account.oldest = account.seq + 1;
    account.fillsFrom = 0;
    account.restart();
  },
};
type Path = keyof typeof REDELIVERIES;
const PATHS = Object.keys(REDELIVERIES) as readonly Path[];
const PAIRS = PATHS.flatMap((first) => PATHS.map((second) => [first, second] as const));

/** Ways to deliver a fill the first time. */
const FIRST_DELIVERIES = {
  'the stream': (account: ScriptedAccount, hash: string) => void account.fill(hash, { shares: 4 }),
  'a query after a gap': (account: ScriptedAccount, hash: string) => {
    account.fill(hash, { shares: 4, isReported: false });
    account.oldest = account.seq + 1;
    account.restart();
  },
};

describe.each(Object.entries(FIRST_DELIVERIES))('a fill reported by %s', (_, deliver) => {
  it.each(PAIRS)('is not booked again by %s, then by %s', async (first, second) => {
    const { account, bot, hash } = await fixture(tools);
    deliver(account, hash);
    await bot.flush();
    expectAgreement(account, bot, 1);
    for (const path of [first, second]) {
      REDELIVERIES[path](account);
      await bot.flush();
      expectAgreement(account, bot, 1);
    }
    account.clearFaults();
    account.fill(hash, { shares: 1 });
    await bot.flush();
    expectAgreement(account, bot, 2);
    expect(bot.state.market(SELECTED.info.market).orders).toMatchObject([{ remaining: 5e6 }]);
  });

  it.each(PATHS)('is not booked again by %s after a crash', async (path) => {
    const { account, bot, hash } = await fixture(tools);
    deliver(account, hash);
    await bot.flush();
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    REDELIVERIES[path](account);
    await next.flush();
    expect(next.received('orderFilled')).toEqual([]);
    expectAgreement(account, next, 1);
  });

  it('is not booked again when the stream of the next run starts too early', async () => {
    const { account, bot, hash } = await fixture(tools);
    deliver(account, hash);
    await bot.flush();
    account.replaysFrom = 0;
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    expect(next.received('orderFilled')).toEqual([]);
    expectAgreement(account, next, 1);
  });
});

it('a fill from before the first run is part of the adopted account and is never booked', async () => {
  const { account, bot, hash } = await fixture(tools);
  account.fill(hash, { shares: 4 });
  await bot.flush();
  // A second bot with a new file adopts the same account.
  const next = await started({ account, settings: { leftovers: 'adopt' } });
  for (const path of PATHS.slice(0, 1).concat(PATHS.slice(2))) {
    REDELIVERIES[path](account);
    await next.flush();
    expect([next.yes, next.state.cash]).toEqual([4, account.cash]);
    expect(next.received('orderFilled')).toEqual([]);
  }
});

describe('a fill that the venue reverses', () => {
  it('is removed from position and cash once, and is not booked again by a later query', async () => {
    const { account, bot, hash } = await fixture(tools);
    const otherFill = account.fill(hash, { shares: 1 });
    const fill = account.fill(hash, { shares: 4 });
    await bot.flush();
    expect(bot.yes).toBe(5);
    account.reverse(fill);
    await bot.flush();
    expect(bot.received('fillReversed')).toMatchObject([
      { order: 1, trade: fill.tradeId, side: 'BUY', price: 4_000, shares: 4e6, fee: 0, liquidity: 'maker' },
    ]);
    expect([bot.yes, bot.faults, otherFill.shares]).toEqual([1, [], 1]);
    expectAgreement(account, bot, 2);
    account.oldest = account.seq + 1;
    account.fillsFrom = 0;
    account.restart();
    await bot.flush();
    expectAgreement(account, bot, 2);
    expect(bot.state.market(SELECTED.info.market).orders).toMatchObject([{ remaining: 5e6 }]);
  });

  it('is removed by the next run when the venue reversed it while the bot was down', async () => {
    const { account, bot, hash } = await fixture(tools);
    const fill = account.fill(hash, { shares: 4 });
    await bot.flush();
    const file = bot.crash();
    account.reverse(fill);
    const next = await started({ account, file, settings: { leftovers: 'adopt' } });
    await next.flush();
    expect(next.received('fillReversed')).toMatchObject([{ trade: fill.tradeId }]);
    expect([next.yes, next.faults]).toEqual([0, []]);
  });
});

describe('two trades with the same sequence number', () => {
  it('are both booked when the stream delivers them', async () => {
    const { account, bot, hash } = await fixture(tools);
    account.fill(hash, { shares: 4, tradeId: 'one' });
    account.fill(hash, { shares: 3, tradeId: 'two', seq: account.seq });
    await bot.flush();
    expectAgreement(account, bot, 2);
    expect(bot.state.market(SELECTED.info.market).orders).toMatchObject([{ remaining: 3e6 }]);
  });

  it('are both booked after a gap, also when the process crashes between them', async () => {
    const { account, bot, hash } = await fixture(tools);
    const seq = account.seq + 1;
    account.fill(hash, { shares: 4, tradeId: 'one', seq, isReported: false });
    account.fill(hash, { shares: 3, tradeId: 'two', seq, isReported: false });
    account.oldest = account.seq + 1;
    account.restart();
    const files: string[] = [];
    bot.onStep = (event) => {
      if (event?.type === 'orderFilled') files.push(bot.crash());
    };
    await bot.flush();
    expectAgreement(account, bot, 2);
    expect(files).toHaveLength(2);
    for (const [index, file] of files.entries()) {
      const next = await started({ account, file, settings: { leftovers: 'adopt' } });
      expect(next.received('orderFilled')).toHaveLength(1 - index);
      expectAgreement(account, next, 2);
    }
  });
});

describe('a fill that arrives during the start of a run', () => {
  it('is not undone by holdings that were queried before it', async () => {
    const { account, bot, hash } = await fixture(tools);
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

  it('is not undone by an order that was queried before it', async () => {
    const account = new ScriptedAccount(SELECTED.info.id, keyOfBot(tools).address);
    const bot = await started({ account });
    bot.bookFrame({ side: 'ask', price: 6_000, shares: 50 });
    // Order 1 never reaches the venue. The start queries it after it has read order 2.
    await bot.submit(quotes(['bid', 3_000, 10]));
    await bot.submit(quotes(['bid', 3_000, 10], ['bid', 4_000, 10]));
    account.accept(bot.record(2));
    await bot.flush();
    account.onRead = (field) => {
      if (field !== OPERATIONS.order.name) return;
      account.onRead = () => {};
      account.fill(bot.record(2).hash, { shares: 4 });
    };
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    expect(next.received('orderFilled')).toHaveLength(1);
    expect(next.received('orderReduced')).toEqual([]);
    expect(next.state.market(SELECTED.info.market).orders).toContainEqual(
      expect.objectContaining({ order: 2, remaining: 6e6 }),
    );
  });
});

describe('fills after an event whose sequence number was too high', () => {
  it('are each booked once, also after a SYNC with a lower number and after a crash', async () => {
    const { account, bot, hash } = await fixture(tools);
    account.reportOrder(1_000_000, hash);
    account.fill(hash, { shares: 1 });
    await bot.flush();
    expectAgreement(account, bot, 1);
    account.fill(hash, { shares: 2, isReported: false });
    account.sync();
    account.sync();
    await bot.flush();
    expectAgreement(account, bot, 2);
    expect(bot.store.streamPosition).toBeLessThan(1_000_000);
    const next = await started({ account, file: bot.crash(), settings: { leftovers: 'adopt' } });
    expectAgreement(account, next, 2);
    await next.submit(quotes(['bid', 4_000, 10]));
    account.accept(next.record(2));
    account.fill(next.record(2).hash, { shares: 3 });
    await next.flush();
    expectAgreement(account, next, 3);
  });

  it('are not lost when the number of a fill differs from that of its event', async () => {
    const { account, bot, hash } = await fixture(tools);
    const fill = account.fill(hash, { shares: 4, isReported: false });
    account.seq -= 1;
    account.reportFill({ ...fill, seq: '1' }, account.seq + 1);
    await bot.flush();
    account.events.length = 0;
    account.oldest = account.seq + 1;
    account.restart();
    await bot.flush();
    expectAgreement(account, bot, 1);
  });
});

it('a fill larger than the unfilled part of its order is not booked, and quoting stops', async () => {
  const { account, bot, hash } = await fixture(tools);
  const fill = account.fill(hash, { shares: 6 });
  const before = account.seq;
  account.reportFill({ ...fill, tradeId: 'more', seq: String(before + 1) }, before + 1);
  await bot.flush();
  expectAgreement(account, bot, 1);
  expect(bot.received('venueChanged').at(-1)).toMatchObject({ link: 'DOWN' });
});

describe('a trade that arrives again with different contents', () => {
  it.each([
    ['shares', { shares: 5 }],
    ['price', { priceBps: 3_900 }],
    ['side', { side: 'SELL' as const }],
    ['fee', { feeMicros: '7' }],
  ])('(%s) is reported and not booked, and the account is compared', async (_, change) => {
    for (const isRestarted of [false, true]) {
      const { account, bot: first, hash } = await fixture(tools);
      const fill = account.fill(hash, { shares: 4 });
      await first.flush();
      const bot = isRestarted
        ? await started({ account, file: first.crash(), settings: { leftovers: 'adopt' } })
        : first;
      const audits = account.queryCount('positions');
      account.reportFill({ ...fill, ...change }, account.seq + 1);
      await bot.flush();
      expect(bot.yes).toBe(4);
      expect(bot.state.cash).toBe(account.cash);
      expect(bot.store.trades(100)).toHaveLength(1);
      expect(bot.faults).toMatchObject([{ code: 'TRADE_CONFLICT' }]);
      expect(account.queryCount('positions')).toBeGreaterThan(audits);
    }
  });

  it('stops all quotes when the venue’s account has the later contents', async () => {
    const { account, bot, hash } = await fixture(tools);
    const fill = account.fill(hash, { shares: 4 });
    await bot.flush();
    account.fill(hash, { shares: 2, tradeId: fill.tradeId });
    await bot.flush();
    expect(bot.faults).toMatchObject([{ code: 'TRADE_CONFLICT' }]);
    expect(bot.received('orderFilled')).toHaveLength(1);
    expect(bot.yes).toBe(4);
    expect(bot.received('venueChanged').at(-1)).toMatchObject({ link: 'DOWN' });
  });
});
