/** A venue that names limits of a batch with which no batch can be cut, and a bot as `halfspread run` wires it. */
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { OpenedLive } from '../../src/app/live/opened-live.ts';
import { FaultyProxy } from '../venues/service/faulty-proxy.ts';
import { Harness } from '../venues/service/harness.ts';
import { ended, LiveFixture, quoting, standing } from './live-fixture.ts';
import { until } from './trading.ts';

vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 });

let harness: Harness;
let line: FaultyProxy;
let markets = 0;
/** All that the bot sent. */
const sent: string[] = [];
const opened: OpenedLive[] = [];

beforeAll(async () => {
  harness = await Harness.open({ config: {} });
});
afterEach(async () => {
  line.heal();
  for (const each of opened.splice(0)) await ended(each);
  await line.close();
});
afterAll(() => harness.close());

async function fixture(): Promise<LiveFixture> {
  line = await FaultyProxy.open(harness.url);
  sent.length = 0;
  line.received = (direction, text) => {
    if (direction === 'up') sent.push(text);
  };
  markets += 1;
  const id = await harness.market(markets, {});
  await standing(harness, id);
  return new LiveFixture(harness, `markets: { ids: ["${id}"] }`, line.url);
}

/** From now on the venue names this limit. */
function lie(name: string, value: string): void {
  const named = new RegExp(`"${name}":[^,}]+`, 'g');
  const to = (text: string): string => text.replace(named, `"${name}":${value}`);
  line.rule({ direction: 'down', match: named, fault: 'rewrite', times: Number.POSITIVE_INFINITY, to });
}

async function run(of: LiveFixture): Promise<OpenedLive> {
  const live = await of.run();
  opened.push(live);
  return live;
}

const reads = (): number => sent.filter((text) => text.includes('query BettingConfig')).length;

describe.each([
  ['maxBatchOrders', '0'],
  ['maxBatchOrders', 'null'],
  ['maxBatchCancels', '0'],
])('a venue whose %s is %s', (name, value) => {
  it('is refused at the start', async () => {
    const of = await fixture();
    lie(name, value);
    await expect(run(of)).rejects.toThrow(new RegExp(`bettingConfig\\.${name}`));
    expect(sent.join('\n')).not.toMatch(/mutation (Place|Replace|Cancel)/);
  });

  it('during a run gets no order until the value is valid again', async () => {
    const of = await fixture();
    const live = await run(of);
    await quoting(live);
    lie(name, value);
    sent.length = 0;
    await harness.operate('configure', { spread_bps: 1_000 + markets });
    await until(() => live.bot.orders().length === 0, 'it withdraws');
    await until(() => reads() >= 3, 'it reads the limits again');
    const text = sent.join('\n');
    expect(text).not.toMatch(/mutation (Place|Replace)/);
    expect(text).not.toMatch(/"(orders|ids)":\[\]/);
    expect(sent.length).toBeLessThan(5 + 2 * reads());
    expect(live.bot.status()).toMatchObject({
      mode: 'ACTIVE',
      openOrders: 0,
      venueMode: 'HALTED',
      venueModeReason: expect.stringMatching(new RegExp(`^mode and limits of the venue cannot be read: .*${name}`)),
      nextStep: 'wait: the bot quotes again when the venue is NORMAL',
    });
    expect(of.logged).toContainEqual(
      expect.objectContaining({
        msg: 'venue: its mode and limits cannot be read; quotes are withdrawn until they can be',
        problem: expect.stringContaining(name),
      }),
    );
    line.heal();
    await quoting(live);
    expect(live.bot.status()).toMatchObject({ venueMode: 'NORMAL', venueModeReason: null, nextStep: null });
  });
});
