import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseRunSpec, runBacktest } from '../../src/backtest/index.ts';
import { FileFault } from '../../src/domain/index.ts';
import { forgeTape, scratchFolder, writeTape } from '../history/scratch.ts';
import { anyBlocksOf, type Message } from '../tape/rows.ts';
import { headOf, MESSAGES, message, options, QUOTER, row, runScenario } from './scenario.ts';

describe('runBacktest', () => {
  it('splits the P&L into fill, price rise and payout, exact to the micro-dollar', async () => {
    const { result, detail } = await runScenario(MESSAGES, QUOTER, headOf('scenario', 1, 1, 500));
    expect(result.fills).toEqual({ count: 1, maker: 1, taker: 0, shares: 10_000_000 });
    expect(result.split).toEqual({
      spreadMicros: 300_000,
      inventoryMicros: 200_000,
      settlementMicros: 4_300_000,
      feesMicros: -240_000,
      rewardsMicros: 0,
      roundingMicros: 0,
    });
    expect(result.pnl).toEqual({
      totalMicros: 4_560_000,
      realizedMicros: 4_560_000,
      unrealizedMicros: 0,
      feesMicros: -240_000,
      commissionMicros: -240_000,
      settlementMicros: 4_800_000,
    });
    expect(result.fillsByTag).toEqual({ through: { count: 1, inside: 1, shares: 10_000_000, pnlMicros: 4_800_000 } });
    expect(result.volumeShare).toBe(1);
    expect(result.maxDrawdownMicros).toBe(240_000);
    expect(result.maxInventoryShares).toBe(10_000_000);
    expect(result.tape).toMatchObject({
      name: 'scenario',
      events: 6,
      from: '1970-01-01T00:00:01.000Z',
      to: '1970-01-01T00:00:20.000Z',
    });
    expect(detail.effective.own).toMatchObject({ bps: 300, count: 1, censored: 0, interval: undefined });
    expect(detail.horizons.map(({ label, own }) => [label, own?.bps])).toEqual([
      ['1 s', 300],
      ['5 s', 500],
      ['30 s', 4_800],
      ['1 m', 4_800],
      ['5 m', 4_800],
      ['15 m', 4_800],
      ['1 h', 4_800],
      ['resolution', 4_800],
    ]);
    expect(result.markouts.effective).toEqual({
      bps: 300,
      count: 1,
      shares: 10_000_000,
      censored: 0,
      interval: null,
    });
    expect(result.markouts.horizons.map(({ label, mean }) => [label, mean?.bps])).toEqual(
      detail.horizons.map(({ label, own }) => [label, own?.bps]),
    );
    // The recorded maker of the print bought at 51 with the mid at 55.
    expect(detail.effective.recorded?.bps).toBe(400);
    expect(detail.levels).toEqual([{ side: 'bid', level: 1, count: 1, shares: 10_000_000 }]);
    expect(detail.markets[0]).toMatchObject({ payout: 10_000, fills: 1, pnlMicros: 4_560_000 });
    expect(detail.equity.value.at(-1)).toBe(1_004_560_000);
    expect(detail.drawdown.value.at(-1)).toBe(240_000);
  });

  it('measures the capital in use and its duration', async () => {
    const { detail, result } = await runScenario(MESSAGES, QUOTER);
    // $5.20 is in use from 1.050 s, when the bid is sent, to 20.170 s, when the claim is answered.
    expect(detail.capital.maxInUseMicros).toBe(5_200_000);
    const dollarDays = (5.2 * (20_170 - 1_050)) / 86_400_000;
    expect(detail.capital.returnPerDollarDay).toBeCloseTo(result.pnl.totalMicros / 1_000_000 / dollarDays, 6);
    expect(detail.capital.sharpe).toBeUndefined();
    // Nineteen seconds are too short for a daily rate.
    const { meanMicros } = result.capitalInUse;
    expect(meanMicros).toBeGreaterThan(0);
    expect(result.capitalInUse).toEqual({
      meanMicros,
      maxMicros: 5_200_000,
      returnOnMean: result.pnl.totalMicros / meanMicros,
      returnPerDay: null,
    });
  });

  it('counts orders by outcome', async () => {
    const { result } = await runScenario(MESSAGES, QUOTER);
    expect(result.orders).toEqual({ placed: 1, cancelled: 0, reduced: 0, rejected: 0, refused: 0 });
    const open = await runScenario(MESSAGES.slice(0, 1), QUOTER);
    expect(open.result.orders).toEqual({ placed: 1, cancelled: 1, reduced: 0, rejected: 0, refused: 0 });
  });

  it('values unresolved positions at the last mark, and reports that', async () => {
    const { result, detail } = await runScenario(MESSAGES.slice(0, 3), QUOTER);
    expect(result.pnl).toMatchObject({ totalMicros: 500_000, realizedMicros: 0, unrealizedMicros: 500_000 });
    expect(result.split).toMatchObject({ spreadMicros: 300_000, inventoryMicros: 200_000, settlementMicros: 0 });
    expect(detail.markets[0]?.payout).toBeUndefined();
    expect(detail.warnings.join(' ')).toContain('did not resolve within the replay');
    expect(detail.horizons.at(-1)).toEqual({ label: 'resolution', own: undefined, recorded: undefined });
  });

  it('charges takers their fee once', async () => {
    const messages = [
      message(1_000, row.open(), row.bid(5_000, 100), row.ask(6_000, 100)),
      message(30_000, row.resolved(0)),
    ];
    const { result } = await runScenario(messages, { strategy: 'taker', fees: { model: 'taker', rate_bps: 200 } });
    // 10 shares at 60 cents: 2 % of 0.6 x 0.4 a share.
    expect(result.pnl).toMatchObject({ totalMicros: -6_048_000, feesMicros: -48_000, settlementMicros: -6_000_000 });
    expect(result.fillsByTag).toEqual({ taker: { count: 1, inside: 0, shares: 10_000_000, pnlMicros: -6_048_000 } });
    expect(result.fills).toMatchObject({ maker: 0, taker: 1 });
  });

  it('has the same event hash twice, and another one for a different seed, parameter, latency or tape', async () => {
    const hash = async (spec: object, head = headOf('scenario')): Promise<string> =>
      (await runScenario(MESSAGES, { ...QUOTER, ...spec }, head)).result.eventLogHash;
    const first = await hash({});
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await hash({})).toBe(first);
    expect(await hash({}, headOf('another name'))).toBe(first);
    expect(await hash({ seed: 2 })).not.toBe(first);
    expect(await hash({ params: { bid: 5_200, shares: 10, ask: 9_900 } })).not.toBe(first);
    expect(await hash({ latency: { model: 'constant', entry_ms: 81 } })).not.toBe(first);
    const shorter = (await runScenario(MESSAGES.slice(0, 3), QUOTER)).result.eventLogHash;
    expect(shorter).not.toBe(first);
  });

  it('starts with the book that the rows before the window produce', async () => {
    const { result, detail } = await runScenario(MESSAGES, { ...QUOTER, from: '1970-01-01T00:00:02Z' });
    expect(result.fills.count).toBe(1);
    expect(result.tape).toMatchObject({ events: 3, from: '1970-01-01T00:00:05.000Z' });
    expect(detail.effective.own?.bps).toBe(300);
    const late = await runScenario(MESSAGES, { ...QUOTER, from: '1970-01-01T00:00:06Z', to: '1970-01-01T00:00:15Z' });
    expect(late.result.fills.count).toBe(0);
    expect(late.result.tape).toMatchObject({ events: 1, to: '1970-01-01T00:00:10.000Z' });
    expect(late.detail.warnings.join(' ')).toContain('Nothing was filled');
  });

  it('refuses a window without rows and an end before its start', async () => {
    await expect(runScenario(MESSAGES, { ...QUOTER, from: '1990-01-01T00:00:00Z' })).rejects.toThrow(
      /^from: expected a time between/,
    );
    await expect(
      runScenario(MESSAGES, { ...QUOTER, from: '1970-01-01T00:00:09Z', to: '1970-01-01T00:00:09Z' }),
    ).rejects.toThrow(/^to: expected a time after "from"/);
  });

  it('replays several tapes in order of time', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, headOf('first'));
    const other = [
      message(1_500, row.open(), row.bid(3_000, 100), row.ask(4_000, 100)),
      message(6_000, row.print('BUY', 3_900, 10)),
      message(25_000, row.resolved(0)),
    ];
    writeTape(join(folder, 'b.tape'), other, headOf('second', 1, 2));
    const spec = parseRunSpec({ ...QUOTER, tapes: ['a.tape', 'b.tape'], report_dir: null });
    const { result, detail } = await runBacktest(spec, options(folder));
    expect(result.tape).toMatchObject({ name: 'first + second', events: 11, to: '1970-01-01T00:00:25.000Z' });
    expect(result.tapes.map(({ name, events }) => [name, events])).toEqual([
      ['first', 6],
      ['second', 5],
    ]);
    expect(detail.markets.map(({ slug, payout }) => [slug, payout])).toEqual([
      ['market-1', 10_000],
      ['market-2', 0],
    ]);
    expect(detail.markets[0]?.fills).toBe(1);
  });

  it('refuses the same market twice', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, headOf('first'));
    const spec = parseRunSpec({ ...QUOTER, tapes: ['a.tape', 'a.tape'], report_dir: null });
    await expect(runBacktest(spec, options(folder))).rejects.toThrow(
      /^tapes\[1\]: expected a tape without the market market-1/,
    );
  });

  it('names the report after strategy and tape, and replaces it with the same bytes in a second run', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, headOf('a/../scenario <1>'));
    const spec = parseRunSpec({ ...QUOTER, tapes: ['a.tape'], report_dir: join(folder, 'deep', 'reports') });
    const first = await runBacktest(spec, options(folder));
    const path = first.result.report ?? '';
    expect(path.startsWith(join(folder, 'deep', 'reports', 'quoter-a-..-scenario-1-'))).toBe(true);
    expect(readdirSync(join(folder, 'deep', 'reports'))).toHaveLength(1);
    const page = readFileSync(path, 'utf8');
    expect(page.endsWith('</html>\n')).toBe(true);
    writeFileSync(path, 'old');
    await runBacktest(spec, options(folder));
    expect(readFileSync(path, 'utf8')).toBe(page);
  });

  it('rejects with the error that the strategy threw, and writes nothing', async () => {
    const folder = scratchFolder();
    const quiet = Array.from({ length: 6 }, (_, index) => message(2_000 + index, row.bid(4_000 + 100 * index, 5)));
    writeTape(join(folder, 'a.tape'), [...MESSAGES.slice(0, 1), ...quiet], headOf('scenario'));
    const reports = join(folder, 'reports');
    const spec = parseRunSpec({ strategy: 'thrower', tapes: ['a.tape'], report_dir: reports });
    const fault: unknown = await runBacktest(spec, options(folder)).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    expect(fault).toMatchObject({ name: 'StrategyFault', cause: { message: 'the strategy slipped' } });
    expect(existsSync(reports)).toBe(false);
  });

  it('stops at the signal, between slices, and writes nothing', async () => {
    const folder = scratchFolder();
    writeTape(join(folder, 'a.tape'), MESSAGES, headOf('scenario'));
    const reports = join(folder, 'reports');
    const spec = parseRunSpec({ ...QUOTER, tapes: ['a.tape'], report_dir: reports });
    const controller = new AbortController();
    const progress: number[] = [];
    const running = runBacktest(
      spec,
      options(folder, {
        signal: controller.signal,
        onProgress: ({ rows }) => {
          progress.push(rows);
          controller.abort();
        },
      }),
    );
    await expect(running).rejects.toMatchObject({ code: 'ABORTED' });
    expect(progress).toHaveLength(1);
    expect(existsSync(reports)).toBe(false);
    await expect(runBacktest(spec, options(folder, { signal: AbortSignal.abort() }))).rejects.toMatchObject({
      code: 'ABORTED',
    });
  });

  it('refuses strategy sources that do not have the sha256 of the run', async () => {
    const pinned = { ...QUOTER, strategy_sha256: '0'.repeat(64) };
    await expect(runScenario(MESSAGES, pinned)).rejects.toThrow(
      /quoter[\\/]strategy\.ts: the sources have sha256 [0-9a-f]{64}/,
    );
  });

  it('names the parameter that the strategy refuses', async () => {
    await expect(runScenario(MESSAGES, { strategy: 'quoter', params: { bit: 3 } })).rejects.toThrow(
      /^params\.bit: .*did you mean "bid"/,
    );
  });

  it('ignores rows about a market after its end, unless they end it differently', async () => {
    const folder = scratchFolder();
    const runForged = (...added: Message[]) => {
      forgeTape(join(folder, 'a.tape'), anyBlocksOf([...MESSAGES, ...added]), headOf('scenario'));
      return runBacktest(parseRunSpec({ tapes: ['a.tape'], report_dir: null, ...QUOTER }), options(folder));
    };
    const { result } = await runForged(message(21_000, row.halt()), message(22_000, row.resolved(10_000)));
    expect(result.pnl).toEqual((await runScenario(MESSAGES, QUOTER)).result.pnl);
    const contradiction = runForged(message(22_000, row.resolved(0)));
    await expect(contradiction).rejects.toThrow(FileFault);
    await expect(contradiction).rejects.toThrow(/a\.tape, row \d+, 1970-.*resolves to 0 after it resolved to 10000/);
  });

  it('leaves no partial result after a damaged tape', async () => {
    const folder = scratchFolder();
    const path = join(folder, 'a.tape');
    writeTape(path, MESSAGES, headOf('scenario'));
    const bytes = readFileSync(path);
    bytes[40] = (bytes[40] ?? 0) ^ 1;
    writeFileSync(path, bytes);
    const spec = parseRunSpec({ ...QUOTER, tapes: ['a.tape'], report_dir: join(folder, 'reports') });
    await expect(runBacktest(spec, options(folder))).rejects.toMatchObject({ code: 'FILE' });
    expect(existsSync(join(folder, 'reports'))).toBe(false);
  });
});
