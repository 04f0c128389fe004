/**
 * Format of a market in a snapshot: its terms, later texts (`writeLaterTexts`), its state as a code of `LIFE_STATES`, and the
 * other fields, in the order of the lists below. The engine stores its own values (book, book seq, last trade, volume).
 */
import { column, counted, MARKET_STATUSES, type MarketNo, marketId, ZERO_USD } from '../../domain/index.ts';
import type { RecordedVote } from '../market-command.ts';
import type { Book } from '../matching/book.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { TransparencyStep } from '../transparency.ts';
import { LIFE_STATES, lifeStateOf, statusOf, stepOf } from './life-state.ts';
import type { LastQuotes, MarketRecord, MarketTerms, RecordedDispute } from './market-record.ts';
import { readLaterTexts, writeLaterTexts } from './market-texts.ts';
import { DECISIONS } from './outcome.ts';
import {
  codeIn,
  codeOrNull,
  entryOf,
  FLAG,
  listOf,
  membersOf,
  NUMBER,
  numberOf,
  optional,
  TEXT,
  textOf,
} from './state-fields.ts';

const ACCOUNT = numberOf(counted.account);
const TIME = numberOf(column.time);

const TERMS = membersOf<Omit<MarketTerms, 'no'>>({
  id: textOf(marketId),
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

const VOTE = membersOf<RecordedVote>({
  id: TEXT,
  model: TEXT,
  vote: codeIn(DECISIONS, 'vote'),
  confidenceBps: optional(NUMBER),
  rationale: TEXT,
  sources: listOf(TEXT),
  round: NUMBER,
  votedAt: TIME,
});

const DISPUTE = membersOf<RecordedDispute>({ account: ACCOUNT, round: NUMBER, reason: TEXT, at: TIME });

/** Without `previousDigest`: the digest of the previous step, or the question's hash for the first step. */
type StoredStep = Omit<TransparencyStep, 'previousDigest'>;

const STEP = membersOf<StoredStep>({
  at: TEXT,
  actor: TEXT,
  fromStatus: codeOrNull(MARKET_STATUSES, 'status'),
  toStatus: codeIn(MARKET_STATUSES, 'status'),
  note: TEXT,
  data: TEXT,
  digest: TEXT,
});

type Rest = Omit<MarketRecord, keyof MarketTerms | 'status' | 'step' | 'steps' | 'book' | keyof typeof ENGINE>;

/** Initial values of the fields that the engine stores. */
const ENGINE = { following: undefined, bookSeq: 0, lastTrade: 0, volume: ZERO_USD };

const REST = membersOf<Rest & { readonly steps: StoredStep[] }>({
  halted: FLAG,
  tickBps: NUMBER,
  minOrderShares: numberOf(column.shares),
  bookEpoch: NUMBER,
  updatedAt: TIME,
  resolutionDate: TIME,
  deadline: optional(TIME),
  initialOrder: numberOf((value) => (value === 0 ? 0 : counted.order(value))),
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
  lastQuotes: optional(membersOf<LastQuotes>({ reference: NUMBER, yes: NUMBER, no: NUMBER })),
});

export function writeMarket(writer: StateWriter, market: MarketRecord): void {
  TERMS.write(writer, market);
  writeLaterTexts(writer, market);
  writer.number(LIFE_STATES.indexOf(lifeStateOf(market.status, market.step)));
  REST.write(writer, market);
}

/** Reads a market, with an empty book. @throws Fault if the state is invalid */
export function readMarket(
  reader: StateReader,
  no: number,
  newBook: (market: MarketNo, tickBps: number) => Book,
): MarketRecord {
  const terms = { no: counted.market(no), ...TERMS.read(reader) };
  const [texts, life] = readLaterTexts(reader);
  const state = entryOf(LIFE_STATES, life, 'state of a market');
  const rest = REST.read(reader);
  let previousDigest = terms.questionHash;
  const steps = rest.steps.map((step) => {
    const whole = { ...step, previousDigest };
    previousDigest = step.digest;
    return whole;
  });
  return {
    ...terms,
    ...texts,
    status: statusOf(state),
    step: stepOf(state),
    ...rest,
    steps,
    book: newBook(terms.no, rest.tickBps),
    ...ENGINE,
  };
}
