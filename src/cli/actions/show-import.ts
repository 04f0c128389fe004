/** Common parts of the imports: progress, sequential execution, and the report about verified tapes. */

import { resolve } from 'node:path';
import { IMPORT_ALONE, whileAlone } from '../../app/shared-lease.ts';
import { formatCount } from '../../domain/index.ts';
import { checkTape, type FileImport, type ImportedTape, TapeFile } from '../../history/index.ts';
import { importText } from '../output/import-text.ts';
import { shareBar } from '../output/progress.ts';
import { manifestText, qualityText } from '../output/quality-text.ts';
import type { Session } from '../output/terminal.ts';

/** Result of an import; messages by kind, if the recording has kinds. */
type Imported = FileImport & { readonly kinds?: Readonly<Record<string, number>> };

interface ImportRun {
  /** Folder and name of the tape. Only one process at a time imports to it. */
  readonly folder: string;
  readonly name: string;
  readonly json: boolean;
  /** Unit of the recording. */
  readonly unit: 'rows' | 'messages';
  /** @param onProgress receives the share that was read, 0..1 */
  run(onProgress: (share: number) => void): Promise<Imported>;
}

/** Runs an import. Prints counts of read, changed and dropped data, and the quality of each tape. */
export async function showImport({ terminal }: Session, { folder, name, json, unit, run }: ImportRun): Promise<void> {
  const bar = shareBar('import', terminal.err);
  const made = whileAlone(resolve(folder, `${name}.tape`), IMPORT_ALONE, () => run(bar.update));
  const { tapes, counts, resumedAt, isUpToDate, ...found } = await made.finally(() => bar.stop());
  const kinds = found.kinds && Object.entries(found.kinds).map(([kind, count]) => ({ kind, count }));
  const read = tapes.map(readBack);
  if (json) {
    terminal.out.write(`${JSON.stringify({ counts, kinds, resumedAt, isUpToDate, tapes: read })}\n`);
    return;
  }
  if (isUpToDate)
    terminal.out.write('up to date: the same files and options were imported before. `--force` imports them again\n');
  if (resumedAt > 0) terminal.out.write(`continued after ${formatCount(resumedAt)} ${unit}\n`);
  if (kinds !== undefined) {
    const each = kinds.map(({ kind, count }) => `${kind} ${formatCount(count)}`);
    terminal.out.write(`${'messages'.padEnd(16)}${each.join(', ')}\n`);
  }
  terminal.out.write(importText(counts));
  for (const tape of read) terminal.out.write(`\n${tapeText(tape)}`);
}

/** Reads a written tape completely and measures its quality. */
export function readBack({ path, manifest, resolved }: ImportedTape) {
  const tape = TapeFile.open(path);
  return { path, manifest, bytes: tape.bytes, quality: checkTape(tape), resolved };
}

/** @param counts text about the read data, printed between the tape and its quality */
export function tapeText(
  { path, manifest, bytes, quality, resolved }: ReturnType<typeof readBack>,
  counts = '',
): string {
  const open = resolved ? '' : 'warning: the recording ends before its markets do\n';
  return `${manifestText(manifest, path, bytes)}${counts}${qualityText(quality, manifest)}${open}`;
}
