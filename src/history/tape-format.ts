/**
 * The tape file: one header, blocks of rows, a footer that lists them, a trailer that finds the footer.
 *
 * Invariants: every byte of the file belongs to exactly one part, and every part is checked before it is used: header and
 * trailer by value, the footer by CRC-32, a block by CRC-32 over its compressed bytes and by zstd's own checksum over the
 * rows. So any flipped, missing or surplus byte is found. A file is complete or it does not bear the name (TapeWriter).
 *
 * header   "halfspread tape\n"
 * block    one zstd frame of a block (tape/block-codec.ts)
 * footer   JSON `{ manifest, blocks }`, UTF-8
 * trailer  footer's offset (u64), length (u32), CRC-32 (u32), CRC-32 of these 16 bytes (u32), "tape ends.\n\0"; little-endian
 */
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { epochMs, marketId, priceBps } from '../domain/index.ts';
import type { TapeManifest } from '../tape/index.ts';

export const HEADER: Uint8Array = Buffer.from('halfspread tape\n', 'latin1');
const END = Buffer.from('tape ends.\n\0', 'latin1');
export const TRAILER_BYTES = 32;

/** Where a block lies and what it holds. */
export interface BlockEntry {
  readonly offset: number;
  readonly bytes: number;
  /** Size after decompression. */
  readonly rawBytes: number;
  readonly rows: number;
  readonly firstTx: number;
  readonly lastTx: number;
  /** CRC-32 of the compressed bytes. */
  readonly crc: number;
}

export interface Footer {
  readonly manifest: TapeManifest;
  readonly blocks: readonly BlockEntry[];
}

export function writeFooter(footer: Footer): Buffer {
  const { manifest, blocks } = footer;
  // JSON has no undefined: what is not scheduled is null in the file.
  const markets = manifest.markets.map((market) => ({
    ...market,
    scheduledResolution: market.scheduledResolution ?? null,
  }));
  return Buffer.from(JSON.stringify({ manifest: { ...manifest, markets }, blocks: blocks.map(entryNumbers) }));
}

/** A block's entry as it stands in the footer. */
export function entryNumbers({ offset, bytes, rawBytes, rows, firstTx, lastTx, crc }: BlockEntry): readonly number[] {
  return [offset, bytes, rawBytes, rows, firstTx, lastTx, crc];
}

/** An entry as `entryNumbers` gives it; undefined when it is none. */
export function parseEntry(numbers: unknown): BlockEntry | undefined {
  return BLOCK.safeParse(numbers).data;
}

/** @throws SyntaxError or ZodError when it is no footer of this format */
export function parseFooter(bytes: Buffer): Footer {
  return FOOTER.parse(JSON.parse(bytes.toString('utf8')));
}

export function writeTrailer(footerOffset: number, footer: Buffer): Buffer {
  const trailer = Buffer.alloc(TRAILER_BYTES);
  trailer.writeBigUInt64LE(BigInt(footerOffset), 0);
  trailer.writeUInt32LE(footer.length, 8);
  trailer.writeUInt32LE(crc32(footer), 12);
  trailer.writeUInt32LE(crc32(trailer.subarray(0, 16)), 16);
  END.copy(trailer, 20);
  return trailer;
}

/** Where the footer lies; undefined when this is no trailer. */
export function parseTrailer(trailer: Buffer): { offset: number; bytes: number; crc: number } | undefined {
  if (trailer.length !== TRAILER_BYTES || !trailer.subarray(20).equals(END)) return undefined;
  if (trailer.readUInt32LE(16) !== crc32(trailer.subarray(0, 16))) return undefined;
  return { offset: Number(trailer.readBigUInt64LE(0)), bytes: trailer.readUInt32LE(8), crc: trailer.readUInt32LE(12) };
}

const COUNT = z.int().nonnegative();
const TIME = z.int().transform(epochMs);
const PRICES = z
  .array(z.int().min(1).max(9999))
  .refine((prices) => prices.every((price, at) => at === 0 || price > (prices[at - 1] ?? 0)))
  .transform((prices) => prices.map(priceBps));

const BLOCK = z
  .tuple([COUNT, COUNT, COUNT, COUNT, z.int(), z.int(), COUNT])
  .transform(([offset, bytes, rawBytes, rows, firstTx, lastTx, crc]) => ({
    offset,
    bytes,
    rawBytes,
    rows,
    firstTx,
    lastTx,
    crc,
  }));

const MARKET = z.strictObject({
  id: z.string().transform(marketId),
  slug: z.string(),
  question: z.string(),
  outcomes: z.tuple([z.string(), z.string()]),
  grid: z.discriminatedUnion('type', [
    z.strictObject({ type: z.literal('tick'), tickBps: z.int().min(1).max(9999).refine(divides10000) }),
    z.strictObject({ type: z.literal('list'), bids: PRICES, asks: PRICES }),
  ]),
  scheduledResolution: TIME.nullable().transform((time) => time ?? undefined),
  commissionBps: z.int().min(0).max(10_000),
});

const FOOTER = z.strictObject({
  manifest: z.strictObject({
    format: z.literal(1),
    name: z.string(),
    source: z.strictObject({
      description: z.string(),
      licence: z.string(),
      files: z.array(z.strictObject({ name: z.string(), sha256: z.string() })),
    }),
    units: z.array(z.string()),
    receiveTime: z.enum(['recorded', 'missing']),
    markets: z.array(MARKET),
    rows: COUNT,
    from: TIME,
    to: TIME,
    contentHash: z.string().regex(/^[0-9a-f]{64}$/),
  }),
  blocks: z.array(BLOCK),
});

function divides10000(tick: number): boolean {
  return 10_000 % tick === 0;
}
