import { FileFault, InputFault, withReadFault } from '../../domain/index.ts';
import { tryParseJson } from '../../network/index.ts';
import { readFileAtMost } from '../../runtime/index.ts';
import type { ImportCounts } from '../import/counts.ts';
import { toDropReason } from './capture-file.ts';

/** Maximum file size, enough for tens of thousands of markets. */
const MAX_BYTES = 256 * 1024 * 1024;
const LIST_KEYS = ['data', 'markets', 'events'] as const;
/** Fields of an event that apply to all its markets. */
const INHERITED_KEYS = ['category', 'mutually_exclusive'] as const;

/**
 * Reads market metadata from a file: a record, a list, a response of the venue's API, or one of these per line.
 * Invalid records are counted.
 * @throws FileFault for a file without a valid record
 */
export function readMarketFile<R>(path: string, read: (json: unknown) => R, counts: ImportCounts): R[] {
  const records: R[] = [];
  let place = 0;
  let reason: string | undefined;
  const bytes = withReadFault(path, 'Check --markets', () => readFileAtMost(path, MAX_BYTES, 'market metadata'));
  for (const json of readRecords(bytes.toString('utf8'))) {
    place += 1;
    try {
      records.push(read(json));
    } catch (cause) {
      if (!(cause instanceof InputFault)) throw cause;
      reason ??= cause.message;
      counts.setPlace(path, place);
      counts.countDropped(`market record, ${toDropReason(cause)}`);
    }
  }
  if (records.length > 0) return records;
  const problem = `the file has no market record${reason === undefined ? '' : ` (${reason})`}`;
  throw new FileFault(path, undefined, problem, "Use a JSON response of the venue's API for markets");
}

function* readRecords(text: string): Generator<unknown> {
  const whole = tryParseJson(text);
  if (whole !== undefined) yield* flatten(whole);
  else for (const line of text.split('\n')) if (line.trim() !== '') yield* flatten(tryParseJson(line) ?? line);
}

/** Yields the objects of lists and responses, and invalid records of other types. */
function* flatten(value: unknown): Generator<unknown> {
  if (Array.isArray(value)) {
    for (const entry of value) yield* flatten(entry);
    return;
  }
  if (typeof value !== 'object' || value === null) {
    yield value;
    return;
  }
  const list = LIST_KEYS.map((key): unknown => Reflect.get(value, key)).find(Array.isArray);
  if (list === undefined) yield value;
  else for (const entry of flatten(list)) yield withInherited(entry, value);
}

function withInherited(entry: unknown, event: object): unknown {
  if (typeof entry !== 'object' || entry === null) return entry;
  const inherited = INHERITED_KEYS.filter((key) => key in event && !(key in entry));
  if (inherited.length === 0) return entry;
  return { ...entry, ...Object.fromEntries(inherited.map((key) => [key, Reflect.get(event, key)])) };
}
