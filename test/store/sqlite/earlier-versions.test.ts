/** Databases of earlier versions of the program. */
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { MARKET_STATISTICS, STATISTIC_NAMES } from '../../../src/exchange/index.ts';
import { addStatistic, MIGRATIONS } from '../../../src/store/sqlite/migrations.ts';
import { assertAgreement } from './agreement.ts';
import { databaseFiles, toVersion } from './files.ts';
import { openHarness } from './harness.ts';
import { checkFile, smallVenue } from './small-venue.ts';

const file = databaseFiles();
/** Earlier versions store each order event in its own row; see event-blocks.test.ts. */
const FIRST = 5;
/** The first version that can reverse trades. */
const REVERSALS = 9;
const VERSIONS = Array.from({ length: MIGRATIONS.length - FIRST }, (_, index) => FIRST + index);

it.each(VERSIONS)('a database of version %i opens with rows that agree with its records', async (version) => {
  const name = file();
  await smallVenue(name, { hasReversals: version >= REVERSALS });
  toVersion(name, version);
  const { store, recovery } = openHarness({ file: name, thread: false });
  assertAgreement(store.archive, recovery.machine.view);
  await store.close();
  expect(checkFile(name)).toMatchObject({ structure: [], records: [], states: [], rows: [] });
});

it.each(STATISTIC_NAMES)(
  'the migration that adds the statistic %s computes its value for each market',
  async (name) => {
    const path = file();
    await smallVenue(path);
    const database = new Database(path);
    const { column } = MARKET_STATISTICS[name];
    const values = database.prepare<[], number>(`SELECT ${column} FROM markets ORDER BY market`).pluck();
    const before = values.all();
    expect(before.some((value) => value > 0)).toBe(true);
    database.exec(`ALTER TABLE markets DROP COLUMN ${column}`);
    const step = addStatistic(name);
    database.exec(typeof step === 'string' ? step : step.sql);
    expect(values.all()).toEqual(before);
    database.close();
  },
);
