/** Runs imports of small files by a mapping. */
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type FileImportOptions, type ImportResult, importFiles } from '../../../src/history/import/import-files.ts';
import { mappingSchema } from '../../../src/history/import/mapping.ts';
import { scratchFolder } from '../scratch.ts';
import { rowsOfTape } from './tape-rows.ts';

export const LEVELS = {
  name: 'levels',
  time: { column: 'ts', format: 'epoch_ms' },
  rows: [{ means: 'level', side: { column: 'side' }, price: { column: 'price' }, size: { column: 'size' } }],
  grid: { tick_bps: 100 },
};
export const TRADES = {
  ...LEVELS,
  name: 'trades',
  rows: [{ means: 'trade', side: { column: 'side' }, price: { column: 'price' }, size: { column: 'size' } }],
};
export const HEADER = 'ts,side,price,size\n';

export interface ImportFixture extends Partial<Omit<FileImportOptions, 'mapping' | 'files'>> {
  /** Contents by file name. */
  readonly files: Readonly<Record<string, string | Uint8Array>>;
  readonly mapping?: object;
}

export async function runImport({ files, mapping = LEVELS, ...options }: ImportFixture, folder = scratchFolder()) {
  const mappingFile = join(folder, 'mapping.yaml');
  if (!existsSync(mappingFile)) writeFileSync(mappingFile, JSON.stringify(mapping));
  for (const [name, bytes] of Object.entries(files)) {
    if (!existsSync(join(folder, name))) writeFileSync(join(folder, name), bytes);
  }
  const result: ImportResult = await importFiles({
    format: 'csv',
    files: Object.keys(files).map((name) => join(folder, name)),
    mapping: mappingSchema.parse(mapping),
    mappingFile,
    folder: join(folder, 'out'),
    ...options,
  });
  const rows = result.tapes.map(({ path }) => rowsOfTape(path));
  const reasons = (kind: 'dropped' | 'changed') =>
    [...result.counts[kind]].map(([reason, { count, places }]) => `${count} x ${reason} (${places.join(', ')})`);
  return { ...result, rows: rows.flat(), dropped: reasons('dropped'), changed: reasons('changed') };
}
