import { resolve } from 'node:path';
import { z } from 'zod';
import { wallClock } from '../../clock/index.ts';
import { importBetfair } from '../../history/index.ts';
import { progressBar } from '../output/progress.ts';
import { countsText } from '../output/quality-text.ts';
import type { Session } from '../output/terminal.ts';
import { readBack, tapeText } from './show-import.ts';

const optionsSchema = z.object({
  out: z.string().min(1),
  catalogue: z.string().min(1).optional(),
  description: z.string().min(1).optional(),
  licence: z.string().min(1).optional(),
  separate: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** Imports recordings of Betfair one by one. Reads each tape back and prints its quality. */
export async function importBetfairRecordings(
  { terminal }: Session,
  files: readonly string[],
  given: unknown,
): Promise<void> {
  const { out, json, separate, catalogue, ...about } = optionsSchema.parse(given);
  const clock = wallClock();
  const made: object[] = [];
  for (const file of files) {
    const bar = progressBar(file, '%', terminal.err);
    const start = clock.now();
    const tapes = await importBetfair({
      recording: resolve(terminal.cwd, file),
      folder: resolve(terminal.cwd, out),
      merge: !separate,
      ...(catalogue !== undefined && { catalogue: resolve(terminal.cwd, catalogue) }),
      ...(about.description !== undefined && { description: about.description }),
      ...(about.licence !== undefined && { licence: about.licence }),
      onProgress: (share) => bar.update(Math.round(share * 100), 100, clock.now() - start),
    }).finally(() => bar.stop());
    for (const { counts, ...tape } of tapes) {
      const read = readBack(tape);
      const { path, manifest, quality, resolved } = read;
      made.push({ path, manifest, counts, quality, resolved });
      if (!json) terminal.out.write(`${tapeText(read, countsText(counts))}\n`);
    }
  }
  if (json) terminal.out.write(`${JSON.stringify({ tapes: made })}\n`);
}
