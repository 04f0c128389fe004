import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { epochMs, FileFault, marketId } from '../../src/domain/index.ts';
import { type TapeHead, TapeWriter } from '../../src/history/index.ts';
import {
  type BlockEntry,
  type Footer,
  formatFooter,
  formatTrailer,
  HEADER,
  parseFooter,
  parseTrailer,
} from '../../src/history/tape-format.ts';
import { type Block, ContentHash, encodeBlock, type TapeManifest } from '../../src/tape/index.ts';
import { type Message, write } from '../tape/rows.ts';

/** Creates a folder that is removed after the test. */
export function scratchFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'halfspread-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
}

/** Creates a folder for a `describe`. `path` is set while its tests run. */
export function makeScratch(): { path: string } {
  const folder = { path: '' };
  beforeAll(() => {
    folder.path = mkdtempSync(join(tmpdir(), 'halfspread-'));
  });
  afterAll(() => rmSync(folder.path, { recursive: true }));
  return folder;
}

export const HEAD: TapeHead = {
  name: 'made by hand',
  source: { description: 'a test', licence: 'MIT', files: [{ name: 'x.gz', sha256: '00' }] },
  units: ['price = bps'],
  receiveTime: 'recorded',
  markets: [
    {
      id: marketId('00000000-0000-4000-8000-000000000001'),
      slug: 'a-market',
      question: 'Does it?',
      outcomes: ['yes', 'no'],
      grid: { type: 'tick', tickBps: 10 },
      scheduledResolution: undefined,
      commissionBps: 500,
    },
  ],
};

/** The head of a tape with several markets. */
export function headOf(markets: number): TapeHead {
  const [market] = HEAD.markets;
  if (market === undefined) throw new Error('a market is missing');
  const id = (at: number) => marketId(`00000000-0000-4000-8000-${String(at + 1).padStart(12, '0')}`);
  return { ...HEAD, markets: Array.from({ length: markets }, (_, at) => ({ ...market, id: id(at) })) };
}

/** Writes blocks without checks and with valid checksums. */
export function forgeTape(path: string, blocks: readonly Block[], head: TapeHead = HEAD): TapeManifest {
  const hash = new ContentHash(() => createHash('sha256'));
  const entries: BlockEntry[] = [];
  const parts: Uint8Array[] = [HEADER];
  let offset = HEADER.length;
  for (const block of blocks) {
    hash.add(block);
    const raw = encodeBlock(block);
    const frame = zstdCompressSync(raw);
    const { count: rows, tx } = block;
    const times = { firstTx: tx[0] ?? 0, lastTx: tx[rows - 1] ?? 0 };
    entries.push({ offset, bytes: frame.length, rawBytes: raw.length, rows, ...times, crc: crc32(frame) });
    parts.push(frame);
    offset += frame.length;
  }
  const manifest: TapeManifest = {
    format: 1,
    ...head,
    rows: entries.reduce((sum, { rows }) => sum + rows, 0),
    from: epochMs(entries[0]?.firstTx ?? 0),
    to: epochMs(entries.at(-1)?.lastTx ?? 0),
    contentHash: hash.digest(),
  };
  const footer = formatFooter({ manifest, blocks: entries });
  writeFileSync(path, Buffer.concat([...parts, footer, formatTrailer(offset, footer)]));
  return manifest;
}

export function writeTape(path: string, messages: readonly Message[], head: TapeHead = HEAD): TapeManifest {
  const writer = new TapeWriter(path);
  write(writer.messages, messages);
  return writer.finish(head);
}

/** Returns the parsed footer of a tape, and its offset. */
export function footerOf(bytes: Buffer): Footer & { readonly offset: number } {
  const trailer = parseTrailer(bytes.subarray(-32));
  if (trailer === undefined) throw new Error('the tape has no trailer');
  const { offset, bytes: length } = trailer;
  return { offset, ...parseFooter(bytes.subarray(offset, offset + length)) };
}

/** Returns the file fault that a function throws. */
export function faultOf(act: () => unknown): FileFault {
  try {
    act();
  } catch (error) {
    if (error instanceof FileFault) return error;
    throw error;
  }
  throw new Error('nothing was thrown');
}

/** Returns a progress callback that throws at the given call, which ends an import as a kill does. */
export function killAt(call: number): () => void {
  let calls = 0;
  return () => {
    calls += 1;
    if (calls === call) throw new Error('killed');
  };
}
