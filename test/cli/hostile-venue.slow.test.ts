/**
 * A hostile venue and the real bot: fees above the bound during a run, a redirect to another port, a restart without
 * the account, prices that are null, an endless answer. The bot signs nothing above its bound, sends no secret
 * elsewhere, places no quote before it has reconciled, and keeps running.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { keyOf, login, openSigningTools, queryVenue, type SigningTools, signOrder } from '../server/trader.ts';
import { FaultyProxy } from '../venues/service/faulty-proxy.ts';
import { newFolder } from './halfspread.ts';
import { endAll, openVenue, type Ready, setSecret, TestBot, until, type VenueProcess } from './trading.ts';

// Tests start whole processes, which is slow on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 });

const FEE = /"feeRateBps":\d+/g;
const SLUG = 'will-the-home-side-win-the-cup-final';
const HEALTHY = 'will-the-cup-final-go-to-penalties';
const alerts: string[] = [];
/** Requests that reached the port to which the venue redirects. */
const strayed: string[] = [];
let tools: SigningTools;
let venue: VenueProcess;
let line: FaultyProxy;
let receiver: Server;
let other: Server;
let traders = 900;

/** Listens on a free port and stores the requests. @returns the server and its URL */
async function listener(received: string[]): Promise<readonly [Server, string]> {
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (piece) => {
      body += piece;
    });
    request.on('end', () => {
      received.push(`${JSON.stringify(request.headers)} ${body}`);
      response.end();
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return [server, `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`];
}

let otherUrl = '';
beforeAll(async () => {
  tools = await openSigningTools();
  venue = await openVenue();
  let receiverUrl = '';
  [receiver, receiverUrl] = await listener(alerts);
  [other, otherUrl] = await listener(strayed);
  setSecret('LYING_WEBHOOK', `${receiverUrl}/secret`);
});
beforeEach(async () => {
  alerts.length = 0;
  strayed.length = 0;
  line = await FaultyProxy.open(venue.url);
});
afterEach(() => line.close());
afterAll(async () => {
  endAll();
  await venue.close();
  for (const server of [receiver, other]) {
    server.closeAllConnections();
    server.close();
  }
});

/** A bot that reaches the venue through the proxy. */
function botOnProxy(): TestBot {
  const bot = new TestBot(venue.url, 'alerts: { targets: [{ type: webhook, url: { env: LYING_WEBHOOK } }] }');
  const file = join(bot.folder, 'bot.yaml');
  const access = `venue: { url: "${line.url}", audience: "${venue.url}", timeout_ms: 2000 }`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/^venue: .*$/m, access));
  return bot;
}

/** Starts a venue without accounts on the same URL, for which logins are signed. */
function openEmptyVenue(): Promise<VenueProcess> {
  const config = join(newFolder(), 'venue.yaml');
  writeFileSync(config, `audience: ${venue.url}\n`);
  return openVenue(['--config', config]);
}

/** Returns the id of a market. */
async function marketId(slug: string): Promise<string> {
  traders += 1;
  const token = await login(venue.url, tools, keyOf(tools, traders));
  const { market } = await queryVenue(venue.url, token, 'query ($s: String!) { market(slug: $s) { id } }', { s: slug });
  return market.id;
}

async function startQuoting(bot: TestBot): Promise<Ready> {
  const program = await bot.run('--db', 'bot.db');
  await until(async () => (await bot.status()).openOrders >= 4, 'the bot quotes');
  return program;
}

/** An action of the bot: it lost its venue, read its positions, or signed an order. */
type Step =
  | { readonly type: 'lost' | 'positions' }
  | { readonly type: 'order'; readonly fee: number; readonly slug: string };

/** Records the bot's reads and signed orders from now on. */
function signingSteps(slugs: ReadonlyMap<string, string>): Step[] {
  const steps: Step[] = [];
  line.onMessage = (direction, text) => {
    if (direction !== 'up') return;
    if (/\bpositions\(/.test(text)) steps.push({ type: 'positions' });
    JSON.parse(text === '' ? 'null' : text, (_, value) => {
      if (typeof value?.signature === 'string' && 'maxFeeBps' in value) {
        steps.push({ type: 'order', fee: value.maxFeeBps, slug: slugs.get(value.marketId) ?? '' });
      }
      return value;
    });
  };
  return steps;
}

async function stopBot({ child, end }: Ready): Promise<void> {
  expect(child.exitCode, 'the bot is alive').toBe(null);
  line.heal();
  child.kill('SIGTERM');
  await end;
}

/** Sells to the bot's bid, so that the bot holds a position. */
async function sellToBot(url: string, bot: TestBot): Promise<void> {
  traders += 1;
  const key = keyOf(tools, traders);
  const token = await login(url, tools, key);
  const { market } = await queryVenue(url, token, 'query ($s: String!) { market(slug: $s) { id bestBidBps } }', {
    s: SLUG,
  });
  const orderInput = { marketId: market.id, side: 'BUY' as const, outcome: 'NO' as const, timestampMs: Date.now() };
  const order = signOrder(
    tools,
    key,
    { ...orderInput, priceBps: 10_000 - market.bestBidBps + 200, shares: 400_000_000 },
    Date.now(),
  );
  const text = 'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted rejection { message } } }';
  const { placeOrder } = await queryVenue(url, token, text, { i: order.input });
  expect(placeOrder).toMatchObject({ accepted: true });
  await until(async () => (await bot.status()).fills > 0, 'the bot has a fill');
}

describe('a hostile venue', () => {
  it('does not end the bot with null, negative or too large prices, and the bot quotes again afterwards', async () => {
    const bot = botOnProxy();
    const program = await startQuoting(bot);
    for (const wrong of ['null', '-5', '1e300', '"x"']) {
      const price = /"(priceBps|yesPriceBps|bestBidBps|totalMicros|availableCents|totalCents)":[^,}\]]+/g;
      line.rule({
        direction: 'down',
        match: price,
        fault: 'rewrite',
        times: 6,
        to: (text) => text.replace(price, `"$1":${wrong}`),
      });
      line.cutSockets();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
      expect(program.child.exitCode, `alive after ${wrong}: ${program.output()}`).toBe(null);
    }
    line.heal();
    line.cutSockets();
    await until(async () => (await bot.status()).openOrders >= 2, 'the bot quotes again', 120_000);
    await stopBot(program);
  });

  it('makes the bot neither sign nor send anything invalid with five faults in one run, and the healthy market stays quoted', async () => {
    const empty = await openEmptyVenue();
    const bot = botOnProxy();
    const program = await startQuoting(bot);
    const lyingId = await marketId(SLUG);
    const steps = signingSteps(
      new Map([
        [lyingId, SLUG],
        [await marketId(HEALTHY), HEALTHY],
      ]),
    );
    const openIn = async (slug: string): Promise<number> =>
      (await bot.status()).markets.find((market) => market.slug === slug)?.openOrders ?? 0;
    const quotesAfter = (count: number, slug: string) => async (): Promise<boolean> =>
      steps.slice(count).some((step) => step.type === 'order' && step.slug === slug) && (await openIn(slug)) > 0;
    const cutConnection = (): number => {
      steps.push({ type: 'lost' });
      line.cutSockets();
      return steps.length;
    };

    // Null prices in the books of one market.
    const price = /"priceBps":\d+/g;
    line.rule({
      direction: 'down',
      match: new RegExp(`"orderBookUpdated".*${lyingId}`),
      fault: 'rewrite',
      times: 1e9,
      to: (text) => text.replace(price, '"priceBps":null'),
    });
    let count = cutConnection();
    await until(quotesAfter(count, HEALTHY), 'the bot quotes the other market', 120_000);
    expect(await openIn(SLUG)).toBe(0);
    line.heal();
    await until(quotesAfter(count, SLUG), 'the bot quotes the market again', 120_000);

    for (const fault of ['redirect', 'endless'] as const) {
      line.rule({ direction: 'up', match: '"query"', fault, location: otherUrl, times: 1e9 });
      count = cutConnection();
      const appliedCount = (): number => line.applied.filter((each) => each === `up ${fault}`).length;
      await until(() => appliedCount() >= 3, `the bot received a ${fault} answer three times`, 120_000);
      line.heal();
      await until(quotesAfter(count, HEALTHY), `the bot quotes after a ${fault} answer`, 120_000);
    }

    await sellToBot(venue.url, bot);
    count = cutConnection();
    const alertCount = alerts.length;
    line.changeVenue(empty.url);
    await until(
      async () => (await bot.status()).reconciled === 'disagrees',
      'the bot has compared the account',
      120_000,
    );
    await until(
      () => alerts.slice(alertCount).some((text) => /position|account|differ|agree/i.test(text)),
      'an alert reports it',
    );
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    expect(steps.slice(count).filter(({ type }) => type === 'order')).toEqual([]);
    line.changeVenue(venue.url);
    await until(
      async () => (await bot.request('resume').catch(() => undefined)) !== undefined,
      'the bot resumes',
      120_000,
    );
    await until(quotesAfter(count, HEALTHY), 'the bot quotes after it has compared', 120_000);

    const rewriteFee = (text: string): string =>
      JSON.stringify(
        JSON.parse(text, (_, value) =>
          value?.id === lyingId && 'feeRateBps' in value ? { ...value, feeRateBps: 1_001 } : value,
        ),
      );
    line.rule({ direction: 'down', match: FEE, fault: 'rewrite', times: 1e9, to: rewriteFee });
    count = cutConnection();
    await until(quotesAfter(count, HEALTHY), 'the bot quotes the other market', 120_000);
    await until(() => alerts.some((text) => /a fee of 1001 bps/.test(text)), 'an alert names the fee');
    await until(async () => (await openIn(SLUG)) === 0, 'its orders are cancelled');

    expect(steps.filter((step) => step.type === 'order' && !(step.fee <= 1_000))).toEqual([]);
    expect(strayed).toEqual([]);
    const status = readFileSync(`/proc/${program.child.pid}/status`, 'utf8');
    expect(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1_024).toBeLessThan(600);
    const kinds = steps.map(({ type }) => type);
    for (const [at, type] of kinds.entries()) {
      if (type !== 'lost') continue;
      const order = kinds.indexOf('order', at);
      expect(kinds.slice(at, order), 'it compares before it quotes').toContain('positions');
    }
    await stopBot(program);
    await empty.close();
  });
});
