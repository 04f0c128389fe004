import { readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { FileFault } from '../../../src/domain/index.ts';
import { readStepLog, recordedStore, StepLog } from '../../../src/history/index.ts';
import type { Step } from '../../../src/runtime/index.ts';
import { anyStep } from '../../runtime/any-step.ts';
import { scratchFolder } from '../scratch.ts';

const HEAD = { session: 3, question: 'Grüße?' };

function logIn(folder: string, faults: FileFault[] = []): StepLog {
  return new StepLog(join(folder, 'live.steps'), HEAD, (fault) => faults.push(fault));
}

function writeLog(steps: readonly Step[]): string {
  const log = logIn(scratchFolder());
  for (const step of steps) log.add(step);
  log.close();
  log.close();
  return log.path;
}

/** Writes a log without the end mark, as a killed process leaves it. */
function writeUnendedLog(steps: readonly Step[]): string {
  const path = writeLog(steps);
  truncateSync(path, statSync(path).size - 16);
  return path;
}

/** Reads a whole log. */
function read(path: string) {
  const { head, count, cutBytes, isEnded, steps, lastStep } = readStepLog(path);
  const all = [...steps()];
  expect(all).toHaveLength(count);
  expect(lastStep()).toEqual(all.at(-1));
  return { head, steps: all, cutBytes, isEnded };
}

/** The log with one bit flipped, for each bit from the byte `first` on; fewer where `step` is above 1. */
function* flippedBits(path: string, first: number, step = 1): Generator<number> {
  const original = readFileSync(path);
  for (let bit = 8 * first; bit < 8 * original.length; bit += step) {
    const bytes = Buffer.from(original);
    bytes[bit >> 3] = bytes[bit >> 3]! ^ (1 << (bit & 7));
    writeFileSync(path, bytes);
    yield bit;
  }
}

describe('the log of a session', () => {
  it('returns its head and every step', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { maxLength: 40 }), (steps) => {
        expect(read(writeLog(steps))).toEqual({ head: HEAD, steps, cutBytes: 0, isEnded: true });
        expect(read(writeUnendedLog(steps))).toEqual({ head: HEAD, steps, cutBytes: 0, isEnded: false });
      }),
      { numRuns: 40 },
    );
  });

  it('is complete up to its last whole step after any cut', () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 1, maxLength: 8 }), fc.nat(), (steps, where) => {
        const path = writeUnendedLog(steps);
        const bytes = readFileSync(path);
        const first = bytes.indexOf(0x0a) + 1;
        const length = first + (where % (bytes.length - first));
        truncateSync(path, length);
        const found = read(path);
        expect(found.steps).toEqual(steps.slice(0, found.steps.length));
        expect(found.steps.length).toBeLessThan(steps.length);
        expect(found.cutBytes).toBeLessThanOrEqual(length - first);
        expect(found.isEnded).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  it('reports a missing end when steps at the end were cut off, and is refused when others were removed', () => {
    const steps = fc.sample(anyStep, { numRuns: 5, seed: 17 });
    const whole = readFileSync(writeLog(steps));
    const ends = [4, 3, 2, 1].map((count) => readFileSync(writeUnendedLog(steps.slice(0, count))));
    const path = join(scratchFolder(), 'x.steps');
    for (const shorter of ends) {
      writeFileSync(path, shorter);
      expect(readStepLog(path)).toMatchObject({ cutBytes: 0, isEnded: false });
      // The end mark of the whole log after fewer steps.
      writeFileSync(path, Buffer.concat([shorter, whole.subarray(-16)]));
      expect(() => readStepLog(path)).toThrow(/the log has \d steps, its end mark states 5: steps are missing/);
    }
  });

  it('with any flipped bit in its end mark is damaged, not cut off', () => {
    const path = writeLog(fc.sample(anyStep, { numRuns: 3, seed: 19 }));
    for (const bit of flippedBits(path, statSync(path).size - 16)) {
      expect(() => readStepLog(path), `bit ${bit}`).toThrow(/step 4 is damaged, so the last 16 bytes of the file/);
    }
  });

  it('with any flipped bit in its first line is refused, or is read with the same content', () => {
    const path = writeUnendedLog([]);
    for (const bit of flippedBits(path, 0)) {
      try {
        expect(readStepLog(path), `bit ${bit}`).toMatchObject({
          head: expect.objectContaining(HEAD),
          count: 0,
          cutBytes: 0,
        });
      } catch (fault) {
        expect(String(fault), `bit ${bit}`).toMatch(/line 1: (the checksum is wrong|.* first line is damaged)/);
      }
    }
  });

  it('of an earlier version, without a checksum of its first line, is read', () => {
    const path = writeUnendedLog([]);
    writeFileSync(path, `${JSON.stringify(HEAD)}\n`);
    expect(read(path)).toEqual({ head: HEAD, steps: [], cutBytes: 0, isEnded: false });
  });

  it('is refused when it is another kind of file or damaged before its end', () => {
    const folder = scratchFolder();
    const path = join(folder, 'x.steps');
    expect(() => readStepLog(path)).toThrow(/there is no such file or folder/);
    writeFileSync(path, 'no line');
    expect(() => readStepLog(path)).toThrow(/not a log of a session, or its first line is damaged/);
    const [step] = fc.sample(anyStep, { numRuns: 1, seed: 3 });
    const long = writeLog(Array.from({ length: 6_000 }, () => step!));
    const bytes = readFileSync(long);
    const at = bytes.indexOf(0x0a) + 20;
    bytes[at] = bytes[at]! ^ 1;
    writeFileSync(long, bytes);
    expect(() => readStepLog(long)).toThrow(/step 1 is damaged/);
  });

  it('with any flipped bit is damaged, not cut off', () => {
    const steps = fc.sample(anyStep, { numRuns: 6, seed: 5 });
    const path = writeUnendedLog(steps);
    for (const bit of flippedBits(path, readFileSync(path).indexOf(0x0a) + 1, 7)) {
      expect(() => readStepLog(path), `bit ${bit}`).toThrow(
        /byte \d+: step \d is damaged, so the last \d+ bytes of the file/,
      );
    }
  });

  it('ends before a last write that left only zeros on the disk', () => {
    const steps = fc.sample(anyStep, { numRuns: 3, seed: 7 });
    const path = writeUnendedLog(steps);
    writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.alloc(5_000)]));
    expect(read(path)).toEqual({ head: HEAD, steps, cutBytes: 5_000, isEnded: false });
  });

  it('is refused when it contains no step', () => {
    const path = join(scratchFolder(), 'x.steps');
    const bytes = Buffer.from('nothing of the kind');
    const head = Buffer.alloc(8);
    head.writeUInt32LE(bytes.length);
    head.writeUInt32LE(crc32(bytes), 4);
    writeFileSync(path, Buffer.concat([Buffer.from('{}\n'), head, bytes]));
    expect(() => read(path)).toThrow(/byte 3: the bytes are not a step .*Name the \.steps file/s);
  });

  it.each([
    ['a time that is not a whole number', 8, 0.5],
    ['a negative number of rows', 16, -1],
    ['a NaN', 0, Number.NaN],
  ])('is refused when a step has %s under a valid checksum', (_, place, value) => {
    const path = writeUnendedLog(fc.sample(anyStep, { numRuns: 3, seed: 11 }));
    const bytes = readFileSync(path);
    const at = bytes.indexOf(0x0a) + 1;
    const step = bytes.subarray(at + 8, at + 8 + bytes.readUInt32LE(at));
    step.writeDoubleLE(value, place);
    bytes.writeUInt32LE(crc32(step), at + 4);
    writeFileSync(path, bytes);
    expect(() => read(path)).toThrow(/the bytes are not a step \(.* is not a whole number from/);
  });

  it('is read in windows, so that memory does not grow with the file', () => {
    const path = writeLog(fc.sample(anyStep, { numRuns: 8_000, seed: 13 }));
    const alloc = vi.spyOn(Buffer, 'alloc');
    onTestFinished(() => alloc.mockRestore());
    const { count, steps } = readStepLog(path);
    let seen = 0;
    for (const _ of steps()) seen += 1;
    expect([count, seen]).toEqual([8_000, 8_000]);
    expect(readFileSync(path).length).toBeGreaterThan(1_000_000);
    expect(Math.max(...alloc.mock.calls.map(([size]) => size))).toBeLessThanOrEqual(262_144);
  });

  it('contains the stored steps in order, and none that the store refused', () => {
    const log = logIn(scratchFolder());
    const [accepted, refused] = fc.sample(anyStep, { numRuns: 2, seed: 9 });
    const stored: Step[] = [];
    const store = recordedStore(
      {
        append(steps) {
          if (steps.includes(refused!)) throw new Error('the disk is full');
          stored.push(...steps);
        },
      },
      log,
    );
    store.append([accepted!]);
    expect(() => store.append([refused!])).toThrow('the disk is full');
    log.close();
    expect(read(log.path).steps).toEqual(stored);
    expect(stored).toHaveLength(1);
  });
});
