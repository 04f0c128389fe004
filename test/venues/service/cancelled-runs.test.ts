/** A run that is cancelled or closed ends its waits for the venue. */
import { afterAll, describe, expect, it } from 'vitest';
import { keyOf } from '../../server/trader.ts';
import { Bot, type BotOptions, IGNORE_CONNECTION_AND_BOOK_LOSS } from './bot.ts';
import type { Rule } from './faulty-proxy.ts';
import { Harness, SHARE } from './harness.ts';
import { differences } from './holdings.ts';
import { FIRST, pairs, quotes } from './quoting.ts';

let fixtures = 0;

const harness = await Harness.open({ config: {} });
afterAll(() => harness.close());

async function botOptions(): Promise<BotOptions> {
  fixtures += 1;
  const id = await harness.market(7_000 + fixtures);
  return { markets: [id], key: keyOf(harness.tools, 2_400 + fixtures), intercept: IGNORE_CONNECTION_AND_BOOK_LOSS };
}

describe('a run that is cancelled during its start', () => {
  it.each<[string, Rule]>([
    ['the login', { direction: 'up', match: 'query AuthChallenge', fault: 'drop' }],
    ['the account', { direction: 'up', match: 'query Me', fault: 'drop' }],
    ['the own-order stream', { direction: 'down', match: '"kind":"SYNC"', fault: 'drop' }],
    ['the open orders', { direction: 'up', match: 'query Orders', fault: 'drop' }],
    ['the state of an uncertain order', { direction: 'up', match: 'query Order(', fault: 'drop' }],
    ['the cancels of leftover orders', { direction: 'up', match: /mutation Cancel/, fault: 'drop' }],
    ['the balance', { direction: 'up', match: 'query Balance', fault: 'drop' }],
    ['the books', { direction: 'up', match: /subscription OrderBook/i, fault: 'drop' }],
  ])('does not wait for %s', async (_, rule) => {
    const options = await botOptions();
    const first = await Bot.openForTest(harness, options);
    await first.run.start();
    first.submit(quotes(['bid', 4_000, 10]));
    await first.until(() => first.received('orderAccepted').length === 1, 'accepted');
    // The state of the second order is unknown: its request is lost.
    first.proxy.rule({ direction: 'up', match: 'placeOrder(', fault: 'cut', times: 99 });
    first.submit(quotes(['bid', 4_000, 10], ['ask', 6_000, 10]));
    await first.until(() => first.proxy.applied.length > 0, 'the fault');
    const next = await Bot.openForTest(harness, { ...options, records: await first.crash() });
    next.proxy.rule({ ...rule, times: 1_000 });
    const start = next.run.start().then(
      () => 'started',
      ({ code }) => code,
    );
    await next.until(() => next.proxy.applied.length > 0, 'the fault');
    // Time to reach the wait.
    await new Promise((resolve) => setTimeout(resolve, 100));
    next.run.stop();
    expect(await start).toBe('STOPPED');
  });

  it('is refused when it was cancelled before its start', async () => {
    const bot = await Bot.openForTest(harness, await botOptions());
    bot.run.stop();
    await expect(bot.run.start()).rejects.toMatchObject({ code: 'STOPPED' });
  });
});

describe('a run that closes without the result of a split', () => {
  it.each<[string, Rule, number]>([
    ['whose ledger query is unanswered', { direction: 'up', match: 'query Ledger', fault: 'drop' }, 0],
    ['that was never sent', { direction: 'up', match: 'splitPosition(', fault: 'cut' }, 0],
    ['that was executed', { direction: 'up', match: 'splitPosition(', fault: 'passAndCut' }, 10],
  ])('leaves a split %s to the next start', async (_, rule, sets) => {
    const options = { ...(await botOptions()), settings: { settleMs: 600_000 } };
    const bot = await Bot.openForTest(harness, options);
    await bot.run.start();
    bot.proxy.rule({ ...rule, times: 1_000 });
    // After the split is sent, the ledger does not answer.
    bot.proxy.onMessage = (_direction, text) => {
      if (text.includes('splitPosition('))
        bot.proxy.rule({ direction: 'up', match: 'query Ledger', fault: 'drop', times: 1_000 });
    };
    bot.submit(pairs('split', 10));
    await bot.until(() => bot.proxy.applied.length > 0 && !bot.isSettled, 'a split without an answer');
    await new Promise((resolve) => setTimeout(resolve, 100));
    const records = await bot.crash();
    expect([bot.service.isQuiet, ...bot.received('converted'), ...bot.received('conversionRejected')]).toEqual([false]);
    const unansweredConversions = bot.state.snapshot().conversions;
    const next = await Bot.openForTest(harness, { ...options, records, options: { unansweredConversions } });
    await next.run.start();
    expect(next.received(sets > 0 ? 'converted' : 'conversionRejected')).toHaveLength(1);
    expect(next.state.market(FIRST).position.yes).toBe(sets * SHARE);
    expect(await differences(harness, next)).toEqual([]);
  });
});
