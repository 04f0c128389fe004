import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ImportCounts } from '../../../src/history/import/counts.ts';
import type { TapeManifest } from '../../../src/tape/index.ts';
import { rowTexts } from '../betfair/recording.ts';

/** Writes a capture, with objects as JSON lines. @returns its path */
export function captureOf(folder: string, lines: readonly unknown[], name = 'capture.jsonl'): string {
  const path = join(folder, name);
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

/** `reason count (first place)`. */
export function reasons(counts: ImportCounts['dropped']): string[] {
  return [...counts].map(([reason, { count, places }]) => `${reason} ${count} (${places[0]})`).sort();
}

interface CaptureImport {
  readonly tapes: readonly { readonly path: string; readonly manifest: TapeManifest }[];
  readonly counts: ImportCounts;
}

/** Describes an import by the rows of its first tape, with ms after `start`, and its dropped and changed rows. */
export function summaryOf({ tapes, counts }: CaptureImport, start: number) {
  const [tape] = tapes;
  if (tape === undefined) throw new Error('no tape');
  const rows = rowTexts(tape.path).map((row) => row.replace(/^(\d+)/, (time) => String(Number(time) - start)));
  return { manifest: tape.manifest, rows, dropped: reasons(counts.dropped), changed: reasons(counts.changed) };
}
