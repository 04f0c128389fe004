/** Recordings that a server replays under a simulated clock. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock/index.ts';
import { type EpochMs, FileFault, InputFault, microShares, priceBps, timeAfter } from '../../../src/domain/index.ts';
import { additive } from '../../../src/exchange/quotes/retail-quote.ts';
import type { RecordedTape } from '../../../src/server/replay/recorded-markets.ts';
import type { Replays } from '../../../src/server/replay/replays.ts';
import { HouseMarketMaker } from '../../../src/server/simulation/house-market-maker.ts';
import { assertAgreement } from '../../store/sqlite/agreement.ts';
import { type EngineHarness, openEngineHarness } from '../engine-harness.ts';
import {
  bestPricesOf,
  marketOf,
  messageAt,
  openTrader,
  order,
  replaysOf,
  settingsOf,
  startReplays,
  tapeOf,
} from './tapes.ts';

const harnesses: EngineHarness[] = [];
const replays: Replays[] = [];
const folder = mkdtempSync(join(tmpdir(), 'halfspread-replay-'));
afterEach(async () => {
  for (const replay of replays.splice(0)) replay.close();
  for (const harness of harnesses.splice(0)) await harness.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function openHarness(file?: string, start?: EpochMs): EngineHarness {
  const harness = openEngineHarness(file, start);
  harnesses.push(harness);
  return harness;
}

async function startReplay(
  harness: EngineHarness,
  tape: RecordedTape,
  options: { readonly speed?: number; readonly after?: number } = {},
) {
  const started = await startReplays(harness, tape, options);
  replays.push(started);
  return started;
}

const OPENING = messageAt(0, 'bid 6000 100', 'ask 6100 100');
const BOOK = [
  OPENING,
  messageAt(1_000, 'bid 6010 50'),
  messageAt(2_000, 'buy 30 @ 6100', 'ask 6100 70'),
  messageAt(60_000, 'bid 6010 0', 'bid 6000 10'),
];

describe('a replayed recording', () => {
  it('creates its market like an operator and advances with the clock', async () => {
    const harness = openHarness();
    await startReplay(harness, tapeOf(BOOK));
    const { question, slug, tickBps, status, categorySlug, description } = marketOf(harness);
    expect({ question, slug, tickBps, status, categorySlug }).toEqual({
      question: 'Will number 0 win?',
      slug: 'tape-market-0',
      tickBps: 10,
      status: 'OPEN',
      categorySlug: 'recorded',
    });
    expect(description).toContain('YES is one, NO is other');
    expect(harness.catalogue.category('recorded')?.isActive).toBe(true);
    await harness.pass(0);
    expect(bestPricesOf(harness)).toBe('6000 6100');
    await harness.pass(999);
    expect(bestPricesOf(harness)).toBe('6000 6100');
    await harness.pass(1);
    expect(bestPricesOf(harness)).toBe('6010 6100');
    await harness.pass(1_000);
    expect(marketOf(harness)).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    expect(harness.store.archive.trades(0, { maxRows: 9, direction: 'forward', from: undefined }).rows).toMatchObject([
      { outcome: 'YES', side: 'BUY', price: 6100, shares: 30_000_000, match: 'NORMAL', account: 0 },
    ]);
    assertAgreement(harness.store.archive, harness.view);
  });

  it('runs at a multiple of real time', async () => {
    const harness = openHarness();
    await startReplay(harness, tapeOf(BOOK), { speed: 60 });
    await harness.pass(16);
    expect(bestPricesOf(harness)).toBe('6000 6100');
    await harness.pass(1);
    expect(bestPricesOf(harness)).toBe('6010 6100');
    await harness.pass(983);
    expect(bestPricesOf(harness)).toBe('6000 6100');
  });

  it('starts in the middle with the recorded book and without earlier trades', async () => {
    const harness = openHarness();
    await startReplay(harness, tapeOf(BOOK), { after: 30_000 });
    expect(bestPricesOf(harness)).toBe('6010 6100');
    expect(marketOf(harness)).toMatchObject({ lastTrade: 0, volume: 0 });
    expect(marketOf(harness).following).toMatchObject({ row: 5 });
    await harness.pass(30_000);
    expect(bestPricesOf(harness)).toBe('6000 6100');
  });

  it('can contain several markets, but two recordings cannot contain the same market', async () => {
    const harness = openHarness();
    const messages = [
      messageAt(0, 'bid 6000 100', '1: bid 3000 5'),
      messageAt(1_000, '1: bid 3010 5'),
      messageAt(2_000, 'bid 6010 5'),
    ];
    await startReplay(harness, tapeOf(messages, { markets: 2 }));
    await harness.pass(1_500);
    expect([bestPricesOf(harness, 0), bestPricesOf(harness, 1)]).toEqual(['6000 10000', '3010 10000']);
    expect([marketOf(harness, 0).following?.row, marketOf(harness, 1).following?.row]).toEqual([2, 3]);
    const twice = replaysOf(harness, [
      settingsOf(tapeOf(messages, { markets: 2 })),
      settingsOf(tapeOf(messages, { markets: 2 })),
    ]);
    await expect(twice.prepare()).rejects.toThrow(
      /a tape without the market tape-market-0, which another tape contains/,
    );
  });

  it('fills resting orders of any account, with its own account as the counterparty', async () => {
    const harness = openHarness();
    await startReplay(
      harness,
      tapeOf([OPENING, messageAt(1_000, 'buy 130 @ 6100', 'ask 6100 0'), messageAt(2_000, 'pays 10000')]),
    );
    await harness.pass(0);
    const account = await openTrader(harness);
    await harness.queue.execute(order(harness, account, { outcome: 'NO', price: priceBps(3900) }));
    await harness.pass(1_000);
    expect(harness.view.holdingsOf(account)).toMatchObject([{ no: { shares: 20_000_000 }, netPaid: 7_800_000 }]);
    await harness.pass(1_000);
    assertAgreement(harness.store.archive, harness.view);
    const cash = [1, 2, 3].map((accountNumber) => harness.view.account(accountNumber)?.available ?? 0);
    // The market holds $1 for each minted pair.
    expect(cash.reduce((sum, amount) => sum + amount, 0)).toBe(1_000_000_000 - 20_000_000);
  });

  it('pauses while the venue is halted', async () => {
    const harness = openHarness();
    await startReplay(harness, tapeOf(BOOK));
    await harness.pass(500);
    await harness.operate('mode', { mode: 'HALTED' });
    await harness.pass(5_000);
    expect(bestPricesOf(harness)).toBe('6000 6100');
    await harness.operate('mode', { mode: 'NORMAL' });
    await harness.pass(400);
    expect(bestPricesOf(harness)).toBe('6010 6100');
    expect(marketOf(harness).lastTrade).toBe(0);
    await harness.pass(1_000);
    expect(marketOf(harness).lastTrade).toBe(6100);
  });

  it('pauses when the process was suspended and does not catch up with the clock', async () => {
    const harness = openHarness();
    let suspendedMs = 0;
    const clock: Clock = {
      now: () => timeAfter(harness.clock.now(), suspendedMs),
      schedule: (when, fire) => harness.clock.schedule(timeAfter(when, -suspendedMs), fire),
    };
    const tape = tapeOf([OPENING, messageAt(1_000, 'bid 6010 5'), messageAt(2_000, 'bid 6020 5')]);
    const started = replaysOf({ ...harness, clock }, [settingsOf(tape)]);
    replays.push(started);
    await started.prepare();
    started.start();
    await harness.pass(500);
    suspendedMs = 3_600_000;
    await harness.pass(500);
    expect(bestPricesOf(harness)).toBe('6010 6100');
    await harness.pass(999);
    expect(bestPricesOf(harness)).toBe('6010 6100');
    await harness.pass(1);
    expect(bestPricesOf(harness)).toBe('6020 6100');
  });

  it('stops for a market that an operator has voided and continues with the others', async () => {
    const harness = openHarness();
    const messages = [messageAt(0, 'bid 6000 100', '1: bid 3000 5'), messageAt(1_000, 'bid 6010 5', '1: bid 3010 5')];
    await startReplay(harness, tapeOf(messages, { markets: 2 }));
    await harness.pass(0);
    await harness.operate('void', { market: 'tape-market-0' });
    await harness.pass(1_000);
    expect(bestPricesOf(harness, 1)).toBe('3010 10000');
    expect(marketOf(harness, 0).following?.row).toBe(2);
  });
});

describe('the end of a recording', () => {
  it('resolves its market when the recording has an outcome', async () => {
    const harness = openHarness();
    await startReplay(harness, tapeOf([OPENING, messageAt(1_000, 'pays 10000')]));
    await harness.pass(1_000);
    expect(marketOf(harness)).toMatchObject({ status: 'RESOLVED', yesPayoutBps: 10_000 });
    expect(harness.logged).toContainEqual(expect.objectContaining({ status: 'RESOLVED', remedy: undefined }));
  });

  it('halts its market once and logs what the operator has to do when the recording has no outcome', async () => {
    const harness = openHarness(join(folder, 'end.db'));
    const tape = tapeOf([OPENING, messageAt(1_000, 'bid 6010 5')]);
    const first = await startReplay(harness, tape);
    await harness.pass(1_000);
    expect(marketOf(harness)).toMatchObject({ status: 'OPEN', halted: true });
    const reported = 'the tape has no outcome: close, void or resume the market';
    expect(harness.logged).toContainEqual(expect.objectContaining({ halted: true, remedy: reported }));
    await harness.operate('resume', { market: 'tape-market-0' });
    first.close();
    const again = await restart(harness, 'end.db');
    await startReplay(again, tape);
    await again.pass(1_000);
    expect(marketOf(again)).toMatchObject({ status: 'OPEN', halted: false });
  });
});

describe('a restarted server', () => {
  it('continues the recording from its position with the same state, without gaps or repetitions', async () => {
    const harness = openHarness(join(folder, 'venue.db'));
    const tape = tapeOf(BOOK);
    const first = await startReplay(harness, tape);
    await harness.pass(1_500);
    const hash = harness.stateHash();
    first.close();
    const again = await restart(harness, 'venue.db');
    expect(again.stateHash()).toBe(hash);
    // The market exists, so the start position and category of the settings are ignored.
    await startReplay(again, tape, { after: 59_000 });
    expect(again.stateHash()).toBe(hash);
    expect(bestPricesOf(again)).toBe('6010 6100');
    await again.pass(999);
    expect(marketOf(again).lastTrade).toBe(0);
    await again.pass(1);
    expect(marketOf(again)).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    assertAgreement(again.store.archive, again.view);
  });

  it('refuses another recording for the same market and starts without the old one', async () => {
    const harness = openHarness(join(folder, 'other.db'));
    const first = await startReplay(harness, tapeOf(BOOK));
    await harness.pass(0);
    first.close();
    const again = await restart(harness, 'other.db');
    const other = replaysOf(again, [settingsOf(tapeOf(BOOK, { hash: 'b'.repeat(64) }))]);
    const fault = other.prepare();
    await expect(fault).rejects.toThrow(InputFault);
    await expect(fault).rejects.toThrow(/follows another tape \(aaa/);
    await expect(replaysOf(again, []).prepare()).resolves.toBeUndefined();
  });
});

describe('a recording that cannot be replayed', () => {
  it.each([
    ['has two outcomes', [messageAt(0, 'pays 0'), messageAt(1, 'pays 10000')], /resolves to \d+ after/],
    [
      'has a payout that a venue does not support',
      [messageAt(0, 'pays 3300')],
      /pays 3300 bps, but a venue pays 0, 5000 or 10000/,
    ],
    [
      'has rows of a market that its manifest does not contain',
      [messageAt(0, '3: bid 6000 1')],
      /there is no market 3 in the manifest/,
    ],
  ])('is refused at the start because it %s', async (_, messages, expected) => {
    const harness = openHarness();
    const fault = replaysOf(harness, [settingsOf(tapeOf(messages))]).prepare();
    await expect(fault).rejects.toThrow(FileFault);
    await expect(fault).rejects.toThrow(expected);
    expect(harness.view.markets).toEqual([]);
  });
});

describe('the house market maker', () => {
  it('does not quote replayed markets', async () => {
    const harness = openHarness();
    await startReplay(harness, tapeOf(BOOK));
    const { clock, queue, log } = harness;
    const settings = {
      policy: additive,
      spreadBps: 400,
      shares: microShares(5_000_000),
      refillBelow: microShares(0),
      intervalMs: 10,
    };
    const house = new HouseMarketMaker({ clock, queue, log, settings });
    await house.start();
    await harness.pass(2_500);
    house.close();
    const account = harness.view.accountOf('0x0000000000000000000000000000000000000002');
    expect([account > 0, harness.view.openOrders(account)]).toEqual([true, []]);
  });
});

async function restart(harness: EngineHarness, file: string): Promise<EngineHarness> {
  const now = harness.clock.now();
  harnesses.splice(harnesses.indexOf(harness), 1);
  await harness.close();
  return openHarness(join(folder, file), now);
}
