/** Messages of tapes as bytes: a match has tens of thousands of them. */
import { column, counted } from '../../domain/index.ts';
import type { PlayTape } from '../tape-command.ts';
import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';

/** Whether it says only what the types allow. */
export function isPlayTape({ time, market, row, recordedAt, rows }: PlayTape): boolean {
  return [time, market, row, recordedAt].every(isNumber) && Array.isArray(rows) && rows.every(isNumber);
}

/** time, market, row, recordedAt, how many numbers, the numbers. */
export function encodePlayTape({ time, market, row, recordedAt, rows }: PlayTape, to: ByteWriter): void {
  to.number(time);
  to.number(market);
  to.number(row);
  to.number(recordedAt);
  to.number(rows.length);
  for (const value of rows) to.number(value);
}

/** What `encodePlayTape` wrote. */
export function decodePlayTape(from: ByteReader): PlayTape {
  const time = column.time(from.number());
  const market = counted.market(from.number());
  const row = from.number();
  const recordedAt = column.time(from.number());
  const rows: number[] = [];
  for (let left = from.number(); left > 0; left -= 1) rows.push(from.number());
  return { type: 'playTape', time, market, row, recordedAt, rows };
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number';
}
