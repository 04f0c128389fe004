import { resolve } from 'node:path';
import { z } from 'zod';
import { importBetfair } from '../../history/index.ts';
import { shareBar } from '../output/progress.ts';
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
  const made: object[] = [];
  for (const file of files) {
    const bar = shareBar(file, terminal.err);
    const tapes = await importBetfair({
      recording: resolve(terminal.cwd, file),
      folder: resolve(terminal.cwd, out),
      merge: !separate,
      ...(catalogue !== undefined && { catalogue: resolve(terminal.cwd, catalogue) }),
      ...(about.description !== undefined && { description: about.description }),
      ...(about.licence !== undefined && { licence: about.licence }),
      onProgress: bar.update,
    }).finally(() => bar.stop());
    for (const { counts, ...tape } of tapes) {
      const read = readBack(tape);
      made.push({ ...read, counts });
      if (!json) terminal.out.write(`${tapeText(read, countsText(counts))}\n`);
    }
  }
  if (json) terminal.out.write(`${JSON.stringify({ tapes: made })}\n`);
}
