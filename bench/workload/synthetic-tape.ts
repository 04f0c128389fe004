import { existsSync } from 'node:fs';
import { DEFAULT_RECIPE, generateTape } from '../../src/history/index.ts';

/** Generates a synthetic tape, unless the file exists. @param changes changes to the default recipe */
export function syntheticTape(path: string, changes: Partial<typeof DEFAULT_RECIPE>): string {
  if (!existsSync(path)) generateTape({ ...DEFAULT_RECIPE, ...changes }, path);
  return path;
}
