import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFault } from '../../../src/domain/index.ts';
import {
  isInterrupted,
  openRecordedRows,
  Recording,
  type Rotation,
  recordedVenue,
  repairRecording,
  TapeFile,
  TapeWriter,
} from '../../../src/history/index.ts';
import { HEADER } from '../../../src/history/tape-format.ts';
import type { VenueSink } from '../../../src/runtime/index.ts';
import { runs } from '../../runs.ts';
import { arbitraryMessages, blocksOf, feedOf, type Message, readLines } from '../../tape/rows.ts';
import { headOf, scratchFolder, writeTape } from '../scratch.ts';

const WIDE = headOf(4);

const message = (tx: number): Message => ({
  tx,
  rx: tx + 7,
  rows: [{ market: 0, kind: 0, side: 0, price: 4000, shares: tx * 10_000 }],
});

function recordingIn(folder: string, faults: FileFault[] = []) {
  const path = join(folder, 'live.tape');
  return { path, recording: new Recording({ path, head: () => WIDE, onFault: (fault) => faults.push(fault) }) };
}

function appendAll(recording: Recording, messages: readonly Message[]): void {
  for (const block of blocksOf(messages)) recording.append(block, 0, block.count);
}

describe('a recording', () => {
  it('is a tape of all rows when it is finished, with no other file', () => {
    const { path, recording } = recordingIn(scratchFolder());
    appendAll(recording, [message(1), message(2)]);
    recording.flush();
    appendAll(recording, [message(2), message(9)]);
    expect(recording.finish()).toMatchObject({ rows: 4, from: 1, to: 9, receiveTime: 'recorded' });
    expect(readLines(TapeFile.open(path).feed())).toEqual(readLines(feedOf(blocksOf([1, 2, 2, 9].map(message)))));
    expect(readdirSync(dirname(path))).toEqual(['live.tape']);
  });

  it('leaves no file when it has no row', () => {
    const { path, recording } = recordingIn(scratchFolder());
    expect(recording.finish()).toBeUndefined();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('ends when the disk fails, reports it once, and does not disturb the run', () => {
    const faults: FileFault[] = [];
    const { path, recording } = recordingIn(scratchFolder(), faults);
    // An invalid row simulates a failed write: the writer throws in both cases.
    const [block] = blocksOf([message(5), message(6)]);
    recording.append(block!, 1, 2);
    recording.append(block!, 0, 1);
    recording.append(block!, 0, 1);
    expect(faults.map(({ message: text }) => text)).toEqual([expect.stringContaining('could not be recorded')]);
    expect(recording.finish()).toBeUndefined();
    expect(readdirSync(dirname(path)).sort()).toEqual(['live.tape.partial', 'live.tape.partial.list']);
  });
});

/** Changes a byte of the first block. */
function damage(path: string): void {
  const bytes = readFileSync(path);
  bytes[20] = (bytes[20] ?? 0) ^ 1;
  writeFileSync(path, bytes);
}

/** Returns the number of open descriptors of files in a folder. */
function openDescriptors(folder: string): number {
  const descriptors = '/proc/self/fd';
  const targets = readdirSync(descriptors).flatMap((fd) =>
    existsSync(join(descriptors, fd)) ? [readlinkSync(join(descriptors, fd))] : [],
  );
  return targets.filter((target) => dirname(target) === folder).length;
}

describe('the rows of an unfinished recording', () => {
  const rotations: readonly (readonly [string, Rotation | undefined])[] = [
    ['one part', undefined],
    ['several parts', { bytes: Number.POSITIVE_INFINITY, ms: 1 }],
  ];

  it.runIf(existsSync('/proc/self/fd')).each(rotations)('close their file if nothing was read: %s', (_, rotation) => {
    const folder = scratchFolder();
    const path = join(folder, 'live.tape');
    const recording = new Recording({ path, head: () => WIDE, onFault: () => {}, rotation });
    for (const tx of [1, 2, 3]) {
      appendAll(recording, [message(tx)]);
      recording.flush();
    }
    const before = openDescriptors(folder);
    const { feed } = openRecordedRows(path);
    expect(openDescriptors(folder)).toBe(before + 1);
    feed.close();
    expect(openDescriptors(folder)).toBe(before);
  });
});

const DAMAGED = ['live.tape.damaged', 'live.tape.damaged.list'];

/** Returns undefined if no block is readable. */
function tryRepair(path: string) {
  try {
    return repairRecording(path);
  } catch (fault) {
    expect(fault).toMatchObject({ problem: expect.stringContaining('no block of it can be read') });
    return undefined;
  }
}

describe('an unfinished recording', () => {
  it('is repaired up to the flushed rows, wherever its list or its file ends', () => {
    fc.assert(
      fc.property(arbitraryMessages(), fc.nat(), fc.boolean(), (messages, at, ofList) => {
        fc.pre(messages.length > 1);
        const { path, recording } = recordingIn(scratchFolder());
        const blocks = blocksOf(messages, 8);
        for (const block of blocks) {
          recording.append(block, 0, block.count);
          recording.flush();
        }
        const truncated = ofList ? `${path}.partial.list` : `${path}.partial`;
        const size = readFileSync(truncated).length;
        truncateSync(truncated, size - (at % size));
        expect(isInterrupted(path)).toBe(true);
        // A recording of which only the header is left has no rows, so nothing of it is kept.
        const unrepaired = statSync(`${path}.partial`).size > HEADER.length ? DAMAGED : [];
        const repaired = tryRepair(path);
        const found = repaired === undefined ? [] : readLines(TapeFile.open(path).feed());
        const all = readLines(feedOf(blocks));
        expect(found).toEqual(all.slice(0, found.length));
        if (at % size === 0) expect(found).toEqual(all);
        expect(readdirSync(dirname(path))).toEqual(repaired === undefined ? unrepaired : ['live.tape']);
        expect(isInterrupted(path)).toBe(false);
      }),
      { numRuns: runs(60) },
    );
  });

  it('is read and repaired up to its last whole block when its list ends after its file', () => {
    const { path, recording } = recordingIn(scratchFolder());
    const partial = `${path}.partial`;
    const messages = [1, 2, 3, 4, 5].map(message);
    const sizes = [HEADER.length];
    for (const each of messages) {
      appendAll(recording, [each]);
      recording.flush();
      sizes.push(statSync(partial).size);
    }
    const files = [partial, `${partial}.list`].map((file) => readFileSync(file));
    const [bytes = Buffer.alloc(0), list = Buffer.alloc(0)] = files;
    const all = readLines(feedOf(blocksOf(messages)));
    for (let end = HEADER.length; end < bytes.length; end += 9) {
      const whole = sizes.filter((size) => size <= end).length - 1;
      // A kill leaves at most one listed block without all of its bytes. A power failure may leave more.
      for (const listed of [whole + 1, messages.length]) {
        writeFileSync(partial, bytes.subarray(0, end));
        const lines = list.toString('utf8').split('\n');
        writeFileSync(`${partial}.list`, `${lines.slice(0, 1 + listed).join('\n')}\n`);
        const recorded = openRecordedRows(path);
        expect(recorded.rows).toBe(whole);
        expect(readLines(recorded.feed)).toEqual(all.slice(0, whole));
        recorded.feed.close();
        const repaired = tryRepair(path);
        expect(repaired?.manifest.rows ?? 0).toBe(whole);
        if (repaired !== undefined) expect(readLines(TapeFile.open(path).feed())).toEqual(all.slice(0, whole));
        rmSync(path, { force: true });
      }
    }
  });

  it('reports how many blocks were lost', () => {
    const { path, recording } = recordingIn(scratchFolder());
    for (const tx of [1, 2, 3]) {
      appendAll(recording, [message(tx)]);
      recording.flush();
    }
    truncateSync(`${path}.partial`, readFileSync(`${path}.partial`).length - 1);
    appendFileSync(`${path}.partial.list`, 'no line of ours\n');
    expect(repairRecording(path)).toMatchObject({ manifest: { rows: 2 }, lost: 1 });
  });

  it.each([
    ['the first', 0, [...DAMAGED]],
    ['a middle', 1, ['live.tape', ...DAMAGED]],
  ])('is kept under another name when %s block is damaged', (_, index, files) => {
    const { path, recording } = recordingIn(scratchFolder());
    for (const tx of [1, 2, 3]) {
      appendAll(recording, [message(tx)]);
      recording.flush();
    }
    const bytes = readFileSync(`${path}.partial`);
    const at = Math.floor((bytes.length * (index + 0.5)) / 3);
    bytes[at] = (bytes[at] ?? 0) ^ 1;
    writeFileSync(`${path}.partial`, bytes);
    expect(() => repairRecording(path)).toThrow(`The recording is kept as ${path}.damaged`);
    expect(readdirSync(dirname(path))).toEqual(files);
    expect(readFileSync(`${path}.damaged`)).toEqual(bytes);
    expect(repairRecording(path)).toBeUndefined();
  });

  it('is kept under another name when a line in the middle of its list is damaged', () => {
    const { path, recording } = recordingIn(scratchFolder());
    for (const tx of [1, 2, 3]) {
      appendAll(recording, [message(tx)]);
      recording.flush();
    }
    const [head = '', first = '', second = '', third = ''] = readFileSync(`${path}.partial.list`, 'utf8').split('\n');
    writeFileSync(`${path}.partial.list`, `${[head, first, second.slice(1), third].join('\n')}\n`);
    expect(() => repairRecording(path)).toThrow(`The 1 rows before the damage are in ${path}`);
    expect(readdirSync(dirname(path))).toEqual(['live.tape', ...DAMAGED]);
  });

  it('is kept under another name when the line with the markets of later blocks is damaged', () => {
    const path = join(scratchFolder(), 'live.tape');
    let markets = 1;
    const recording = new Recording({ path, head: () => headOf(markets), onFault: () => {} });
    appendAll(recording, [message(1)]);
    recording.flush();
    markets = 2;
    appendAll(recording, [{ ...message(2), rows: message(2).rows.map((row) => ({ ...row, market: 1 })) }]);
    recording.flush();
    const [head = '', first = '', newHead = '', second = ''] = readFileSync(`${path}.partial.list`, 'utf8').split('\n');
    writeFileSync(`${path}.partial.list`, `${[head, first, newHead.slice(1), second].join('\n')}\n`);
    expect(() => repairRecording(path)).toThrow(`The 1 rows before the damage are in ${path}`);
    expect(readdirSync(dirname(path))).toEqual(['live.tape', ...DAMAGED]);
  });

  it('lists its first block before the block is written, so that a kill between both leaves no damage', () => {
    const path = join(scratchFolder(), 'live.tape');
    const sizes: number[] = [];
    const writer = new TapeWriter(path, { onBlock: () => sizes.push(statSync(`${path}.partial`).size) });
    for (const block of blocksOf([message(1)])) writer.messages.append(block);
    writer.messages.finish();
    writer.abandon();
    expect(sizes).toEqual([HEADER.length]);
  });

  it('is removed when it has no rows', () => {
    const { path } = recordingIn(scratchFolder());
    expect(repairRecording(path)).toBeUndefined();
    expect(readdirSync(dirname(path))).toEqual([]);
  });

  it('is repaired with the markets that were added during it', () => {
    const path = join(scratchFolder(), 'live.tape');
    let markets = 1;
    const recording = new Recording({ path, head: () => headOf(markets), onFault: () => {} });
    appendAll(recording, [message(1)]);
    recording.flush();
    markets = 2;
    appendAll(recording, [{ ...message(2), rows: message(2).rows.map((row) => ({ ...row, market: 1 })) }]);
    recording.flush();
    expect(repairRecording(path)).toMatchObject({ manifest: { rows: 2, markets: headOf(2).markets }, lost: 0 });
    expect(readLines(TapeFile.open(path).feed())).toHaveLength(2);
  });

  it('is repaired with the kind of its rows', () => {
    const path = join(scratchFolder(), 'live.tape');
    const recording = new Recording({ path, head: () => ({ ...WIDE, content: 'trades' }), onFault: () => {} });
    appendAll(recording, [message(1)]);
    recording.flush();
    expect(repairRecording(path)).toMatchObject({ manifest: { rows: 1, content: 'trades' } });
  });

  it('is repaired after a repair that could not write its tape', () => {
    const { path, recording } = recordingIn(scratchFolder());
    appendAll(recording, [message(1)]);
    recording.flush();
    mkdirSync(`${path}.repaired.partial`);
    expect(() => repairRecording(path)).toThrow('could not be made');
    expect(isInterrupted(path)).toBe(true);
    rmdirSync(`${path}.repaired.partial`);
    writeFileSync(`${path}.repaired.partial`, 'a copy that was killed');
    expect(repairRecording(path)).toMatchObject({ manifest: { rows: 1 }, lost: 0 });
    expect(readdirSync(dirname(path))).toEqual(['live.tape']);
  });

  it('is removed by a repair after one that was killed when its tape was complete', () => {
    const { path, recording } = recordingIn(scratchFolder());
    appendAll(recording, [message(1), message(2)]);
    recording.flush();
    const files = [`${path}.partial`, `${path}.partial.list`].map((file) => [file, readFileSync(file)] as const);
    const repaired = repairRecording(path);
    const tape = readFileSync(path);
    for (const [file, bytes] of files) writeFileSync(file, bytes);
    expect(repairRecording(path)).toEqual(repaired);
    expect(readdirSync(dirname(path))).toEqual(['live.tape']);
    expect(readFileSync(path)).toEqual(tape);
  });

  it.each([
    ['other rows', (path: string) => writeTape(path, [message(3)], WIDE)],
    ['other markets', (path: string) => writeTape(path, [message(1)], headOf(5))],
    [
      'damaged rows',
      (path: string) => {
        writeTape(path, [message(1)], WIDE);
        damage(path);
      },
    ],
  ])('stays unchanged when a tape with %s exists', (_, write) => {
    const { path, recording } = recordingIn(scratchFolder());
    appendAll(recording, [message(1)]);
    recording.flush();
    renameSync(`${path}.partial`, `${path}.kept`);
    write(path);
    renameSync(`${path}.kept`, `${path}.partial`);
    const tape = readFileSync(path);
    expect(() => repairRecording(path)).toThrow(/a complete tape exists beside/);
    expect(isInterrupted(path)).toBe(true);
    expect(readFileSync(path)).toEqual(tape);
  });

  it('does not replace an existing tape', () => {
    const { path, recording } = recordingIn(scratchFolder());
    appendAll(recording, [message(1)]);
    recording.flush();
    writeFileSync(path, 'a tape');
    expect(() => repairRecording(path)).toThrow(/a complete tape exists beside/);
    expect(readFileSync(path, 'utf8')).toBe('a tape');
  });

  it('is not repaired when nothing was recorded', () => {
    expect(repairRecording(join(scratchFolder(), 'none.tape'))).toBeUndefined();
  });
});

describe('a recorded venue', () => {
  it('writes rows after the core processed them, including the rows at which it failed', async () => {
    const { path, recording } = recordingIn(scratchFolder());
    let sink: VenueSink | undefined;
    const seen: number[] = [];
    const venue = recordedVenue(
      {
        connect(given) {
          sink = given;
          return Promise.resolve({ send: () => {}, close: () => Promise.resolve() });
        },
      },
      recording,
    );
    await venue.connect({
      rows(block, from) {
        seen.push(recording.rows);
        if (block.tx[from] === 2) throw new Error('a strategy failed');
      },
      event: () => {},
    });
    const [block] = blocksOf([message(1), message(2)]);
    sink?.rows(block!, 0, 1);
    expect(() => sink?.rows(block!, 1, 2)).toThrow('a strategy failed');
    expect(seen).toEqual([0, 1]);
    expect(recording.finish()?.rows).toBe(2);
    expect(TapeFile.open(path).manifest.to).toBe(2);
  });
});
