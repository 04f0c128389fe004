import { resolve } from 'node:path';
import { z } from 'zod';
import { TapeFile } from '../../history/index.ts';
import { manifestText } from '../quality-text.ts';
import type { Session } from '../session.ts';

const optionsSchema = z.object({ json: z.boolean().default(false) });

/** Prints a tape's manifest. Reads its two ends only. */
export function tapeInfo({ terminal }: Session, file: string, given: unknown): void {
  const { json } = optionsSchema.parse(given);
  const { manifest, bytes } = TapeFile.open(resolve(terminal.cwd, file));
  terminal.out.write(
    json ? `${JSON.stringify({ path: file, bytes, manifest })}\n` : manifestText(manifest, file, bytes),
  );
}
