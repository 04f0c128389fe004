import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { checkDatabase, checkStrategy } from '../../../src/ops/doctor/local-check.ts';
import { checkLimits } from '../../../src/ops/doctor/market-check.ts';
import { type Finding, marketFindings, type PreflightInput } from '../../../src/ops/doctor/preflight.ts';
import { LIMIT_KEYS, riskLimits, riskSchema } from '../../../src/risk/index.ts';
import { laterVersion } from '../../../src/store/index.ts';
import { BotHarness } from '../../store/bot/bot-harness.ts';

const NO_LIMITS = Object.fromEntries(LIMIT_KEYS.map((key) => [key, 'none']));

function settingsWith(risk: object): PreflightInput['settings'] {
  return {
    ids: [],
    slugs: [],
    filter: undefined,
    maxMarkets: 0,
    hasSelection: false,
    risk: riskLimits(riskSchema.parse({ ...NO_LIMITS, ...risk })),
    heartbeatMs: undefined,
    clockSkewMs: 0,
    priceIn: () => undefined,
  };
}

const textOf = ({ status, message }: Finding) => `${status} ${message}`;

/** Status and message of each finding about a strategy with this `order_amount`. `max_order` is the only limit. */
function findings(maxOrder: number | 'none', orderAmount: number | undefined): readonly string[] {
  const strategy = { names: ['maker'], orderAmount };
  return checkStrategy({ strategy, settings: settingsWith({ max_order: maxOrder }) }).map(textOf);
}

/** Status and message of each finding about these limits at a venue whose smallest bet is 10 cents. */
async function limitFindings(risk: object): Promise<readonly string[]> {
  const http = {
    request: async () => ({
      minHeartbeatMs: 1,
      maxHeartbeatMs: 2,
      minBetCents: 10,
      maxExposurePerMarketCents: 1e6,
      maxBetPerMarketCents: 1e6,
    }),
  };
  return (await checkLimits({ http, settings: settingsWith(risk) })).map(textOf);
}

describe('doctor', () => {
  it('warns of an order_amount above max_order', () => {
    expect(findings(500, 500)).toEqual(['ok maker, with valid parameters']);
    expect(findings(500, 500.01)).toEqual([
      'warn risk.max_order 500 refuses quotes of order_amount 500.01 at any price',
    ]);
  });

  it.each(LIMIT_KEYS.filter((key) => key.includes('notional')))(
    "warns of %s below the venue's smallest bet",
    async (key) => {
      expect(await limitFindings({ [key]: 0.1 })).toEqual(["ok the configuration's limits are within the venue's"]);
      expect(await limitFindings({ [key]: 0.09 })).toEqual([
        `warn risk.${key} 0.09 refuses the venue's smallest bet of 10 cents at any price`,
      ]);
    },
  );

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

  it('reports that it did not check all markets that the bot may trade', () => {
    const markets = { closed: [], tooExpensive: [] };
    expect(marketFindings({ ...markets, count: 1, isComplete: true }, 0).map(textOf)).toEqual([
      'ok 1 market accepts orders',
    ]);
    expect(marketFindings({ ...markets, count: 20, isComplete: false }, 0).map(textOf)).toEqual([
      'ok 20 markets accept orders; only those with the most volume were checked, the bot may trade others',
    ]);
  });

  it('does not warn without an order_amount or without max_order', () => {
    expect(findings(0, undefined)).toEqual(['ok maker, with valid parameters']);
    expect(findings('none', 1e9)).toEqual(['ok maker, with valid parameters']);
  });
});
