/** Why an import stops, with the place and the remedy. */
import { FileFault, InputFault } from '../../domain/index.ts';
import type { ImportCounts } from './counts.ts';
import type { RowCursor } from './row-cursor.ts';

/** The fault of a mapping by which no row could be read, with the most frequent reason. */
export function nothingFits(path: string, counts: ImportCounts): FileFault {
  const [most] = [...counts.dropped].sort(([, a], [, b]) => b.count - a.count);
  const why =
    most === undefined
      ? 'there is no row in it'
      : `no row can be used: ${most[0]} (${most[1].count} rows, first ${most[1].places[0]})`;
  return new FileFault(path, undefined, why, 'Look at the file with `halfspread import sniff` and change the mapping');
}

/** Why a row cannot be imported, with its place; for a step back in time, what the rows after it look like. */
export function atRow(cause: unknown, path: string, { batch, at }: RowCursor): unknown {
  if (!(cause instanceof InputFault)) return cause;
  const where = `line ${batch.lines[at]}`;
  if (cause.field !== 'time')
    return new FileFault(path, where, cause.message, 'Mend the row, or change the mapping', { cause });
  let back = 0;
  let steps = 0;
  for (let row = Math.max(1, at); row < Math.min(batch.tx.length, at + 1_000); row += 1) {
    steps += 1;
    if ((batch.tx[row] ?? 0) < (batch.tx[row - 1] ?? 0)) back += 1;
  }
  const looks =
    steps > 2 && back > 0.9 * steps
      ? 'the rows seem to be newest first. Set `time.order: newest_first` in the mapping'
      : back > 2
        ? `time goes back ${back} times in the next ${steps} rows: two captures seem to be interleaved. Split the file, or sort it with \`time.order: any\``
        : 'a second capture seems to begin here. Split the file, or sort it with `time.order: any`';
  return new FileFault(path, where, cause.message, looks.charAt(0).toUpperCase() + looks.slice(1), { cause });
}
