import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { compareEvents } from '../../../src/store/sqlite/row-rebuild.ts';

const EVENTS = `CREATE TABLE order_events (id INTEGER PRIMARY KEY, previous, account, market, order_no, kind, shares, filled,
  amount, fee, status, reason, at)`;
const row = (id: number): string => `INSERT INTO order_events VALUES (${id}, 0, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0)`;

describe('comparing order events', () => {
  it('closes its connection when the file cannot be read to its end', () => {
    const rebuilt = new Database('');
    rebuilt.exec(`${EVENTS}; CREATE TABLE event_blocks (last, count); ${row(1)}; ${row(2)}`);
    const file = new Database('');
    // Reading its rows fails as on a damaged page.
    file.exec(
      `${EVENTS}; ${row(1)}; CREATE VIEW event_blocks AS SELECT abs(-9223372036854775807 - 1) AS last, 1 AS count`,
    );
    expect(() => [...compareEvents(file, rebuilt, 0, 100)]).toThrow('integer overflow');
    expect(() => rebuilt.close()).not.toThrow();
    file.close();
  });
});
