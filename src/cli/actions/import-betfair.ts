import { resolve } from 'node:path';
import { z } from 'zod';
import { wallClock } from '../../clock/index.ts';
import { checkTape, importBetfair, TapeFile } from '../../history/index.ts';
import { progressBar } from '../output/progress.ts';
import { countsText, manifestText, qualityText } from '../output/quality-text.ts';
import type { Session } from '../output/terminal.ts';

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
    for (const { path, manifest, counts, resolved } of tapes) {
      const tape = TapeFile.open(path);
      const quality = checkTape(tape);
      made.push({ path, manifest, counts, quality, resolved });
      if (json) continue;
      const open = resolved ? '' : 'warning: the recording ends before the market does\n';
      const text = manifestText(manifest, path, tape.bytes) + countsText(counts) + qualityText(quality, manifest);
      terminal.out.write(`${text}${open}\n`);
    }
  }
  if (json) terminal.out.write(`${JSON.stringify({ tapes: made })}\n`);
}
