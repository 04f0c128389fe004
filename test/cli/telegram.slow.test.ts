/** A bot with commands by Telegram: the real venue and bot, and a fake Telegram server. */
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { FakeTelegram, TOKEN } from '../ops/telegram/fake-telegram.ts';
import { endAll, openVenue, setSecret, TestBot, until, type VenueProcess } from './trading.ts';

// Tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let venue: VenueProcess;
beforeAll(async () => {
  venue = await openVenue();
});
afterAll(async () => {
  await venue.close();
  endAll();
});

/** A strategy that takes fifty shares once and does not quote. */
const TAKING_STRATEGY =
  'return { onTimer(timer, view) { calls += 1; if (calls !== 3) return []; const market = context.markets[0];' +
  " return [{ type: 'take', market, outcome: 'YES', side: 'BUY', limit: view.market(market).book.bestAsk(), shares: sharesFloor(50) }]; } };";

interface FixtureOptions {
  /** Default: the shared venue. */
  readonly at?: VenueProcess;
  /** Members of `alerts` after its targets. */
  readonly settings?: string;
  readonly sections?: string;
  readonly files?: (bot: TestBot) => void;
  /** Waits until the bot has orders. Default true. */
  readonly quotes?: boolean;
}

async function fixture({ at = venue, settings = '', sections = '', files, quotes = true }: FixtureOptions = {}) {
  const telegram = await FakeTelegram.open();
  setSecret('TELEGRAM_TEST_TOKEN', TOKEN);
  const target = `{ type: telegram, token: { env: TELEGRAM_TEST_TOKEN }, chat: 42, commands_from: [42], base_url: "${telegram.baseUrl}" }`;
  const bot = new TestBot(at.url, `alerts: { targets: [${target}]${settings} }\n${sections}`);
  files?.(bot);
  const [run, client] = [await bot.run(), await bot.client()];
  if (quotes) await until(async () => (await bot.status()).openOrders > 0, 'the bot quotes');
  return { telegram, bot, run, client };
}

/** Sends a command and its confirmation code. @returns the answer */
async function command(telegram: FakeTelegram, text: string): Promise<string> {
  // Alerts are sent to the same chat.
  const answers = (pattern: RegExp) => telegram.sent.filter(({ text: sent }) => pattern.test(sent)).at(-1)?.text;
  const prompt = new RegExp(`^${text} .*send this code`);
  telegram.sent.length = 0;
  telegram.receive(text);
  await until(() => answers(prompt) !== undefined, 'the prompt');
  telegram.receive(FakeTelegram.codeIn(answers(prompt) ?? ''));
  const result = new RegExp(`^(${text}:|Not done)`);
  await until(() => answers(result) !== undefined, 'the result');
  return answers(result) ?? '';
}

async function expectTradingWhileTelegramHangs(): Promise<void> {
  const hanging = await openVenue();
  const { telegram, bot, run, client } = await fixture({ at: hanging });
  hanging.freeze();
  const killed = await command(telegram, '/kill');
  expect(killed).toMatch(/NOT VERIFIED.*NOT CONFIRMED: the venue does not answer/s);
  hanging.thaw();
  await until(async () => (await bot.status()).killVerified === true, 'the kill is verified', 120_000);
  expect(await client.countOpenOrders()).toBe(0);
  // From now on, Telegram accepts requests and does not answer.
  telegram.intercept = () => true;
  await bot.request('resume');
  await until(async () => (await client.countOpenOrders()) > 0, 'the bot trades again');
  run.child.kill('SIGTERM');
  expect((await run.end).code).toBe(0);
  expect(await client.countOpenOrders()).toBe(0);
  await hanging.close();
}

async function expectSummary(): Promise<void> {
  // The next minute that is at least 20 s away, as the bot has to trade before.
  const minute = new Date(Math.ceil((Date.now() + 20_000) / 60_000) * 60_000).toISOString().slice(11, 16);
  const { telegram, run } = await fixture({ settings: `, daily_summary: "${minute}"` });
  const summary = () => telegram.sent.find(({ text }) => text.startsWith('halfspread: summary of'))?.text;
  await until(() => summary() !== undefined, 'the summary', 120_000);
  expect(summary()).toMatch(/\nP&amp;L \S+: spread \S+, inventory and settlement \S+, fees \S+, commission \$0\.00\n/);
  expect(summary()).toMatch(/Uptime: [01] min, trading [\d.]+ % of it\nNow: ACTIVE, \d+ open orders, equity \$/);
  run.child.kill('SIGTERM');
  expect((await run.end).code).toBe(0);
}

describe('a bot with commands by Telegram', () => {
  it('has no open order after `/kill` and its code, also after a restart that receives old commands', async () => {
    const { telegram, bot, run, client } = await fixture();
    telegram.receive('/kill', { chat: 666 });
    telegram.receive('/status');
    expect(await telegram.answer(0)).toMatch(/^ACTIVE\n.*1 message of other chats ignored/s);

    const killed = await command(telegram, '/kill');
    expect(await client.countOpenOrders()).toBe(0);
    expect(killed).toMatch(/^\/kill: killed \(Telegram, sender 42\): no order is open at the venue/);
    expect(killed).toMatch(/The venue confirms 0 open orders \(before: [1-9]\d*\)\./);
    await until(() => telegram.sent.some(({ text }) => text.startsWith('CRITICAL: halfspread killed')), 'the alert');
    run.child.kill('SIGTERM');
    expect((await run.end).code).toBe(0);

    // The bot is down, so Telegram stores these commands.
    telegram.receive('/resume');
    telegram.receive('/confirm 1234');
    telegram.sent.length = 0;
    const again = await bot.run();
    await until(() => telegram.sent.some(({ text }) => text.includes('has just started')), 'the notice');
    expect(await bot.status()).toMatchObject({ mode: 'KILLED' });
    expect(await client.countOpenOrders()).toBe(0);

    expect(await command(telegram, '/resume')).toContain('/resume: trading again');
    await until(async () => (await client.countOpenOrders()) > 0, 'the bot trades again');
    expect(await command(telegram, '/pause')).toMatch(/^\/pause: paused.*The venue confirms 0 open orders/s);
    expect(await client.countOpenOrders()).toBe(0);
    expect(await command(telegram, '/reduce')).toMatch(/^Not done: /);
    again.child.kill('SIGTERM');
    expect((await again.end).code).toBe(0);
    expect(run.output() + again.output()).not.toContain(TOKEN);
  });

  // Each part takes about a minute.
  it('trades and ends normally while Telegram hangs, and another bot sends its summary at the configured minute', async () => {
    await Promise.all([expectTradingWhileTelegramHangs(), expectSummary()]);
  });

  it('closes its position after `/flatten`, and answers when the venue has confirmed it', async () => {
    const { telegram, bot, run, client } = await fixture({
      sections: 'strategy: taker',
      files: (of) => of.strategy('taker', TAKING_STRATEGY),
      quotes: false,
    });
    await until(async () => (await client.positions()).length > 0, 'the account holds shares');
    await until(async () => JSON.stringify(await bot.request('positions')) !== '[]', 'the bot knows the shares');
    telegram.receive('/positions');
    expect(await telegram.answer(0)).toMatch(
      /^Positions:\nwill-\S+: 50 YES, YES at \d+\.\d{3}c: \$\d+\S*, at exit prices \$\d/,
    );
    const answer = await command(telegram, '/flatten');
    expect(answer).toMatch(
      /^\/flatten: flattening: .*The venue confirms 0 open orders \(before: \d+\)\.\nNo position\./s,
    );
    expect(await bot.status()).toMatchObject({ mode: 'PAUSED', openOrders: 0 });
    expect(await client.countOpenOrders()).toBe(0);
    run.child.kill('SIGTERM');
    expect((await run.end).code).toBe(0);
  });

  it('is killed by `/kill` in paper mode, and the simulated venue has no order', async () => {
    const { telegram, bot, run } = await fixture({ sections: 'mode: paper' });
    expect(await command(telegram, '/kill')).toMatch(
      /The venue confirms 0 open orders \(before: [1-9]\d*\)\.\nNo position\./,
    );
    expect(await bot.status()).toMatchObject({ mode: 'KILLED', openOrders: 0, killVerified: true });
    run.child.kill('SIGTERM');
    expect((await run.end).code).toBe(0);
  });
});
