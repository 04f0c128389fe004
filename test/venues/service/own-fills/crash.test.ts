/** A fill and the stream position after it become durable together, before the strategy reacts to the fill. */
import { describe, expect, it } from 'vitest';
import type { Intent } from '../../../../src/domain/index.ts';
import type { Core } from '../../../../src/runtime/index.ts';
import { openSigningTools } from '../../../server/trader.ts';
import { quotes } from '../quoting.ts';
import { FillBot, type FillBotOptions, keyOfBot, SELECTED } from './fill-bot.ts';
import { ScriptedAccount } from './scripted-account.ts';

const tools = await openSigningTools();

const started = (options: Omit<FillBotOptions, 'tools'>) => FillBot.start({ ...options, tools });

function newAccount(): ScriptedAccount {
  return new ScriptedAccount(SELECTED.info.id, keyOfBot(tools).address);
}

/** A bot with a bid of 10 at 4000, and 5 shares of others behind it. `setOnBook` sets the strategy's `onBook`. */
async function fixture() {
  const account = newAccount();
  let onBook: (() => readonly Intent[]) | undefined;
  const bot = await started({ account, handlers: { onBook: () => onBook?.() } });
  bot.bookFrame({ side: 'ask', price: 6_000, shares: 50 }, { side: 'bid', price: 4_000, shares: 5 });
  await bot.submit(quotes(['bid', 4_000, 10]));
  const { hash } = bot.record(1);
  account.accept(bot.record(1));
  bot.bookFrame({ side: 'bid', price: 4_000, shares: 15 });
  const setOnBook = (handler: () => readonly Intent[]): void => {
    onBook = handler;
  };
  return { account, bot, hash, setOnBook };
}

describe('a fill that changes the book of other traders', () => {
  it('reaches the strategy before the book rows that result from it', async () => {
    const { account, bot, hash, setOnBook } = await fixture();
    // The book is ahead of the fill: until the fill arrives, 10 of the level's 11 shares count as ours.
    bot.bookFrame({ side: 'bid', price: 4_000, shares: 11 });
    const positions: number[] = [];
    setOnBook(() => {
      positions.push(bot.yes);
      return [];
    });
    account.fill(hash, { shares: 4 });
    expect(bot.faults).toEqual([]);
    expect(positions).toEqual([4]);
  });

  it('is booked exactly once when the process crashes after an order for those rows became durable', async () => {
    const { account, bot, hash, setOnBook } = await fixture();
    bot.bookFrame({ side: 'bid', price: 4_000, shares: 11 });
    bot.afterSigned.length = 0;
    setOnBook(() => [quotes(['bid', 4_000, 6], ['ask', 5_900, 3])]);
    account.fill(hash, { shares: 4 });
    const [file] = bot.afterSigned;
    expect(bot.afterSigned).toHaveLength(1);

    const next = await started({ account, file });
    expect(next.yes).toBe(4);
    expect(next.state.cash).toBe(account.cash);
    expect([...bot.received('orderFilled'), ...next.received('orderFilled')]).toHaveLength(1);
    expect(next.received('holdingAdjusted')).toEqual([]);
  });
});

describe('a fill that arrives after the run has failed', () => {
  it('is delivered to the next run when a strategy failed before', async () => {
    const account = newAccount();
    const onBook = (): never => {
      throw new Error('a strategy that fails');
    };
    const bot = await started({ account, handlers: { onBook } });
    await bot.submit(quotes(['bid', 4_000, 10]));
    account.accept(bot.record(1));
    bot.bookFrame({ side: 'ask', price: 6_000, shares: 50 });
    expect(bot.faults).toMatchObject([{ message: expect.stringContaining('a strategy that fails') }]);
    account.fill(bot.record(1).hash, { shares: 4 });
    await bot.close();

    const next = await started({ account, file: bot.store.file });
    expect(next.yes).toBe(4);
    expect(next.received('orderFilled')).toHaveLength(1);
  });

  it('is delivered to the next run when the core failed at the fill itself', async () => {
    const account = newAccount();
    const wrapCore = (core: Core): Core => ({
      market: (row, out) => core.market(row, out),
      step(event, out) {
        core.step(event, out);
        if (event.type === 'orderFilled') throw new Error('a core that fails');
      },
    });
    const bot = await started({ account, wrapCore });
    await bot.submit(quotes(['bid', 4_000, 10]));
    account.accept(bot.record(1));
    account.fill(bot.record(1).hash, { shares: 4 });
    expect(bot.faults).toMatchObject([{ message: 'a core that fails' }]);
    expect(bot.yes).toBe(4);
    await bot.close();

    const next = await started({ account, file: bot.store.file });
    expect(next.yes).toBe(4);
    expect(next.received('orderFilled')).toHaveLength(1);
  });
});
