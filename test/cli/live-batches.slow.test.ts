/** A bot, wired as in `halfspread run`, on a venue that reports invalid limits of batches. */
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { FaultyProxy } from '../venues/service/faulty-proxy.ts';
import { Harness } from '../venues/service/harness.ts';
import { LiveFixture, placeDistantOrders, stopAndClose, waitForQuotes } from './live-fixture.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let proxy: FaultyProxy;
let markets = 0;
/** Requests that the bot sent. */
const sent: string[] = [];
const opened: OpenedLive[] = [];

const harness = await Harness.open({ config: {} });
afterEach(async () => {
  proxy.heal();
  for (const each of opened.splice(0)) await stopAndClose(each);
  await proxy.close();
});
afterAll(() => harness.close());

async function createFixture(): Promise<LiveFixture> {
  proxy = await FaultyProxy.open(harness.url);
  sent.length = 0;
  proxy.onMessage = (direction, text) => {
    if (direction === 'up') sent.push(text);
  };
  markets += 1;
  const id = await harness.market(markets, {});
  await placeDistantOrders(harness, id);
  return new LiveFixture(harness, `markets: { ids: ["${id}"] }`, proxy.url);
}

/** Changes a limit in all later answers of the venue. */
function setLimit(name: string, value: string): void {
  const named = new RegExp(`"${name}":[^,}]+`, 'g');
  const rewriteLimit = (text: string): string => text.replace(named, `"${name}":${value}`);
  proxy.rule({ direction: 'down', match: named, fault: 'rewrite', times: Number.POSITIVE_INFINITY, to: rewriteLimit });
}

async function run(fixture: LiveFixture): Promise<OpenedLive> {
  const live = await fixture.run();
  opened.push(live);
  return live;
}

const configReads = (): number => sent.filter((text) => text.includes('query BettingConfig')).length;

describe.each([
  ['maxBatchOrders', '0'],
  ['maxBatchOrders', 'null'],
  ['maxBatchCancels', '0'],
])('a venue whose %s is %s', (name, value) => {
  it('makes the start fail', async () => {
    const fixture = await createFixture();
    setLimit(name, value);
    await expect(run(fixture)).rejects.toThrow(new RegExp(`bettingConfig\\.${name}`));
    expect(sent.join('\n')).not.toMatch(/mutation (Place|Replace|Cancel)/);
  });

  it('gets no order during a run until the value is valid again', async () => {
    const fixture = await createFixture();
    const live = await run(fixture);
    await waitForQuotes(live);
    setLimit(name, value);
    sent.length = 0;
    await harness.operate('configure', { spread_bps: 1_000 + markets });
    await until(() => live.bot.orders().length === 0, 'the bot withdraws its quotes');
    await until(() => configReads() >= 3, 'the bot reads the limits again');
    const text = sent.join('\n');
    expect(text).not.toMatch(/mutation (Place|Replace)/);
    expect(text).not.toMatch(/"(orders|ids)":\[\]/);
    expect(sent.length).toBeLessThan(5 + 2 * configReads());
    expect(live.bot.status()).toMatchObject({
      mode: 'ACTIVE',
      openOrders: 0,
      venueMode: 'HALTED',
      venueModeReason: expect.stringMatching(new RegExp(`^mode and limits of the venue cannot be read: .*${name}`)),
      nextStep: 'wait: the bot quotes again when the venue is NORMAL',
    });
    expect(fixture.logged).toContainEqual(
      expect.objectContaining({
        msg: 'venue: mode and limits cannot be read; quotes are withdrawn until a read succeeds',
        problem: expect.stringContaining(name),
      }),
    );
    proxy.heal();
    await waitForQuotes(live);
    expect(live.bot.status()).toMatchObject({ venueMode: 'NORMAL', venueModeReason: null, nextStep: null });
  });
});
