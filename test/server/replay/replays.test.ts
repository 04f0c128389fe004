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
import { demandAgreement } from '../../store/sqlite/agreement.ts';
import { type EngineStage, openEngineStage } from '../engine-stage.ts';
import { at, marketOf, replayed, replaysOf, settingsOf, tapeOf, touchOf } from './tapes.ts';

const stages: EngineStage[] = [];
const replays: Replays[] = [];
const folder = mkdtempSync(join(tmpdir(), 'halfspread-replay-'));
afterEach(async () => {
  for (const each of replays.splice(0)) each.close();
  for (const stage of stages.splice(0)) await stage.close();
});
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));

function staged(file?: string, start?: EpochMs): EngineStage {
  const stage = openEngineStage(file, start);
  stages.push(stage);
  return stage;
}

async function play(
  stage: EngineStage,
  tape: RecordedTape,
  how: { readonly speed?: number; readonly after?: number } = {},
) {
  const made = await replayed(stage, tape, how);
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
    const stage = staged();
    await play(stage, tapeOf(BOOK));
    const { question, slug, tickBps, status, categorySlug, description } = marketOf(stage);
    expect({ question, slug, tickBps, status, categorySlug }).toEqual({
      question: 'Will number 0 win?',
      slug: 'tape-market-0',
      tickBps: 10,
      status: 'OPEN',
      categorySlug: 'recorded',
    });
    expect(description).toContain('YES is one, NO is other');
    expect(stage.catalogue.category('recorded')?.isActive).toBe(true);
    await stage.pass(0);
    expect(touchOf(stage)).toBe('6000 6100');
    await stage.pass(999);
    expect(touchOf(stage)).toBe('6000 6100');
    await stage.pass(1);
    expect(touchOf(stage)).toBe('6010 6100');
    await stage.pass(1_000);
    expect(marketOf(stage)).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    expect(stage.store.archive.trades(0, { take: 9, direction: 'forward', from: undefined }).rows).toMatchObject([
      { outcome: 'YES', side: 'BUY', price: 6100, shares: 30_000_000, match: 'NORMAL', account: 0 },
    ]);
    demandAgreement(stage.store.archive, stage.view);
  });

  it('plays at a multiple of real time', async () => {
    const stage = staged();
    await play(stage, tapeOf(BOOK), { speed: 60 });
    await stage.pass(16);
    expect(touchOf(stage)).toBe('6000 6100');
    await stage.pass(1);
    expect(touchOf(stage)).toBe('6010 6100');
    await stage.pass(983);
    expect(touchOf(stage)).toBe('6000 6100');
  });

  it('starts in the middle with the recorded book and without earlier trades', async () => {
    const stage = staged();
    await play(stage, tapeOf(BOOK), { after: 30_000 });
    expect(touchOf(stage)).toBe('6010 6100');
    expect(marketOf(stage)).toMatchObject({ lastTrade: 0, volume: 0 });
    expect(marketOf(stage).following).toMatchObject({ row: 5 });
    await stage.pass(30_000);
    expect(touchOf(stage)).toBe('6000 6100');
  });

  it('plays several markets of one tape, and several tapes', async () => {
    const stage = staged();
    const messages = [at(0, 'bid 6000 100', '1: bid 3000 5'), at(1_000, '1: bid 3010 5'), at(2_000, 'bid 6010 5')];
    await play(stage, tapeOf(messages, { markets: 2 }));
    await stage.pass(1_500);
    expect([touchOf(stage, 0), touchOf(stage, 1)]).toEqual(['6000 10000', '3010 10000']);
    expect([marketOf(stage, 0).following?.row, marketOf(stage, 1).following?.row]).toEqual([2, 3]);
    const twice = replaysOf(stage, [
      settingsOf(tapeOf(messages, { markets: 2 })),
      settingsOf(tapeOf(messages, { markets: 2 })),
    ]);
    await expect(twice.prepare()).rejects.toThrow(/a tape without the market tape-market-0, which is there already/);
  });

  it('fills resting orders of any account with its own account as counterparty', async () => {
    const stage = staged();
    await play(stage, tapeOf([OPENING, at(1_000, 'buy 130 @ 6100', 'ask 6100 0'), at(2_000, 'pays 10000')]));
    await stage.pass(0);
    const account = await trader(stage);
    await stage.queue.execute(order(stage, account, { outcome: 'NO', price: priceBps(3900) }));
    await stage.pass(1_000);
    expect(stage.view.holdingsOf(account)).toMatchObject([{ no: { shares: 20_000_000 }, netPaid: 7_800_000 }]);
    await stage.pass(1_000);
    demandAgreement(stage.store.archive, stage.view);
    const cash = [1, 2, 3].map((who) => stage.view.account(who)?.available ?? 0);
    // The market holds a dollar for each of the pairs that were made.
    expect(cash.reduce((sum, each) => sum + each, 0)).toBe(1_000_000_000 - 20_000_000);
  });

  it('pauses while the venue is halted', async () => {
    const stage = staged();
    await play(stage, tapeOf(BOOK));
    await stage.pass(500);
    await stage.operate('mode', { mode: 'HALTED' });
    await stage.pass(5_000);
    expect(touchOf(stage)).toBe('6000 6100');
    await stage.operate('mode', { mode: 'NORMAL' });
    await stage.pass(400);
    expect(touchOf(stage)).toBe('6010 6100');
    expect(marketOf(stage).lastTrade).toBe(0);
    await stage.pass(1_000);
    expect(marketOf(stage).lastTrade).toBe(6100);
  });

  it('pauses when the process was suspended instead of catching up with the clock', async () => {
    const stage = staged();
    let held = 0;
    const clock: Clock = {
      now: () => timeAfter(stage.clock.now(), held),
      schedule: (when, fire) => stage.clock.schedule(timeAfter(when, -held), fire),
    };
    const tape = tapeOf([OPENING, at(1_000, 'bid 6010 5'), at(2_000, 'bid 6020 5')]);
    const made = replaysOf({ ...stage, clock }, [settingsOf(tape)]);
    replays.push(made);
    await made.prepare();
    made.start();
    await stage.pass(500);
    held = 3_600_000;
    await stage.pass(500);
    expect(touchOf(stage)).toBe('6010 6100');
    await stage.pass(999);
    expect(touchOf(stage)).toBe('6010 6100');
    await stage.pass(1);
    expect(touchOf(stage)).toBe('6020 6100');
  });

  it('stops for a market that an operator has ended and continues with the others', async () => {
    const stage = staged();
    const messages = [at(0, 'bid 6000 100', '1: bid 3000 5'), at(1_000, 'bid 6010 5', '1: bid 3010 5')];
    await play(stage, tapeOf(messages, { markets: 2 }));
    await stage.pass(0);
    await stage.operate('void', { market: 'tape-market-0' });
    await stage.pass(1_000);
    expect(touchOf(stage, 1)).toBe('3010 10000');
    expect(marketOf(stage, 0).following?.row).toBe(2);
  });
});

describe('a tape that ends', () => {
  it('with an outcome resolves its market', async () => {
    const stage = staged();
    await play(stage, tapeOf([OPENING, at(1_000, 'pays 10000')]));
    await stage.pass(1_000);
    expect(marketOf(stage)).toMatchObject({ status: 'RESOLVED', yesPayoutBps: 10_000 });
    expect(stage.logged).toContainEqual(expect.objectContaining({ status: 'RESOLVED', left: undefined }));
  });

  it('without an outcome halts its market once and logs what the operator has to do', async () => {
    const stage = staged(join(folder, 'end.db'));
    const tape = tapeOf([OPENING, at(1_000, 'bid 6010 5')]);
    const first = await play(stage, tape);
    await stage.pass(1_000);
    expect(marketOf(stage)).toMatchObject({ status: 'OPEN', halted: true });
    const reported = 'the tape has no outcome: close, void or resume the market by hand';
    expect(stage.logged).toContainEqual(expect.objectContaining({ halted: true, left: reported }));
    await stage.operate('resume', { market: 'tape-market-0' });
    first.close();
    const again = await restarted(stage, 'end.db');
    await play(again, tape);
    await again.pass(1_000);
    expect(marketOf(again)).toMatchObject({ status: 'OPEN', halted: false });
  });
});

describe('a restarted server', () => {
  it('continues the tape from its position with the same state, without gaps or repeats', async () => {
    const stage = staged(join(folder, 'venue.db'));
    const tape = tapeOf(BOOK);
    const first = await play(stage, tape);
    await stage.pass(1_500);
    const hash = stage.stateHash();
    first.close();
    const again = await restarted(stage, 'venue.db');
    expect(again.stateHash()).toBe(hash);
    // The market is there: neither start nor category are asked again.
    await play(again, tape, { after: 59_000 });
    expect(again.stateHash()).toBe(hash);
    expect(touchOf(again)).toBe('6010 6100');
    await again.pass(999);
    expect(marketOf(again).lastTrade).toBe(0);
    await again.pass(1);
    expect(marketOf(again)).toMatchObject({ lastTrade: 6100, volume: 30 * 610_000 });
    demandAgreement(again.store.archive, again.view);
  });

  it('refuses another tape for the same market and warns of a tape that is no longer played', async () => {
    const stage = staged(join(folder, 'other.db'));
    const first = await play(stage, tapeOf(BOOK));
    await stage.pass(0);
    first.close();
    const again = await restarted(stage, 'other.db');
    const other = replaysOf(again, [settingsOf(tapeOf(BOOK, { hash: 'b'.repeat(64) }))]);
    const fault = other.prepare();
    await expect(fault).rejects.toThrow(InputFault);
    await expect(fault).rejects.toThrow(/follows another tape \(aaa/);
    await expect(replaysOf(again, []).prepare()).resolves.toBeUndefined();
  });
});

describe('a tape that cannot be played', () => {
  it.each([
    ['resolves in two ways', [at(0, 'pays 0'), at(1, 'pays 10000')], /resolves a second time/],
    ['pays what a venue does not', [at(0, 'pays 3300')], /pays 3300 bps, but a venue pays 0, 5000 or 10000/],
    ['has rows of a market that it does not name', [at(0, '3: bid 6000 1')], /there is no market 3 in the manifest/],
  ])('is refused at the start because it %s', async (_, messages, expected) => {
    const stage = staged();
    const fault = replaysOf(stage, [settingsOf(tapeOf(messages))]).prepare();
    await expect(fault).rejects.toThrow(FileFault);
    await expect(fault).rejects.toThrow(expected);
    expect(stage.view.markets).toEqual([]);
  });
});

describe('the house market maker', () => {
  it('does not quote recorded markets', async () => {
    const stage = staged();
    await play(stage, tapeOf(BOOK));
    const { clock, queue, log } = stage;
    const settings = {
      policy: additive,
      spreadBps: 400,
      shares: microShares(5_000_000),
      refillBelow: microShares(0),
      intervalMs: 10,
    };
    const house = new HouseMarketMaker({ clock, queue, log, settings });
    await house.start();
    await stage.pass(2_500);
    house.close();
    const account = stage.view.accountOf('0x0000000000000000000000000000000000000002');
    expect([account > 0, stage.view.openOrders(account)]).toEqual([true, []]);
  });
});

async function restarted(stage: EngineStage, file: string): Promise<EngineStage> {
  const now = stage.clock.now();
  stages.splice(stages.indexOf(stage), 1);
  await stage.close();
  return staged(join(folder, file), now);
}

async function trader({ queue, view }: EngineStage) {
  await queue.execute({ type: 'openAccount', time: queue.now, address: '0xtrader', unlimited: false });
  const account = counted.account(view.accountOf('0xtrader'));
  await queue.execute({ type: 'transfer', time: queue.now, account, amount: microUsd(1_000_000_000) });
  return account;
}

/** Twenty shares, good till cancelled. */
function order(
  { queue }: EngineStage,
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
