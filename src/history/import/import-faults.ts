import { FileFault, InputFault } from '../../domain/index.ts';
import type { ImportCounts } from './counts.ts';
import type { RowCursor } from './row-cursor.ts';

/** Fault for a mapping that fits no row, with the most frequent reason. */
export function nothingImportedFault(path: string, counts: ImportCounts): FileFault {
  const [top] = [...counts.dropped].sort(([, a], [, b]) => b.count - a.count);
  const why =
    top === undefined
      ? 'the file has no rows'
      : `no row can be used: ${top[0]} (${top[1].count} rows, first ${top[1].places[0]})`;
  return new FileFault(path, undefined, why, 'Inspect the file with `halfspread import sniff` and change the mapping');
}

/** Adds the place to the fault of a row. For a step back in time, the remedy depends on the rows after it. */
export function withPlace(cause: unknown, path: string, { batch, at }: RowCursor): unknown {
  if (!(cause instanceof InputFault)) return cause;
  const where = `line ${batch.lines[at]}`;
  if (cause.field !== 'time')
    return new FileFault(path, where, cause.message, 'Correct the row, or change the mapping', { cause });
  let backward = 0;
  let steps = 0;
  for (let row = Math.max(1, at); row < Math.min(batch.tx.length, at + 1_000); row += 1) {
    steps += 1;
    if ((batch.tx[row] ?? 0) < (batch.tx[row - 1] ?? 0)) backward += 1;
  }
  const remedy =
    steps > 2 && backward > 0.9 * steps
      ? 'the rows seem to be newest first. Set `time.order: newest_first` in the mapping'
      : backward > 2
        ? `time goes back ${backward} times in the next ${steps} rows: two captures seem to be interleaved. Split the file, or sort it with \`time.order: any\``
        : 'a second capture seems to begin here. Split the file, or sort it with `time.order: any`';
  return new FileFault(path, where, cause.message, remedy.charAt(0).toUpperCase() + remedy.slice(1), { cause });
}
