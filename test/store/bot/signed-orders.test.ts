import { copyFileSync, existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { unchecked } from '../../../src/domain/index.ts';
import { rejectInterruptedCommands } from '../../../src/runtime/index.ts';
import { AccountState } from '../../../src/state/index.ts';
import { BotStore } from '../../../src/store/index.ts';
import type { Action } from '../../state/any-action.ts';
import { about, place } from '../../state/world.ts';
import { databaseFiles } from '../sqlite/files.ts';
import { BotHarness, NAME, placedOrders, signedRecord } from './bot-harness.ts';

const file = databaseFiles();

function action(kind: Action['kind'], order = 1): Action {
  return { kind, order, amount: 4, market: 0 };
}

describe('signed orders', () => {
  it('are found by hash and number, and are open until a step reports their end', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    const records = [1, 2, 3].map(() => bot.apply(action('place'))?.commands.flatMap(placedOrders) ?? []);
    bot.store.addSigned(records.flat().map(signedRecord));
    bot.apply(action('accepted', 1));
    bot.apply(action('uncertain', 2));
    bot.apply(action('rejected', 3));
    const reopened = BotStore.open({ file: name, name: NAME, spec: '{}' });
    expect(reopened.unfinishedOrders().map(({ order }) => order)).toEqual([1, 2]);
    const third = signedRecord(place({ order: 3, outcome: 'YES', price: 1_040, size: 5, bot: 1 }));
    expect(reopened.findByNumber(unchecked.order(3))).toEqual(third);
    expect(reopened.findByHash(third.hash)).toEqual(third);
    expect([reopened.findByHash('0x00'), reopened.findByNumber(unchecked.order(9))]).toEqual([undefined, undefined]);
    expect(() => bot.store.addSigned([third])).toThrow(/UNIQUE|PRIMARY/);
  });

  it('become durable together with the step that decided them, or not at all', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    const placeOrders = () => bot.apply(action('place'), { untilSigned: true })?.commands.flatMap(placedOrders) ?? [];
    const first = placeOrders().map(signedRecord);
    expect(countsAfterKill(name)).toEqual([0, 0]);
    bot.store.addSigned(first);
    expect(countsAfterKill(name)).toEqual([1, 1]);
    placeOrders();
    bot.store.flushDeferred();
    expect(countsAfterKill(name)).toEqual([2, 1]);
    placeOrders();
    bot.apply(action('cash'));
    expect(countsAfterKill(name)).toEqual([4, 1]);
    placeOrders();
    expect(() => bot.store.addSigned(first)).toThrow(/UNIQUE|PRIMARY/);
    expect(countsAfterKill(name)).toEqual([4, 1]);
    expect(() => bot.apply(action('cash'))).toThrow(/UNIQUE|PRIMARY/);
    expect(countsAfterKill(name)).toEqual([4, 1]);
  });

  it('are removed some time after they ended', () => {
    const name = file();
    const bot = BotHarness.open({ file: name });
    bot.store.addSigned([signedRecord(place({ order: 1 })), signedRecord(place({ order: 2 }))]);
    bot.apply(action('place'));
    bot.apply(action('place'));
    bot.apply(action('rejected', 2));
    const store = BotStore.open({ file: name, name: NAME, spec: '{}' });
    store.setSource({ ...bot, account: bot.account, risk: () => bot.risk(), snapshot: () => laterSnapshot(bot) }, 1);
    expect([store.findByNumber(unchecked.order(1))?.order, store.findByNumber(unchecked.order(2))]).toEqual([
      1,
      undefined,
    ]);
  });

  it('identify orders that were never sent, which are closed together with open conversions', () => {
    const bot = BotHarness.open({ file: file() });
    for (const kind of ['place', 'place', 'split'] as const) bot.apply(action(kind));
    bot.store.addSigned([signedRecord(place({ order: 1 }))]);
    const events = rejectInterruptedCommands(bot.account, bot.store, about(1).time);
    expect(events.map((event) => [event.type, 'order' in event ? event.order : undefined])).toEqual([
      ['orderRejected', 2],
      ['conversionRejected', undefined],
    ]);
    const state = AccountState.restore(bot.account.snapshot());
    for (const event of events) state.apply(event);
    expect([state.openOrderCount, state.isConverting(unchecked.market(0))]).toEqual([1, false]);
  });
});

/** Steps and signed orders that a start would find if the process ended now. */
function countsAfterKill(name: string): readonly unknown[] {
  const copy = file();
  for (const end of ['', '-wal', '-intents']) if (existsSync(name + end)) copyFileSync(name + end, copy + end);
  const store = BotStore.open({ file: copy, name: NAME, spec: '{}' });
  const reader = new Database(copy, { readonly: true });
  const counts = ['steps', 'signed'].map((table) => reader.prepare(`SELECT count(*) FROM ${table}`).pluck().get());
  reader.close();
  void store.close(1);
  return counts;
}

function laterSnapshot(bot: BotHarness) {
  return { ...bot.snapshot(), nextOrder: unchecked.order(60_000) };
}
