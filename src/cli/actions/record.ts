import { resolve } from 'node:path';
import { z } from 'zod';
import { recordTape } from '../../app/record.ts';
import { readLiveFile } from '../../config/live-file.ts';
import { durationMs } from '../../domain/index.ts';
import { createLog, Redactor } from '../../ops/index.ts';
import type { Session } from '../output/terminal.ts';

const optionsSchema = z.object({
  out: z.string().min(1).optional(),
  seconds: z.coerce.number().positive().optional(),
  raw: z.boolean().default(false),
  json: z.boolean().default(false),
  set: z.array(z.string()).default([]),
});

/** Records the market data of a venue to a tape until a signal, or for a duration. */
export async function record({ terminal }: Session, config: string, given: unknown): Promise<void> {
  const { out, seconds, raw, json, set } = optionsSchema.parse(given);
  const live = readLiveFile(config, terminal.cwd, set);
  const redactor = new Redactor();
  const log = createLog({ level: live.file.log.level, redactor, write: (text) => terminal.err.write(text) });
  const recorded = await recordTape({
    live,
    log,
    redactor,
    raw,
    pathAt: (time) => resolve(terminal.cwd, out ?? `recordings/${time.replaceAll(':', '-')}.tape`),
    durationMs: seconds === undefined ? undefined : durationMs(Math.round(1_000 * seconds)),
    onStart: (markets, venue, path) =>
      terminal.err.write(`recording ${markets} ${markets === 1 ? 'market' : 'markets'} of ${venue} to ${path}\n`),
  });
  const text = `${recorded.rows} rows in ${recorded.file ?? 'no file: nothing happened'}\n`;
  terminal.out.write(json ? `${JSON.stringify(recorded)}\n` : text);
}
