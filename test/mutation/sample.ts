/** A sample of the lines to be mutated: the same ones each time, for the next run has to be held against it. */
import { globSync, readFileSync } from 'node:fs';
import { crc32 } from 'node:zlib';

/** One of so many lines of the files by their names and numbers, each as a pattern that Stryker understands. */
export function sampleOf(patterns: readonly string[], every: number): string[] {
  const left = new Set(patterns.filter((pattern) => pattern.startsWith('!')).map((pattern) => pattern.slice(1)));
  const files = globSync(patterns.filter((pattern) => !pattern.startsWith('!'))).filter((file) => !left.has(file));
  return files.toSorted().flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((_, at) => `${file}:${at + 1}-${at + 1}`)
      .filter((line) => crc32(line) % every === 0),
  );
}
