/** Runs a bot with random actions and power cuts, each followed by a start. */
import { nextEventLoopTurn, seededRandom } from '../../../src/clock/index.ts';
import { FileFault, unchecked } from '../../../src/domain/index.ts';
import type { Action } from '../../state/any-action.ts';
import { BotHarness, placedOrders, signedRecord } from './bot-harness.ts';
import { WatchedDisk } from './power-cut.ts';

export interface PowerCutTally {
  readonly cuts: number;
  /** Cuts after which acknowledged steps were missing. */
  readonly behind: number;
  /** Number of log entries that were known to be missing. */
  readonly entries: number;
  /** Number of refused starts. */
  readonly refused: number;
}

const KINDS: readonly Action['kind'][] = [
  'place',
  'place',
  'replace',
  'accepted',
  'filled',
  'closed',
  'cash',
  'uncertain',
];
/** Time of the first snapshot. The first events of the account have time 0. */
const BEGIN = 1;
const TURNS = 60;
const CUTS = 8;

/** @param file returns names of databases @throws Error at the first violated rule */
export async function powerCutRun(seed: number, file: () => string): Promise<PowerCutTally> {
  const random = seededRandom(seed);
  const name = file();
  const bot = BotHarness.open({ file: name, boot: 'first', snapshotEvery: 1 + random.int(40) });
  const disk = new WatchedDisk(name);
  const accounts = new Map([[bot.seq - 1, JSON.stringify(bot.account.snapshot())]]);
  /** Times of orders whose sending was acknowledged. */
  const sent = new Map<number, number>();
  const tally = { cuts: 0, behind: 0, entries: 0, refused: 0 };
  for (let turn = 1; turn <= TURNS; turn += 1) {
    for (let steps = random.int(12); steps >= 0; steps -= 1) {
      bot.store.advanceStreamPosition(bot.seq);
      const kind = KINDS[random.int(KINDS.length)] ?? 'cash';
      const order = Math.max(1, bot.lastOrder - random.int(6));
      const step = bot.apply({ kind, order, amount: 1 + random.int(14), market: random.int(2) }, { untilSigned: true });
      const placed = (step?.commands ?? []).flatMap(placedOrders);
      if (placed.length > 0) bot.store.addSigned(placed.map(signedRecord));
      bot.store.flushDeferred();
      for (const place of placed) sent.set(place.order, step?.time ?? 0);
      accounts.set(bot.seq - 1, JSON.stringify(bot.account.snapshot()));
    }
    if (random.int(3) > 0) await nextEventLoopTurn();
    disk.recordFiles();
    if (turn % Math.floor(TURNS / CUTS) !== 0) continue;
    const copy = file();
    disk.cut(random, copy);
    tally.cuts += 1;
    await startAfterCut({ copy, bot, accounts, sent, tally, where: `seed ${seed}, turn ${turn}` });
  }
  await bot.store.close(1);
  return tally;
}

interface Cut {
  readonly copy: string;
  readonly bot: BotHarness;
  readonly accounts: ReadonlyMap<number, string>;
  readonly sent: ReadonlyMap<number, number>;
  readonly tally: { behind: number; entries: number; refused: number };
  readonly where: string;
}

/** Starts after the cut, and once more. */
async function startAfterCut({ copy, bot, accounts, sent, tally, where }: Cut): Promise<void> {
  let first: BotHarness;
  try {
    first = BotHarness.open({ file: copy, boot: 'second' });
  } catch (fault) {
    if (!(fault instanceof FileFault)) throw new Error(`${where}: no fault with a remedy`, { cause: fault });
    tally.refused += 1;
    throw new Error(`${where}: refused`, { cause: fault });
  }
  const { gap } = first.store;
  if (gap?.cause !== 'POWER_CUT') throw new Error(`${where}: the start did not detect the power cut`);
  const last = first.seq - 1;
  if (accounts.get(last) !== JSON.stringify(first.account.snapshot())) {
    throw new Error(`${where}: step ${last} leads to an account that never existed`);
  }
  if (last < bot.seq - 1) tally.behind += 1;
  tally.entries += gap.entries;
  for (const [order, time] of sent) {
    const isKnown = first.store.findByNumber(unchecked.order(order)) !== undefined;
    if (!isKnown && !(gap.from !== undefined && time >= gap.from - BEGIN)) {
      throw new Error(`${where}: order ${order} of ${time} is missing, and the gap begins at ${gap.from}`);
    }
  }
  await first.store.close(2);
  const second = BotHarness.open({ file: copy, boot: 'second' });
  if (second.store.gap?.from !== gap.from) throw new Error(`${where}: the second start has another gap`);
  second.store.closeGap(3);
  await second.store.close(3);
}
