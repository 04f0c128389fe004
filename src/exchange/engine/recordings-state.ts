/**
 * Markets that follow tapes, in the state: n number of the tape account, n count of markets; for each by number: n
 * market, t tape, t grid and models as canonical JSON, n row, n recordedAt, n order delay. Later the books write their
 * recorded levels (`Recording.writeState`), by number of market.
 */
import { column, Fault, type PriceGrid } from '../../domain/index.ts';
import { canonicalJson, type Json } from '../markets/canonical-json.ts';
import type { MarketRecord } from '../markets/market-record.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { Following, RecordingTerms } from '../tape-command.ts';
import { damaged } from './open-orders-state.ts';
import type { Recordings } from './recordings.ts';
import type { TapeEffects } from './tape-effects.ts';

export interface FollowingsDeps {
  readonly records: readonly MarketRecord[];
  readonly recordings: Recordings;
  readonly tape: TapeEffects;
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
    const name = reader.text();
    const terms = termsOf(name, reader.text());
    if (market === undefined) throw damaged('a market');
    if (recordings.attach(market, terms, tape.outside) === undefined) {
      throw new Fault('SNAPSHOT', `market ${market.no} follows a tape, but this program cannot replay tapes`);
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

/** Checks only that the members exist, because this program wrote the text with a checksum. */
function parsed(text: string): { readonly grid: PriceGrid; readonly models: Json } {
  const value = JSON.parse(text);
  if (typeof value === 'object' && value !== null && 'grid' in value && 'models' in value) return value;
  throw damaged('a grid');
}
