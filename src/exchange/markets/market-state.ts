/**
 * Format of a market in a snapshot: terms, later texts (`writeLaterTexts`), state as a code of `LIFECYCLE_STATES`, and
 * the other fields in the order of the lists below. The engine stores book, book seq, last trade and volume.
 */
import { Fault, MARKET_STATUSES, marketId, unchecked, ZERO_USD } from '../../domain/index.ts';
import type { RecordedVote } from '../market-command.ts';
import type { TransparencyStep } from '../market-event.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { Effects } from './effects.ts';
import { DECISIONS, LIFECYCLE_STATES, toChainStep, toLifecycleState, toMarketStatus } from './lifecycle-state.ts';
import type { LastQuotes, MarketRecord, MarketTerms, RecordedDispute } from './market-record.ts';
import { readLaterTexts, writeLaterTexts } from './market-texts.ts';

interface FieldCodec<T, Read extends T = T> {
  readonly write: (writer: StateWriter, value: T) => void;
  readonly read: (reader: StateReader) => Read;
}

const TEXT = textAs((value) => value);
const NUMBER = numberAs((value) => value);

/** 0 or 1. */
const FLAG: FieldCodec<boolean> = {
  write: (writer, value) => writer.number(value ? 1 : 0),
  read: (reader) => reader.number() !== 0,
};

function numberAs<T extends number>(brand: (value: number) => T): FieldCodec<T> {
  return { write: (writer, value) => writer.number(value), read: (reader) => brand(reader.number()) };
}

function textAs<T extends string>(brand: (value: string) => T): FieldCodec<T> {
  return { write: (writer, value) => writer.text(value), read: (reader) => brand(reader.text()) };
}

/** Writes 0 for undefined, or 1 and the value. */
function optional<T>(field: FieldCodec<T>): FieldCodec<T | undefined> {
  return {
    write: (writer, value) => {
      writer.number(value === undefined ? 0 : 1);
      if (value !== undefined) field.write(writer, value);
    },
    read: (reader) => (reader.number() === 0 ? undefined : field.read(reader)),
  };
}

/** Writes the number of entries, then each entry. */
function listOf<T>(field: FieldCodec<T>): FieldCodec<readonly T[], T[]> {
  return {
    write: (writer, entries) => {
      writer.number(entries.length);
      for (const entry of entries) field.write(writer, entry);
    },
    read: (reader) => Array.from({ length: reader.number() }, () => field.read(reader)),
  };
}

/** Writes the index of a value in a list. @param what name of the value in a fault */
function codeIn<T>(values: readonly T[], what: string): FieldCodec<T> {
  return {
    write: (writer, value) => writer.number(values.indexOf(value)),
    read: (reader) => entryAt(values, reader.number(), what),
  };
}

/** Writes the index of a value in a list, or -1 for null. */
function codeOrNull<T>(values: readonly T[], what: string): FieldCodec<T | null> {
  return {
    write: (writer, value) => writer.number(value === null ? -1 : values.indexOf(value)),
    read: (reader) => {
      const index = reader.number();
      return index < 0 ? null : entryAt(values, index, what);
    },
  };
}

/** Writes the members of an object in the order of `fields`. */
function objectWith<T extends object>(fields: { readonly [Name in keyof T]-?: FieldCodec<T[Name]> }): FieldCodec<T> {
  return {
    write: (writer, value) => {
      for (const name in fields) fields[name].write(writer, value[name]);
    },
    read: (reader) => {
      const members = Object.keys(fields).map((name) => [name, Reflect.get(fields, name).read(reader)]);
      return Object.fromEntries(members);
    },
  };
}

function entryAt<T>(values: readonly T[], index: number, what: string): T {
  for (const [at, value] of values.entries()) if (at === index) return value;
  throw new Fault('SNAPSHOT', `${index} is not a valid ${what} in this snapshot`);
}

const ACCOUNT = numberAs(unchecked.account);
const TIME = numberAs(unchecked.time);

const TERMS = objectWith<Omit<MarketTerms, 'number'>>({
  id: textAs(marketId),
  slug: TEXT,
  question: TEXT,
  rules: TEXT,
  description: optional(TEXT),
  categorySlug: TEXT,
  topicSlugs: listOf(TEXT),
  eventId: optional(TEXT),
  creator: ACCOUNT,
  createdAt: TIME,
  feeRateBps: NUMBER,
  quorum: NUMBER,
  panelSize: NUMBER,
  questionHash: TEXT,
  inputDigest: TEXT,
});

const VOTE = objectWith<RecordedVote>({
  id: TEXT,
  model: TEXT,
  vote: codeIn(DECISIONS, 'vote'),
  confidenceBps: optional(NUMBER),
  rationale: TEXT,
  sources: listOf(TEXT),
  round: NUMBER,
  votedAt: TIME,
});

const DISPUTE = objectWith<RecordedDispute>({ account: ACCOUNT, round: NUMBER, reason: TEXT, at: TIME });

/** Omits `previousDigest`, which is the previous step's digest, or the question's hash in the first step. */
type StoredStep = Omit<TransparencyStep, 'previousDigest'>;

const STEP = objectWith<StoredStep>({
  at: TEXT,
  actor: TEXT,
  fromStatus: codeOrNull(MARKET_STATUSES, 'status'),
  toStatus: codeIn(MARKET_STATUSES, 'status'),
  note: TEXT,
  data: TEXT,
  digest: TEXT,
});

type OtherFields = Omit<
  MarketRecord,
  keyof MarketTerms | 'status' | 'chainStep' | 'steps' | 'book' | keyof typeof ENGINE_FIELDS
>;

/** Initial values of the fields that the engine stores. */
const ENGINE_FIELDS = { following: undefined, bookSeq: 0, lastTrade: 0, volume: ZERO_USD };

const OTHER_FIELDS = objectWith<OtherFields & { readonly steps: StoredStep[] }>({
  halted: FLAG,
  tickBps: NUMBER,
  minOrderShares: numberAs(unchecked.shares),
  bookEpoch: NUMBER,
  updatedAt: TIME,
  resolutionDate: TIME,
  deadline: optional(TIME),
  initialOrder: numberAs((value) => (value === 0 ? 0 : unchecked.order(value))),
  round: NUMBER,
  attempts: NUMBER,
  requestedAt: optional(TIME),
  votes: listOf(VOTE),
  disputes: listOf(DISPUTE),
  disputeWindowEndsAt: optional(TIME),
  manualFrom: optional(TIME),
  yesPayoutBps: optional(NUMBER),
  decidedAt: optional(TIME),
  finalAt: optional(TIME),
  rationale: optional(TEXT),
  transactionHashes: listOf(TEXT),
  steps: listOf(STEP),
  lastQuotes: optional(objectWith<LastQuotes>({ reference: NUMBER, yes: NUMBER, no: NUMBER })),
});

export function writeMarket(writer: StateWriter, market: MarketRecord): void {
  TERMS.write(writer, market);
  writeLaterTexts(writer, market);
  writer.number(LIFECYCLE_STATES.indexOf(toLifecycleState(market)));
  OTHER_FIELDS.write(writer, market);
}

/** Reads a market and gives it an empty book. @throws Fault if the state is invalid */
export function readMarket(reader: StateReader, number: number, newBook: Effects['newBook']): MarketRecord {
  const terms = { number: unchecked.market(number), ...TERMS.read(reader) };
  const [texts, stateCode] = readLaterTexts(reader);
  const state = entryAt(LIFECYCLE_STATES, stateCode, 'state of a market');
  const others = OTHER_FIELDS.read(reader);
  let previousDigest = terms.questionHash;
  const steps = others.steps.map((step) => {
    const linked = { ...step, previousDigest };
    previousDigest = step.digest;
    return linked;
  });
  return {
    ...terms,
    ...texts,
    status: toMarketStatus(state),
    chainStep: toChainStep(state),
    ...others,
    steps,
    book: newBook(terms.number, others.tickBps),
    ...ENGINE_FIELDS,
  };
}
