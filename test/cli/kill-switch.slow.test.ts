/** Fires a bot's kill switch for each reason, with the real programs and a webhook receiver. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccountClient } from '../../src/ops/index.ts';
import { login, openSigningTools, queryVenue, type SigningTools, signOrder } from '../server/trader.ts';
import { halfspread } from './halfspread.ts';
import { endAll, type Ready, setSecret, startAndWait, TestBot, until } from './trading.ts';
import { openWebhook } from './webhook.ts';

// Tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

let received: string[] = [];
let tools: SigningTools;
let venue: Ready;
let url = '';
beforeAll(async () => {
  tools = await openSigningTools();
  received = await openWebhook('KILL_WEBHOOK');
  const folder = new TestBot('').folder;
  const args = ['serve', '--port', '0', '--seed', '--db', 'venue.db', '--log', 'error'];
  venue = await startAndWait(args, folder, /listening on \S+\n/);
  url = /listening on (\S+)\n/.exec(venue.output())?.[1] ?? '';
});
afterAll(async () => {
  venue.child.kill('SIGTERM');
  await venue.end;
  endAll();
});

const SLUG = 'will-the-home-side-win-the-cup-final';
/** A strategy that quotes and once buys 50 shares at the ask, which are a loss when marked at the bid. */
const TAKING_STRATEGY =
  'return { ...maker, onTimer(timer, view) { calls += 1; if (calls !== 3) return []; const market = context.markets[0];' +
  " return [{ type: 'take', market, outcome: 'YES', side: 'BUY', limit: view.market(market).book.bestAsk(), shares: sharesFloor(50) }]; } };";

function bot(...sections: readonly string[]): TestBot {
  return new TestBot(
    url,
    [...sections, 'alerts: { targets: [{ type: webhook, url: { env: KILL_WEBHOOK } }] }'].join('\n'),
  );
}

/** Trades on the bot's account without the bot, as the owner of the account. */
async function owner(testBot: TestBot) {
  const key = tools.signer.key(testBot.key);
  const token = await login(url, tools, key);
  let salt = Date.now() * 1_000;
  return {
    query: (text: string) => queryVenue(url, token, text, {}),
    async buy(marketId: string, shares: number, priceBps: number) {
      const epoch = Number(
        (await queryVenue(url, token, '{ tradingSafety { orderEpoch } }', {})).tradingSafety.orderEpoch,
      );
      salt += 1;
      const orderInput = { marketId, outcome: 'YES', side: 'BUY', priceBps, timestampMs: Date.now() } as const;
      const signed = signOrder(tools, key, { ...orderInput, shares: shares * 1_000_000 }, salt);
      const message = { ...signed.message, epoch };
      const { wire, sign } = tools.messages.order;
      const order = { ...wire(message), signature: sign(message, key).signature };
      const text =
        'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted rejection { reason message } } }';
      const { placeOrder } = await queryVenue(url, token, text, { i: { order } });
      expect(placeOrder).toEqual({ accepted: true, rejection: null });
    },
  };
}

/** Expects that the bot was killed for a reason, the venue confirmed it, one alert was sent, and the run ended. */
async function expectKilled(
  testBot: TestBot,
  run: Ready,
  client: AccountClient,
  reason: string,
  text: RegExp,
): Promise<void> {
  await until(async () => (await testBot.status()).killVerified === true, `killed for ${reason} and verified`, 90_000);
  expect(await testBot.status()).toMatchObject({ mode: 'KILLED', killReason: expect.stringMatching(text) });
  expect(await client.countOpenOrders()).toBe(0);
  const killAlerts = () => received.filter((each) => each.includes(`(${reason})`));
  await until(() => killAlerts().length > 0, 'the webhook is called');
  expect(killAlerts()).toHaveLength(1);
  expect(killAlerts()[0]).toMatch(/No order is open at the venue/);
  received.length = 0;
  run.child.kill('SIGTERM');
  expect(await run.end).toMatchObject({ code: 0 });
  expect(run.output()).not.toContain('watchdog:');
  expect(received.join('')).toContain('halfspread ended after a signal: 0 orders open at the venue, verified');
}

async function startQuoting(testBot: TestBot): Promise<{ readonly run: Ready; readonly client: AccountClient }> {
  const [run, client] = [await testBot.run(), await testBot.client()];
  await until(async () => (await client.countOpenOrders()) > 0, 'the bot quotes');
  return { run, client };
}

describe('the kill switch fires', () => {
  it.each([
    ['LOSS', 'risk: { daily_loss_usd: 0.05, max_drawdown_usd: none }', /loss since 00:00 UTC is \$/],
    ['DRAWDOWN', 'risk: { daily_loss_usd: none, max_drawdown_usd: 0.05 }', /fall from the highest equity is \$/],
  ])('for %s, and the bot stays killed after a restart', async (reason, risk, text) => {
    const taker = bot('strategy: taker', risk);
    taker.strategy('taker', TAKING_STRATEGY);
    // Does not wait for quotes: the bot may trade and be killed before they can be observed.
    const [run, client] = [await taker.run(), await taker.client()];
    await expectKilled(taker, run, client, reason, text);
    const again = await taker.run();
    expect(again.output()).toContain('KILLED');
    expect(await taker.status()).toMatchObject({ mode: 'KILLED' });
    expect(await client.countOpenOrders()).toBe(0);
    again.child.kill('SIGTERM');
    await again.end;
  });

  it('for POSITION, also after trades on the account outside the bot', async () => {
    // The strategy places only bids, so the owner's buys do not match the bot's asks.
    const holder = bot('strategy: bidder', 'kill_switch: { max_position: 20 }');
    holder.strategy('bidder', 'return maker;');
    const { run, client } = await startQuoting(holder);
    const market = (await holder.status()).markets.find(({ slug }) => slug === SLUG);
    await (await owner(holder)).buy(market?.id ?? '', 30, 9_900);
    await expectKilled(holder, run, client, 'POSITION', /shares are held in market \d+ \(20 allowed\)/);
  });

  it('for ERROR_RATE', async () => {
    const refused = bot('kill_switch: { errors: 3, error_window_ms: 60000 }');
    const { run, client } = await startQuoting(refused);
    const account = await owner(refused);
    // After each new epoch the venue refuses the bot's orders until the bot has read the epoch.
    while ((await refused.status()).mode !== 'KILLED') {
      await account.query('mutation { cancelAllOrders { newEpoch } }');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await expectKilled(
      refused,
      run,
      client,
      'ERROR_RATE',
      /rejections, lost answers and repeats within 60000 ms \(3 allowed\)/,
    );
  });

  it('for STALENESS, and the bot verifies the kill when the venue answers again', async () => {
    const silent = bot('kill_switch: { staleness_ms: 7000 }');
    const { run, client } = await startQuoting(silent);
    venue.child.kill('SIGSTOP');
    try {
      await until(async () => (await silent.status()).mode === 'KILLED', 'killed');
    } finally {
      venue.child.kill('SIGCONT');
    }
    await expectKilled(silent, run, client, 'STALENESS', /\(7000 allowed\)/);
  });

  it('for CLOCK_SKEW when the clock is set during a run', async () => {
    const skewed = bot('kill_switch: { clock_skew_ms: 3000 }');
    const clockModule = join(skewed.folder, 'clock.mjs');
    const flag = join(skewed.folder, 'set');
    const text = `import { existsSync } from 'node:fs'; const now = Date.now; Date.now = () => now() + (existsSync(${JSON.stringify(flag)}) ? 6000 : 0);`;
    writeFileSync(clockModule, text);
    setSecret('NODE_OPTIONS', `--import=${clockModule}`);
    const { run, client } = await startQuoting(skewed).finally(() =>
      Reflect.deleteProperty(process.env, 'NODE_OPTIONS'),
    );
    writeFileSync(flag, '');
    await expectKilled(skewed, run, client, 'CLOCK_SKEW', /ms apart \(3000 allowed\)/);
  });

  it('for COMMAND after `halfspread kill`', async () => {
    const requests = bot();
    const { run, client } = await startQuoting(requests);
    const { code, stdout } = await halfspread(['kill', 'bot.yaml', '--reason', 'wrong fair price'], requests.folder);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/wrong fair price.*no order is open at the venue/s)]);
    await expectKilled(requests, run, client, 'COMMAND', /wrong fair price/);
  });

  it('for SIGNAL', async () => {
    const signalled = bot();
    const { run, client } = await startQuoting(signalled);
    run.child.kill('SIGUSR2');
    await expectKilled(signalled, run, client, 'SIGNAL', /SIGUSR2/);
  });
});

describe('the watchdog', () => {
  it('cancels the orders of a bot after SIGKILL, and the next start reports the ended orders and the downtime', async () => {
    const killed = bot('watchdog_ms: 5000');
    const { run, client } = await startQuoting(killed);
    await until(async () => {
      const { openOrders } = await killed.status();
      return openOrders > 0 && openOrders === (await client.countOpenOrders());
    }, 'bot and venue have the same orders');
    run.child.kill('SIGKILL');
    const killedAt = Date.now();
    await run.end;
    await until(
      () => received.some((each) => each.includes('died')),
      'the watchdog reports the end of the bot and its own actions',
    );
    expect(received.join('')).toMatch(/halfspread watchdog: process \d+ died\. No order is open at the venue/);
    received.length = 0;
    expect(await client.countOpenOrders()).toBe(0);
    const again = await killed.run();
    const { recovery } = await killed.status();
    expect(recovery).toMatchObject({
      cause: 'start',
      ordersFound: 0,
      ordersCancelled: 0,
      ordersAdopted: 0,
      outcome: 'agrees',
    });
    expect(recovery?.ordersEnded).toBeGreaterThan(0);
    expect(recovery?.text).toMatch(/, \d+ orders? of the journal had ended meanwhile, /);
    // The bot updates the time of its lease every second.
    expect(recovery?.downMs).toBeLessThanOrEqual(Date.now() - killedAt + 30_000);
    expect(recovery?.downMs).toBeGreaterThan(0);
    // Trading is not killed, as the strategy did not fail.
    expect(await killed.status()).toMatchObject({ mode: 'ACTIVE', killReason: null });
    again.child.kill('SIGTERM');
    expect(await again.end).toMatchObject({ code: 0 });
  });
});

describe('a strategy', () => {
  it('that loops for ever in `create` is ended by the watchdog, which cancels its open order and kills trading', async () => {
    const spinner = bot('strategy: spinner', 'watchdog_ms: 1500');
    spinner.strategy('spinner', 'for (;;) {}');
    const account = await owner(spinner);
    const { market } = await account.query(`{ market(slug: "${SLUG}") { id } }`);
    await account.buy(market.id, 5, 1_000);
    const client = await spinner.client();
    expect(await client.countOpenOrders()).toBe(1);
    const { code, stderr } = await halfspread(['run', 'bot.yaml', '--json'], spinner.folder);
    expect(code).toBeNull();
    expect(stderr).toMatch(/has not answered for 1500 ms: a strategy hangs/);
    expect(stderr).toMatch(/No order is open at the venue.*Correct the strategy and start the bot/);
    expect(await client.countOpenOrders()).toBe(0);
    expect(received.join()).toMatch(/has not answered for 1500 ms/);
    received.length = 0;
    spinner.configure('');
    const again = await spinner.run();
    expect(again.output()).toMatch(/KILLED \(WATCHDOG/);
    again.child.kill('SIGTERM');
    expect(await again.end).toMatchObject({ code: 0 });
  });

  it('that throws in `create` ends the start with the source position, and no watchdog is left running', async () => {
    const thrower = bot('strategy: thrower');
    thrower.strategy('thrower', "throw new Error('no idea to begin with');");
    const { code, stderr } = await halfspread(['run', 'bot.yaml', '--json'], thrower.folder);
    expect(code).toBe(4);
    expect(stderr).toMatch(/no idea to begin with/);
    expect(stderr).toMatch(/strategies\/thrower\/strategy\.ts:5/);
    expect(stderr).not.toContain('watchdog:');
  });
});
