/** A sample of the lines to mutate. It is the same in each run, so that runs are comparable. */
import { globSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** Returns one of `every` lines of the files, each as a Stryker pattern. */
export function sampleOf(patterns: readonly string[], every: number): string[] {
  const excluded = new Set(patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)));
  const files = globSync(patterns.filter((pattern) => !pattern.startsWith('!'))).filter((file) => !excluded.has(file));
  return files.toSorted().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((_, at) => `${file}:${at + 1}-${at + 1}`)
      .filter((line) => crc32(line) % every === 0),
  );
}
