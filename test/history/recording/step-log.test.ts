import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFault } from '../../../src/domain/index.ts';
import { readStepLog, recordedStore, StepLog } from '../../../src/history/index.ts';
import type { Step } from '../../../src/runtime/index.ts';
import { anyStep } from '../../runtime/any-step.ts';
import { scratchFolder } from '../scratch.ts';

const HEAD = { session: 3, question: 'Grüße?' };

function logIn(folder: string, faults: FileFault[] = []): StepLog {
  return new StepLog(join(folder, 'live.steps'), HEAD, (fault) => faults.push(fault));
}

function written(steps: readonly Step[]): string {
  const log = logIn(scratchFolder());
  for (const step of steps) log.add(step);
  log.close();
  log.close();
  return log.path;
}

describe('the log of a session', () => {
  it('gives back its head and every step', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        expect(readStepLog(written(steps))).toEqual({ head: HEAD, steps, cut: 0 });
      }),
      { numRuns: 40 },
    );
  });

  it('is whole up to its last whole step wherever it was cut off', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 8 }), fc.nat(), (steps, where) => {
        const path = written(steps);
        const bytes = readFileSync(path);
        const first = bytes.indexOf(0x0a) + 1;
        const length = first + (where % (bytes.length - first));
        truncateSync(path, length);
        const found = readStepLog(path);
        expect(found.steps).toEqual(steps.slice(0, found.steps.length));
        expect(found.steps.length).toBeLessThan(steps.length);
        expect(found.cut).toBeLessThanOrEqual(length - first);
      }),
      { numRuns: 60 },
    );
  });

  it('is refused when it is none, or damaged before its end', () => {
    const folder = scratchFolder();
    const path = join(folder, 'x.steps');
    expect(() => readStepLog(path)).toThrow(/cannot be read/);
    writeFileSync(path, 'no line');
    expect(() => readStepLog(path)).toThrow(/no log of a session/);
    const [step] = fc.sample(anyStep, { numRuns: 1, seed: 3 });
    const long = written(Array.from({ length: 6_000 }, () => step!));
    const bytes = readFileSync(long);
    const at = bytes.indexOf(0x0a) + 20;
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(long, bytes);
    expect(() => readStepLog(long)).toThrow(/step 1 is damaged/);
  });

  it('takes what was stored, in order, and nothing that the store refused', () => {
    const log = logIn(scratchFolder());
    const [one, other] = fc.sample(anyStep, { numRuns: 2, seed: 9 });
    const stored: Step[] = [];
    const store = recordedStore(
      {
        append(steps) {
          if (steps.includes(other!)) throw new Error('the disk is full');
          stored.push(...steps);
        },
      },
      log,
    );
    store.append([one!]);
    expect(() => store.append([other!])).toThrow('the disk is full');
    log.close();
    expect(readStepLog(log.path).steps).toEqual(stored);
    expect(stored).toHaveLength(1);
  });
});
