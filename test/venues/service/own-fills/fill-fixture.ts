import { expect } from 'vitest';
import type { SigningTools } from '../../../server/trader.ts';
import { quotes } from '../quoting.ts';
import { FillBot, keyOfBot, SELECTED } from './fill-bot.ts';
import { ScriptedAccount } from './scripted-account.ts';

/** A bot with a resting bid of 10 at 4000. */
export async function fixture(tools: SigningTools) {
  const account = new ScriptedAccount(SELECTED.info.id, keyOfBot(tools).address);
  const bot = await FillBot.start({ account, tools });
  // Removes the events of the adopted account.
  bot.reported.length = 0;
  bot.bookFrame({ side: 'ask', price: 6_000, shares: 50 });
  await bot.submit(quotes(['bid', 4_000, 10]));
  account.accept(bot.record(1));
  return { account, bot, hash: bot.record(1).hash };
}

/** Expects that bot and account agree, and that the journal has each trade once. @param fills number of trades */
export function expectAgreement(account: ScriptedAccount, bot: FillBot, fills: number): void {
  expect(bot.yes * 1e6).toBe(account.yes);
  expect(bot.state.cash).toBe(account.cash);
  expect(bot.store.trades(100)).toHaveLength(fills);
  expect([...bot.received('holdingAdjusted'), ...bot.received('cashAdjusted')]).toEqual([]);
  expect(bot.faults).toEqual([]);
}
