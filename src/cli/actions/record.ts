/** Recordings of market data: tapes of a venue, and captures of Polymarket's public streams for `import polymarket`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { recordTape } from '../../app/record.ts';
import { recordPolymarket } from '../../app/record-polymarket.ts';
import { steadyClock } from '../../clock/index.ts';
import { readLiveFile } from '../../config/live-file.ts';
import { counted, formatTime, InputFault, timeAfter, toDurationMs } from '../../domain/index.ts';
import { createLog, Redactor } from '../../ops/index.ts';
import { action, assignments, flag, GAMMA_OPTIONS, optionalText, urlOption, whole } from '../command.ts';
import { writeResult } from '../output/terminal.ts';

const positiveUpTo = (max: number) => {
  const expected = `expected a number above 0, at most ${max}`;
  return z.coerce.number(expected).positive(expected).max(max, expected);
};

const RECORD_OPTIONS = {
  out: optionalText,
  seconds: positiveUpTo(1e9).optional(),
  raw: flag,
  json: flag,
  set: assignments,
};

export const record = action(RECORD_OPTIONS, async ({ terminal }, [config = ''], { out, seconds, raw, json, set }) => {
  if (out !== undefined) assertNoRecording(resolve(terminal.cwd, out));
  const live = readLiveFile(config, terminal.cwd, set);
  const redactor = new Redactor();
  const log = createLog({ level: live.file.log.level, redactor, write: (text) => terminal.err.write(text) });
  const recorded = await recordTape({
    live,
    log,
    redactor,
    raw,
    pathAt: (time) => resolve(terminal.cwd, out ?? `recordings/${time.replaceAll(':', '-')}.tape`),
    durationMs: seconds === undefined ? undefined : toDurationMs(seconds, 1_000),
    onStart: (markets, venue, path) =>
      terminal.err.write(`recording ${counted(markets, 'market')} of ${venue} to ${path}\n`),
  });
  const text = `${recorded.rows} rows in ${recorded.file ?? 'no file: nothing happened'}\n`;
  writeResult(terminal, json, recorded, () => text);
});

/** Refuses the path of an earlier recording, finished or not: it cannot be made again. @throws InputFault */
function assertNoRecording(path: string): void {
  const found = [path, `${path}.partial`].find((name) => existsSync(name));
  if (found === undefined) return;
  const expected = 'a file that does not exist: a recording is never replaced. Move it away, or name another file';
  throw new InputFault('--out', found, expected);
}

const CAPTURE_OPTIONS = {
  ...GAMMA_OPTIONS,
  out: z.string().min(1),
  top: whole(1, 5_000).default(100),
  seconds: positiveUpTo(1e9).optional(),
  rotateMinutes: positiveUpTo(1_440),
  rotateMb: positiveUpTo(100_000),
  refreshMinutes: positiveUpTo(1_440),
  wsUrl: urlOption(/^wss?$/, 'wss://ws-subscriptions-clob.polymarket.com/ws'),
  json: flag,
};

export const recordPolymarketStreams = action(CAPTURE_OPTIONS, async ({ terminal, interruption }, names, options) => {
  const { out, top, tag, seconds, json, gammaUrl, wsUrl } = options;
  const clock = steadyClock();
  const { signal } = interruption();
  let cancelTimer = (): void => {};
  const stop = new Promise<void>((resolveStop) => {
    signal.addEventListener('abort', () => resolveStop());
    if (seconds === undefined) return;
    cancelTimer = clock.schedule(timeAfter(clock.now(), toDurationMs(seconds, 1_000)), resolveStop);
  });
  const log = (text: string): void => terminal.err.write(`${formatTime(clock.now())} ${text}\n`);
  const capture = await recordPolymarket({
    folder: resolve(terminal.cwd, out),
    choice: { names, tag, max: top },
    gammaUrl,
    wsUrl,
    rotateMs: toDurationMs(options.rotateMinutes, 60_000),
    rotateBytes: options.rotateMb * 1_000_000,
    refreshMs: toDurationMs(options.refreshMinutes, 60_000),
    log,
    stop,
    onStart: (markets) => log(`recording ${counted(markets, 'market')} to ${out}`),
  }).finally(cancelTimer);
  const { markets, frames, losses } = capture;
  const text = `${counted(frames, 'frame')} of ${counted(markets, 'market')}, ${counted(losses, 'connection')} lost. Make tapes: npx halfspread import polymarket ${out}/*.gz --markets ${out}/polymarket-markets.json\n`;
  writeResult(terminal, json, capture, () => text);
});
