import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runs } from '../runs.ts';
import { anyCase, bytesOf, fuzzedFiles, tried } from './file-fuzz.ts';

/** Importing writes tapes to the disk for each case, and so has fewer of them. */
const RUNS: Readonly<Record<string, number>> = { tape: 600, steps: 800, frames: 800, betfair: 60, parquet: 60 };
/** Importers drop and count most bad rows, and refuse so few files that a run may meet none. */
const MOSTLY_READ: readonly string[] = ['csv', 'jsonl', 'polymarket', 'kalshi'];
const MAX_BYTES = 32 * 1024 * 1024;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspread-fuzz-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a damaged or forged file', () => {
  it.each(fuzzedFiles().map((kind) => [kind.name, kind] as const))(
    'of the kind %s is refused with place and exit code, or reads equal, within little memory',
    async (_, kind) => {
      const outcomes = { read: 0, refused: 0 };
      const alloc = vi.spyOn(Buffer, 'alloc');
      try {
        const property = fc.asyncProperty(anyCase(kind), async (each) => {
          outcomes[await tried(kind, join(folder, 'input'), bytesOf(kind, each))] += 1;
        });
        await fc.assert(property, { numRuns: runs(RUNS[kind.name] ?? (MOSTLY_READ.includes(kind.name) ? 120 : 250)) });
        expect(Math.max(0, ...alloc.mock.calls.map(([size]) => size))).toBeLessThan(MAX_BYTES);
      } finally {
        alloc.mockRestore();
      }
      // Of changes that all are refused, or all are read, nothing would be learned.
      if (!MOSTLY_READ.includes(kind.name)) expect(outcomes.refused).toBeGreaterThan(runs(10));
      expect(await tried(kind, join(folder, 'input'), Buffer.from('<html><body>502</body></html>\n'))).toBe('refused');
    },
  );
});
