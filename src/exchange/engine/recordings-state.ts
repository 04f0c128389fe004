/**
 * Markets that follow tapes, in the state: n number of the tape account, n count of markets; for each by number: n
 * market, t tape, t grid and models as canonical JSON, n rows behind it, n recordedAt, n placing delay. What stands in
 * their books is written by the books (`Recording.writeState`), by number of market.
 */
import { column, Fault, type PriceGrid } from '../../domain/index.ts';
import { canonicalJson, type Json } from '../markets/canonical-json.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { Following, RecordingTerms } from '../tape-command.ts';
import type { Recordings } from './recordings.ts';
import type { Tape } from './tape.ts';

/** Where they are. */
export interface FollowingsDeps {
  readonly records: readonly MarketRecord[];
  readonly recordings: Recordings;
  readonly tape: Tape;
}

type Follower = MarketRecord & { readonly following: Following };

/** Markets that follow tapes, by number. */
export function followers(records: readonly MarketRecord[]): readonly Follower[] {
  return records.filter((market): market is Follower => market.following !== undefined);
}

export function writeFollowings({ records, tape }: FollowingsDeps, writer: StateWriter): void {
  const all = followers(records);
  writer.number(tape.outside);
  writer.number(all.length);
  for (const { no, following } of all) {
    const { grid, models, row, recordedAt, placeDelay } = following;
    writer.number(no);
    writer.text(following.tape);
    writer.text(canonicalJson({ grid, models }));
    writer.number(row);
    writer.number(recordedAt);
    writer.number(placeDelay);
  }
}

/** Restores the markets' books. @throws Fault if the data is invalid, or if no `BookFactory` creates such books */
export function readFollowings({ records, recordings, tape }: FollowingsDeps, reader: StateReader): void {
  tape.outside = reader.number();
  for (let left = reader.number(); left > 0; left -= 1) {
    const market = records[reader.number()];
    const of = reader.text();
    const terms = termsOf(of, reader.text());
    if (market === undefined) throw damaged('a market');
    if (recordings.attach(market, terms, tape.outside) === undefined) {
      throw new Fault('SNAPSHOT', `market ${market.no} follows a tape, and this program has no way to replay one`);
    }
    const [row, recordedAt, delay] = [reader.number(), reader.number(), reader.number()];
    const place = { row, recordedAt: column.time(recordedAt), placeDelay: column.duration(delay) };
    Object.assign(market.following ?? {}, place);
  }
}

function termsOf(tape: string, text: string): RecordingTerms {
  const { grid, models } = parsed(text);
  return { tape, grid, models };
}

/** Written by this program, with a checksum, so only its presence is checked. */
function parsed(text: string): { readonly grid: PriceGrid; readonly models: Json } {
  const value = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'grid' in value && 'models' in value) return value;
  throw damaged('a grid');
}

function damaged(what: string): Fault {
  return new Fault('SNAPSHOT', `${what} in this snapshot is invalid: use an older one`);
}
