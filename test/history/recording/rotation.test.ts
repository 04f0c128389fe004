import { mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FileFault } from '../../../src/domain/index.ts';
import {
  findParts,
  joinTapes,
  openRecordedRows,
  Recording,
  type Rotation,
  repairRecording,
  TapeFile,
} from '../../../src/history/index.ts';
import { KIND, SIDE } from '../../../src/tape/index.ts';
import { runs } from '../../runs.ts';
import { blocksOf, feedOf, type Message, readLines } from '../../tape/rows.ts';
import { headOf, scratchFolder } from '../scratch.ts';

const MARKETS = 3;
const row = (market: number, kind: number, side = 0, price = 0, shares = 0) => ({ market, kind, side, price, shares });

/** Full books first, then changes of levels, prints, states and gaps; several messages at one time. */
function session(): fc.Arbitrary<readonly Message[]> {
  const market = fc.nat(MARKETS - 1);
  const level = fc
    .tuple(market, fc.constantFrom(SIDE.bid, SIDE.ask), fc.integer({ min: 40, max: 60 }), fc.nat(5))
    .map(([no, side, price, lots]) => row(no, KIND.level, side, price * 100, lots * 10_000));
  const print = market.map((no) => row(no, KIND.trade, SIDE.bid, 5_000, 10_000));
  const gap = market.map((no) => row(no, KIND.gap));
  const delay = market.map((no) => row(no, KIND.placeDelay, 0, 0, 250));
  const message = fc.tuple(fc.nat(2), fc.oneof({ weight: 6, arbitrary: level }, print, gap, delay));
  return fc.array(message, { minLength: 20, maxLength: 120 }).map((changes) => {
    let tx = 1_000;
    const opening = Array.from({ length: MARKETS }, (_, no) => {
      const rows = [row(no, KIND.clear), row(no, KIND.level, SIDE.bid, 4_000, 20_000), row(no, KIND.status, 0, 1)];
      return { tx, rx: tx + 7, rows };
    });
    return [
      ...opening,
      ...changes.map(([later, change]): Message => {
        tx += later;
        return { tx, rx: tx + 7, rows: [change] };
      }),
    ];
  });
}

function record(messages: readonly Message[], rotation?: Rotation): string {
  const path = join(scratchFolder(), 'live.tape');
  const faults: unknown[] = [];
  const recording = new Recording({
    path,
    head: () => headOf(MARKETS),
    onFault: (fault) => faults.push(fault),
    rotation,
  });
  for (const block of blocksOf(messages, 3)) recording.append(block, 0, block.count);
  recording.finish();
  expect(faults).toEqual([]);
  return path;
}

const rowsOf = (path: string) => {
  const { feed } = openRecordedRows(path);
  const rows = readLines(feed);
  feed.close();
  return rows;
};

describe('a recording that rotates', () => {
  it('has all rows of its parts, once each, in order', () => {
    fc.assert(
      fc.property(session(), fc.integer({ min: 1, max: 40 }), (messages, ms) => {
        const path = record(messages, { bytes: Number.POSITIVE_INFINITY, ms });
        expect(rowsOf(path)).toEqual(readLines(feedOf(blocksOf(messages))));
      }),
      { numRuns: runs(60) },
    );
  });

  it('joins into the same tape as a recording without rotation', () => {
    fc.assert(
      fc.property(session(), fc.integer({ min: 1, max: 40 }), (messages, ms) => {
        const path = record(messages, { bytes: Number.POSITIVE_INFINITY, ms });
        const joined = join(dirname(path), 'joined.tape');
        const { counts } = joinTapes(
          findParts(path).map((part) => TapeFile.open(part)),
          joined,
        );
        expect(counts).toMatchObject({ gaps: 0, differing: 0 });
        expect(readLines(TapeFile.open(joined).feed())).toEqual(readLines(feedOf(blocksOf(messages))));
      }),
      { numRuns: runs(60) },
    );
  });

  it('starts a numbered part after each given size', () => {
    const messages = Array.from({ length: 40 }, (_, at): Message => {
      return { tx: 1_000 + at, rx: 1_000 + at, rows: [row(0, KIND.level, SIDE.bid, 4_000, 10_000 * (at + 1))] };
    });
    const path = join(scratchFolder(), 'live.tape');
    const rotation = { bytes: 300, ms: Number.POSITIVE_INFINITY };
    const recording = new Recording({
      path,
      head: () => headOf(MARKETS),
      onFault: ({ message: text }) => expect.unreachable(text),
      rotation,
    });
    for (const block of blocksOf(messages, 3)) {
      recording.append(block, 0, block.count);
      recording.flush();
    }
    recording.finish();
    const parts = findParts(path);
    expect(parts.length).toBeGreaterThan(2);
    expect(readdirSync(dirname(path)).sort()).toEqual(
      parts.map((_, at) => (at === 0 ? 'live.tape' : `live.${at + 1}.tape`)).sort(),
    );
    expect(rowsOf(path)).toEqual(readLines(feedOf(blocksOf(messages))));
  });

  it('ends and reports the fault once when the next part cannot be created', () => {
    const path = join(scratchFolder(), 'live.tape');
    mkdirSync(join(dirname(path), 'live.2.tape.partial'));
    const faults: FileFault[] = [];
    const recording = new Recording({
      path,
      head: () => headOf(MARKETS),
      onFault: (fault) => faults.push(fault),
      rotation: { bytes: Number.POSITIVE_INFINITY, ms: 1 },
    });
    for (const tx of [1_000, 1_001, 1_002]) {
      const rows = [row(0, KIND.level, SIDE.bid, 4_000, 10_000)];
      for (const block of blocksOf([{ tx, rx: tx, rows }])) recording.append(block, 0, block.count);
    }
    expect(faults.map(({ message }) => message)).toEqual([expect.stringMatching(/live\.2\.tape: could not be made/)]);
    expect(recording.finish()).toBeUndefined();
    expect(TapeFile.open(path).manifest.rows).toBe(2);
  });

  it('has its complete parts and the flushed rows of the last one after a crash', () => {
    const messages = Array.from({ length: 30 }, (_, at): Message => {
      return { tx: 1_000 + at, rx: 1_000 + at, rows: [row(0, KIND.level, SIDE.bid, 4_000, 10_000 * (at + 1))] };
    });
    const path = join(scratchFolder(), 'live.tape');
    const rotation = { bytes: Number.POSITIVE_INFINITY, ms: 10 };
    const recording = new Recording({
      path,
      head: () => headOf(MARKETS),
      onFault: ({ message: text }) => expect.unreachable(text),
      rotation,
    });
    for (const block of blocksOf(messages, 3)) {
      recording.append(block, 0, block.count);
      recording.flush();
    }
    const parts = findParts(path);
    expect(parts).toHaveLength(3);
    expect(rowsOf(path)).toEqual(readLines(feedOf(blocksOf(messages))));
    expect(repairRecording(parts.at(-1) ?? '')).toMatchObject({ lost: 0 });
    expect(rowsOf(path)).toEqual(readLines(feedOf(blocksOf(messages))));
  });
});
