import { resolve } from 'node:path';
import { z } from 'zod';
import { wallClock } from '../../clock/index.ts';
import { parseTime } from '../../domain/index.ts';
import { checkTape, TapeFile } from '../../history/index.ts';
import { progressBar } from '../progress.ts';
import { manifestText, qualityText } from '../quality-text.ts';
import type { Session } from '../session.ts';

const optionsSchema = z.object({ json: z.boolean().default(false), from: z.string().optional() });

/** Reads a whole tape and prints what it found. */
export function tapeCheck({ terminal }: Session, file: string, given: unknown): void {
  const { json, from } = optionsSchema.parse(given);
  const tape = TapeFile.open(resolve(terminal.cwd, file));
  const clock = wallClock();
  const start = clock.now();
  const bar = progressBar('check', '%', terminal.err);
  try {
    const quality = checkTape(tape, {
      ...(from !== undefined && { from: parseTime('--from', from) }),
      onProgress: (share) => bar.update(Math.round(share * 100), 100, clock.now() - start),
    });
    bar.stop();
    const { manifest, bytes } = tape;
    terminal.out.write(
      json
        ? `${JSON.stringify({ path: file, bytes, manifest, quality })}\n`
        : manifestText(manifest, file, bytes) + qualityText(quality, manifest),
    );
  } finally {
    bar.stop();
  }
}
