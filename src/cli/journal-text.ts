/** What was found in a journal, as text. */
import type { CheckedState } from '../server/index.ts';
import type { Cut } from '../store/index.ts';

/** What `journal check` found; the object of its `--json`. */
export interface JournalFindings {
  readonly folder: string;
  /** Oldest record that is there, and the last one; `last + 1` when a snapshot has all of them. */
  readonly first: number;
  readonly last: number;
  /** How many of them were read. */
  readonly records: number;
  /** Earliest and latest time of a command, ISO 8601. */
  readonly times: { readonly from: string; readonly to: string } | undefined;
  /** Newest first, with what makes one useless. */
  readonly snapshots: readonly { readonly record: number; readonly problem: string | undefined }[];
  /** What opening the journal would cut off. */
  readonly torn: Cut | undefined;
  /** Undefined where it was not replayed. */
  readonly state: (CheckedState & { readonly notes: readonly string[] }) | undefined;
}

export function journalText({ folder, first, last, records, times, snapshots, torn, state }: JournalFindings): string {
  const lines: [string, string][] = [['folder', folder]];
  lines.push(['records', records === 0 ? `none, ${last} are in a snapshot` : `${count(records)}, ${first} to ${last}`]);
  if (times !== undefined) lines.push(['time', `${times.from} to ${times.to}`]);
  if (snapshots.length === 0) lines.push(['snapshots', 'none']);
  for (const { record, problem } of snapshots) lines.push(['snapshot', `${record}: ${problem ?? 'whole'}`]);
  lines.push(['end', torn === undefined ? 'whole' : tornText(torn)]);
  if (state === undefined) lines.push(['state', 'not replayed']);
  else {
    const { accounts, markets, openOrders, snapshot, replayed, notes } = state;
    lines.push(['state', `${state.hash} after event ${state.seq}, ${state.time}`]);
    lines.push(['holds', `${count(accounts)} accounts, ${count(markets)} markets, ${count(openOrders)} open orders`]);
    lines.push([
      'replayed',
      `${count(replayed)} records from ${snapshot === 0 ? 'the first' : `snapshot ${snapshot}`}`,
    ]);
    for (const note of notes) lines.push(['note', note]);
  }
  return lines.map(([name, text]) => `${name.padEnd(10)}${text}\n`).join('');
}

function tornText({ file, offset, bytes, problem }: Cut): string {
  return `torn at ${file}:${offset}, ${count(bytes)} bytes to be cut when it is opened (${problem})`;
}

function count(value: number): string {
  return value.toLocaleString('en-US');
}
