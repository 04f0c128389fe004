import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runs } from '../runs.ts';
import { anyCase, bytesOf, fuzzedFiles, readOrRefuse } from './file-fuzz.ts';

/** Kinds whose cases take longer, such as imports that write tapes, have fewer cases. */
const RUNS: Readonly<Record<string, number>> = { tape: 600, steps: 800, frames: 800, betfair: 60, parquet: 60 };
/** Importers drop most bad rows and refuse few files, so a run may contain no refused file. */
const MOSTLY_READ: readonly string[] = ['csv', 'jsonl', 'polymarket', 'kalshi'];
const MAX_BYTES = 32 * 1024 * 1024;

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'halfspread-fuzz-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('a damaged or forged file', () => {
  it.each(fuzzedFiles().map((kind) => [kind.name, kind] as const))(
    'of the kind %s is read, or refused with place and exit code, with bounded buffers',
    async (_, kind) => {
      const outcomes = { read: 0, refused: 0 };
      const alloc = vi.spyOn(Buffer, 'alloc');
      try {
        const property = fc.asyncProperty(anyCase(kind), async (each) => {
          outcomes[await readOrRefuse(kind, join(folder, 'input'), bytesOf(kind, each))] += 1;
        });
        await fc.assert(property, { numRuns: runs(RUNS[kind.name] ?? (MOSTLY_READ.includes(kind.name) ? 120 : 250)) });
        expect(Math.max(0, ...alloc.mock.calls.map(([size]) => size))).toBeLessThan(MAX_BYTES);
      } finally {
        alloc.mockRestore();
      }
      // A test without refused files would not check the messages.
      if (!MOSTLY_READ.includes(kind.name)) expect(outcomes.refused).toBeGreaterThan(runs(10));
      expect(await readOrRefuse(kind, join(folder, 'input'), Buffer.from('<html><body>502</body></html>\n'))).toBe(
        'refused',
      );
    },
  );
});
