import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FROM_SOURCE } from '../program.ts';
import { ended, newFolder, ROOT, start } from './halfspread.ts';
import { runInProcess } from './trading.ts';
import { workspace } from './workspace.ts';

const tag = z.strictObject({ count: z.int(), inside: z.int(), shares: z.int(), pnlMicros: z.int() });
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const tape = z.strictObject({
  name: z.string(),
  sha256: hash,
  events: z.int(),
  from: z.iso.datetime(),
  to: z.iso.datetime(),
});

const mean = z.strictObject({
  bps: z.number(),
  count: z.int(),
  shares: z.int(),
  censored: z.int(),
  interval: z.tuple([z.number(), z.number()]).nullable(),
});
const resultSchema = z.strictObject({
  strategy: z.string(),
  params: z.record(z.string(), z.unknown()),
  seed: z.int(),
  tape,
  tapes: z.array(tape),
  models: z.strictObject({
    latency: z.string(),
    queue: z.string(),
    fees: z.string(),
    liquidity: z.string(),
    mark: z.string(),
  }),
  orders: z.strictObject({
    placed: z.int(),
    cancelled: z.int(),
    reduced: z.int(),
    rejected: z.int(),
    refused: z.int(),
  }),
  orderReasons: z.strictObject({
    rejected: z.record(z.string(), z.int().positive()),
    refused: z.record(z.string(), z.int().positive()),
  }),
  fills: z.strictObject({ count: z.int(), maker: z.int(), taker: z.int(), shares: z.int() }),
  pnl: z.strictObject({
    totalMicros: z.int(),
    realizedMicros: z.int(),
    unrealizedMicros: z.int(),
    feesMicros: z.int(),
    commissionMicros: z.int(),
    settlementMicros: z.int(),
  }),
  split: z.strictObject({
    spreadMicros: z.int(),
    inventoryMicros: z.int(),
    settlementMicros: z.int(),
    feesMicros: z.int(),
    rewardsMicros: z.int(),
    roundingMicros: z.int(),
  }),
  rewards: z.strictObject({ rebatesMicros: z.int(), liquidityMicros: z.int() }),
  strategies: z.array(
    z.strictObject({
      name: z.string(),
      fills: z.int(),
      makerFills: z.int(),
      shares: z.int(),
      feesMicros: z.int(),
      pnlMicros: z.int(),
    }),
  ),
  markets: z.array(
    z.strictObject({
      slug: z.string(),
      payout: z.union([z.int(), z.literal('CANCELLED')]).nullable(),
      fills: z.int(),
      ownShares: z.int(),
      recordedShares: z.int(),
      pnlMicros: z.int(),
      maxInventoryShares: z.int(),
    }),
  ),
  inSample: z.boolean(),
  fillsByTag: z.record(z.string(), tag),
  markouts: z.strictObject({
    effective: mean.nullable(),
    horizons: z.array(z.strictObject({ label: z.string(), mean: mean.nullable() })).length(8),
  }),
  quoting: z
    .strictObject({
      levels: z.array(
        z.strictObject({
          side: z.enum(['bid', 'ask']),
          level: z.int().min(1),
          orders: z.int().min(1),
          placedShares: z.int(),
          filledShares: z.int(),
        }),
      ),
      queueAhead: z.strictObject({ count: z.int(), atPlacing: z.number(), atFill: z.number().nullable() }).nullable(),
      markets: z.array(
        z.strictObject({
          slug: z.string(),
          twoSided: z.number().min(0).max(1).nullable(),
          atBestBid: z.number().min(0).max(1).nullable(),
          atBestAsk: z.number().min(0).max(1).nullable(),
          halfLifeMs: z.number().nullable(),
          worstCaseMicros: z.int().min(0),
          mergeableShares: z.int().min(0),
        }),
      ),
      events: z.array(z.strictObject({ event: z.string(), worstCaseMicros: z.int() })),
      sharpe: z.null(),
    })
    .nullable(),
  capitalInUse: z.strictObject({
    meanMicros: z.int(),
    maxMicros: z.int(),
    returnOnMean: z.number(),
    returnPerDay: z.number().nullable(),
  }),
  volumeShare: z.number().nullable(),
  maxDrawdownMicros: z.int(),
  maxInventoryShares: z.int(),
  eventLogHash: hash,
  stateHash: hash,
  wallMs: z.number(),
  eventsPerSecond: z.number(),
  peakRssMb: z.number(),
  report: z.string().nullable(),
});

// The event log's hash covers the strategy's source with its comments. The state's hash covers the result.
const DEMO_HASHES = {
  eventLogHash: '64df3026ef778c1cba3541d8700ab1b6a58a5546a7da336067318ac44aced423',
  stateHash: '77328ccd518da54fd8f6c04d9d5ae92fb8a71af299139cc078e0397727b2036e',
};

async function result(args: readonly string[], cwd?: string) {
  const { code, stdout, stderr } = await runInProcess(['backtest', ...args, '--json'], cwd);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^\{.*\}\n$/);
  return resultSchema.parse(JSON.parse(stdout));
}

describe('halfspread backtest', () => {
  it('prints one JSON object with --json, and its parts add up', async () => {
    const { pnl, split, orders, orderReasons, fills, fillsByTag, report, ...hashes } = await result([
      'config/demo.yaml',
      '--no-report',
    ]);
    expect(hashes).toMatchObject(DEMO_HASHES);
    expect(pnl.realizedMicros + pnl.unrealizedMicros).toBe(pnl.totalMicros);
    expect(Object.values(split).reduce((sum, part) => sum + part, 0)).toBe(pnl.totalMicros);
    expect(Object.values(fillsByTag).reduce((sum, { count }) => sum + count, 0)).toBe(fills.count);
    for (const outcome of ['rejected', 'refused'] as const) {
      const counts = Object.values(orderReasons[outcome]);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(orders[outcome]);
      expect(counts).toEqual(counts.toSorted((a, b) => b - a));
    }
    expect(fills.maker + fills.taker).toBe(fills.count);
    expect(fills.count).toBeGreaterThan(100);
    expect(report).toBeNull();
  });

  it('gives the same hashes on every run and on every Node version', async () => {
    // The previous test checks the hashes of the demo.
    expect(await result(['config/avellaneda-stoikov.yaml', '--no-report'])).toMatchObject({
      eventLogHash: 'c5f075d18c5e89891c2d22d266837ebcb1b61de4cd9cf9edb27d4e8fc2450c5e',
      stateHash: 'a9de6578e568309141ccc800a31fa2540dad903612a6cd08ba92ab36d1eaad64',
    });
  });

  it('gives different hashes for a different seed and for a different parameter', async () => {
    const { folder } = workspace();
    const runs = [[], ['--seed', '2'], ['--set', 'params.order_amount=21'], []];
    const results = [];
    for (const args of runs) results.push(await result(['run.yaml', '--no-report', ...args], folder));
    const [first, seed, parameter, again] = results.map(({ eventLogHash }) => eventLogHash);
    expect(again).toBe(first);
    expect(new Set([first, seed, parameter]).size).toBe(3);
    expect(results[1]?.seed).toBe(2);
    expect(results[2]?.params).toMatchObject({ order_amount: 21 });
  });

  it('prefers a strategy in the working folder to a shipped one with the same name', async () => {
    const { folder, write } = workspace();
    const text = readFileSync(join(ROOT, 'strategies/ladder/strategy.ts'), 'utf8');
    cpSync(join(ROOT, 'strategies/ladder'), join(folder, 'strategies/ladder'), { recursive: true });
    write('strategies/ladder/strategy.ts', text.replace('(params, mid,', '(params, mid - 500,'));
    const own = await result(['run.yaml', '--no-report'], folder);
    const shipped = await result([join(folder, 'run.yaml'), '--no-report'], newFolder());
    expect(own.eventLogHash).not.toBe(shipped.eventLogHash);
    expect(own.strategy).toBe('ladder');
  });
});

describe('a risk limit of a backtest', () => {
  it.each([
    ['max_order=19', 'MAX_ORDER'],
    ['max_open_orders=1', 'MAX_OPEN_ORDERS'],
  ])('risk.%s refuses quotes, and orderReasons counts them as %s', async (limit, code) => {
    const args = ['backtest', 'run.yaml', '--no-report', '--json', '--set', `risk.${limit}`];
    const { stdout } = await runInProcess(args, workspace().folder);
    const { orderReasons } = z.object({ orderReasons: resultSchema.shape.orderReasons }).parse(JSON.parse(stdout));
    expect(orderReasons.refused[code]).toBeGreaterThan(0);
  });
});

describe('a copy inside node_modules', () => {
  it('reports that the package was not built and how to build it', async () => {
    const folder = join(newFolder(), 'node_modules/halfspread');
    cpSync(join(ROOT, 'bin'), join(folder, 'bin'), { recursive: true });
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
    const file = join(folder, 'bin/halfspread.js');
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, '--version'], {
      encoding: 'utf8',
      timeout: 120_000,
    });
    expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
    expect(stderr).toMatch(
      /^halfspread was packed from a checkout without being built: .*\nFix: .*\n {2}npm install <tarball>\n/,
    );
  });
});

describe('a Node that is too old', () => {
  it('gets an error with a remedy, in plain JavaScript', async () => {
    const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.4" } })';
    const nodeArgs = ['--import', `data:text/javascript,${encodeURIComponent(old)}`];
    const child = start(['backtest', 'config/demo.yaml'], ROOT, nodeArgs, FROM_SOURCE);
    const { code, stdout, stderr } = await ended(child);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/^halfspread needs Node 22\.18 or newer .* this is Node 20\.19\.4/);
    expect(stderr).toContain('\n  npx halfspread backtest config/demo.yaml\n');
  });
});
