/**
 * The kill file keeps trading killed until `resume`. The watchdog writes the file when it kills the process. The bot
 * writes the file when its database could not store a kill.
 */
import { writeFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';

const MAX_BYTES = 65_536;
const killSchema = z.object({ reason: z.string().min(1) });

/** Returns the reason of the kill; undefined without a kill file. An unreadable file also gives a reason. */
export function readKillFile(file: string): string | undefined {
  let text: string;
  try {
    text = readFileAtMost(file, MAX_BYTES, 'a kill file').toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    return 'WATCHDOG: the kill file cannot be read';
  }
  try {
    return killSchema.parse(parseJson(text)).reason;
  } catch {
    return 'WATCHDOG: the kill file is damaged';
  }
}

/** @throws Error of the file system */
export function writeKillFile(file: string, reason: string): void {
  writeFileSync(file, `${JSON.stringify({ reason })}\n`, { mode: 0o600 });
}
