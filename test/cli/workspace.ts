/** A user's folder with a tape, a configuration and strategies. */
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { newFolder, ROOT } from './halfspread.ts';

const TAPE = join(ROOT, 'config/tapes/betfair-1.200806927.tape');

export interface Workspace {
  readonly folder: string;
  /** Writes a file. @returns its path */
  write(path: string, text: string | Uint8Array): string;
  /** Names of the files in the reports folder. Empty if it does not exist. */
  reports(): readonly string[];
}

/** Half an hour of the recorded match, quoted by `ladder`. */
export const SHORT_RUN = `strategy: ladder
params:
  bid_spread: 60
  ask_spread: 60
  order_amount: 20
  max_position: 300
tapes: [match.tape]
from: 2022-07-11T11:00:20Z
to: 2022-07-11T11:30:00Z
`;

/** Creates a folder with `match.tape` and `run.yaml`. */
export function workspace(config: string = SHORT_RUN): Workspace {
  const folder = newFolder();
  copyFileSync(TAPE, join(folder, 'match.tape'));
  const write = (path: string, text: string | Uint8Array): string => {
    const full = join(folder, path);
    mkdirSync(join(full, '..'), { recursive: true });
    writeFileSync(full, text);
    return full;
  };
  write('run.yaml', config);
  return { folder, write, reports: () => filesIn(join(folder, 'reports')) };
}

/** Returns the source of a strategy without parameters. @param handlers source of its handlers */
export function strategyWith(name: string, handlers: string): string {
  return `import { defineStrategy, z } from 'halfspread';

export default defineStrategy({
  name: '${name}',
  summary: 'Made for a test.',
  params: z.strictObject({}),
  create: () => (${handlers}),
});
`;
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
