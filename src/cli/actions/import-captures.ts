import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { IMPORT_ALONE, whileAlone } from '../../app/shared-lease.ts';
import { wallClock } from '../../clock/index.ts';
import { checkTape, importKalshi, importPolymarket, TapeFile } from '../../history/index.ts';
import { importText, UP_TO_DATE } from '../output/import-text.ts';
import { progressBar } from '../output/progress.ts';
import { manifestText, qualityText } from '../output/quality-text.ts';
import type { Session } from '../output/terminal.ts';

const optionsSchema = z.object({
  out: z.string().min(1),
  name: z.string().min(1).optional(),
  markets: z.string().min(1).optional(),
  description: z.string().min(1).optional(),
  licence: z.string().min(1).optional(),
  pairWindow: z.coerce.number().int().min(0).max(60_000).optional(),
  yesPrices: z.boolean().optional(),
  separate: z.boolean().default(false),
  force: z.boolean().default(false),
  json: z.boolean().default(false),
});

/** Imports captures of a venue's public streams. Reads each tape back and prints its quality. */
export async function importCapturesOf(
  { terminal }: Session,
  venue: 'polymarket' | 'kalshi',
  files: readonly string[],
  given: unknown,
): Promise<void> {
  const { out, name, markets, pairWindow, yesPrices, json, ...about } = optionsSchema.parse(given);
  const clock = wallClock();
  const start = clock.now();
  const bar = progressBar('import', '%', terminal.err);
  const [first = ''] = files;
  const options = {
    files: files.map((file) => resolve(terminal.cwd, file)),
    folder: resolve(terminal.cwd, out),
    name: name ?? `${venue}-${basename(first).replace(/\..*$/, '')}`,
    markets: markets === undefined ? undefined : resolve(terminal.cwd, markets),
    ...about,
    pairWindowMs: pairWindow,
    onProgress: (share: number) => bar.update(Math.round(share * 100), 100, clock.now() - start),
  };
  const made = whileAlone(join(options.folder, `${options.name}.tape`), IMPORT_ALONE, () =>
    venue === 'polymarket' ? importPolymarket(options) : importKalshi({ ...options, usesYesPrices: yesPrices }),
  );
  const { tapes, counts, resumedAt, isUpToDate, ...found } = await made.finally(() => bar.stop());
  const kinds = Object.entries(found.kinds).map(([kind, count]) => ({ kind, count }));
  const read = tapes.map(({ path, manifest, resolved }) => {
    const tape = TapeFile.open(path);
    return { path, manifest, bytes: tape.bytes, quality: checkTape(tape), resolved };
  });
  if (json) {
    terminal.out.write(`${JSON.stringify({ counts, kinds, resumedAt, isUpToDate, tapes: read })}\n`);
    return;
  }
  if (isUpToDate) terminal.out.write(UP_TO_DATE);
  if (resumedAt > 0) terminal.out.write(`continued after ${resumedAt.toLocaleString('en-US')} messages\n`);
  const events = kinds.map(({ kind, count }) => `${kind} ${count.toLocaleString('en-US')}`);
  terminal.out.write(`${'messages'.padEnd(16)}${events.join(', ')}\n${importText(counts)}`);
  for (const { path, manifest, bytes, quality, resolved } of read) {
    const open = resolved ? '' : 'warning: the recording ends before its markets do\n';
    terminal.out.write(`\n${manifestText(manifest, path, bytes)}${qualityText(quality, manifest)}${open}`);
  }
}
