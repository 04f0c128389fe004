/** Tapes that claim to be larger than they are, which are refused before memory of that size is allocated. */
import { appendFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { crc32, zstdCompressSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { epochMs, type FileFault, priceBps } from '../../src/domain/index.ts';
import { TapeFile } from '../../src/history/index.ts';
import {
  type BlockEntry,
  entryNumbers,
  formatFooter,
  formatTrailer,
  HEADER,
  hasMoreValues,
  maxFooterBytes,
  maxFooterValues,
} from '../../src/history/tape-format.ts';
import { BLOCK_ROWS, maxBlockBytes } from '../../src/tape/index.ts';
import { readLines } from '../tape/rows.ts';
import { faultOf, footerOf, headOf, scratchFolder, writeTape } from './scratch.ts';

/** Requested sizes in bytes of buffers and of zstd output. */
const requests = vi.hoisted(() => ({ bytes: [] as number[] }));
vi.mock('node:zlib', async (original) => {
  const zlib = await original<typeof import('node:zlib')>();
  return {
    ...zlib,
    zstdDecompressSync: (frame: Buffer, options: { chunkSize: number; maxOutputLength: number }) => {
      requests.bytes.push(options.chunkSize, options.maxOutputLength);
      return zlib.zstdDecompressSync(frame, options);
    },
  };
});

const MEGABYTE = 1_048_576;
const GIGABYTE = 1_024 * MEGABYTE;

afterEach(() => {
  vi.restoreAllMocks();
});

/** Returns the fault of a function, and the size of the largest buffer that it allocates. */
function allocate(act: () => unknown): { readonly fault: FileFault; readonly largest: number } {
  requests.bytes.length = 0;
  const alloc = vi.spyOn(Buffer, 'alloc');
  const fault = faultOf(act);
  return { fault, largest: Math.max(...requests.bytes, ...alloc.mock.calls.map(([size]) => size)) };
}

const row = { market: 0, kind: 0, side: 0, price: 5_000, shares: 10_000 };

/** Writes a tape of one block with a given frame and given values in its entry. */
function writeForgedTape(frame: Buffer, claims: Partial<BlockEntry>, rows = claims.rows ?? 1): string {
  const path = join(scratchFolder(), 'bomb.tape');
  writeTape(path, [{ tx: 0, rx: 0, rows: [row] }]);
  const bytes = readFileSync(path);
  const { manifest, blocks } = footerOf(bytes);
  const entry = { ...blocks[0]!, bytes: frame.length, crc: crc32(frame), ...claims };
  const footer = formatFooter({ manifest: { ...manifest, rows }, blocks: [entry] });
  const end = HEADER.length + frame.length;
  writeFileSync(path, Buffer.concat([HEADER, frame, footer, formatTrailer(end, footer)]));
  return path;
}

/** 64 MB of zeros in 2 KB. */
const ZEROS = zstdCompressSync(Buffer.alloc(64 * MEGABYTE));

describe('a tape that is a decompression bomb', () => {
  it.each([
    ['claims a block of a gigabyte', { rawBytes: GIGABYTE }],
    ['claims a gigabyte for a block with the maximum number of rows', { rawBytes: GIGABYTE, rows: BLOCK_ROWS }],
    ['claims more rows than a block can have', { rawBytes: 37 * 2 ** 25, rows: 2 ** 25 }],
  ])('and %s is refused when it is opened', (_, claims) => {
    const path = writeForgedTape(ZEROS, claims);
    const { fault, largest } = allocate(() => readLines(TapeFile.open(path).feed(), BLOCK_ROWS));
    expect(fault.message).toMatch(/bomb\.tape, footer at byte \d+: .*blocks\[0\]: expected the place, sizes/);
    expect(fault.message).toContain('Import, generate or copy the tape again');
    expect(largest).toBeLessThan(MEGABYTE);
  });

  it('and hides 64 MB behind a correct size is refused when the block is read', () => {
    const path = writeForgedTape(ZEROS, { rawBytes: maxBlockBytes(BLOCK_ROWS), rows: BLOCK_ROWS });
    const { fault, largest } = allocate(() => readLines(TapeFile.open(path).feed(), BLOCK_ROWS));
    expect(fault.message).toMatch(/block 0 at byte 16: cannot be read \(.*larger than|.*memory/i);
    expect(largest).toBeLessThan(2 * MEGABYTE);
  });

  it('and requests a window of half a gigabyte is refused by zstd', () => {
    // A frame without its length: descriptor 0, window of 2^29.
    const raw = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, (29 - 10) << 3, 0x01, 0x00, 0x00]);
    const path = writeForgedTape(raw, { rawBytes: 150, rows: 1 });
    const fault = faultOf(() => readLines(TapeFile.open(path).feed(), BLOCK_ROWS));
    expect(fault.message).toMatch(/block 0 at byte 16: cannot be read \(.*too much memory/i);
  });

  it.each([
    ['a footer of 80 MB', 80 * MEGABYTE, HEADER.length],
    ['a footer of 300 MB', 300 * MEGABYTE, 200 * MEGABYTE],
  ])('and has %s is refused before the footer is read', (_, bytes, offset) => {
    const path = join(scratchFolder(), 'bomb.tape');
    const trailer = Buffer.alloc(32);
    trailer.writeBigUInt64LE(BigInt(offset), 0);
    trailer.writeUInt32LE(bytes, 8);
    trailer.writeUInt32LE(crc32(trailer.subarray(0, 16)), 16);
    formatTrailer(0, Buffer.alloc(0)).copy(trailer, 20, 20);
    writeFileSync(path, HEADER);
    truncateSync(path, offset + bytes);
    appendFileSync(path, trailer);
    const { fault, largest } = allocate(() => TapeFile.open(path));
    expect(fault.message).toContain(`a footer of ${bytes} bytes`);
    expect(largest).toBeLessThan(MEGABYTE);
  });

  it('and claims a footer that is larger than itself is refused before the footer is read', () => {
    const path = join(scratchFolder(), 'bomb.tape');
    const trailer = formatTrailer(HEADER.length, Buffer.alloc(0));
    trailer.writeUInt32LE(256 * MEGABYTE, 8);
    trailer.writeUInt32LE(crc32(trailer.subarray(0, 16)), 16);
    writeFileSync(path, Buffer.concat([HEADER, Buffer.alloc(4_096), trailer]));
    const { fault, largest } = allocate(() => TapeFile.open(path));
    expect(fault.message).toContain('the footer is not where the trailer states');
    expect(largest).toBeLessThan(4_096);
  });

  it.each([
    ['objects', '{}'],
    ['lists', '[]'],
    ['texts', '"a\\"{["'],
    ['keys', '{"a":0}'],
  ])('and has too many %s in its footer is refused before the footer is parsed', (_, value) => {
    const path = join(scratchFolder(), 'bomb.tape');
    const footer = Buffer.from(`[${`${value},`.repeat(2_300_000)}0]`);
    writeFileSync(path, Buffer.concat([HEADER, footer, formatTrailer(HEADER.length, footer)]));
    const parse = vi.spyOn(JSON, 'parse');
    expect(faultOf(() => TapeFile.open(path)).message).toContain('more than 2200001 texts, lists and objects');
    expect(parse).not.toHaveBeenCalled();
  });

  it('and nests its footer too deeply is refused before it is parsed', () => {
    const path = join(scratchFolder(), 'bomb.tape');
    const footer = Buffer.from(`${'['.repeat(1_000_000)}${']'.repeat(1_000_000)}`);
    writeFileSync(path, Buffer.concat([HEADER, footer, formatTrailer(HEADER.length, footer)]));
    expect(faultOf(() => TapeFile.open(path)).message).toContain('JSON that is nested more than 250 levels deep');
  });

  it('and lists a million invalid blocks is refused at the first one', () => {
    const path = join(scratchFolder(), 'bomb.tape');
    writeTape(path, [{ tx: 0, rx: 0, rows: [row] }]);
    const bytes = readFileSync(path);
    const { offset, manifest, blocks } = footerOf(bytes);
    const text = formatFooter({ manifest, blocks: [] }).toString('utf8');
    const list = [JSON.stringify(entryNumbers(blocks[0]!)), ...Array.from({ length: 1_000_000 }, () => '0')];
    const footer = Buffer.from(text.replace('"blocks":[]', `"blocks":[${list.join(',')}]`));
    writeFileSync(path, Buffer.concat([bytes.subarray(0, offset), footer, formatTrailer(offset, footer)]));
    const fault = faultOf(() => TapeFile.open(path));
    expect(fault.message).toMatch(/blocks\[1\]: expected the place, sizes, times and checksum of a block, got 0/);
  });

  it('and names a million invalid markets is refused at the first one', () => {
    const path = join(scratchFolder(), 'bomb.tape');
    writeTape(path, [{ tx: 0, rx: 0, rows: [row] }]);
    const bytes = readFileSync(path);
    const { offset, manifest, blocks } = footerOf(bytes);
    const markets = (count: number) => {
      const text = formatFooter({ manifest: { ...manifest, markets: [] }, blocks }).toString('utf8');
      const list = Array.from({ length: count }, () => '[]').join(',');
      const footer = Buffer.from(text.replace('"markets":[]', `"markets":[${list}]`));
      writeFileSync(path, Buffer.concat([bytes.subarray(0, offset), footer, formatTrailer(offset, footer)]));
      return faultOf(() => TapeFile.open(path)).message;
    };
    expect(markets(65_536)).toMatch(/markets\[0\]: expected/);
    expect(markets(1_000_000)).toMatch(/markets: expected at most 65536 entries/);
  });
});

describe('a footer', () => {
  it('can have as many markets as a row can name, in a tape of one block', () => {
    const { markets, ...head } = headOf(65_536);
    const longMarkets = markets.map((market) => ({ ...market, slug: 's'.repeat(100), question: 'q'.repeat(400) }));
    const totals = { rows: 0, from: epochMs(0), to: epochMs(0), contentHash: '0'.repeat(64) };
    const footer = formatFooter({ manifest: { format: 1, ...head, markets: longMarkets, ...totals }, blocks: [] });
    expect(footer.length).toBeLessThan(maxFooterBytes(HEADER.length));
    expect(hasMoreValues(footer, maxFooterValues(HEADER.length))).toBe(false);
  });

  it('can have as many texts, lists and objects as a manifest', () => {
    const prices = { bids: [priceBps(1)], asks: [priceBps(1)] };
    const { markets, ...head } = headOf(1);
    const market = { ...markets[0]!, grid: { type: 'list', ...prices }, eventId: 'e', exclusive: true } as const;
    const totals = { rows: 0, from: epochMs(0), to: epochMs(0), contentHash: '0'.repeat(64) };
    const values = (count: number, files: number, units: number) => {
      const source = { ...head.source, files: Array.from({ length: files }, () => ({ name: 'n', sha256: 's' })) };
      const filled = { ...head, source, units: Array.from({ length: units }, () => 'u') };
      const same = Array.from({ length: count }, () => market);
      const json = formatFooter({ manifest: { format: 1, ...filled, markets: same, ...totals }, blocks: [] });
      let limit = 0;
      while (hasMoreValues(json, limit)) limit += 1;
      return limit;
    };
    const [none, ofMarket] = [values(0, 0, 0), values(1, 0, 0) - values(0, 0, 0)];
    const [ofFile, ofUnit] = [values(0, 1, 0) - none, values(0, 0, 1) - none];
    const max = none + 65_536 * ofMarket + 100_000 * ofFile + 10_000 * ofUnit;
    expect(max).toBeLessThan(maxFooterValues(0));
  });

  it('can have a block for each second of a month', () => {
    const [blocks, bytes] = [31 * 86_400, 47];
    const last = {
      offset: blocks * bytes,
      bytes,
      rawBytes: 117,
      rows: 1,
      firstTx: 2e12,
      lastTx: 2e12,
      crc: 2 ** 32 - 1,
    };
    expect(blocks).toBeLessThan(maxFooterValues(blocks * bytes) - maxFooterValues(0));
    expect(blocks * (JSON.stringify(entryNumbers(last)).length + 1)).toBeLessThan(maxFooterBytes(blocks * bytes));
  });
});
