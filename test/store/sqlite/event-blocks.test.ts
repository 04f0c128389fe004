import { default as Database } from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { FileFault, unchecked } from '../../../src/domain/index.ts';
import type { ExchangeCommand } from '../../../src/exchange/index.ts';
import { connect, MEMORY, prepareFile } from '../../../src/store/sqlite/database.ts';
import { DatabaseReads } from '../../../src/store/sqlite/database-reads.ts';
import {
  EVENT_BYTES,
  type EventBlock,
  EventWriter,
  eventIn,
  MAX_IN_BLOCK,
} from '../../../src/store/sqlite/event-block.ts';
import { EventQueries } from '../../../src/store/sqlite/event-queries.ts';
import { MIGRATIONS } from '../../../src/store/sqlite/migrations.ts';
import { OPENING } from '../../exchange/properties/sequence.ts';
import { assertAgreement } from './agreement.ts';
import { databaseFiles, toVersion } from './files.ts';
import { type Harness, openHarness, settled } from './harness.ts';

const file = databaseFiles();
const DAY = 86_400_000;
const TIME = 1_795_000_100_000;
const BLOCKS = 'SELECT first, last, count, at, crc, bytes FROM event_blocks ORDER BY last';
const [account, credential] = [unchecked.account(1), unchecked.credential(1)];

const opened: ReturnType<typeof connect>[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

function order(at: number): ExchangeCommand {
  const time = unchecked.time(at);
  return {
    ...{ type: 'place', time, account, credential, market: unchecked.market(0), outcome: 'YES', side: 'BUY' },
    ...{ price: unchecked.price(1000), shares: unchecked.shares(1_000_000), timeInForce: 'GTC', postOnly: false },
    ...{ expiration: 0, timestampMs: time, epoch: 0, maxFeeBps: 1000, replaces: 0, selfTrade: 'CANCEL_TAKER' },
    ...{ group: unchecked.group(0), restriction: undefined, hash: undefined, clientOrderId: undefined },
  };
}

/** Places and cancels orders in one batch, two events each. */
function send(harness: Harness, count: number, at: number): Promise<void> {
  const { exchange, machine } = harness;
  for (let left = count; left > 0; left -= 1) {
    exchange.apply(order(at));
    const orders = [unchecked.order(machine.view.orderCount)];
    exchange.apply({ type: 'cancel', time: unchecked.time(at), account, credential, orders });
  }
  return settled(harness);
}

/** A harness whose market is open for ten days. */
async function openMarket(name: string): Promise<Harness> {
  const harness = openHarness({ file: name, thread: false });
  for (const command of OPENING) harness.apply(command);
  const time = unchecked.time(TIME);
  const move = { type: 'moveDate', time, market: unchecked.market(0), note: '', by: 'operator' } as const;
  harness.apply({ ...move, resolutionDate: unchecked.time(TIME + 10 * DAY) });
  await settled(harness);
  return harness;
}

/** Converts a file to the format of version 4, with a row for each event. */
function toVersion4(name: string): void {
  const connection = new Database(name);
  const insert = connection.prepare(
    `INSERT INTO order_events VALUES (:id, :previous, :account, :market, :order, :kind, :shares, :filled, :amount, :fee,
      :status, :reason, :at)`,
  );
  for (const block of connection.prepare<[], EventBlock>(BLOCKS).all()) {
    const view = new DataView(block.bytes.buffer, block.bytes.byteOffset, block.bytes.length);
    for (let at = 0; at < block.bytes.length; at += EVENT_BYTES) insert.run(eventIn(block, view.getFloat64(at, true)));
  }
  connection.close();
  toVersion(name, 4);
}

function counts(name: string): { readonly rows: number; readonly blocks: number; readonly inBlocks: number } {
  const connection = new Database(name, { readonly: true });
  const count = (sql: string): number => connection.prepare<[], number>(sql).pluck().get() ?? 0;
  const result = {
    rows: count('SELECT count(*) FROM order_events'),
    blocks: count('SELECT count(*) FROM event_blocks'),
    inBlocks: count('SELECT coalesce(sum(count), 0) FROM event_blocks'),
  };
  connection.close();
  return result;
}

describe('blocks of order events', () => {
  /** A row of a batch, of two alternating accounts and with the largest numbers. */
  function event(id: number, previous: number): readonly number[] {
    const max = Number.MAX_SAFE_INTEGER;
    return [id, previous, 2 ** 32 - 1, id % 3, max - id, id % 5, max, id, max - 1, 0, id % 5, id % 4, TIME + id];
  }

  /** @param removed id of the event before the first, which is not written; 0 for none */
  function writeEvents(ids: readonly number[], removed = 0) {
    const connection = connect(MEMORY, { cacheMb: 8 });
    opened.push(connection);
    prepareFile(MEMORY, connection);
    const writer = new EventWriter(connection);
    const rows = ids.map((id, at) => event(id, ids[at - 1] ?? removed));
    const numbers = Float64Array.from(rows.flat());
    for (const at of ids.keys()) writer.add(numbers, at * 13);
    writer.flush();
    return { connection, rows, writer };
  }

  it.each([1, 2, MAX_IN_BLOCK - 1, MAX_IN_BLOCK, MAX_IN_BLOCK + 1, 3 * MAX_IN_BLOCK])(
    'return each of %d events and no others',
    (count) => {
      const ids = Array.from({ length: count }, (_, at) => 10 + 3 * at);
      const { connection, rows } = writeEvents(ids);
      const blocks = connection.prepare<[], EventBlock>(BLOCKS).all();
      expect(blocks).toHaveLength(Math.ceil(count / MAX_IN_BLOCK));
      for (const [at, id] of ids.entries()) {
        const block = blocks.find(({ first, last }) => first <= id && id <= last);
        if (block === undefined) throw new Error(`no block has ${id}`);
        const found = eventIn(block, id);
        expect([
          ...[found?.id, found?.previous, found?.account, found?.market, found?.order, found?.kind, found?.shares],
          ...[found?.filled, found?.amount, found?.fee, found?.status, found?.reason, found?.at],
        ]).toEqual(rows[at]);
        expect([eventIn(block, id - 1), eventIn(block, id + 1)]).toEqual([undefined, undefined]);
      }
      const { events, isComplete } = new EventQueries(new DatabaseReads(MEMORY, connection)).after(
        ids.at(-1) ?? 0,
        0,
        undefined,
        1_000,
      );
      expect([events.map(({ seq }) => seq), isComplete]).toEqual([ids.map((id) => Math.floor(id / 2)), true]);
    },
  );

  it('link the first event of a market to its predecessor, or to `afterSeq` when that is removed or too far back', () => {
    /** `prevSeq` of event 16 in market 1, after event 12. */
    const link = (ids: readonly number[], max: number, removed = 0) => {
      const queries = new EventQueries(new DatabaseReads(MEMORY, writeEvents(ids, removed).connection));
      const { events, isComplete } = queries.after(16, 6, 1, max);
      expect([events.length, isComplete]).toEqual([1, true]);
      return events[0]?.prevSeq;
    };
    expect(link([4, 6, 9, 12, 16], 10)).toBe(2);
    expect(link([4, 6, 9, 12, 16], 3)).toBe(6);
    expect(link([6, 9, 12, 16], 10, 4)).toBe(6);
    expect(link([6, 9, 12, 16], 10)).toBe(0);
  });

  it('refuse an event that is out of sequence, and continue with the next batch', () => {
    const { connection, writer } = writeEvents([4, 6]);
    const numbers = Float64Array.from([...event(8, 6), ...event(8, 6)]);
    writer.add(numbers, 0);
    expect(() => writer.add(numbers, 13)).toThrow('Invariant: order event 8 after 8');
    writer.clear();
    writer.flush();
    expect(connection.prepare('SELECT count(*) FROM event_blocks').pluck().get()).toBe(1);
  });

  it('may be removed while enough newer events remain, for any boundary of rows and blocks', () => {
    const { connection } = writeEvents(Array.from({ length: 66 }, (_, at) => 101 + at));
    const row = connection.prepare<number[]>('INSERT INTO order_events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    for (let id = 1; id <= 100; id += 1) row.run(...event(id, 0).with(4, 1).with(6, 1).with(8, 1));
    const queries = new EventQueries(new DatabaseReads(MEMORY, connection));
    const late = TIME + 10_000;
    // Blocks end at 126, 152 and 166.
    const boundaries = [0, 1, 14, 15, 40, 41, 66, 67, 165, 166, 167].map((keep) => queries.boundary(late, keep));
    expect(boundaries).toEqual([167, 153, 153, 127, 127, 101, 101, 100, 2, 0, 0]);
    const since = [1, 50, 100, 101, 126, 127, 152, 153, 166].map((at) => queries.boundary(TIME + at, 0));
    expect(since).toEqual([0, 50, 100, 101, 101, 127, 127, 153, 153]);
  });
});

describe('a file of version 4', () => {
  it('has its rows after the migration, and streams continue from them into blocks', async () => {
    const name = file();
    let harness = await openMarket(name);
    await send(harness, 200, TIME);
    const before = harness.store.archive.orderEvents(1, 0).events;
    await harness.store.close();
    toVersion4(name);
    harness = openHarness({ file: name, thread: false });
    const { archive } = harness.store;
    expect(counts(name)).toMatchObject({ blocks: 0 });
    expect(archive.orderEvents(1, 0).events).toEqual(before);
    await send(harness, 100, TIME + 1);
    const { events, isComplete } = archive.orderEvents(1, 0);
    expect([events.slice(0, before.length), events.length, isComplete]).toEqual([before, before.length + 200, true]);
    for (const at of [before.length - 2, before.length - 1, before.length, before.length + 1]) {
      const rest = { events: events.slice(at + 1), isComplete: true };
      expect(archive.orderEvents(1, events[at]?.seq ?? 0)).toEqual(rest);
      expect(archive.orderEvents(1, events[at]?.seq ?? 0, 0)).toEqual(rest);
    }
    assertAgreement(archive, harness.recovery.machine.view);
    const { rows, blocks } = counts(name);
    expect(rows).toBeGreaterThanOrEqual(before.length);
    expect(blocks).toBeGreaterThan(0);
    await harness.store.close();
    const connection = new Database(name, { readonly: true });
    expect(connection.pragma('user_version', { simple: true })).toBe(MIGRATIONS.length);
    connection.close();
  });

  it('removes rows and then whole blocks, and reports that they were removed', async () => {
    const name = file();
    let harness = await openMarket(name);
    await send(harness, 700, TIME);
    await harness.store.close();
    toVersion4(name);
    harness = openHarness({ file: name, thread: false });
    const { store } = harness;
    const prune = (now: number) => new Promise((resolve) => store.pruneEvents(unchecked.time(now), resolve));
    await send(harness, 300, TIME + 1);
    await prune(TIME + 2 * DAY);
    // They are old, but among the newest events.
    expect(store.archive.orderEvents(1, 0)).toMatchObject({ events: { length: 2_000 }, isComplete: true });
    await send(harness, 4_800, TIME + DAY);
    await prune(TIME + 2 * DAY);
    // Rows first: 10,200 are in blocks.
    expect(counts(name)).toMatchObject({ rows: 0 });
    const { inBlocks } = counts(name);
    expect(inBlocks).toBeGreaterThanOrEqual(10_000);
    expect(inBlocks).toBeLessThan(10_000 + MAX_IN_BLOCK);
    expect(store.archive.orderEvents(1, 0, undefined, 20_000)).toEqual({ events: [], isComplete: false });
    const seq = store.archive.order(harness.recovery.machine.view.orderCount - 4_800)?.seq ?? 0;
    expect(store.archive.orderEvents(1, seq, undefined, 20_000)).toMatchObject({
      ...{ events: { length: 9_600 }, isComplete: true },
    });
    await store.close();
  });
});

describe('a damaged block', () => {
  it.each([
    ['other bytes', 'UPDATE event_blocks SET bytes = zeroblob(length(bytes))', /: their checksum is wrong\. Put back/],
    ['truncated bytes', "UPDATE event_blocks SET bytes = x'00'", /: 1 bytes cannot be \d+ events\. Put back/],
    ['no bytes', "UPDATE event_blocks SET bytes = x'', count = 0", /: 0 bytes cannot be 0 events\. Put back/],
    ['a changed number', 'UPDATE event_blocks SET last = last + 1000000', /: their checksum is wrong\. Put back/],
    ['a changed start', 'UPDATE event_blocks SET first = first - 1', /: they go from \d+ to \d+\. Put back/],
  ])('with %s gives a fault that names it', async (_, sql, message) => {
    const name = file();
    let harness = await openMarket(name);
    await send(harness, 10, TIME);
    await harness.store.close();
    const connection = new Database(name);
    expect(connection.prepare(sql).run().changes).toBeGreaterThan(0);
    connection.exec('UPDATE event_blocks SET first = 1 WHERE last > 1000000');
    connection.close();
    harness = openHarness({ file: name, thread: false });
    const read = () => harness.store.archive.orderEvents(1, 0);
    expect(read).toThrow(FileFault);
    expect(read).toThrow(/order events \d+ to \d+: /);
    expect(read).toThrow(message);
    // Nothing is written to a damaged file.
    await expect(harness.store.close()).rejects.toThrow(message);
  });
});
