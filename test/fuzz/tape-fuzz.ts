import { deepStrictEqual } from 'node:assert';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import { EXIT } from '../../src/cli/exit-code.ts';
import { checkTape, DEFAULT_RECIPE, generateTape, TapeFile, TapeWriter } from '../../src/history/index.ts';
import { type BlockEntry, entryNumbers, formatTrailer, parseTrailer } from '../../src/history/tape-format.ts';
import { BLOCK_ROWS, makeBlock } from '../../src/tape/index.ts';
import { lines } from '../tape/rows.ts';
import type { FuzzedFile } from './file-fuzz.ts';
import { corrupt, type Random, replaceToken } from './mutations.ts';

const BLOCK = makeBlock(BLOCK_ROWS);

function forgeTape(bytes: Buffer, random: Random): Buffer {
  const trailer = parseTrailer(bytes.subarray(-32));
  if (trailer === undefined) return bytes;
  const text = bytes.subarray(trailer.offset, trailer.offset + trailer.bytes).toString('utf8');
  const footer = JSON.parse(text);
  const entry = footer.blocks[0];
  let frame: Buffer = bytes.subarray(entry[0], entry[0] + entry[1]);
  let changed = text;
  if (random.int(3) === 0) changed = replaceToken(text, random);
  else {
    const raw = corrupt(zstdDecompressSync(frame), random);
    frame = random.int(4) === 0 ? corrupt(frame, random) : zstdCompressSync(raw);
    const next: BlockEntry = {
      offset: 16,
      bytes: frame.length,
      rawBytes: raw.length,
      rows: entry[3],
      firstTx: entry[4],
      lastTx: entry[5],
      crc: crc32(frame),
    };
    changed = JSON.stringify({ manifest: footer.manifest, blocks: [entryNumbers(next)] });
  }
  const end = Buffer.from(changed);
  return Buffer.concat([bytes.subarray(0, 16), frame, end, formatTrailer(16 + frame.length, end)]);
}

function readTape(path: string): void {
  const tape = TapeFile.open(path);
  const feed = tape.feed();
  const rows: string[] = [];
  try {
    while (feed.fill(BLOCK) > 0) rows.push(...lines(BLOCK));
  } finally {
    feed.close();
  }
  if (rows.length !== tape.manifest.rows) throw new Error(`${rows.length} rows of ${tape.manifest.rows}`);
  checkTape(tape);
  // A copy by the writer has the same manifest.
  const { name, source, units, receiveTime, markets } = tape.manifest;
  const writer = new TapeWriter(`${path}.copy`);
  const again = tape.feed();
  try {
    while (again.fill(BLOCK) > 0) writer.messages.append(BLOCK);
    deepStrictEqual(writer.finish({ name, source, units, receiveTime, markets }), tape.manifest);
  } finally {
    again.close();
    writer.abandon();
  }
}

/** Tapes whose rows, blocks or footer are changed under correct checksums. */
export function tapes(): FuzzedFile {
  const seeds = withFolder((folder) => {
    return [
      { seed: 1, markets: 1, haltEvery: 0 },
      { seed: 2, markets: 3, haltEvery: 6, placeDelayMs: 500, receiveDelayMs: 20 },
    ].map((recipe) => {
      const path = join(folder, 'a.tape');
      generateTape({ ...DEFAULT_RECIPE, ...recipe, events: 60 }, path);
      return readFileSync(path);
    });
  });
  return { name: 'tape', seeds, forge: forgeTape, read: readTape, exitCode: EXIT.data };
}

/** Calls a function with a temporary folder and removes the folder afterwards. */
export function withFolder<T>(action: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-fuzz-'));
  try {
    return action(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
