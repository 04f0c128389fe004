/** Tapes played by a server, on a clock that is moved by hand. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/clock/index.ts';
import {
  type AccountNo,
  counted,
  type EpochMs,
  FileFault,
  InputFault,
  microShares,
  microUsd,
  priceBps,
  timeAfter,
} from '../../../src/domain/index.ts';
import { additive, type Place } from '../../../src/exchange/index.ts';
import type { Replays } from '../../../src/server/replay/replays.ts';
import type { RecordedTape } from '../../../src/server/replay/settings.ts';
import { HouseMarketMaker } from '../../../src/server/simulation/house-market-maker.ts';
import { assertAgreement } from '../../store/sqlite/agreement.ts';
import { type EngineHarness, openEngineHarness } from '../engine-harness.ts';
import { at, marketOf, replayed, replaysOf, settingsOf, tapeOf, touchOf } from './tapes.ts';

const harnesses: EngineHarness[] = [];
const replays: Replays[] = [];
const folder = mkdtempSync(join(tmpdir(), 'halfspread-replay-'));
afterEach(async () => {
  for (const each of replays.splice(0)) each.close();
  for (const harness of harnesses.splice(0)) await harness.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function staged(file?: string, start?: EpochMs): EngineHarness {
  const harness = openEngineHarness(file, start);
  harnesses.push(harness);
  return harness;
}

async function play(
  harness: EngineHarness,
  tape: RecordedTape,
  how: { readonly speed?: number; readonly after?: number } = {},
) {
  const made = await replayed(harness, tape, how);
  replays.push(made);
  return made;
}

const OPENING = at(0, 'bid 6000 100', 'ask 6100 100');
const BOOK = [
  OPENING,
  at(1_000, 'bid 6010 50'),
  at(2_000, 'buy 30 @ 6100', 'ask 6100 70'),
  at(60_000, 'bid 6010 0', 'bid 6000 10'),
];

describe('a tape that is played', () => {
  it('creates its market like operators do and advances with the clock', async () => {
    const harness = staged();
    await play(harness, tapeOf(BOOK));
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
    expect(touchOf(harness)).toBe('6000 6100');
    await harness.pass(999);
    expect(touchOf(harness)).toBe('6000 6100');
    await harness.pass(1);
    expect(touchOf(harness)).toBe('6010 6100');
    await harness.pass(1_000);
    expect(marketOf(harness)).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    expect(harness.store.archive.trades(0, { take: 9, direction: 'forward', from: undefined }).rows).toMatchObject([
      { outcome: 'YES', side: 'BUY', price: 6100, shares: 30_000_000, match: 'NORMAL', account: 0 },
    ]);
    assertAgreement(harness.store.archive, harness.view);
  });

  it('plays at a multiple of real time', async () => {
    const harness = staged();
    await play(harness, tapeOf(BOOK), { speed: 60 });
    await harness.pass(16);
    expect(touchOf(harness)).toBe('6000 6100');
    await harness.pass(1);
    expect(touchOf(harness)).toBe('6010 6100');
    await harness.pass(983);
    expect(touchOf(harness)).toBe('6000 6100');
  });

  it('starts in the middle with the recorded book and without earlier trades', async () => {
    const harness = staged();
    await play(harness, tapeOf(BOOK), { after: 30_000 });
    expect(touchOf(harness)).toBe('6010 6100');
    expect(marketOf(harness)).toMatchObject({ lastTrade: 0, volume: 0 });
    expect(marketOf(harness).following).toMatchObject({ row: 5 });
    await harness.pass(30_000);
    expect(touchOf(harness)).toBe('6000 6100');
  });

  it('plays several markets of one tape, and several tapes', async () => {
    const harness = staged();
    const messages = [at(0, 'bid 6000 100', '1: bid 3000 5'), at(1_000, '1: bid 3010 5'), at(2_000, 'bid 6010 5')];
    await play(harness, tapeOf(messages, { markets: 2 }));
    await harness.pass(1_500);
    expect([touchOf(harness, 0), touchOf(harness, 1)]).toEqual(['6000 10000', '3010 10000']);
    expect([marketOf(harness, 0).following?.row, marketOf(harness, 1).following?.row]).toEqual([2, 3]);
    const twice = replaysOf(harness, [
      settingsOf(tapeOf(messages, { markets: 2 })),
      settingsOf(tapeOf(messages, { markets: 2 })),
    ]);
    await expect(twice.prepare()).rejects.toThrow(
      /a tape without the market tape-market-0, which another tape contains/,
    );
  });

  it('fills resting orders of any account with its own account as counterparty', async () => {
    const harness = staged();
    await play(harness, tapeOf([OPENING, at(1_000, 'buy 130 @ 6100', 'ask 6100 0'), at(2_000, 'pays 10000')]));
    await harness.pass(0);
    const account = await trader(harness);
    await harness.queue.execute(order(harness, account, { outcome: 'NO', price: priceBps(3900) }));
    await harness.pass(1_000);
    expect(harness.view.holdingsOf(account)).toMatchObject([{ no: { shares: 20_000_000 }, netPaid: 7_800_000 }]);
    await harness.pass(1_000);
    assertAgreement(harness.store.archive, harness.view);
    const cash = [1, 2, 3].map((who) => harness.view.account(who)?.available ?? 0);
    // The market holds a dollar for each of the pairs that were made.
    expect(cash.reduce((sum, each) => sum + each, 0)).toBe(1_000_000_000 - 20_000_000);
  });

  it('pauses while the venue is halted', async () => {
    const harness = staged();
    await play(harness, tapeOf(BOOK));
    await harness.pass(500);
    await harness.operate('mode', { mode: 'HALTED' });
    await harness.pass(5_000);
    expect(touchOf(harness)).toBe('6000 6100');
    await harness.operate('mode', { mode: 'NORMAL' });
    await harness.pass(400);
    expect(touchOf(harness)).toBe('6010 6100');
    expect(marketOf(harness).lastTrade).toBe(0);
    await harness.pass(1_000);
    expect(marketOf(harness).lastTrade).toBe(6100);
  });

  it('pauses when the process was suspended instead of catching up with the clock', async () => {
    const harness = staged();
    let held = 0;
    const clock: Clock = {
      now: () => timeAfter(harness.clock.now(), held),
      schedule: (when, fire) => harness.clock.schedule(timeAfter(when, -held), fire),
    };
    const tape = tapeOf([OPENING, at(1_000, 'bid 6010 5'), at(2_000, 'bid 6020 5')]);
    const made = replaysOf({ ...harness, clock }, [settingsOf(tape)]);
    replays.push(made);
    await made.prepare();
    made.start();
    await harness.pass(500);
    held = 3_600_000;
    await harness.pass(500);
    expect(touchOf(harness)).toBe('6010 6100');
    await harness.pass(999);
    expect(touchOf(harness)).toBe('6010 6100');
    await harness.pass(1);
    expect(touchOf(harness)).toBe('6020 6100');
  });

  it('stops for a market that an operator has ended and continues with the others', async () => {
    const harness = staged();
    const messages = [at(0, 'bid 6000 100', '1: bid 3000 5'), at(1_000, 'bid 6010 5', '1: bid 3010 5')];
    await play(harness, tapeOf(messages, { markets: 2 }));
    await harness.pass(0);
    await harness.operate('void', { market: 'tape-market-0' });
    await harness.pass(1_000);
    expect(touchOf(harness, 1)).toBe('3010 10000');
    expect(marketOf(harness, 0).following?.row).toBe(2);
  });
});

describe('a tape that ends', () => {
  it('with an outcome resolves its market', async () => {
    const harness = staged();
    await play(harness, tapeOf([OPENING, at(1_000, 'pays 10000')]));
    await harness.pass(1_000);
    expect(marketOf(harness)).toMatchObject({ status: 'RESOLVED', yesPayoutBps: 10_000 });
    expect(harness.logged).toContainEqual(expect.objectContaining({ status: 'RESOLVED', left: undefined }));
  });

  it('without an outcome halts its market once and logs what the operator has to do', async () => {
    const harness = staged(join(folder, 'end.db'));
    const tape = tapeOf([OPENING, at(1_000, 'bid 6010 5')]);
    const first = await play(harness, tape);
    await harness.pass(1_000);
    expect(marketOf(harness)).toMatchObject({ status: 'OPEN', halted: true });
    const reported = 'the tape has no outcome: close, void or resume the market by hand';
    expect(harness.logged).toContainEqual(expect.objectContaining({ halted: true, left: reported }));
    await harness.operate('resume', { market: 'tape-market-0' });
    first.close();
    const again = await restarted(harness, 'end.db');
    await play(again, tape);
    await again.pass(1_000);
    expect(marketOf(again)).toMatchObject({ status: 'OPEN', halted: false });
  });
});

describe('a restarted server', () => {
  it('continues the tape from its position with the same state, without gaps or repeats', async () => {
    const harness = staged(join(folder, 'venue.db'));
    const tape = tapeOf(BOOK);
    const first = await play(harness, tape);
    await harness.pass(1_500);
    const hash = harness.stateHash();
    first.close();
    const again = await restarted(harness, 'venue.db');
    expect(again.stateHash()).toBe(hash);
    // The market is there: neither start nor category are asked again.
    await play(again, tape, { after: 59_000 });
    expect(again.stateHash()).toBe(hash);
    expect(touchOf(again)).toBe('6010 6100');
    await again.pass(999);
    expect(marketOf(again).lastTrade).toBe(0);
    await again.pass(1);
    expect(marketOf(again)).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    assertAgreement(again.store.archive, again.view);
  });

  it('refuses another tape for the same market and warns of a tape that is no longer played', async () => {
    const harness = staged(join(folder, 'other.db'));
    const first = await play(harness, tapeOf(BOOK));
    await harness.pass(0);
    first.close();
    const again = await restarted(harness, 'other.db');
    const other = replaysOf(again, [settingsOf(tapeOf(BOOK, { hash: 'b'.repeat(64) }))]);
    const fault = other.prepare();
    await expect(fault).rejects.toThrow(InputFault);
    await expect(fault).rejects.toThrow(/follows another tape \(aaa/);
    await expect(replaysOf(again, []).prepare()).resolves.toBeUndefined();
  });
});

describe('a tape that cannot be played', () => {
  it.each([
    ['resolves in two ways', [at(0, 'pays 0'), at(1, 'pays 10000')], /resolves to \d+ after/],
    ['pays what a venue does not', [at(0, 'pays 3300')], /pays 3300 bps, but a venue pays 0, 5000 or 10000/],
    ['has rows of a market that it does not name', [at(0, '3: bid 6000 1')], /there is no market 3 in the manifest/],
  ])('is refused at the start because it %s', async (_, messages, expected) => {
    const harness = staged();
    const fault = replaysOf(harness, [settingsOf(tapeOf(messages))]).prepare();
    await expect(fault).rejects.toThrow(FileFault);
    await expect(fault).rejects.toThrow(expected);
    expect(harness.view.markets).toEqual([]);
  });
});

describe('the house market maker', () => {
  it('does not quote recorded markets', async () => {
    const harness = staged();
    await play(harness, tapeOf(BOOK));
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

async function restarted(harness: EngineHarness, file: string): Promise<EngineHarness> {
  const now = harness.clock.now();
  harnesses.splice(harnesses.indexOf(harness), 1);
  await harness.close();
  return staged(join(folder, file), now);
}

async function trader({ queue, view }: EngineHarness) {
  await queue.execute({ type: 'openAccount', time: queue.now, address: '0xtrader', unlimited: false });
  const account = counted.account(view.accountOf('0xtrader'));
  await queue.execute({ type: 'transfer', time: queue.now, account, amount: microUsd(1_000_000_000) });
  return account;
}

/** Twenty shares, good till cancelled. */
function order(
  { queue }: EngineHarness,
  account: AccountNo,
  { outcome, price }: Pick<Place, 'outcome' | 'price'>,
): Place {
  return {
    type: 'place',
    time: queue.now,
    account,
    credential: counted.credential(0),
    market: counted.market(0),
    outcome,
    side: 'BUY',
    price,
    shares: microShares(20_000_000),
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0,
    timestampMs: queue.now,
    epoch: 0,
    maxFeeBps: 1000,
    replaces: 0,
    selfTrade: 'CANCEL_TAKER',
    group: counted.group(0),
    restriction: undefined,
    hash: undefined,
    clientOrderId: undefined,
  };
}
