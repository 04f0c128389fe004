import { default as Database } from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/clock/index.ts';
import { decodeId, encodeId, idKey } from '../../../src/store/sqlite/column-values.ts';
import { connect, MEMORY, prepareFile } from '../../../src/store/sqlite/database.ts';
import { DatabaseReads } from '../../../src/store/sqlite/database-reads.ts';
import { MIGRATIONS, type Migration } from '../../../src/store/sqlite/migrations.ts';
import { createKeyWriter, type KeyPart, OrderKeys } from '../../../src/store/sqlite/order-keys.ts';

type Connection = ReturnType<typeof connect>;

const opened: Connection[] = [];
afterEach(() => {
  for (const connection of opened.splice(0)) connection.close();
});

/** A database with minimal orders that have ids. */
function database(steps: readonly Migration[] = MIGRATIONS) {
  const connection = connect(MEMORY, { cacheMb: 8 });
  opened.push(connection);
  prepareFile(MEMORY, connection, steps);
  const insert = connection.prepare<[number, Buffer | string, number]>(
    `INSERT INTO orders (no, account, market, kind, price, shares, filled, amount, fee, force, post_only, expiration,
      status, reason, group_no, seq, created_at, updated_at, id, id_key)
      VALUES (?, 1, 1, 0, 5000, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, ?, ?)`,
  );
  return { connection, insert: (order: number, id: string) => insert.run(order, encodeId(id), idKey(id)) };
}

/** A digest with one of few keys, so that orders often collide. */
function idOf(order: number, key: number): string {
  return `0x${order.toString(16).padStart(52, '0')}${key.toString(16).padStart(12, '0')}`;
}

const indexedCount = (connection: Connection): number =>
  connection.prepare<[], number>('SELECT count(*) FROM order_keys').pluck().get() ?? 0;

describe('the index by id', () => {
  it('finds every order in every state, also after a restart at any time', () => {
    const { connection, insert } = database();
    const random = seededRandom(7);
    const write = createKeyWriter(connection);
    let keys = new OrderKeys(new DatabaseReads(MEMORY, connection));
    const ids: string[] = [];
    const absent = () => idOf(999_999, 2 ** 36 * random.int(4_000));
    const check = (times: number) => {
      if (ids.length === 0) return;
      for (let time = 0; time < times; time += 1) {
        const order = 1 + random.int(ids.length);
        const id = ids[order - 1] ?? '';
        expect(keys.find(idKey(id), encodeId(id))).toBe(order);
        const other = absent();
        expect(keys.find(idKey(other), encodeId(other))).toBe(undefined);
      }
    };
    let parts = 0;
    for (let batch = 0; batch < 300; batch += 1) {
      const part: KeyPart | undefined = keys.takeKeysToIndex();
      check(6);
      const begin = ids.length;
      const count = batch % 50 === 49 ? 5_000 : random.int(400) + 1;
      connection.transaction(() => {
        for (let left = count; left > 0; left -= 1) {
          ids.push(idOf(ids.length + 1, 2 ** 36 * random.int(4_000)));
          insert(ids.length, ids.at(-1) ?? '');
        }
        if (part !== undefined) write(part);
      })();
      if (part !== undefined) {
        parts += 1;
        keys.onWritten();
      }
      if (batch % 40 === 39) keys = new OrderKeys(new DatabaseReads(MEMORY, connection));
      else for (let order = begin + 1; order <= ids.length; order += 1) keys.add(order, idKey(ids[order - 1] ?? ''));
      check(6);
    }
    expect(parts).toBeGreaterThan(30);
    expect(connection.prepare('SELECT indexed FROM head').pluck().get()).toBeGreaterThan(10_000);
    // Pending keys do not stay in memory.
    expect([...keys.waiting()].length).toBeLessThan(ids.length);
    for (const [at, id] of ids.entries()) {
      if (at % 7 === 0) expect(keys.find(idKey(id), encodeId(id))).toBe(at + 1);
    }
  });

  it('may be queried for texts that are not digests', () => {
    const { connection, insert } = database();
    const keys = new OrderKeys(new DatabaseReads(MEMORY, connection));
    for (const [at, id] of ['', 'good', '0xgood', `0x${'A'.repeat(64)}`, 'half a pair \ud800'].entries()) {
      insert(at + 1, id);
      keys.add(at + 1, idKey(id));
      expect(keys.find(idKey(id), encodeId(id))).toBe(at + 1);
      expect(decodeId(encodeId(id))).toBe(id);
    }
    expect(keys.find(idKey('bad'), encodeId('bad'))).toBe(undefined);
  });

  it('reads the index of an earlier version', () => {
    const { connection, insert } = database(MIGRATIONS.slice(0, 3));
    const ids = Array.from({ length: 50 }, (_, at) => idOf(at + 1, at % 40));
    for (const [at, id] of ids.entries()) insert(at + 1, id);
    prepareFile(MEMORY, connection);
    const keys = new OrderKeys(new DatabaseReads(MEMORY, connection));
    expect([...keys.waiting()]).toEqual([]);
    expect(indexedCount(connection)).toBe(50);
    for (const [at, id] of ids.entries()) expect(keys.find(idKey(id), encodeId(id))).toBe(at + 1);
  });

  it('refuses a whole batch when one row of a statement fails', () => {
    const { connection } = database();
    const write = createKeyWriter(connection);
    const pairs = Float64Array.from([...Array.from({ length: 32 }, (_, at) => at), 0.5, 1]);
    expect(() => connection.transaction(() => write({ pairs, indexed: 7 }))()).toThrow(Database.SqliteError);
    expect(indexedCount(connection)).toBe(0);
  });
});
