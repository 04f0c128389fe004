import { resolve } from 'node:path';
import { z } from 'zod';
import { readConfiguration } from '../../config/configuration.ts';
import { expectKind } from '../../config/kinds.ts';
import { type ImportFormat, importFiles, mappingSchema } from '../../history/index.ts';
import { parseStrict } from '../../strategy/index.ts';
import type { Session } from '../output/terminal.ts';
import { mappingPath, withFaultLocation } from '../paths.ts';
import { showImport } from './show-import.ts';

const optionsSchema = z.object({
  mapping: z.string().min(1),
  out: z.string().min(1),
  separate: z.boolean().default(false),
  force: z.boolean().default(false),
  set: z.array(z.string()).default([]),
  json: z.boolean().default(false),
});

/** Imports files by a mapping: a file, or the name of one that comes with the package. */
export async function importByMapping(
  session: Session,
  format: ImportFormat,
  files: readonly string[],
  given: unknown,
): Promise<void> {
  const { cwd } = session.terminal;
  const { mapping: file, out, separate, force, set, json } = optionsSchema.parse(given);
  const configuration = readConfiguration(mappingPath(cwd, file), cwd, set);
  expectKind(configuration, 'import');
  const folder = resolve(cwd, out);
  await withFaultLocation(configuration, cwd, () => {
    const mapping = parseStrict(mappingSchema, configuration.value, '');
    const paths = files.map((path) => resolve(cwd, path));
    const options = { format, files: paths, mapping, mappingFile: configuration.path, folder, separate, force };
    return showImport(session, {
      folder,
      name: mapping.name,
      json,
      unit: 'rows',
      run: (onProgress) => importFiles({ ...options, onProgress }),
    });
  });
}
