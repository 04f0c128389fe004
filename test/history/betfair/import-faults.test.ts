import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileFault } from '../../../src/domain/index.ts';
import { importBetfair } from '../../../src/history/index.ts';
import { scratchFolder } from '../scratch.ts';
import { type Change, CLOSED, definition, line, OPEN, recordingOf, rowTexts, runnerChanges, YES } from './recording.ts';

async function faultOf(lines: readonly string[], name?: string): Promise<FileFault> {
  const folder = scratchFolder();
  const recording = recordingOf(folder, lines, name);
  try {
    await importBetfair({ recording, folder: join(folder, 'out') });
  } catch (error) {
    expect(existsSync(join(folder, 'out')) ? readdirSync(join(folder, 'out')) : []).toEqual([]);
    if (error instanceof FileFault) return error;
    throw error;
  }
  throw new Error('the import succeeded');
}

describe('an unusable recording', () => {
  it('is reported with the line when a line is garbled, and leaves no tape', async () => {
    const fault = await faultOf([OPEN, line(2, {}), '{"op":"mcm","pt":3,"mc":[{"id":"1.1","rc":[{"i']);
    expect(fault.message).toMatch(
      /1\.1\.gz, line 3: .*JSON.*Download the recording again, or remove the lines from this one on/,
    );
  });

  it('is reported with line and field when a value is invalid', async () => {
    const messageOf = async (change: Change) => (await faultOf([OPEN, '', line(2, change)])).message;
    expect(await messageOf(runnerChanges({ id: YES, atb: [[2, 1.005]] }))).toMatch(
      /line 3: mc\.0\.rc\.0\.atb\.0\.1: expected a stake from 0 to .* with at most two decimals, got 1\.005/,
    );
    expect(await messageOf(runnerChanges({ id: YES, atl: [[1, 5]] }))).toMatch(
      /atl\.0\.0: expected odds from 1\.01 to 1000 .*, got 1\./,
    );
    expect(await messageOf(runnerChanges({ id: YES, trd: [[1.234, 5]] }))).toMatch(/trd\.0\.0: expected odds/);
    expect(await messageOf(runnerChanges({ id: YES, atb: [[2, -1]] }))).toMatch(/expected a stake/);
    expect(await messageOf(runnerChanges({ id: YES, atb: 'x' }))).toMatch(/mc\.0\.rc\.0\.atb: /);
    expect(await messageOf(runnerChanges({ id: 77, atb: [[2, 1]] }))).toMatch(
      /line 3: market 1\.1, runner: expected a runner of the marketDefinition, got 77/,
    );
    expect(await messageOf({ marketDefinition: definition({ bettingType: 'LINE' }) })).toMatch(
      /bettingType: only markets with/,
    );
    expect(await messageOf({ marketDefinition: definition({ priceLadderDefinition: { type: 'FINEST' } }) })).toMatch(
      /CLASSIC/,
    );
    expect(await messageOf({ marketDefinition: definition({}, ['PLACED', 'ACTIVE']) })).toMatch(/runners\.0\.status/);
    expect(await messageOf({ marketDefinition: definition({}, ['ACTIVE', 'ACTIVE', 'ACTIVE']) })).toMatch(
      /expected one of the two runners with which the market began/,
    );
  });

  it('is refused when times decrease, when a market has no definition, or when messages are segmented', async () => {
    expect((await faultOf([OPEN, line(9, {}), line(8, {})])).message).toMatch(
      /line 3: pt: expected a time at or after 9/,
    );
    expect((await faultOf([line(1, runnerChanges({ id: YES }))])).message).toMatch(/a marketDefinition first/);
    const segment = JSON.stringify({ op: 'mcm', pt: 5, segmentType: 'SEG_START', mc: [] });
    expect((await faultOf([OPEN, segment])).message).toMatch(
      /line 2: segmentType: messages in segments cannot be read/,
    );
  });

  it('is refused when it contains no market', async () => {
    expect((await faultOf(['{"op":"connection"}', '{"op":"mcm","pt":5,"ct":"HEARTBEAT"}'])).message).toMatch(
      /the recording contains no market/,
    );
    expect((await faultOf([])).message).toMatch(/the recording contains no market/);
  });

  it('is refused when it is missing, cut short, not gzip, or compressed with another method', async () => {
    const folder = scratchFolder();
    const out = join(folder, 'out');
    const path = recordingOf(folder, [
      OPEN,
      ...Array.from({ length: 5000 }, (_, i) => line(i + 2, runnerChanges({ id: YES, atb: [[2, (i * 7919) % 997]] }))),
    ]);
    const whole = readFileSync(path);
    writeFileSync(path, whole.subarray(0, whole.length - 2000));
    await expect(importBetfair({ recording: path, folder: out })).rejects.toThrow(
      /after line \d+: .*unexpected end of file.*fetch it again/,
    );
    const flipped = Buffer.from(whole);
    flipped[whole.length - 6]! ^= 1;
    writeFileSync(path, flipped);
    await expect(importBetfair({ recording: path, folder: out })).rejects.toThrow(/after line \d+: .*fetch it again/);
    writeFileSync(path, 'BZh91AY');
    await expect(importBetfair({ recording: path, folder: out })).rejects.toThrow(/bunzip2/);
    await expect(importBetfair({ recording: join(folder, 'none.gz'), folder: out })).rejects.toThrow(
      /none\.gz: there is no such file/,
    );
    expect(existsSync(out) ? readdirSync(out) : []).toEqual([]);
  });

  it('is refused with an invalid catalogue', async () => {
    const folder = scratchFolder();
    const recording = recordingOf(folder, [OPEN]);
    await expect(importBetfair({ recording, folder, catalogue: recording })).rejects.toThrow(
      /not a market catalogue .*listMarketCatalogue/,
    );
  });
});

it('a recording may be plain text', async () => {
  const folder = scratchFolder();
  const [tape] = await importBetfair({
    recording: recordingOf(folder, [OPEN, line(2, CLOSED('WINNER', 'LOSER'))], '1.1.txt'),
    folder,
  });
  expect(rowTexts(tape!.path)).toEqual(['1 clear | OPEN', '2 pays 10000']);
});
