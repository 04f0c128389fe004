import { describe, expect, it } from 'vitest';
import { FileFault } from '../../src/domain/index.ts';
import type { FileJournalOptions } from '../../src/store/file-journal.ts';
import { open, transfer } from '../exchange/journal/words.ts';
import { CrashDisk } from './crash-disk.ts';
import { Run } from './run.ts';

type Files = Record<string, Uint8Array<ArrayBuffer>>;

/** Where the frames of a segment end, and how many records there are up to each. */
interface Frames {
  readonly ends: readonly number[];
  readonly records: readonly number[];
}

/** Some batches, ended in order or not. */
async function written(options: FileJournalOptions & { readonly snapshotEvery?: number }, isClosed: boolean) {
  const disk = new CrashDisk();
  const run = await Run.start(disk, options);
  const sizes: Record<string, Frames> = {};
  for (let batch = 0; batch < 6; batch++) {
    // The first of a batch goes alone, the others together.
    for (let each = 0; each < 3; each++) run.apply(batch === 0 && each === 0 ? open() : transfer(10 * batch + each));
    await run.settled();
    await new Promise((resolve) => setImmediate(resolve));
  }
  if (isClosed) await run.journal.close();
  for (const [name, bytes] of Object.entries(disk.files())) sizes[name] = framesIn(bytes, name);
  return { files: disk.files(), hashes: run.hashes, frames: sizes };
}

/** Walks over the headers as docs/journal.md describes them. */
function framesIn(bytes: Uint8Array<ArrayBuffer>, name: string): Frames {
  const view = new DataView(bytes.buffer);
  const ends = [36];
  const records = [Number(/\d+/.exec(name)?.[0]) - 1];
  if (!name.endsWith('.journal')) return { ends, records };
  for (let at = 36; at < bytes.length; ) {
    records.push((records.at(-1) ?? 0) + view.getUint32(at + 4, true));
    at += 28 + view.getUint32(at, true);
    ends.push(at);
  }
  expect(ends.at(-1)).toBe(bytes.length);
  return { ends, records };
}

/** What comes of files: the last record and the state, or the fault. */
async function outcome(files: Files, hashes: readonly string[]) {
  const disk = new CrashDisk(files);
  try {
    const { journal, recovery } = await Run.start(disk, {}, hashes);
    expect(recovery.machine.stateHash()).toBe(hashes[journal.last]);
    return { last: journal.last, cut: journal.cut, notes: recovery.notes, fault: undefined };
  } catch (cause) {
    if (!(cause instanceof FileFault)) throw cause;
    return { last: undefined, cut: undefined, notes: [], fault: cause };
  }
}

function flipped(bytes: Uint8Array<ArrayBuffer>, bit: number): Uint8Array<ArrayBuffer> {
  const copy = bytes.slice();
  copy[bit >> 3] = (copy[bit >> 3] ?? 0) ^ (1 << (bit & 7));
  return copy;
}

const ONE = 'records-0000000000000001.journal';

describe('a journal whose process died', () => {
  it('has at every length of its file the batches that are whole, and tells what was cut', async () => {
    const { files, hashes, frames } = await written({}, false);
    const { ends = [], records = [] } = frames[ONE] ?? {};
    const whole = files[ONE] ?? new Uint8Array(0);
    expect(records.at(-1)).toBe(18);
    expect(ends.length).toBeGreaterThan(9);
    for (let length = 0; length <= whole.length; length++) {
      const good = ends.findLastIndex((end) => end <= length);
      const end = good < 0 ? 0 : (ends[good] ?? 0);
      const { last, cut, fault } = await outcome({ [ONE]: whole.slice(0, length) }, hashes);
      expect(fault).toBeUndefined();
      expect(last, `at ${length}`).toBe(good < 0 ? 0 : records[good]);
      const expected = { file: `disk/${ONE}`, offset: end, bytes: length - end, problem: expect.any(String) };
      expect(cut, `at ${length}`).toEqual(length === end && good >= 0 ? undefined : expected);
    }
  });

  it('with any bit flipped is refused, but for the last batch, which is cut', async () => {
    const { files, hashes, frames } = await written({}, false);
    const { ends = [], records = [] } = frames[ONE] ?? {};
    const whole = files[ONE] ?? new Uint8Array(0);
    const lastFrame = ends.at(-2) ?? 0;
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const { last, cut, fault } = await outcome({ [ONE]: flipped(whole, bit) }, hashes);
      if (bit >> 3 >= lastFrame) {
        expect([last, cut?.offset, cut?.bytes], `bit ${bit}`).toEqual([
          records.at(-2),
          lastFrame,
          whole.length - lastFrame,
        ]);
        continue;
      }
      const frame = ends.findLastIndex((end) => end <= bit >> 3);
      expect(fault?.message, `bit ${bit}`).toContain(`disk/${ONE}, byte ${frame < 0 ? 0 : ends[frame]}: `);
      expect(fault?.message).toMatch(/Put back a good copy of this file/);
    }
  });
});

describe('a journal that was closed', () => {
  it('with any bit flipped loses no record without a word: it is refused, or the mark of its end is cut', async () => {
    const { files, hashes, frames } = await written({}, true);
    const { ends = [] } = frames[ONE] ?? {};
    const whole = files[ONE] ?? new Uint8Array(0);
    const mark = ends.at(-2) ?? 0;
    expect(whole.length - mark).toBe(28);
    for (let bit = 0; bit < whole.length * 8; bit++) {
      const { last, cut, fault } = await outcome({ [ONE]: flipped(whole, bit) }, hashes);
      if (bit >> 3 >= mark) expect([last, cut?.offset], `bit ${bit}`).toEqual([18, mark]);
      else expect(fault, `bit ${bit}`).toBeDefined();
    }
  });
});

describe('several segments and snapshots', () => {
  it('come to the last state with any bit of a snapshot flipped, and say so', async () => {
    const { files, hashes } = await written({ segmentBytes: 150, snapshotEvery: 5 }, true);
    const names = Object.keys(files)
      .filter((name) => name.startsWith('state-'))
      .sort();
    expect(names).toHaveLength(2);
    for (const name of names) {
      const whole = files[name] ?? new Uint8Array(0);
      const isNewest = name === names.at(-1);
      for (let bit = 0; bit < whole.length * 8; bit++) {
        const { last, notes, fault } = await outcome({ ...files, [name]: flipped(whole, bit) }, hashes);
        expect([last, fault], `bit ${bit} of ${name}`).toEqual([18, undefined]);
        expect(notes.length, `bit ${bit} of ${name}`).toBe(isNewest ? 1 : 0);
        if (isNewest) expect(notes[0]).toMatch(/^the snapshot after record \d+ (cannot be used|restores to)/);
      }
    }
  });

  it('are refused with any bit flipped or any byte missing in a segment that is needed', async () => {
    const { files, hashes } = await written({ segmentBytes: 150 }, true);
    const names = Object.keys(files).sort();
    expect(names.length).toBeGreaterThan(3);
    for (const name of names.slice(0, -1)) {
      const whole = files[name] ?? new Uint8Array(0);
      for (let bit = 0; bit < whole.length * 8; bit++) {
        const { fault } = await outcome({ ...files, [name]: flipped(whole, bit) }, hashes);
        expect(fault?.message, `bit ${bit} of ${name}`).toContain(`disk/${name}, byte `);
      }
      for (let length = 0; length < whole.length; length++) {
        const { fault } = await outcome({ ...files, [name]: whole.slice(0, length) }, hashes);
        expect(fault, `${name} at ${length}`).toBeDefined();
      }
    }
  });

  it('are refused when one between is missing, with the records that it held', async () => {
    const { files, hashes } = await written({ segmentBytes: 150 }, true);
    const [, second = '', third = ''] = Object.keys(files).sort();
    const { [second]: _gone, ...left } = files;
    const { fault } = await outcome(left, hashes);
    const from = Number(/\d+/.exec(second)?.[0]);
    const to = Number(/\d+/.exec(third)?.[0]) - 1;
    expect(fault?.message).toBe(
      `disk/${third}: the records ${from} to ${to} before it are missing. Put back the files that were between`,
    );
  });

  it("are refused under each other's names", async () => {
    const { files, hashes } = await written({ segmentBytes: 150 }, true);
    const [first = '', second = ''] = Object.keys(files).sort();
    const { [first]: one = new Uint8Array(0), [second]: two = new Uint8Array(0) } = files;
    const { fault } = await outcome({ ...files, [first]: two, [second]: one }, hashes);
    expect(fault?.message).toMatch(/byte 24: it begins with record \d+, not as its name says/);
  });

  it('are refused when another version wrote them', async () => {
    const { files, hashes } = await written({}, true);
    const { crc32 } = await import('node:zlib');
    const later = files[ONE] ?? new Uint8Array(36);
    const view = new DataView(later.buffer);
    view.setUint32(16, 2, true);
    view.setUint32(32, crc32(later.subarray(0, 32)), true);
    expect((await outcome({ [ONE]: later }, hashes)).fault?.message).toContain(
      'of version 2, this program reads version 1',
    );
  });
});
