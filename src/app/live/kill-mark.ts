/**
 * The mark that a watchdog leaves when it had to end the process, and a bot whose database could not take a kill: trading stays
 * killed until `resume`.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { parseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';

const LARGEST = 65_536;
const markSchema = z.object({ reason: z.string().min(1) });

/** Why; undefined where there is no mark. A mark that cannot be read counts. */
export function readMark(file: string): string | undefined {
  let text: string;
  try {
    text = readFileAtMost(file, LARGEST, 'a mark').toString('utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    return 'WATCHDOG: the mark it left cannot be read';
  }
  try {
    return markSchema.parse(parseJson(text)).reason;
  } catch {
    return 'WATCHDOG: the mark it left is damaged';
  }
}

/** @throws Error of the file system */
export function writeMark(file: string, reason: string): void {
  writeFileSync(file, `${JSON.stringify({ reason })}\n`, { mode: 0o600 });
}

/** Once the reason is in the bot's own database. */
export function removeMark(file: string): void {
  rmSync(file, { force: true });
}
