/** `tape list`, `tape stats`, `tape query` and `tape fetch`: read a folder of tapes, and copy remote tapes. */
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { FileFault, formatCount, formatTime, InputFault, parseTime } from '../../domain/index.ts';
import {
  checkTape,
  findTapes,
  isRemote,
  isTapeFolder,
  type MarketQuality,
  openTapeFolder,
  queryTapes,
  TapeFile,
  type TapeFolder,
} from '../../history/index.ts';
import { action, flag, optionalText, whole } from '../command.ts';
import { columnsText, type RowColumn, rowsText } from '../output/columns-text.ts';
import { withProgressBar } from '../output/progress.ts';
import { qualityJson } from '../output/quality-text.ts';
import { type Terminal, writeResult } from '../output/terminal.ts';
import { REMOTE_TAPES, remoteTapes, remoteWithProgress } from '../remote-tapes.ts';

const LIST_OPTIONS = { json: flag, where: z.string().optional(), from: z.string().optional() };

export const tapeList = action(LIST_OPTIONS, ({ terminal }, [folder = ''], { json, where, from }) => {
  assertCondition(where, from);
  const path = resolve(terminal.cwd, folder);
  const { tapes, unusable } = openTapeFolder(path);
  const wantedFiles = where === undefined ? undefined : findTapeNames(path, where, from);
  const listed = tapes.filter(({ file }) => wantedFiles === undefined || wantedFiles.has(file));
  const result = { path: folder, tapes: listed, unusable };
  writeResult(terminal, json, result, (width) => rowsText(listed, LIST_COLUMNS, width));
  if (json) return;
  for (const { file, problem } of unusable) terminal.err.write(`warning: ${file} is left out: ${problem}\n`);
});

const LIST_COLUMNS: readonly RowColumn<TapeFolder['tapes'][number]>[] = [
  ['tape', ({ file }) => file, { shrinks: true }],
  ['markets', ({ manifest }) => firstAndCount(manifest.markets.map(({ slug }) => slug)), { shrinks: true }],
  [
    'category',
    ({ manifest: { markets } }) => firstAndCount(markets.flatMap((each) => each.category ?? [])),
    { dropOrder: 3 },
  ],
  ['from', ({ manifest }) => formatTime(manifest.from)],
  ['to', ({ manifest }) => formatTime(manifest.to), { dropOrder: 4 }],
  ['rows', ({ manifest }) => formatCount(manifest.rows)],
  ['bytes', ({ bytes }) => formatCount(bytes), { dropOrder: 2 }],
  ['licence', ({ manifest }) => manifest.source.licence, { shrinks: true, dropOrder: 1 }],
];

/** @throws InputFault for `--from` without `--where`: it is only the time of the condition */
function assertCondition(where: string | undefined, from: string | undefined): void {
  if (from === undefined || where !== undefined) return;
  throw new InputFault('--from', from, '--where beside it: --from is the time at which that condition is evaluated');
}

function findTapeNames(folder: string, where: string, from: string | undefined): ReadonlySet<string> {
  const start = from === undefined ? undefined : parseTime('--from', from);
  const { tapes } = findTapes({ folder, where, from: start, settingNames: { folder: 'folder', where: '--where' } });
  return new Set(tapes.map(({ tape }) => basename(tape.path)));
}

export const tapeStats = action({ json: flag }, async ({ terminal }, inputs, { json }) => {
  const paths = tapePaths(terminal, inputs);
  const results = await withProgressBar('stats', 'tapes', terminal.err, (update) =>
    paths.map((path, index) => {
      const tape = TapeFile.open(path);
      const quality = checkTape(tape);
      update(index + 1, paths.length);
      return { path, quality, slugs: tape.manifest.markets.map(({ slug }) => slug) };
    }),
  );
  const tapes = results.map(({ path, quality }) => ({ path, quality: qualityJson(quality) }));
  const markets = results.flatMap(({ quality, slugs }) =>
    quality.markets.map((market, index) => ({ slug: slugs[index] ?? '', market })),
  );
  writeResult(terminal, json, { tapes }, (width) => rowsText(markets, STATS_COLUMNS, width));
});

const STATS_COLUMNS: readonly RowColumn<{ readonly slug: string; readonly market: MarketQuality }>[] = [
  ['market', ({ slug }) => slug, { shrinks: true }],
  ['messages', ({ market }) => formatCount(market.messages)],
  ['trades', ({ market }) => formatCount(market.prints.count)],
  ['hours open', ({ market }) => hoursText(market.openMs)],
  ['halts', ({ market }) => formatCount(market.halts)],
  ['gaps', ({ market }) => formatCount(market.gaps.count)],
  ['hours lost', ({ market }) => hoursText(market.gaps.ms), { dropOrder: 4 }],
  ['silences', ({ market }) => formatCount(market.quietPeriods.count), { dropOrder: 3 }],
  ['crossed', ({ market }) => formatCount(market.crossed)],
  ['off grid', ({ market }) => formatCount(market.offGrid), { dropOrder: 2 }],
  ['repeated', ({ market }) => formatCount(market.duplicates), { dropOrder: 1 }],
  ['spread bps', ({ market }) => (market.spreadBps === undefined ? '-' : `${market.spreadBps.p50}`)],
];

/** Replaces each folder by its tapes, and warns of damaged tapes. @throws FileFault for a folder without a tape */
export function tapePaths({ cwd, err }: Terminal, inputs: readonly string[]): readonly string[] {
  return inputs.flatMap((name) => {
    const path = resolve(cwd, name);
    if (!isTapeFolder(path)) return [path];
    const { tapes, unusable } = openTapeFolder(path);
    for (const { file, problem } of unusable) err.write(`warning: ${file} is left out: ${problem}\n`);
    if (tapes.length === 0)
      throw new FileFault(path, undefined, 'there is no tape in this folder', 'Name a folder with tapes');
    return tapes.map(({ file }) => join(path, file));
  });
}

const QUERY_OPTIONS = { json: flag, limit: whole(1, 1_000_000).default(1_000) };

export const tapeQuery = action(QUERY_OPTIONS, async ({ terminal }, [folder = '', sql = ''], { json, limit }) => {
  const tapes: TapeFolder = openTapeFolder(resolve(terminal.cwd, folder));
  const { isComplete, ...result } = await withProgressBar('export', 'tapes', terminal.err, (onExport) =>
    queryTapes(tapes, sql, { maxRows: limit, onExport }),
  );
  const cellsAt = (index: number) => result.rows.map((row) => cellText(row[index]));
  const columns = result.columns.map((title, index) => ({ title, cells: cellsAt(index), shrinks: true }));
  writeResult(terminal, json, { ...result, isWhole: isComplete }, (width) => columnsText(columns, width));
  if (!json && !isComplete) terminal.err.write(`the first ${formatCount(limit)} rows; --limit shows more\n`);
});

function cellText(value: unknown): string {
  return value === null ? '' : typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function firstAndCount(words: readonly string[]): string {
  const [first = '', ...others] = [...new Set(words)];
  return others.length === 0 ? first : `${first} and ${others.length} more`;
}

function hoursText(ms: number): string {
  return (ms / 3_600_000).toFixed(1);
}

const FETCH_OPTIONS = { where: optionalText, from: z.string().optional(), ...REMOTE_TAPES, json: flag };

export const tapeFetch = action(FETCH_OPTIONS, async ({ terminal }, urls, options) => {
  const { where, from, json } = options;
  assertCondition(where, from);
  const path = urls.find((url) => !isRemote(url));
  if (path !== undefined) throw new InputFault('url', path, 'a URL that begins with https://, http:// or s3://');
  const { parseRunSpec, withLocalTapes } = await import('../../backtest/index.ts');
  const spec = parseRunSpec({
    strategy: 'none',
    tapes: urls.map((url) => (where === undefined ? url : { folder: url, where })),
    ...(from !== undefined && { from }),
    remote_tapes: remoteTapes(options),
  });
  const { tapes } = await withLocalTapes(spec, remoteWithProgress(terminal.err));
  const paths = tapes.map((entry) => (typeof entry === 'string' ? entry : entry.folder));
  terminal.out.write(json ? `${JSON.stringify({ paths })}\n` : `${paths.join('\n')}\n`);
});
