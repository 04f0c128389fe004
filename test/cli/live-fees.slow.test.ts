/** A bot, wired as in `halfspread run`, on a venue that reports false fees at the start and during a run. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { FaultyProxy } from '../venues/service/faulty-proxy.ts';
import { Harness } from '../venues/service/harness.ts';
import { LiveFixture, placeDistantOrders, replaceFees, stopAndClose } from './live-fixture.ts';
import { runInProcess, until } from './trading.ts';
import { openWebhook } from './webhook.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

/** Actual fee of the venue, bps. */
const FEE = 100;
const MAX_FEE = 300;
/** Fees above `risk.max_fee_bps`, above the API's maximum, and invalid values. */
const FALSE_FEES: readonly unknown[] = [MAX_FEE + 1, 1_001, 10_000, 65_535, -1, 0.5, null, '100'];

let harness: Harness;
let proxy: FaultyProxy;
let markets = 0;
/** Fees that the venue reports instead of the actual one, by market id. */
const reportedFees = new Map<string, unknown>();
/** Requests that the bot sent. */
const sent: string[] = [];
/** Texts of alerts. */
let alerts: string[] = [];
const opened: OpenedLive[] = [];

beforeAll(async () => {
  harness = await Harness.open({ config: {} });
  proxy = await FaultyProxy.open(harness.url);
  proxy.onMessage = (direction, text) => {
    if (direction === 'up') sent.push(text);
  };
  const rewriteFees = (text: string): string => JSON.stringify(replaceFees(JSON.parse(text), reportedFees));
  proxy.rule({
    direction: 'down',
    match: 'feeRateBps',
    fault: 'rewrite',
    times: Number.POSITIVE_INFINITY,
    to: rewriteFees,
  });
  alerts = await openWebhook('TEST_FEE_WEBHOOK');
});
afterEach(async () => {
  for (const each of opened.splice(0)) await stopAndClose(each);
  reportedFees.clear();
  sent.length = 0;
  alerts.length = 0;
});
afterAll(async () => {
  await proxy.close();
  await harness.close();
});

/** Opens markets with a book that can be quoted. */
async function openMarkets(count: number): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let at = 0; at < count; at += 1) {
    markets += 1;
    const id = await harness.market(markets, { fee_rate_bps: FEE });
    await placeDistantOrders(harness, id);
    ids.push(id);
  }
  return ids;
}

function fixtureFor(ids: readonly string[], mode = 'live'): LiveFixture {
  const sections = [
    `mode: ${mode}`,
    `markets: { ids: [${ids.map((id) => `"${id}"`).join(', ')}] }`,
    `risk: { max_fee_bps: ${MAX_FEE} }`,
    'alerts: { targets: [{ type: webhook, url: { env: TEST_FEE_WEBHOOK } }] }',
  ];
  return new LiveFixture(harness, sections.join('\n'), proxy.url);
}

async function run(fixture: LiveFixture): Promise<OpenedLive> {
  const live = await fixture.run();
  opened.push(live);
  return live;
}

let spread = 2_000;
/** Changes a setting of the venue, so that clients read its configuration and markets again. */
async function announce(): Promise<void> {
  spread -= 2;
  await harness.operate('configure', { spread_bps: spread });
}

/** Slugs of the markets in which the bot has four orders at the venue. */
function quotedMarkets({ bot }: OpenedLive): readonly string[] {
  const live = bot.orders().filter(({ phase }) => phase === 'live');
  const slugs = bot.status().markets.map(({ slug }) => slug);
  return slugs.filter((slug) => live.filter(({ market }) => market === slug).length === 4);
}

function stopReasons({ bot }: OpenedLive): readonly (string | null)[] {
  return bot.status().markets.map((market) => market.stopped);
}

/** Fees of all orders that the bot sent. */
function signedFees(): readonly number[] {
  return [...sent.join('\n').matchAll(/"maxFeeBps":([^,]+),"signature"/g)].map(([, fee]) => Number(fee));
}

/** Slugs of markets in alerts that match a pattern. */
function alertedMarkets(pattern: RegExp): ReadonlySet<string> {
  return new Set(alerts.map((text) => JSON.parse(text)).flatMap(({ text }) => pattern.exec(text)?.[1] ?? []));
}

describe('a venue with a fee above the bound', () => {
  it('gets no order in that market at the start, and orders in the others', async () => {
    const ids = await openMarkets(FALSE_FEES.length + 1);
    // A start checks its signature in the first market.
    const lying = ids.slice(0, -1);
    for (const [at, id] of lying.entries()) reportedFees.set(id, FALSE_FEES[at]);
    const fixture = fixtureFor(ids);
    const live = await run(fixture);
    const others = live.bot.status().markets.map(({ slug }) => slug);
    const honest = others.pop();
    await until(() => quotedMarkets(live).length === 1, 'the bot quotes in the other markets');
    await announce();
    await until(
      () => alertedMarkets(/^halfspread: (\S+) has .* nothing is signed there/).size === FALSE_FEES.length,
      'alerts',
    );

    expect(quotedMarkets(live)).toEqual([honest]);
    expect(stopReasons(live)).toEqual([...FALSE_FEES.map(() => 'FEE_ABOVE_MAX'), null]);
    expect(alertedMarkets(/^halfspread: (\S+) has .*above risk.max_fee_bps of 300/)).toEqual(new Set(others));
    expect(fixture.logged.filter(({ msg }) => /nothing is signed there/.test(String(msg)))).toHaveLength(
      FALSE_FEES.length,
    );
    expect(live.bot.status().markets.filter(({ acceptedFeeBps }) => acceptedFeeBps > MAX_FEE)).toEqual([]);
    expect(alerts.map((text) => JSON.parse(text)).filter(({ acceptedFeeBps }) => !(acceptedFeeBps <= MAX_FEE))).toEqual(
      [],
    );
    expect(new Set(signedFees())).toEqual(new Set([FEE]));
    const { refused, mode } = live.bot.status();
    expect([mode, Object.keys(refused)]).toEqual(['ACTIVE', ['FEE_ABOVE_MAX']]);
  });

  it('is found by doctor, which signs nothing in that market', async () => {
    const ids = await openMarkets(2);
    reportedFees.set(ids[0] ?? '', 1_001);
    const { stdout } = await runInProcess(['doctor', 'bot.yaml', '--json'], fixtureFor(ids).folder);
    const findings: readonly Record<string, string>[] = JSON.parse(stdout).findings;
    const [dear, honest] = ids.map((id) => `question-${Number(id.slice(-12))}`);
    const messages = findings.map(({ name, status, message }) => `${status} ${name}: ${message}`);
    expect(messages).toContain(`fail market: above risk.max_fee_bps of ${MAX_FEE}: ${dear} has a fee of 1001 bps`);
    expect(messages.join('\n')).toContain(`ok signing: an order in ${honest} has`);
    reportedFees.set(ids[1] ?? '', null);
    const second = await runInProcess(['doctor', 'bot.yaml', '--json'], fixtureFor(ids).folder);
    expect(second.stdout).toContain('nothing was signed');
  });

  it('gets no order in that market after the fee rises during a run', async () => {
    const ids = await openMarkets(FALSE_FEES.length + 1);
    const live = await run(fixtureFor(ids));
    await until(() => quotedMarkets(live).length === ids.length, 'the bot quotes everywhere');
    const [, ...lying] = ids;
    for (const [at, id] of lying.entries()) reportedFees.set(id, FALSE_FEES[at]);
    await announce();
    const hasNoQuotes = (): boolean =>
      live.bot
        .status()
        .markets.slice(1)
        .every(({ openOrders }) => openOrders === 0);
    await until(hasNoQuotes, 'the bot withdraws its quotes');
    sent.length = 0;
    await announce();
    await until(
      () => alertedMarkets(/^halfspread: (\S+) has .* nothing is signed there/).size === FALSE_FEES.length,
      'alerts',
    );
    const other = await harness.trader();
    for (const id of ids) await other.place({ marketId: id, outcome: 'YES', side: 'BUY', priceBps: 4_500, shares: 5 });
    await until(() => signedFees().length > 0, 'the bot requotes in the other market');

    expect(stopReasons(live)).toEqual([null, ...FALSE_FEES.map(() => 'FEE_ABOVE_MAX')]);
    const marketsSigned = new Set(
      [...sent.join('\n').matchAll(/"marketId":"([^"]+)","replaces"/g)].map(([, id]) => id),
    );
    expect(marketsSigned).toEqual(new Set([ids[0]]));
    expect(new Set(signedFees())).toEqual(new Set([FEE]));
    expect(live.bot.status().mode).toBe('ACTIVE');

    // The fee equals that of the start, so no operator has to confirm it.
    reportedFees.clear();
    await announce();
    await until(() => quotedMarkets(live).length === ids.length, 'the bot quotes everywhere again');
    expect(Math.max(...signedFees())).toBe(FEE);
  });
});

describe('a fee that rises within the bound', () => {
  it('stops orders until an operator confirms it, also over restarts, and a lower fee does not', async () => {
    const ids = await openMarkets(1);
    const [id = ''] = ids;
    const fixture = fixtureFor(ids);
    const first = await run(fixture);
    const slug = first.bot.status().markets[0]?.slug ?? '';
    const fee = ({ bot }: OpenedLive) => {
      const { feeBps, acceptedFeeBps, stopped: stopReason } = bot.status().markets[0] ?? {};
      return [feeBps, acceptedFeeBps, stopReason];
    };
    await until(() => quotedMarkets(first).length === 1, 'the bot quotes');
    reportedFees.set(id, 150);
    await announce();
    await until(() => first.bot.orders().length === 0, 'the bot withdraws its quotes');
    expect(fee(first)).toEqual([150, 100, 'FEE_ROSE']);
    await until(() => alerts.length > 0, 'an alert arrives');
    expect(alerts.join()).toContain(`until \`npx halfspread market confirm-fee ${slug} 150 --db ${fixture.paths.db}\``);

    expect(() => first.bot.confirmFee(slug, 149)).toThrow('at least the fee of');
    expect(() => first.bot.confirmFee(slug, 301)).toThrow('at most risk.max_fee_bps');
    expect(() => first.bot.confirmFee(`${slug}s`, 150)).toThrow(`did you mean "${slug}"?`);
    expect(new Set(signedFees())).toEqual(new Set([100]));
    first.bot.confirmFee(slug, 150);
    await until(() => quotedMarkets(first).length === 1, 'the bot quotes at the confirmed fee');
    expect(fee(first)).toEqual([150, 150, null]);

    for (const newFee of [120, 150]) {
      reportedFees.set(id, newFee);
      await announce();
      await until(() => fee(first)[0] === newFee, 'the new fee is reported');
      expect(fee(first)).toEqual([newFee, 150, null]);
    }
    opened.splice(0);
    expect(await stopAndClose(first)).toBe(0);

    const second = await run(fixture);
    await until(() => quotedMarkets(second).length === 1, 'the bot quotes after a restart');
    expect(fee(second)).toEqual([150, 150, null]);
    opened.splice(0);
    await stopAndClose(second);

    reportedFees.set(id, 151);
    const third = await run(fixture);
    await until(() => fee(third)[2] === 'FEE_ROSE', 'the market is stopped after a restart');
    sent.length = 0;
    await announce();
    expect(fee(third)).toEqual([151, 150, 'FEE_ROSE']);
    expect(signedFees()).toEqual([]);

    reportedFees.set(id, 301);
    await announce();
    await until(() => fee(third)[2] === 'FEE_ABOVE_MAX', 'the fee is above the bound');
    expect(() => third.bot.confirmFee(slug, 300)).toThrow('above risk.max_fee_bps of 300');
  });
});

describe('a paper bot', () => {
  it('has no order while the fee is above the bound, at the start and during a run', async () => {
    const ids = await openMarkets(FALSE_FEES.length + 2);
    const [honest = '', ...lying] = ids;
    for (const [at, id] of lying.slice(0, -1).entries()) reportedFees.set(id, FALSE_FEES[at]);
    const fixture = fixtureFor(ids, 'paper');
    const live = await run(fixture);
    const slugs = live.bot.status().markets.map(({ slug }) => slug);
    await until(() => quotedMarkets(live).length === 2, 'the bot quotes in the other markets');
    await until(
      () => alertedMarkets(/^halfspread: (\S+) has .*above risk.max_fee_bps of 300/).size === FALSE_FEES.length,
      'alerts',
    );
    expect(quotedMarkets(live)).toEqual([slugs[0], slugs.at(-1)]);
    expect(stopReasons(live)).toEqual([null, ...FALSE_FEES.map(() => 'FEE_ABOVE_MAX'), null]);

    reportedFees.set(honest, 1_001);
    await announce();
    await until(() => stopReasons(live)[0] === 'FEE_ABOVE_MAX', 'the market is stopped');
    await until(
      () => quotedMarkets(live).length === 1 && live.bot.orders().length === 4,
      'the bot withdraws its quotes',
    );
    reportedFees.clear();
    await announce();
    await until(() => quotedMarkets(live).length === 3, 'the bot quotes where the fee is at most that of the start');
    // A fee that was invalid at the start was not accepted.
    expect(stopReasons(live)).toEqual([null, null, ...FALSE_FEES.slice(1).map(() => 'FEE_ROSE'), null]);
    expect(Object.keys(live.bot.status().refused)).toEqual(expect.arrayContaining(['FEE_ABOVE_MAX', 'FEE_ROSE']));
    expect(sent.join('\n')).not.toMatch(/placeOrder|replaceOrders|createSession/);
  });

  it('has no order after a rise until an operator confirms it', async () => {
    const ids = await openMarkets(1);
    const [id = ''] = ids;
    const fixture = fixtureFor(ids, 'paper');
    const live = await run(fixture);
    const slug = live.bot.status().markets[0]?.slug ?? '';
    await until(() => quotedMarkets(live).length === 1, 'the bot quotes');
    reportedFees.set(id, 150);
    await announce();
    await until(() => stopReasons(live)[0] === 'FEE_ROSE', 'the market is stopped');
    await until(() => live.bot.orders().length === 0, 'the bot withdraws its quotes');
    await until(() => alerts.length > 0, 'an alert arrives');
    expect(alerts.join()).toContain(`until \`npx halfspread market confirm-fee ${slug} 150 --db ${fixture.paths.db}\``);
    expect(() => live.bot.confirmFee(slug, 301)).toThrow('at most risk.max_fee_bps');
    live.bot.confirmFee(slug, 150);
    await until(() => quotedMarkets(live).length === 1, 'the bot quotes at the confirmed fee');
    expect(stopReasons(live)).toEqual([null]);
    reportedFees.set(id, 151);
    await announce();
    await until(() => stopReasons(live)[0] === 'FEE_ROSE', 'the market is stopped again');
  });
});
