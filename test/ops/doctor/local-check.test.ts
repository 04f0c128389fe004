import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase, checkStrategy } from '../../../src/ops/doctor/local-check.ts';
import { openMarketsText, type PreflightInput } from '../../../src/ops/doctor/preflight.ts';
import { LIMIT_KEYS, riskLimits, riskSchema } from '../../../src/risk/index.ts';
import { laterVersion } from '../../../src/store/index.ts';
import { BotHarness } from '../../store/bot/bot-harness.ts';

const NO_LIMITS = Object.fromEntries(LIMIT_KEYS.map((key) => [key, 'none']));

/** Status and message of each finding about a strategy with this `order_amount`, where `max_order` is the only limit. */
function findings(maxOrder: number | 'none', orderAmount: number | undefined): readonly string[] {
  const strategy = { names: ['maker'], problem: undefined, doubt: undefined, unreadSignals: undefined, orderAmount };
  const settings: PreflightInput['settings'] = {
    ids: [],
    slugs: [],
    filter: undefined,
    most: 0,
    hasSelection: false,
    risk: riskLimits(riskSchema.parse({ ...NO_LIMITS, max_order: maxOrder })),
    heartbeatMs: undefined,
    clockSkewMs: 0,
    priceIn: () => undefined,
  };
  return checkStrategy({ strategy, settings }).map(({ status, message }) => `${status} ${message}`);
}

describe('doctor', () => {
  it('warns of an order_amount above max_order', () => {
    expect(findings(500, 500)).toEqual(['ok maker, with valid parameters']);
    expect(findings(500, 500.01)).toEqual([
      'warn risk.max_order 500 refuses quotes of order_amount 500.01 at any price',
    ]);
  });

  it('refuses a database that a later version of the program wrote', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'doctor-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const path = join(folder, 'bot.db');
    expect(laterVersion(path)).toBeUndefined();
    await BotHarness.open({ file: path }).store.close(1);
    expect(laterVersion(path)).toBeUndefined();
    const database = new Database(path);
    database.pragma('user_version = 999');
    database.close();
    const version = laterVersion(path) ?? 0;
    expect(checkDatabase({ laterDatabase: { path, version } })).toMatchObject([
      { name: 'database', status: 'fail', message: `${path} has version 999, which is newer than this program` },
    ]);
    expect(checkDatabase({ laterDatabase: undefined })).toEqual([]);
  });

  it('says that it did not check all markets that the bot may trade', () => {
    expect(openMarketsText(1, true)).toBe('1 market takes orders');
    expect(openMarketsText(20, false)).toBe(
      '20 markets take orders; only those with the most volume were checked, the bot may trade others',
    );
  });

  it('does not warn without an order_amount or without max_order', () => {
    expect(findings(0, undefined)).toEqual(['ok maker, with valid parameters']);
    expect(findings('none', 1e9)).toEqual(['ok maker, with valid parameters']);
  });
});
