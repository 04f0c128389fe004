/** What a killed import needs to go on: saved beside its finished parts. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { z } from 'zod';
import { tryParseJson } from '../../network/index.ts';
import { savedCounts } from './counts.ts';

const levels = z.array(z.tuple([z.number(), z.number(), z.number(), z.array(z.tuple([z.number(), z.number()]))]));

const market = z.object({
  bids: levels,
  asks: levels,
  hasBook: z.boolean(),
  isGap: z.boolean(),
  status: z.number(),
  placeDelayMs: z.number(),
  isResolved: z.boolean(),
});

const STATE = z.object({
  /** Hash of the inputs and the mapping. */
  key: z.string(),
  /** Number of finished parts. */
  part: z.number(),
  /** Rows taken of each file. */
  taken: z.array(z.number()),
  counts: savedCounts,
  /** Trade ids that are remembered. */
  ids: z.array(z.string()),
  /** What the import of a venue's captures remembers beside. */
  venue: z.unknown().optional(),
  tapes: z.array(
    z.object({
      name: z.string(),
      time: z.number(),
      parts: z.array(z.string()),
      markets: z.array(z.object({ key: z.string(), state: market })),
    }),
  ),
});

/** The state of an import of these inputs; undefined when there is none, a damaged one, or one of others. */
export function readState(path: string, key: string): z.output<typeof STATE> | undefined {
  if (!existsSync(path)) return undefined;
  const state = STATE.safeParse(tryParseJson(readFileSync(path, 'utf8')));
  return state.success && state.data.key === key ? state.data : undefined;
}

/** Writes a file under its name only when it is complete. */
export function saveState(path: string, state: z.input<typeof STATE>): void {
  writeFileSync(`${path}.partial`, JSON.stringify(state));
  renameSync(`${path}.partial`, path);
}

/** Removes what an import of other inputs has left. */
export function clearParts(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
