/** Each way in which the kill switch of a bot fires, with the real programs: a venue, a bot, and a receiver of webhooks. */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { AccountClient } from '../../src/ops/index.ts';
import { login, openSigningTools, queryVenue, readyOrder, type SigningTools } from '../server/trader.ts';
import { halfspread } from './halfspread.ts';
import { endAll, type Ready, ready, setSecret, TestBot, until } from './trading.ts';

// Whole processes start and end here, on whatever machine this is.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const received: string[] = [];
const receiver = createServer((request, answer) => {
  let text = '';
  request.on('data', (piece) => {
    text += piece;
  });
  request.on('end', () => {
    received.push(text);
    answer.end();
  });
});
let tools: SigningTools;
let venue: Ready;
let url = '';
beforeAll(async () => {
  tools = await openSigningTools();
  await new Promise<void>((resolve) => void receiver.listen(0, '127.0.0.1', resolve));
  const address = receiver.address();
  setSecret('KILL_WEBHOOK', `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/secret`);
  const folder = new TestBot('').folder;
  const args = ['serve', '--port', '0', '--seed', '--db', 'venue.db', '--log', 'error'];
  venue = await ready(args, folder, /listening on \S+\n/);
  url = /listening on (\S+)\n/.exec(venue.said())?.[1] ?? '';
});
afterAll(async () => {
  venue.child.kill('SIGTERM');
  await venue.end;
  endAll();
  receiver.closeAllConnections();
  receiver.close();
});

const SLUG = 'will-the-home-side-win-the-cup-final';
/** Quotes, and takes fifty shares once: bought at the ask and marked at the bid, they are a loss. */
const TAKES =
  'return { ...maker, onTimer(timer, view) { calls += 1; if (calls !== 3) return []; const market = context.markets[0];' +
  " return [{ type: 'take', market, outcome: 'YES', side: 'BUY', limit: view.market(market).book.bestAsk(), shares: sharesFloor(50) }]; } };";

function bot(...sections: readonly string[]): TestBot {
  return new TestBot(
    url,
    [...sections, 'alerts: { targets: [{ type: webhook, url: { env: KILL_WEBHOOK } }] }'].join('\n'),
  );
}

/** As an account's owner who does not use the bot. */
async function owner(of: TestBot) {
  const key = tools.signer.key(of.key);
  const token = await login(url, tools, key);
  let salt = Date.now() * 1_000;
  return {
    ask: (text: string) => queryVenue(url, token, text, {}),
    async buy(marketId: string, shares: number, priceBps: number) {
      const epoch = Number(
        (await queryVenue(url, token, '{ tradingSafety { orderEpoch } }', {})).tradingSafety.orderEpoch,
      );
      salt += 1;
      const orderInput = { marketId, outcome: 'YES', side: 'BUY', priceBps, timestampMs: Date.now() } as const;
      const made = readyOrder(tools, key, { ...orderInput, shares: shares * 1_000_000 }, salt);
      const message = { ...made.message, epoch };
      const { wire, sign } = tools.messages.order;
      const order = { ...wire(message), signature: sign(message, key).signature };
      const text =
        'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted rejection { reason message } } }';
      const { placeOrder } = await queryVenue(url, token, text, { i: { order } });
      expect(placeOrder).toEqual({ accepted: true, rejection: null });
    },
  };
}

/** It was killed for this reason, the venue has confirmed it, an alert was sent, and the run ends normally. */
async function expectKilled(
  of: TestBot,
  run: Ready,
  client: AccountClient,
  reason: string,
  text: RegExp,
): Promise<void> {
  await until(async () => (await of.status()).killVerified === true, `killed for ${reason} and verified`, 90_000);
  expect(await of.status()).toMatchObject({ mode: 'KILLED', killReason: expect.stringMatching(text) });
  expect(await client.openOrders()).toBe(0);
  const words = () => received.filter((each) => each.includes(`(${reason})`));
  await until(() => words().length > 0, 'the webhook is called');
  expect(words()).toHaveLength(1);
  expect(words()[0]).toMatch(/No order is open at the venue/);
  received.length = 0;
  run.child.kill('SIGTERM');
  expect(await run.end).toMatchObject({ code: 0 });
  expect(run.said()).not.toContain('watchdog:');
  expect(received.join('')).toContain('halfspread ended after a signal: 0 orders open at the venue, verified');
}

async function quoting(of: TestBot): Promise<{ readonly run: Ready; readonly client: AccountClient }> {
  const [run, client] = [await of.run(), await of.client()];
  await until(async () => (await client.openOrders()) > 0, 'it quotes');
  return { run, client };
}

describe('the kill switch fires', () => {
  it.each([
    ['LOSS', 'risk: { daily_loss_usd: 0.05, max_drawdown_usd: none }', /loss since 00:00 UTC is \$/],
    ['DRAWDOWN', 'risk: { daily_loss_usd: none, max_drawdown_usd: 0.05 }', /fall from the highest equity is \$/],
  ])('for %s, and stays so after a restart', async (reason, risk, text) => {
    const taker = bot('strategy: taker', risk);
    taker.strategy('taker', TAKES);
    // It trades, and is killed for it, at once: that it quotes may be over before one can look.
    const [run, client] = [await taker.run(), await taker.client()];
    await expectKilled(taker, run, client, reason, text);
    const again = await taker.run();
    expect(again.said()).toContain('KILLED');
    expect(await taker.status()).toMatchObject({ mode: 'KILLED' });
    expect(await client.openOrders()).toBe(0);
    again.child.kill('SIGTERM');
    await again.end;
  });

  it('for POSITION, also by trades of others on the account', async () => {
    // Only bids: what its owner buys does not meet its own asks.
    const holder = bot('strategy: bidder', 'kill_switch: { max_position: 20 }');
    holder.strategy('bidder', 'return maker;');
    const { run, client } = await quoting(holder);
    const market = (await holder.status()).markets.find(({ slug }) => slug === SLUG);
    await (await owner(holder)).buy(market?.id ?? '', 30, 9_900);
    await expectKilled(holder, run, client, 'POSITION', /shares are held in market \d+ \(20 allowed\)/);
  });

  it('for ERROR_RATE', async () => {
    const refused = bot('kill_switch: { errors: 3, error_window_ms: 60000 }');
    const { run, client } = await quoting(refused);
    const me = await owner(refused);
    // Each time the epoch goes up, what the bot signs next is refused until it has learned of it.
    while ((await refused.status()).mode !== 'KILLED') {
      await me.ask('mutation { cancelAllOrders { newEpoch } }');
      await new Promise((resolve) => setTimeout(resolve, 300));
    }
    await expectKilled(
      refused,
      run,
      client,
      'ERROR_RATE',
      /refusals, lost answers and repeats within 60000 ms \(3 allowed\)/,
    );
  });

  it('for STALENESS, and verifies it when the venue answers again', async () => {
    const silent = bot('kill_switch: { staleness_ms: 7000 }');
    const { run, client } = await quoting(silent);
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
    const hand = join(skewed.folder, 'clock.mjs');
    const flag = join(skewed.folder, 'set');
    const text = `import { existsSync } from 'node:fs'; const now = Date.now; Date.now = () => now() + (existsSync(${JSON.stringify(flag)}) ? 6000 : 0);`;
    writeFileSync(hand, text);
    setSecret('NODE_OPTIONS', `--import=${hand}`);
    const { run, client } = await quoting(skewed).finally(() => Reflect.deleteProperty(process.env, 'NODE_OPTIONS'));
    writeFileSync(flag, '');
    await expectKilled(skewed, run, client, 'CLOCK_SKEW', /ms apart \(3000 allowed\)/);
  });

  it('for COMMAND, given on the command line', async () => {
    const requests = bot();
    const { run, client } = await quoting(requests);
    const { code, stdout } = await halfspread(['kill', 'bot.yaml', '--reason', 'wrong fair price'], requests.folder);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/wrong fair price.*no order is open at the venue/s)]);
    await expectKilled(requests, run, client, 'COMMAND', /wrong fair price/);
  });

  it('for SIGNAL', async () => {
    const signalled = bot();
    const { run, client } = await quoting(signalled);
    run.child.kill('SIGUSR2');
    await expectKilled(signalled, run, client, 'SIGNAL', /SIGUSR2/);
  });
});

describe('the watchdog of a bot that', () => {
  it('was killed with kill -9 cancels its orders; the next start reports them as ended with the downtime', async () => {
    const killed = bot('watchdog_ms: 5000');
    const { run, client } = await quoting(killed);
    await until(async () => {
      const { openOrders } = await killed.status();
      return openOrders > 0 && openOrders === (await client.openOrders());
    }, 'bot and venue have the same orders');
    run.child.kill('SIGKILL');
    const killedAt = Date.now();
    await run.end;
    await until(() => received.some((each) => each.includes('died')), 'the watchdog reports the death and what it did');
    expect(received.join('')).toMatch(/halfspread watchdog: process \d+ died\. No order is open at the venue/);
    received.length = 0;
    expect(await client.openOrders()).toBe(0);
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
    // Its process set the time of its lease a second before its end at the latest, on a clock of this machine.
    expect(recovery?.downMs).toBeLessThanOrEqual(Date.now() - killedAt + 30_000);
    expect(recovery?.downMs).toBeGreaterThan(0);
    // Trading is not killed: the strategy did nothing wrong.
    expect(await killed.status()).toMatchObject({ mode: 'ACTIVE', killReason: null });
    again.child.kill('SIGTERM');
    expect(await again.end).toMatchObject({ code: 0 });
  });
});

describe('a strategy that', () => {
  it('loops for ever in `create` is ended by the watchdog; its open order is cancelled, and trading stays killed', async () => {
    const spinner = bot('strategy: spinner', 'watchdog_ms: 1500');
    spinner.strategy('spinner', 'for (;;) {}');
    const me = await owner(spinner);
    const { market } = await me.ask(`{ market(slug: "${SLUG}") { id } }`);
    await me.buy(market.id, 5, 1_000);
    const client = await spinner.client();
    expect(await client.openOrders()).toBe(1);
    const { code, stderr } = await halfspread(['run', 'bot.yaml', '--json'], spinner.folder);
    expect(code).toBeNull();
    expect(stderr).toMatch(/has not answered for 1500 ms: a strategy hangs/);
    expect(stderr).toMatch(/No order is open at the venue.*Correct the strategy and start the bot/);
    expect(await client.openOrders()).toBe(0);
    expect(received.join()).toMatch(/has not answered for 1500 ms/);
    received.length = 0;
    spinner.configure('');
    const again = await spinner.run();
    expect(again.said()).toMatch(/KILLED \(WATCHDOG/);
    again.child.kill('SIGTERM');
    expect(await again.end).toMatchObject({ code: 0 });
  });

  it('throws in `create` ends the start with its place, and no watchdog is left', async () => {
    const thrower = bot('strategy: thrower');
    thrower.strategy('thrower', "throw new Error('no idea to begin with');");
    const { code, stderr } = await halfspread(['run', 'bot.yaml', '--json'], thrower.folder);
    expect(code).toBe(4);
    expect(stderr).toMatch(/no idea to begin with/);
    expect(stderr).toMatch(/strategies\/thrower\/strategy\.ts:5/);
    expect(stderr).not.toContain('watchdog:');
  });
});
