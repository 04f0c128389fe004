import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { ImportCounts } from '../../../src/history/import/counts.ts';

/** Writes a capture, with objects as JSON lines. @returns its path */
export function captureOf(folder: string, lines: readonly unknown[], name = 'capture.jsonl'): string {
  const path = join(folder, name);
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  writeFileSync(path, name.endsWith('.gz') ? gzipSync(text) : text);
  return path;
}

/** `reason count (first place)`. */
export function reasons(of: ImportCounts['dropped']): string[] {
  return [...of].map(([reason, { count, places }]) => `${reason} ${count} (${places[0]})`).sort();
}
