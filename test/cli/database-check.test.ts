import {
  closeSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { default as Database } from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { databaseCheck } from '../../src/cli/actions/database-check.ts';
import { listenForInterrupt } from '../../src/cli/output/terminal.ts';
import { NOT_COMPARED } from '../../src/store/index.ts';
import { openLiveVenue } from '../server/live-venue.ts';
import { runInProcess } from './trading.ts';

const folder = mkdtempSync(join(tmpdir(), 'halfspread-check-'));
const good = join(folder, 'venue.db');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeAll(async () => {
  const venue = await openLiveVenue({ db: good });
  const [maker, taker] = [await venue.openTrader(1), await venue.openTrader(2)];
  for (const priceBps of [4_000, 4_100, 4_200]) await maker.place({ priceBps, size: 10 });
  await venue.server.operate('snapshot');
  expect((await taker.place({ outcome: 'NO', priceBps: 5_800, size: 4 })).order?.filledShares).toBe(4);
  await maker.place({ priceBps: 3_000, size: 10 });
  await venue.close();
}, 120_000);

function check(file: string) {
  let out = '';
  let code = 0;
  const write = (text: string): void => {
    out += text;
  };
  const output = { write, writeColored: write, isTty: false, columns: 80, colors: false };
  const stream = process.stderr;
  const terminal = { out: { ...output, stream }, err: { ...output, stream }, cwd: folder };
  const setExitCode = (given: number): void => {
    code = given;
  };
  void databaseCheck({ terminal, setExitCode, interruption: listenForInterrupt }, [file], { json: true, replay: true });
  const { structure, records, states, rows, state } = JSON.parse(out);
  return { code, structure, records, states, rows, state };
}

let copies = 0;
/** Copies the database and runs SQL on the copy. @returns the path of the copy */
function damagedCopy(...statements: readonly string[]): string {
  copies += 1;
  const file = join(folder, `copy-${copies}.db`);
  copyFileSync(good, file);
  const connection = new Database(file);
  for (const sql of statements) expect(connection.prepare(sql).run().changes, sql).toBeGreaterThan(0);
  connection.close();
  return file;
}

describe('journal check of a database', () => {
  it('accepts an intact database, lists its contents, and changes nothing', async () => {
    const before = readFileSync(good);
    const { code, stdout, stderr } = await runInProcess(['journal', 'check', 'venue.db'], folder);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^records {7}1 to \d+$/m);
    expect(stdout).toMatch(/^snapshots {5}after record \d+$/m);
    expect(stdout).toMatch(/^state {9}[0-9a-f]{16} after event \d+, 20/m);
    expect(stdout).toMatch(/^holds {9}3 accounts, 1 markets, 4 open orders$/m);
    expect(stdout).toMatch(/^replayed {6}\d+ records from the first$/m);
    expect(stdout).toMatch(/^structure {5}intact\nrecords {7}intact\nstate {9}hashes.*right\nrows {10}intact/m);
    expect(stdout).toMatch(/^compared {6}each column with a replay, of events 1 to \d+$/m);
    expect(stdout.match(/^not compared {2}/gm)).toHaveLength(NOT_COMPARED.length);
    expect(stdout).toMatch(
      /\nok: venue\.db\. Checked: structure, checksums, .*, and that the rows of events 1 to \d+ equal a replay of the records\. Not checked: 7 kinds of data above \(`not compared`\), other than by checksum\n$/,
    );
    expect(readFileSync(good).equals(before)).toBe(true);
    expect(readdirSync(folder).filter((name) => !/^(venue|copy-\d+)\.db(-lock)?$/.test(name))).toEqual([]);
  });

  it('refuses a text file, a missing file and a folder', async () => {
    writeFileSync(join(folder, 'text'), 'a text, no database');
    mkdirSync(join(folder, 'journal'));
    for (const [name, problem] of [
      ['text', 'file is not a database'],
      ['nowhere', 'there is no such file. Name the database of a venue'],
      ['journal', 'it is a folder. Name the database file of a venue or a bot'],
    ] as const) {
      const { code, stderr } = await runInProcess(['journal', 'check', name], folder);
      expect({ code, stderr }).toEqual({ code: 3, stderr: expect.stringContaining(problem) });
    }
    expect(readdirSync(join(folder, 'journal'))).toEqual([]);
    rmSync(join(folder, 'text'));
    rmSync(join(folder, 'journal'), { recursive: true });
  });

  it('names the database and the command when it gets the configuration of a bot', async () => {
    const named = await runInProcess(['journal', 'check', 'config/live.yaml']);
    expect(named).toMatchObject({ code: 2, stdout: '' });
    expect(named.stderr).toBe(
      'error: config/live.yaml: this is a configuration. Its database is live.db: npx halfspread journal check live.db\n',
    );
    const backtest = await runInProcess(['journal', 'check', 'config/demo.yaml']);
    expect(backtest.code).toBe(2);
    expect(backtest.stderr).toContain('this is a configuration and names no database');
  });

  it('finds a venue database with another application id', () => {
    const file = join(folder, 'stamp.db');
    copyFileSync(good, file);
    const connection = new Database(file);
    connection.exec('PRAGMA ignore_check_constraints = ON; UPDATE commit_stamp SET id = 2');
    connection.close();
    const { code, structure } = check('stamp.db');
    rmSync(file);
    expect(code).toBe(3);
    expect(structure).toContain('table commit_stamp: its row is missing or has another id, or its checksum is wrong');
  });

  it('prints as its last line that the database is damaged', async () => {
    const file = damagedCopy('UPDATE markets SET volume = 7');
    const { code, stdout } = await runInProcess(['journal', 'check', file], folder);
    expect(code).toBe(3);
    expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
      new RegExp(`^damaged: ${file}, 2 findings \\(lines with !\\)\\. Checked: structure, checksums, .* Not checked: `),
    );
  });

  const nothing = { structure: [], records: [], states: [], rows: [] };
  it.each([
    [
      'a ledger entry with a wrong amount',
      [
        'UPDATE ledger SET amount = amount + 1 WHERE account = 2 AND id = (SELECT min(id) FROM ledger WHERE account = 2)',
      ],
      {
        rows: [
          expect.stringMatching(/^table ledger, row account 2, id \d+: its checksum is wrong$/),
          expect.stringMatching(/^table ledger, row account 2, id \d+: amount is \d+; the records give \d+$/),
          expect.stringMatching(/^account \d+ \(0x[0-9a-f]{40}\): its ledger sums to \d+ micro-USD, it has \d+$/),
        ],
      },
    ],
    [
      'an index by id that lacks one order and has another under a wrong key',
      [
        'UPDATE head SET indexed = 2',
        'INSERT OR IGNORE INTO order_keys SELECT id_key + 1, no FROM orders WHERE no = 1',
        'INSERT OR IGNORE INTO order_keys SELECT id_key, no FROM orders WHERE no = 2',
      ],
      {
        rows: ['order 1: it is missing in the index by id', 'order 1: the index by id has it under a wrong key'],
      },
    ],
    [
      'an order with a wrong filled size',
      ['UPDATE orders SET filled = filled + 10000 WHERE no = 3'],
      {
        rows: [
          'table orders, row no 3: its checksum is wrong',
          expect.stringMatching(/^table orders, row no 3: filled is \d+; the records give \d+$/),
          expect.stringMatching(/^order 3: \d+ micro-shares filled, its fills have \d+$/),
        ],
      },
    ],
    [
      'a missing order',
      ['DELETE FROM orders WHERE no = 4'],
      {
        rows: expect.arrayContaining([
          'orders: 4 in rows, 5 in the state',
          expect.stringMatching(/^fill \d+: its order 4 is missing$/),
        ]),
      },
    ],
    [
      'a market with a wrong volume',
      ['UPDATE markets SET volume = 7'],
      {
        rows: [
          'table markets, row market 0: its checksum is wrong',
          expect.stringMatching(/^table markets, row market 0: volume is 7; the records give \d+$/),
        ],
      },
    ],
    [
      'an account with a wrong address',
      ["UPDATE accounts SET address = '0xab' WHERE account = 2"],
      {
        rows: [
          'table accounts, row account 2: its checksum is wrong',
          expect.stringMatching(
            /^table accounts, row account 2: address is "0xab"; the records give "0x[0-9a-f]{40}"$/,
          ),
        ],
      },
    ],
    [
      'order events that were changed',
      ['UPDATE event_blocks SET bytes = zeroblob(length(bytes)) WHERE last = (SELECT min(last) FROM event_blocks)'],
      { rows: expect.arrayContaining([expect.stringMatching(/^order events \d+ to \d+: their checksum is wrong$/)]) },
    ],
    [
      'an order event in the row format of earlier versions, after the first block of events',
      [
        'INSERT INTO order_events SELECT first, 0, 1, 0, 1, 0, 1, 0, 0, 0, 0, 0, 1 FROM event_blocks ORDER BY last LIMIT 1',
      ],
      {
        rows: expect.arrayContaining([
          expect.stringMatching(/^order events (\d+) to \d+: earlier events go up to \1$/),
        ]),
      },
    ],
  ])('reports %s', (_, statements, found) => {
    const file = damagedCopy(...statements);
    expect(check(file)).toMatchObject({ ...nothing, ...found, code: 3 });
  });

  it('reports which records were changed and that they cannot be replayed', () => {
    const file = damagedCopy(
      'UPDATE journal SET bytes = zeroblob(length(bytes)) WHERE first = (SELECT max(first) FROM journal)',
    );
    const { code, records, states, state, rows } = check(file);
    expect({ code, state, rows }).toEqual({ code: 3, state: undefined, rows: [] });
    expect(records).toEqual([expect.stringMatching(/^records (\d+) to \d+: its checksum is wrong$/)]);
    expect(states).toEqual([expect.stringContaining('checksum')]);
  });

  it('reports which records are missing', () => {
    const file = damagedCopy('DELETE FROM snapshots', 'DELETE FROM journal WHERE first = 5');
    const { code, records, states } = check(file);
    expect(code).toBe(3);
    expect(records).toEqual(['records 5 to 5 are missing']);
    expect(states).toHaveLength(1);
  });

  it('reports an invalid snapshot and replays the records instead', () => {
    const file = damagedCopy('UPDATE snapshot_pieces SET bytes = zeroblob(length(bytes))');
    const { code, records, states, state, rows } = check(file);
    expect({ code, rows }).toEqual({ code: 3, rows: [] });
    expect(records).toEqual([]);
    expect(states).toEqual([
      expect.stringMatching(/^the snapshot after record \d+ cannot be used: .*its checksum is wrong/),
    ]);
    expect(state).toMatchObject({ snapshot: 0, openOrders: 4 });
  });

  it('reports rows that are behind the records', () => {
    const file = damagedCopy('UPDATE head SET seq = seq - 1');
    expect(check(file).rows).toEqual([
      expect.stringMatching(/^the last event that has rows: \d+ in rows, \d+ in the state$/),
    ]);
  });

  it('reports damaged pages with the message of SQLite', () => {
    const file = damagedCopy('UPDATE head SET seq = seq');
    const connection = new Database(file);
    const page = connection.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'fills_of_account'").pluck().get();
    connection.close();
    const handle = openSync(file, 'r+');
    writeSync(handle, Buffer.alloc(100, 0xff), 0, 100, (Number(page) - 1) * 4_096);
    closeSync(handle);
    const { code, structure, records, states, state } = check(file);
    expect({ code, records, states }).toEqual({ code: 3, records: [], states: [] });
    expect(state).toMatchObject({ openOrders: 4 });
    expect(structure).toEqual([expect.stringMatching(/^table fills or an index of it: /)]);
  });

  it('refuses a file that is not a venue database', async () => {
    expect(() => check(join(folder, 'nowhere.db'))).toThrow(/there is no such file/);
    const other = join(folder, 'copy-other.db');
    const connection = new Database(other);
    connection.exec('CREATE TABLE t (x)');
    connection.close();
    expect(() => check(other)).toThrow(/it is not the database of a venue/);
    const old = damagedCopy('UPDATE head SET seq = seq');
    const opened = new Database(old);
    opened.pragma('user_version = 1');
    opened.close();
    expect(() => check(old)).toThrow(
      /it has version 1, but this program reads version \d+\. Start a venue with this file/,
    );
  });

  it('refuses a database in use by a venue', async () => {
    const file = damagedCopy('UPDATE head SET seq = seq');
    const venue = await openLiveVenue({ db: file });
    expect(() => check(file)).toThrow(`process ${process.pid} uses it. Stop that process first, or check a copy`);
    await venue.close();
    expect(check(file)).toMatchObject({ ...nothing, code: 0 });
  });

  it('names the cause when the lock of a database cannot be taken', () => {
    const file = damagedCopy('UPDATE head SET seq = seq');
    writeFileSync(`${file}-lock`, 'not a lock');
    expect(() => check(file)).toThrow(
      /-lock: .*file is not a database.*A lock file must be empty\. Move this file away while no process uses the files of \//,
    );
  });
});
