/** Writes a small bot file with rows in every table, and runs all queries on it. */
import { nextEventLoopTurn } from '../../../src/clock/index.ts';
import { epochMs, timeAfter, unchecked } from '../../../src/domain/index.ts';
import { recover } from '../../../src/runtime/index.ts';
import { BotReader, BotStore, checkBotFile, pruneFile } from '../../../src/store/index.ts';
import type { Action } from '../../state/any-action.ts';
import { BotHarness, copyOf, NAME, placedOrders, signedRecord } from './bot-harness.ts';

/** Writes the file of a bot that ended normally. @param file returns names of databases @returns its name */
export async function smallBot(file: () => string): Promise<string> {
  const first = BotHarness.open({ file: file(), boot: 'first', snapshotEvery: 15 });
  trade(first, 20);
  await nextEventLoopTurn();
  // After a power cut the next start has a gap, which stays open.
  const name = copyOf(first.store.file, file());
  const second = BotHarness.open({ file: name, boot: 'second', snapshotEvery: 15 });
  for (const kind of ['cash', 'holding', 'external', 'converted', 'paid'] as const) play(second, kind, 1, 6);
  await second.store.close(1);
  pruneFile(name, timeAfter(second.account.now, 1));
  const third = BotHarness.open({ file: name, boot: 'second', snapshotEvery: 15 });
  trade(third, 12);
  for (const kind of ['cash', 'place', 'replace', 'place'] as const) play(third, kind, third.lastOrder, 3);
  play(third, 'accepted', third.lastOrder, 1);
  play(third, 'provisional', third.lastOrder, 1);
  play(third, 'reversed', 0, 1);
  await third.store.close(2);
  await first.store.close(1);
  return name;
}

/** Places and signs orders, and fills or closes them. */
export function trade(bot: BotHarness, orders: number): void {
  for (let count = 0; count < orders; count += 1) {
    play(bot, 'place', 1, 1 + (count % 5));
    const order = bot.lastOrder;
    play(bot, 'accepted', order, 1);
    play(bot, count % 3 === 0 ? 'closed' : 'filled', order, 0);
  }
}

function play(bot: BotHarness, kind: Action['kind'], order: number, amount: number): void {
  const step = bot.apply({ kind, order, amount, market: 0 }, { untilSigned: true });
  bot.store.addSigned((step?.commands ?? []).flatMap(placedOrders).map(signedRecord));
  bot.store.flushDeferred();
}

/**
 * Starts a bot on a file as a run does, runs all queries of operators, and ends it. @returns the answers
 * @throws what any answer throws
 */
export async function startAndQuery(name: string): Promise<unknown> {
  const store = BotStore.open({ file: name, name: NAME, spec: '{}', thread: false, boot: 'second' });
  try {
    const stored = store.storedRun();
    const recovered = stored === undefined ? undefined : recover(stored);
    const { gap, streamPosition: cursor, epoch } = store;
    const unsettled = store.unfinishedOrders();
    const found = unsettled.map(({ hash, order }) => [
      store.findByHash(hash),
      store.findByNumber(unchecked.order(order)),
    ]);
    const bot = { gap, cursor, epoch, unsettled, found, trades: store.trades(1_000) };
    const run = recovered && {
      account: recovered.state.snapshot(),
      risk: recovered.risk,
      assignments: recovered.assignments.entries,
      nextOrder: recovered.nextOrder,
      firstSeq: recovered.nextSeq,
    };
    return { bot, run, shown: shown(name) };
  } finally {
    await store.close(3);
  }
}

function shown(name: string): unknown {
  const reader = BotReader.open(name);
  try {
    const lists = [reader.orders('all', 1_000), reader.fills(1_000), reader.markets(), reader.positions()];
    return [
      ...lists,
      reader.balance(),
      reader.adjustments(1_000),
      reader.reversals(1_000),
      reader.day(epochMs(0)),
      reader.progress(),
      [...reader.tags(0)],
    ];
  } finally {
    reader.close();
  }
}

/** All findings of `journal check` about the file of a bot. */
export function findingsOf(name: string): readonly string[] {
  const { structure, steps, rows, log } = checkBotFile(name);
  return [...structure, ...steps, ...rows, ...log];
}
