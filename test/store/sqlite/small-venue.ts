/** A small file with rows in every table, and all queries of it. */

import { seededRandom } from '../../../src/clock/index.ts';
import { durationMs } from '../../../src/domain/index.ts';
import { REGISTRY_TABLES } from '../../../src/exchange/archive/registry.ts';
import type { Archive, ExchangeView, Registry } from '../../../src/exchange/index.ts';
import { PRICE_INTERVALS } from '../../../src/exchange/index.ts';
import { checkVenue, type VenueFindings } from '../../../src/server/index.ts';
import { ReadOnlyStore } from '../../../src/store/index.ts';
import { CONFIG } from '../../exchange/properties/sequence.ts';
import { type Harness, openHarness, settled } from './harness.ts';
import { nextCommand } from './load.ts';

/** Runs random trading. @param until number of the last command */
export async function tradeUntil(harness: Harness, until: number, seed: number): Promise<void> {
  const random = seededRandom(seed);
  const { view } = harness.recovery.machine;
  for (let done = harness.exchange.sequence; done < until; done += 1) {
    harness.apply(nextCommand(view, random, done));
    if (done % 7 === 0) await settled(harness);
  }
  await settled(harness);
}

interface VenueHistory {
  /** The first records stay in the file. Default true. */
  readonly keepRecords?: boolean;
  /** Some trades are reversed. Default true. */
  readonly hasReversals?: boolean;
}

/** Writes the file. */
export async function smallVenue(
  file: string,
  { keepRecords = true, hasReversals = true }: VenueHistory = {},
): Promise<void> {
  const harness = openHarness({ file, thread: false, keepRecords });
  putInitialSettings(harness);
  for (const table of REGISTRY_TABLES) harness.store.registry.put({ table, key: `${table} 1`, value: { of: table } });
  await tradeUntil(harness, 60, 5);
  const { view } = harness.recovery.machine;
  if (hasReversals) harness.apply({ type: 'allowReversals', time: view.now, window: durationMs(60_000) });
  await tradeUntil(harness, 120, 7);
  for (const end of [180, 240, 300]) {
    harness.exchange.snapshot();
    if (hasReversals) await reverseTrades(harness);
    await tradeUntil(harness, end, end);
  }
  await harness.store.close();
}

/** Reverses the last trades where possible. */
async function reverseTrades(harness: Harness): Promise<void> {
  const { view } = harness.recovery.machine;
  for (const { seq: trade } of view.reversals.trades.slice(-4)) {
    harness.apply({ type: 'reverseTrade', time: view.now, trade });
    await settled(harness);
  }
}

/** Stores the initial state of a replay by `journal check`, as a server does. */
export function putInitialSettings({ store }: Harness): void {
  const value = { config: { ...CONFIG }, quotePolicy: 'additive' };
  store.registry.put({ table: 'setting', key: 'exchange.genesis', value });
}

/** The findings of `journal check`. */
export function checkFile(file: string): VenueFindings {
  const store = ReadOnlyStore.open(file);
  try {
    return checkVenue(store, { replay: true });
  } finally {
    store.close();
  }
}

const ALL = { maxRows: 1_000_000, direction: 'forward', from: undefined } as const;

/** All queries of an archive and a registry. @throws what any query throws */
export function allAnswers(
  { archive, registry }: { readonly archive: Archive; readonly registry: Registry },
  view: ExchangeView,
): readonly unknown[] {
  const answers: unknown[] = [archive.start()];
  for (let account = 1; account <= view.accountCount; account += 1) {
    answers.push(archive.account(account), archive.holdingsOf(account), archive.orderEvents(account, 0));
    answers.push(archive.orders(account, {}, ALL), archive.ledger(account, {}, ALL));
    answers.push(archive.orders(account, { statuses: ['FILLED', 'CANCELLED', 'EXPIRED'] }, ALL));
    answers.push(archive.fills(account, {}, 'newest', ALL), archive.ledger(account, { kinds: ['TRADE', 'FEE'] }, ALL));
    for (const { number: market } of view.markets) {
      answers.push(archive.holding(account, market), archive.orders(account, { market }, ALL));
      answers.push(archive.fills(account, { market }, 'oldest', ALL), archive.ledger(account, { market }, ALL));
    }
  }
  for (let order = 1; order <= view.orderCount; order += 1) {
    const row = archive.order(order);
    answers.push(row, archive.fillsOfOrder(order));
    if (row === undefined) continue;
    answers.push(archive.orderById(row.id)?.order);
    if (row.clientOrderId !== undefined) answers.push(archive.orderByClientId(row.account, row.clientOrderId)?.order);
  }
  for (let seq = 1; seq <= view.seq; seq += 1) answers.push(archive.reversalSeqOf(seq), archive.tradeReversedBy(seq));
  for (const { number: market } of view.markets) {
    answers.push(
      archive.market(market),
      archive.trades(market, ALL),
      archive.prices({ market, interval: 'RAW', max: 2_000 }),
    );
    for (const interval of Object.keys(PRICE_INTERVALS)) {
      answers.push(archive.prices({ market, interval: interval as keyof typeof PRICE_INTERVALS, max: 100_000 }));
    }
  }
  for (const table of REGISTRY_TABLES) {
    const rows = registry.load(table);
    answers.push(rows, ...rows.map(({ key }) => registry.find(table, key)));
  }
  return answers;
}
