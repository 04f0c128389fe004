/** Converts a tape of one market to hftbacktest's `.npy` events, 64 bytes per row ("Data" in its documentation). */
import { closeSync, openSync, renameSync, writeSync } from 'node:fs';
import { FULL_BPS, SHARE } from '../../src/domain/index.ts';
import { TapeFile } from '../../src/history/index.ts';
import { BLOCK_ROWS, FLAG, KIND, makeBlock, SIDE } from '../../src/tape/index.ts';

const DEPTH = 1;
const TRADE = 2;
const BUY = 1 << 29;
const SELL = 1 << 28;
/** Flags of an event that has an exchange time and a local time. */
const BOTH = 2 ** 31 + 2 ** 30;
const FIELDS = [
  ['ev', '<u8'],
  ['exch_ts', '<i8'],
  ['local_ts', '<i8'],
  ['px', '<f8'],
  ['qty', '<f8'],
  ['order_id', '<u8'],
  ['ival', '<i8'],
  ['fval', '<f8'],
] as const;
const ROW_BYTES = 64;
/** Header length, a multiple of 64 as the format requires. */
const HEADER_BYTES = 320;
const NS_PER_MS = 1_000_000n;

/**
 * Writes levels and trades and omits other kinds. Delays the n-th message of a millisecond by n ns, so that times are
 * unique.
 * @param feedMs latency from exchange to strategy
 * @returns number of rows
 */
export function writeEventFile(tape: string, path: string, feedMs: number): number {
  const file = openSync(`${path}.partial`, 'w');
  let rows = 0;
  try {
    writeSync(file, header(0));
    const block = makeBlock(BLOCK_ROWS);
    const feed = TapeFile.open(tape).feed();
    let [lastMs, offset] = [0, 0n];
    while (feed.fill(block) > 0) {
      const buffer = new ArrayBuffer(block.count * ROW_BYTES);
      const [times, values, codes] = [new BigInt64Array(buffer), new Float64Array(buffer), new Uint32Array(buffer)];
      let at = 0;
      for (let row = 0; row < block.count; row += 1) {
        const [kind, time] = [block.kind[row], block.tx[row] ?? 0];
        if (time !== lastMs) [lastMs, offset] = [time, 0n];
        if (kind === KIND.level || kind === KIND.trade) {
          const side = block.side[row] === SIDE.bid ? BUY : SELL;
          codes[at * 2] = BOTH + side + (kind === KIND.level ? DEPTH : TRADE);
          times[at + 1] = BigInt(time) * NS_PER_MS + offset;
          times[at + 2] = BigInt(time + feedMs) * NS_PER_MS + offset;
          values[at + 3] = (block.price[row] ?? 0) / FULL_BPS;
          values[at + 4] = (block.shares[row] ?? 0) / SHARE;
          at += FIELDS.length;
          rows += 1;
        }
        if (((block.flags[row] ?? 0) & FLAG.last) !== 0) offset += 1n;
      }
      writeSync(file, new Uint8Array(buffer, 0, at * 8));
    }
    feed.close();
    writeSync(file, header(rows), 0, undefined, 0);
  } finally {
    closeSync(file);
  }
  renameSync(`${path}.partial`, path);
  return rows;
}

/** Returns a header of format version 1.0, with the same length for every number of rows. */
function header(rows: number): Buffer {
  const fields = FIELDS.map(([name, type]) => `('${name}', '${type}')`).join(', ');
  const text = `{'descr': [${fields}], 'fortran_order': False, 'shape': (${rows},), }`;
  const head = Buffer.from('\x93NUMPY\x01\x00', 'latin1');
  const length = Buffer.alloc(2);
  const left = HEADER_BYTES - head.length - length.length;
  length.writeUInt16LE(left);
  return Buffer.concat([head, length, Buffer.from(`${text.padEnd(left - 1)}\n`)]);
}
