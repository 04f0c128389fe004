/**
 * How a market is stored in a snapshot: numbers and texts in the order below. `x?` is 0 where x is undefined, else 1 and x.
 * `x[]` is the number of entries and then each entry. A code is a place in the list that is named with it.
 *
 * id, slug, question, rules, description?, categorySlug, topicSlugs[], eventId?, creator, createdAt, feeRateBps,
 * quorum, panelSize, questionHash, inputDigest; texts that came later (`writeLaterTexts`); state (code of LIFE_STATES), halted (0, 1), tickBps, minOrderShares,
 * bookEpoch, updatedAt, resolutionDate, deadline?, initialOrder, round, attempts, askedAt?; votes[] (id, model, vote
 * (code of DECISIONS), confidenceBps?, rationale, sources[], round, votedAt), disputes[] (account, round, reason, at);
 * disputeWindowEndsAt?, manualFrom?, yesPayoutBps?, decidedAt?, finalAt?, rationale?, transactionHashes[]; steps[] (at,
 * actor, fromStatus and toStatus (codes of MARKET_STATUSES, -1 for null), note, data, digest); lastQuotes? (reference,
 * yes, no).
 *
 * Book, book seq, last trade and volume are not here. The engine stores them.
 */
import {
  column,
  counted,
  MARKET_STATUSES,
  type MarketNo,
  type MarketStatus,
  marketId,
  ZERO_USD,
} from '../../domain/index.ts';
import type { RecordedVote } from '../market-command.ts';
import type { Book } from '../matching/book.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import type { TransparencyStep } from '../transparency.ts';
import { LIFE_STATES, lifeStateOf, statusOf, stepOf } from './life-state.ts';
import type { LastQuotes, MarketRecord, MarketTerms, RecordedDispute } from './market-record.ts';
import { readLaterTexts, writeLaterTexts } from './market-texts.ts';
import { DECISIONS } from './outcome.ts';
import {
  entryOf,
  list,
  listOf,
  numberOr,
  optionalNumber,
  optionalText,
  readText,
  textOr,
  writeText,
} from './state-fields.ts';

/** Writes a market. */
export function writeMarket(writer: StateWriter, market: MarketRecord): void {
  writeTerms(writer, market);
  writeLaterTexts(writer, market);
  writer.number(LIFE_STATES.indexOf(lifeStateOf(market.status, market.step)));
  writer.number(market.halted ? 1 : 0);
  writer.number(market.tickBps);
  writer.number(market.minOrderShares);
  writer.number(market.bookEpoch);
  writer.number(market.updatedAt);
  writer.number(market.resolutionDate);
  optionalNumber(writer, market.deadline);
  writer.number(market.initialOrder);
  writer.number(market.round);
  writer.number(market.attempts);
  optionalNumber(writer, market.askedAt);
  list(writer, market.votes, writeVote);
  list(writer, market.disputes, writeDispute);
  optionalNumber(writer, market.disputeWindowEndsAt);
  optionalNumber(writer, market.manualFrom);
  optionalNumber(writer, market.yesPayoutBps);
  optionalNumber(writer, market.decidedAt);
  optionalNumber(writer, market.finalAt);
  optionalText(writer, market.rationale);
  list(writer, market.transactionHashes, writeText);
  list(writer, market.steps, writeStep);
  writer.number(market.lastQuotes === undefined ? 0 : 1);
  if (market.lastQuotes !== undefined) writeQuotes(writer, market.lastQuotes);
}

/** Reads a market with an empty book. @throws Fault when that is not what was written */
export function readMarket(
  reader: StateReader,
  no: number,
  newBook: (market: MarketNo, tickBps: number) => Book,
): MarketRecord {
  const terms = readTerms(reader, no);
  const [texts, life] = readLaterTexts(reader);
  const state = entryOf(LIFE_STATES, life, 'state of a market');
  const halted = reader.number() !== 0;
  const tickBps = reader.number();
  return {
    ...terms,
    ...texts,
    status: statusOf(state),
    step: stepOf(state),
    halted,
    tickBps,
    minOrderShares: column.shares(reader.number()),
    bookEpoch: reader.number(),
    updatedAt: column.time(reader.number()),
    resolutionDate: column.time(reader.number()),
    deadline: numberOr(reader, column.time),
    initialOrder: orderOrNone(reader.number()),
    round: reader.number(),
    attempts: reader.number(),
    askedAt: numberOr(reader, column.time),
    votes: listOf(reader, readVote),
    disputes: listOf(reader, readDispute),
    disputeWindowEndsAt: numberOr(reader, column.time),
    manualFrom: numberOr(reader, column.time),
    yesPayoutBps: numberOr(reader, same),
    decidedAt: numberOr(reader, column.time),
    finalAt: numberOr(reader, column.time),
    rationale: textOr(reader),
    transactionHashes: listOf(reader, readText),
    steps: readSteps(reader, terms.questionHash),
    lastQuotes: reader.number() === 0 ? undefined : readQuotes(reader),
    book: newBook(terms.no, tickBps),
    following: undefined,
    bookSeq: 0,
    lastTrade: 0,
    volume: ZERO_USD,
  };
}

function writeTerms(writer: StateWriter, market: MarketTerms): void {
  writer.text(market.id);
  writer.text(market.slug);
  writer.text(market.question);
  writer.text(market.rules);
  optionalText(writer, market.description);
  writer.text(market.categorySlug);
  list(writer, market.topicSlugs, writeText);
  optionalText(writer, market.eventId);
  writer.number(market.creator);
  writer.number(market.createdAt);
  writer.number(market.feeRateBps);
  writer.number(market.quorum);
  writer.number(market.panelSize);
  writer.text(market.questionHash);
  writer.text(market.inputDigest);
}

function readTerms(reader: StateReader, no: number): MarketTerms {
  return {
    no: counted.market(no),
    id: marketId(reader.text()),
    slug: reader.text(),
    question: reader.text(),
    rules: reader.text(),
    description: textOr(reader),
    categorySlug: reader.text(),
    topicSlugs: listOf(reader, readText),
    eventId: textOr(reader),
    creator: counted.account(reader.number()),
    createdAt: column.time(reader.number()),
    feeRateBps: reader.number(),
    quorum: reader.number(),
    panelSize: reader.number(),
    questionHash: reader.text(),
    inputDigest: reader.text(),
  };
}

function writeVote(writer: StateWriter, vote: RecordedVote): void {
  writer.text(vote.id);
  writer.text(vote.model);
  writer.number(DECISIONS.indexOf(vote.vote));
  optionalNumber(writer, vote.confidenceBps);
  writer.text(vote.rationale);
  list(writer, vote.sources, writeText);
  writer.number(vote.round);
  writer.number(vote.votedAt);
}

function readVote(reader: StateReader): RecordedVote {
  return {
    id: reader.text(),
    model: reader.text(),
    vote: entryOf(DECISIONS, reader.number(), 'vote'),
    confidenceBps: numberOr(reader, same),
    rationale: reader.text(),
    sources: listOf(reader, readText),
    round: reader.number(),
    votedAt: column.time(reader.number()),
  };
}

function writeDispute(writer: StateWriter, dispute: RecordedDispute): void {
  writer.number(dispute.account);
  writer.number(dispute.round);
  writer.text(dispute.reason);
  writer.number(dispute.at);
}

function readDispute(reader: StateReader): RecordedDispute {
  return {
    account: counted.account(reader.number()),
    round: reader.number(),
    reason: reader.text(),
    at: column.time(reader.number()),
  };
}

function writeStep(writer: StateWriter, step: TransparencyStep): void {
  writer.text(step.at);
  writer.text(step.actor);
  writer.number(step.fromStatus === null ? -1 : MARKET_STATUSES.indexOf(step.fromStatus));
  writer.number(MARKET_STATUSES.indexOf(step.toStatus));
  writer.text(step.note);
  writer.text(step.data);
  writer.text(step.digest);
}

/** `previousDigest` is always the digest before. */
function readSteps(reader: StateReader, questionHash: string): TransparencyStep[] {
  let previousDigest = questionHash;
  return listOf(reader, () => {
    const at = reader.text();
    const actor = reader.text();
    const from = reader.number();
    const fromStatus: MarketStatus | null = from < 0 ? null : entryOf(MARKET_STATUSES, from, 'status');
    const toStatus = entryOf(MARKET_STATUSES, reader.number(), 'status');
    const [note, data, digest] = [reader.text(), reader.text(), reader.text()];
    const step = { at, actor, fromStatus, toStatus, note, data, digest, previousDigest };
    previousDigest = digest;
    return step;
  });
}

function writeQuotes(writer: StateWriter, { reference, yes, no }: LastQuotes): void {
  writer.number(reference);
  writer.number(yes);
  writer.number(no);
}

function readQuotes(reader: StateReader): LastQuotes {
  return { reference: reader.number(), yes: reader.number(), no: reader.number() };
}

function same(value: number): number {
  return value;
}

function orderOrNone(value: number): MarketRecord['initialOrder'] {
  return value === 0 ? 0 : counted.order(value);
}
