/**
 * CRC-32 over the text of a book's best levels, which venue and client both compute (docs/spec/venue.md#book-checksum).
 *
 * HOT: runs after every change of every book. The code adds digits to the CRC directly and builds no text. The file
 * does not use `node:zlib`, because this layer imports no I/O modules.
 */
import type { BookView } from './view.ts';

/** Levels per side in the text. */
export const CHECKSUM_LEVELS = 10;

/** The reflected table of the polynomial 0xEDB88320. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
});
const [COMMA, COLON, BAR, ZERO] = [0x2c, 0x3a, 0x7c, 0x30];
const TWO_TO_31 = 0x8000_0000;
/** Memory for the digits of one number. 2^53 has 16 digits. */
const DIGITS = new Uint8Array(16);

/** Returns the CRC-32 of the book's best levels as an unsigned 32-bit number; 0x8bb1d29a for an empty book. */
export function bookChecksum(book: BookView): number {
  let crc = -1;
  let price = book.bestBid();
  for (let level = 0; level < CHECKSUM_LEVELS && price !== undefined; level += 1) {
    crc = levelCrc(crc, level, price, book.bidAt(price));
    price = book.nextBid(price);
  }
  crc = byteCrc(crc, BAR);
  price = book.bestAsk();
  for (let level = 0; level < CHECKSUM_LEVELS && price !== undefined; level += 1) {
    crc = levelCrc(crc, level, price, book.askAt(price));
    price = book.nextAsk(price);
  }
  return ~crc >>> 0;
}

/** Returns `0x` and eight lower-case hex digits. */
export function formatChecksum(checksum: number): string {
  return `0x${checksum.toString(16).padStart(8, '0')}`;
}

/** Returns zlib's CRC-32 of an ASCII text as an unsigned 32-bit number. */
export function crc32(text: string): number {
  let crc = -1;
  for (let at = 0; at < text.length; at += 1) crc = byteCrc(crc, text.charCodeAt(at));
  return ~crc >>> 0;
}

function byteCrc(crc: number, byte: number): number {
  return (crc >>> 8) ^ TABLE[(crc ^ byte) & 255]!;
}

/** Adds `priceBps:microShares` to the CRC, with a comma before all but the first level. */
function levelCrc(crc: number, level: number, price: number, shares: number): number {
  let next = level === 0 ? crc : byteCrc(crc, COMMA);
  next = byteCrc(numberCrc(next, price), COLON);
  return numberCrc(next, shares);
}

/** Adds the decimal digits of an integer, 0 … 2^53. */
function numberCrc(crc: number, value: number): number {
  let at = DIGITS.length;
  let rest = value;
  for (; rest >= TWO_TO_31; rest = Math.floor(rest / 10)) {
    at -= 1;
    DIGITS[at] = ZERO + (rest % 10);
  }
  // Divisions of 32-bit integers are faster.
  let small = rest | 0;
  do {
    const tenth = (small / 10) | 0;
    at -= 1;
    DIGITS[at] = ZERO + (small - 10 * tenth);
    small = tenth;
  } while (small > 0);
  let next = crc;
  for (; at < DIGITS.length; at += 1) next = byteCrc(next, DIGITS[at]!);
  return next;
}
