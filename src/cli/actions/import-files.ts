import { join, resolve } from 'node:path';
import { z } from 'zod';
import { IMPORT_ALONE, whileAlone } from '../../app/shared-lease.ts';
import { wallClock } from '../../clock/index.ts';
import { readConfiguration } from '../../config/configuration.ts';
import { expectKind } from '../../config/kinds.ts';
import { checkTape, type ImportFormat, importFiles, mappingSchema, TapeFile } from '../../history/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import { importText, UP_TO_DATE } from '../output/import-text.ts';
import { progressBar } from '../output/progress.ts';
import { manifestText, qualityText } from '../output/quality-text.ts';
import type { Session } from '../output/terminal.ts';
import { withPlaces } from '../paths.ts';

const optionsSchema = z.object({
  mapping: z.string().min(1),
  out: z.string().min(1),
  separate: z.boolean().default(false),
  force: z.boolean().default(false),
  set: z.array(z.string()).default([]),
  json: z.boolean().default(false),
});

/** Imports files by a mapping. Reads each tape back and prints its quality. */
export async function importByMapping(
  { terminal }: Session,
  format: ImportFormat,
  files: readonly string[],
  given: unknown,
): Promise<void> {
  const { mapping: file, out, separate, force, set, json } = optionsSchema.parse(given);
  const configuration = readConfiguration(file, terminal.cwd, set);
  expectKind(configuration, 'import');
  const clock = wallClock();
  const start = clock.now();
  const bar = progressBar('import', '%', terminal.err);
  const folder = resolve(terminal.cwd, out);
  const { tapes, counts, resumedAt, isUpToDate } = await withPlaces(configuration, terminal.cwd, () => {
    const mapping = parseStrict(mappingSchema, configuration.value, '');
    const options = {
      format,
      files: files.map((path) => resolve(terminal.cwd, path)),
      mapping,
      mappingFile: configuration.path,
      folder,
      separate,
      force,
      onProgress: (share: number) => bar.update(Math.round(share * 100), 100, clock.now() - start),
    };
    return whileAlone(join(folder, `${mapping.name}.tape`), IMPORT_ALONE, () => importFiles(options));
  }).finally(() => bar.stop());
  const made = tapes.map(({ path, manifest, resolved }) => {
    const tape = TapeFile.open(path);
    return { path, manifest, bytes: tape.bytes, quality: checkTape(tape), resolved };
  });
  if (json) {
    terminal.out.write(`${JSON.stringify({ counts, resumedAt, isUpToDate, tapes: made })}\n`);
    return;
  }
  if (isUpToDate) terminal.out.write(UP_TO_DATE);
  if (resumedAt > 0) terminal.out.write(`continued after ${resumedAt.toLocaleString('en-US')} rows\n`);
  terminal.out.write(importText(counts));
  for (const { path, manifest, bytes, quality, resolved } of made) {
    const open = resolved ? '' : 'warning: the recording ends before its markets do\n';
    terminal.out.write(`\n${manifestText(manifest, path, bytes)}${qualityText(quality, manifest)}${open}`);
  }
}
