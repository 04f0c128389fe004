import { FileFault, InputFault, readProblem } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import type { ImportCounts } from '../import/counts.ts';
import { reasonOf } from './capture-file.ts';

/** A venue's answers for some ten thousand markets. */
const LARGEST = 256 * 1024 * 1024;
/** Keys under which venues answer lists. */
const LISTS = ['data', 'markets', 'events'] as const;
/** What an event says of all its markets. */
const INHERITED = ['category', 'mutually_exclusive'] as const;

/**
 * Market metadata from a file: a record, a list of them, what the venue's API answered, or one of these a line.
 * Records that cannot be read are counted.
 * @throws FileFault for a file without any record that can be read
 */
export function readMarketFile<R>(path: string, read: (json: unknown) => R, counts: ImportCounts): R[] {
  const records: R[] = [];
  let place = 0;
  let reason: string | undefined;
  for (const json of recordsOf(readText(path))) {
    place += 1;
    try {
      records.push(read(json));
    } catch (cause) {
      if (!(cause instanceof InputFault)) throw cause;
      reason ??= cause.message;
      counts.at(path, place);
      counts.drop(`market record, ${reasonOf(cause)}`);
    }
  }
  if (records.length > 0) return records;
  const problem = `no market record in it${reason === undefined ? '' : ` (${reason})`}`;
  throw new FileFault(path, undefined, problem, "Give it what the venue's API answers for markets, as JSON");
}

function readText(path: string): string {
  try {
    return readFileAtMost(path, LARGEST, 'market metadata').toString('utf8');
  } catch (cause) {
    if (cause instanceof FileFault) throw cause;
    throw new FileFault(path, undefined, readProblem(cause), 'Check --markets', { cause });
  }
}

function* recordsOf(text: string): Generator<unknown> {
  const whole = tryParseJson(text);
  if (whole !== undefined) {
    yield* listed(whole);
    return;
  }
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue;
    const json = tryParseJson(line);
    if (json !== undefined) yield* listed(json);
  }
}

function* listed(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const entry of value) yield* listed(entry);
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const list = LISTS.map((key): unknown => Reflect.get(value, key)).find(Array.isArray);
  if (list === undefined) yield value;
  else for (const entry of listed(list)) yield inheriting(entry, value);
}

function inheriting(entry: unknown, event: object): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const inherited = INHERITED.filter((key) => key in event && !(key in entry));
  if (inherited.length === 0) return entry;
  return { ...entry, ...Object.fromEntries(inherited.map((key) => [key, Reflect.get(event, key)])) };
}
