/** Checks the input of `createMarket`, detects duplicates, and creates the market. */
import { MAX_FEE_BPS, type MarketNo, type OrderNo, unchecked, ZERO_USD } from '../../domain/index.ts';
import { AS_FLOAT } from '../accounts/columns.ts';
import type { CreateMarket } from '../market-command.ts';
import type { Sha256 } from '../market-event.ts';
import type { OrderTerms } from '../order-terms.ts';
import { firstRefusal, outOfRange, type Refusal } from '../refusal.ts';
import { canonicalJson, type Json } from './canonical-json.ts';
import { codePointCount, dateRefusal, minOrderRefusal, tickRefusal } from './command-checks.ts';
import type { Effects, NewMarketTerms } from './effects.ts';
import type { MarketRecord } from './market-record.ts';
import { MARKET_TEXT_RULES, pickTexts } from './market-texts.ts';
import type { Markets } from './markets.ts';
import { questionHash } from './transparency-record.ts';

/** Format of a `MarketId` (domain/ids.ts). A snapshot cannot restore other ids. */
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The market that an earlier, equal input created, and the market's initial order (0 for none). */
export interface DuplicateMarket {
  readonly duplicate: MarketNo;
  readonly order: OrderNo | 0;
}

/** Hashes the input without the caller's restriction and time. */
export function inputDigest(command: CreateMarket, sha256: Sha256): string {
  const { account, id, topicSlugs, resolutionDate } = command;
  const { tickBps = null, feeRateBps = null, minOrderShares = null, initialOrder } = command;
  const texts = Object.entries(pickTexts(command)).map(([name, text]) => [name, text ?? null]);
  const facts = { ...Object.fromEntries(texts), account, id, topicSlugs, resolutionDate };
  const options = { tickBps, feeRateBps, minOrderShares };
  // Older versions had no slugs. An input without a slug must keep its old digest.
  const slug = command.slug === undefined ? {} : { slug: command.slug };
  const initial = initialOrder === undefined ? null : orderFacts(initialOrder);
  return sha256(canonicalJson({ ...facts, ...options, ...slug, initialOrder: initial }));
}

/** Returns the terms of the input, or those of the configuration. */
export function newMarketTerms(command: CreateMarket, { config }: Effects): NewMarketTerms {
  return {
    tickBps: command.tickBps ?? config.tickBps,
    feeRateBps: command.feeRateBps ?? config.feeRateBps,
    minOrderShares: command.minOrderShares ?? config.minOrderShares,
  };
}

/** Checks a new market and its initial order. @param count number of markets */
export function newMarketRefusal(
  command: CreateMarket,
  terms: NewMarketTerms,
  { effects, count }: { readonly effects: Effects; readonly count: number },
): Refusal | undefined {
  const { config, mode, now } = effects;
  return firstRefusal([
    restrictionRefusal(command),
    UUID.test(command.id) ? undefined : { reason: 'INVALID_ORDER', field: 'id' },
    mode === 'HALTED' ? { reason: 'VENUE_MODE' } : undefined,
    outOfRange('feeRateBps', terms.feeRateBps, { min: 0, max: MAX_FEE_BPS, unit: 'BPS' }),
    tickRefusal(terms.tickBps),
    minOrderRefusal(terms.minOrderShares),
    dateRefusal(command.resolutionDate, now),
    ...MARKET_TEXT_RULES.map(([name, { isFilled, maxLength = Number.MAX_SAFE_INTEGER }]) => {
      const text = command[name] ?? '';
      const length = isFilled && text.trim() === '' ? 0 : codePointCount(text);
      const max = maxLength === 'configured' ? config.maxQuestionLength : maxLength;
      return outOfRange(name, length, { min: isFilled ? 1 : 0, max, unit: 'COUNT' });
    }),
    outOfRange('markets', count + 1, { min: 1, max: effects.maxMarkets, unit: 'COUNT' }),
    initialOrderRefusal(command, terms, effects),
  ]);
}

export function newMarket(
  command: CreateMarket,
  { tickBps, feeRateBps, minOrderShares }: NewMarketTerms,
  { markets, effects, sha256 }: { readonly markets: Markets; readonly effects: Effects; readonly sha256: Sha256 },
): MarketRecord {
  const { now, config } = effects;
  const { id, question, rules, resolutionDate } = command;
  const number = unchecked.market(markets.size);
  const market: MarketRecord = {
    number,
    id,
    slug: markets.freeSlug(command.slug ?? question),
    ...pickTexts(command),
    topicSlugs: [...command.topicSlugs],
    creator: command.account,
    createdAt: now,
    feeRateBps,
    quorum: config.quorum,
    panelSize: config.panelSize,
    questionHash: questionHash({ marketId: id, question, rules, quorum: config.quorum }, sha256),
    inputDigest: inputDigest(command, sha256),
    status: 'PENDING_BLOCKCHAIN',
    chainStep: 'DEPLOY',
    halted: false,
    tickBps,
    minOrderShares,
    bookEpoch: 1,
    updatedAt: now,
    resolutionDate,
    deadline: undefined,
    initialOrder: 0,
    round: 0,
    attempts: 0,
    requestedAt: undefined,
    votes: [],
    disputes: [],
    disputeWindowEndsAt: undefined,
    manualFrom: undefined,
    yesPayoutBps: undefined,
    decidedAt: undefined,
    finalAt: undefined,
    rationale: undefined,
    transactionHashes: [],
    steps: [],
    lastQuotes: undefined,
    book: effects.newBook(number, tickBps),
    following: undefined,
    bookSeq: 0,
    lastTrade: 0,
    volume: unchecked.usd(AS_FLOAT),
  };
  market.volume = ZERO_USD;
  return market;
}

function restrictionRefusal({ restriction }: CreateMarket): Refusal | undefined {
  if (restriction === undefined) return undefined;
  return { reason: restriction === 'EMAIL_NOT_VERIFIED' ? 'EMAIL_NOT_VERIFIED' : 'GEO_BLOCKED' };
}

/** Checks an initial order, which must be a BUY and GTC or GTD (docs/spec/venue.md#creating-a-market). */
function initialOrderRefusal(command: CreateMarket, terms: NewMarketTerms, effects: Effects): Refusal | undefined {
  const order = command.initialOrder;
  if (order === undefined) return undefined;
  const canRest = order.timeInForce === 'GTC' || order.timeInForce === 'GTD';
  return firstRefusal([
    order.side === 'BUY' ? undefined : { reason: 'INVALID_ORDER', field: 'side' },
    canRest ? undefined : { reason: 'INVALID_ORDER', field: 'timeInForce' },
    effects.initialOrderRefusal(command, order, terms),
  ]);
}

/** Returns the digested fields of an initial order: all except market and restriction. */
function orderFacts({ market: _market, restriction: _restriction, ...facts }: OrderTerms): Json {
  const { hash, clientOrderId, ...rest } = facts;
  return { ...rest, hash: hash ?? null, clientOrderId: clientOrderId ?? null };
}
