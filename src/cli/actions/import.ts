/** Imports recordings and downloads past data. Shows progress, and then the quality of the tapes. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { downloadPolymarket } from '../../app/download-polymarket.ts';
import { IMPORT_REMEDY, withFileLease } from '../../app/shared-lease.ts';
import { readConfigurationOfKind } from '../../config/kinds.ts';
import { epochMs, Fault, formatCount, formatTime } from '../../domain/index.ts';
import {
  checkTape,
  type ImportedTape,
  type ImportFormat,
  type ImportResult,
  importBetfair,
  importFiles,
  importKalshi,
  importPolymarket,
  mappingSchema,
  type Proposal,
  sniff,
  TapeFile,
} from '../../history/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { BLOCK_ROWS, Cursor, makeBlock } from '../../tape/index.ts';
import { type Action, action, assignments, flag, GAMMA_OPTIONS, optionalText, urlOption, whole } from '../command.ts';
import { withPercentProgress } from '../output/progress.ts';
import { betfairText, importText, manifestText, qualityJson, qualityText } from '../output/quality-text.ts';
import type { Session } from '../output/terminal.ts';
import { mappingPath, withFaultLocation } from '../paths.ts';

const TAPE_OPTIONS = { out: z.string().min(1), separate: flag, force: flag, json: flag };
const SOURCE = { description: optionalText, licence: optionalText };

export function importByMapping(format: ImportFormat): Action {
  const shape = { ...TAPE_OPTIONS, mapping: z.string().min(1), set: assignments };
  return action(shape, async (session, files, { mapping: file, out, separate, force, set, json }) => {
    const { cwd } = session.terminal;
    const configuration = readConfigurationOfKind('import', mappingPath(cwd, file), cwd, set);
    const folder = resolve(cwd, out);
    await withFaultLocation(configuration, cwd, () => {
      const mapping = parseStrict(mappingSchema, configuration.value, '');
      const paths = files.map((path) => resolve(cwd, path));
      const options = { format, files: paths, mapping, mappingFile: configuration.path, folder, separate, force };
      const onWarning = warnTo(session);
      const run = (onProgress: OnProgress) => importFiles({ ...options, onProgress, onWarning });
      return runImport(session, { folder, name: mapping.name, json, unit: 'rows', run });
    });
  });
}

export function importCaptures(venue: 'polymarket' | 'kalshi'): Action {
  const shape = {
    ...TAPE_OPTIONS,
    ...SOURCE,
    name: optionalText,
    markets: optionalText,
    pairWindow: whole(0, 60_000).optional(),
    yesPrices: z.boolean().optional(),
  };
  return action(shape, async (session, files, { out, name, markets, pairWindow, yesPrices, json, ...sourceInfo }) => {
    const { cwd } = session.terminal;
    const [first = ''] = files;
    const options = {
      files: files.map((file) => resolve(cwd, file)),
      folder: resolve(cwd, out),
      name: name ?? `${venue}-${basename(first).replace(/\..*$/, '')}`,
      markets: markets === undefined ? undefined : resolve(cwd, markets),
      ...sourceInfo,
      pairWindowMs: pairWindow,
      onWarning: warnTo(session),
    };
    const run = (onProgress: OnProgress) =>
      venue === 'polymarket'
        ? importPolymarket({ ...options, onProgress })
        : importKalshi({ ...options, onProgress, usesYesPrices: yesPrices });
    await runImport(session, { folder: options.folder, name: options.name, json, unit: 'messages', run });
  });
}

const BETFAIR_OPTIONS = { ...SOURCE, out: z.string().min(1), separate: flag, json: flag, catalogue: optionalText };

export const importBetfairRecordings = action(BETFAIR_OPTIONS, async ({ terminal }, files, options) => {
  const { out, json, separate, catalogue, description, licence } = options;
  const imported: object[] = [];
  for (const file of files) {
    const tapes = await withPercentProgress(file, terminal.err, (onProgress) =>
      importBetfair({
        recording: resolve(terminal.cwd, file),
        folder: resolve(terminal.cwd, out),
        merge: !separate,
        ...(catalogue !== undefined && { catalogue: resolve(terminal.cwd, catalogue) }),
        ...(description !== undefined && { description }),
        ...(licence !== undefined && { licence }),
        onProgress,
      }),
    );
    for (const { counts, ...tape } of tapes) {
      const inspected = inspectTape(tape);
      imported.push({ ...tapeJson(inspected), counts });
      if (!json) terminal.out.write(`${tapeText(inspected, betfairText(counts))}\n`);
    }
  }
  if (json) terminal.out.write(`${JSON.stringify({ tapes: imported })}\n`);
});

const DOWNLOAD_OPTIONS = {
  ...GAMMA_OPTIONS,
  out: z.string().min(1),
  top: whole(1, 5_000).default(10),
  prices: flag,
  clobUrl: urlOption(/^https?$/, 'https://clob.polymarket.com'),
  dataUrl: urlOption(/^https?$/, 'https://data-api.polymarket.com'),
  json: flag,
};

export const downloadHistory = action(DOWNLOAD_OPTIONS, async (session, names, options) => {
  const { out, top, tag, prices, json, ...urls } = options;
  const { cwd, err } = session.terminal;
  const folder = resolve(cwd, out);
  const content = prices ? 'prices' : 'trades';
  const log = (text: string): void => err.write(`${text}\n`);
  const settings = { ...urls, folder, content, choice: { names, tag, max: top }, log } as const;
  const run = (onProgress: OnProgress) => downloadPolymarket(settings, onProgress);
  await runImport(session, { folder, name: `polymarket-${content}`, json, unit: prices ? 'rows' : 'messages', run });
});

/** Receives the share of the input that was read, 0..1. */
type OnProgress = (share: number) => void;

function warnTo({ terminal }: Session): (text: string) => void {
  return (text) => terminal.err.write(`warning: ${text}\n`);
}

interface ImportRun {
  /** Folder and name of the tape. Only one process at a time imports to a tape. */
  readonly folder: string;
  readonly name: string;
  readonly json: boolean;
  /** Name of the input's records. */
  readonly unit: 'rows' | 'messages';
  /** Runs the import. `countsByKind` counts messages, if the recording has kinds of messages. */
  run(onProgress: OnProgress): Promise<ImportResult & { readonly countsByKind?: Readonly<Record<string, number>> }>;
}

async function runImport({ terminal }: Session, { folder, name, json, unit, run }: ImportRun): Promise<void> {
  const imported = await withPercentProgress('import', terminal.err, (onProgress) =>
    withFileLease(resolve(folder, `${name}.tape`), IMPORT_REMEDY, () => run(onProgress)),
  );
  const { tapes, counts, resumedAt, isUpToDate } = imported;
  const kinds =
    imported.countsByKind && Object.entries(imported.countsByKind).map(([kind, count]) => ({ kind, count }));
  const inspected = tapes.map(inspectTape);
  if (json) {
    terminal.out.write(`${JSON.stringify({ counts, kinds, resumedAt, isUpToDate, tapes: inspected.map(tapeJson) })}\n`);
    return;
  }
  if (isUpToDate)
    terminal.out.write('up to date: the same files and options were imported before. `--force` imports them again\n');
  if (resumedAt > 0) terminal.out.write(`continued after ${formatCount(resumedAt)} ${unit}\n`);
  if (kinds !== undefined) {
    const kindTexts = kinds.map(({ kind, count }) => `${kind} ${formatCount(count)}`);
    terminal.out.write(`${'messages'.padEnd(16)}${kindTexts.join(', ')}\n`);
  }
  terminal.out.write(importText(counts));
  for (const tape of inspected) terminal.out.write(`\n${tapeText(tape)}`);
}

function inspectTape({ path, manifest, isResolved }: ImportedTape) {
  const tape = TapeFile.open(path);
  return { path, manifest, bytes: tape.bytes, quality: checkTape(tape), isResolved };
}

function tapeJson({ quality, isResolved, ...tape }: ReturnType<typeof inspectTape>) {
  return { ...tape, quality: qualityJson(quality), resolved: isResolved };
}

/** @param counts text about the read data, which is printed between the tape and its quality */
function tapeText({ path, manifest, bytes, quality, isResolved }: ReturnType<typeof inspectTape>, counts = ''): string {
  const endWarning = isResolved ? '' : 'warning: the recording ends before its markets do\n';
  return `${manifestText(manifest, path, bytes)}${counts}${qualityText(quality, manifest)}${endWarning}`;
}

const MAX_DECODED_ROWS = 2_000;
const MAX_SHOWN_ROWS = 10;
/** Names, indexed by the tape format's codes. */
const KINDS = ['level', 'trade', 'status', 'resolution', 'clear', 'placing delay', 'gap', 'ahead'];
const SIDES = ['bid', 'ask', 'unknown'];

export const importSniff: Action = async ({ terminal }, [file = '']) => {
  const path = resolve(terminal.cwd, file);
  const proposal = await sniff(path);
  terminal.out.write(proposal.yaml);
  terminal.err.write(`\nformat          ${proposal.format}\n`);
  if (proposal.missing.length > 0) {
    terminal.err.write(`Nothing is decoded: ${proposal.missing.join('; ')}. Complete the mapping.\n`);
    return;
  }
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-sniff-'));
  try {
    terminal.err.write(await decodedText(path, proposal, folder));
  } catch (fault) {
    if (!(fault instanceof Fault)) throw fault;
    terminal.err.write(`Nothing is decoded: ${fault.message}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

async function decodedText(path: string, proposal: Proposal, folder: string): Promise<string> {
  const mapping = parseStrict(mappingSchema, proposal.mapping, '');
  const { format } = proposal;
  const { tapes, counts } = await importFiles({ format, files: [path], mapping, folder, maxRows: MAX_DECODED_ROWS });
  const [tape] = tapes;
  if (tape === undefined) return '';
  const block = makeBlock(BLOCK_ROWS);
  const feed = TapeFile.open(tape.path).feed();
  feed.fill(block);
  feed.close();
  const lines: string[] = [];
  const cursor = new Cursor(block);
  for (; cursor.row < Math.min(MAX_SHOWN_ROWS, block.count); cursor.row += 1) {
    const market = tape.manifest.markets[cursor.market]?.slug ?? '';
    const shares = cursor.shares / 1_000_000;
    lines.push(
      `${formatTime(epochMs(cursor.tx))}  ${KINDS[cursor.kind]} ${SIDES[cursor.side]} ${cursor.price} bps ${shares} shares  ${market}\n`,
    );
  }
  return `${importText(counts)}\n${lines.join('')}`;
}
