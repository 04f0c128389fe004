/** Creation of markets. */
import { REJECT_REASONS, type RejectReason, unchecked } from '../../../src/domain/index.ts';
import { toSlug } from '../../../src/exchange/markets/markets.ts';
import { inputDigest } from '../../../src/exchange/markets/new-market.ts';
import type { CreateMarket } from './exchange-types.ts';
import { callerRefusal } from './heartbeats.ts';
import { emitMarketChange, record, requestStep } from './lifecycle.ts';
import { canonicalJson, type NaiveMarket, sha256 } from './market.ts';
import { placeRefusal, SINGLE_ORDER } from './order-checks.ts';
import { accept, knownOrder } from './placing.ts';
import { refuse, type World } from './world.ts';

export function createMarket(world: World, command: CreateMarket): undefined {
  const known = world.markets.find(({ id }) => id === command.id);
  const digest = inputDigest(command, sha256);
  if (known !== undefined && known.inputDigest === digest) {
    world.calls.push(['duplicate', 0, known.initialOrder]);
    return undefined;
  }
  const market = newMarket(world, command, digest);
  const reason = creationRefusal(world, command, market, known !== undefined);
  if (reason !== undefined) refuse(world, 0, { reason });
  else create(world, command, market);
}

function create(world: World, command: CreateMarket, market: NaiveMarket): void {
  world.markets.push(market);
  market.deadline = world.now + world.config.chainTimeout;
  const { initialOrder } = command;
  emitMarketChange(world, market, undefined, 'created');
  record(world, market, null, { actor: 'creator', note: 'created' });
  if (initialOrder !== undefined) {
    const terms = { ...initialOrder, market: unchecked.market(market.market) };
    market.initialOrder = accept(world, command, terms, market.market, 'waiting').order;
  }
  requestStep(world, market);
}

function creationRefusal(
  world: World,
  command: CreateMarket,
  market: NaiveMarket,
  isTaken: boolean,
): RejectReason | undefined {
  const { restriction, initialOrder: terms } = command;
  const { question, rules, description } = command;
  const checks: [RejectReason, () => boolean][] = [
    ['SIGNER_NOT_ALLOWED', () => callerRefusal(world, command) === 'SIGNER_NOT_ALLOWED'],
    ['NOT_FOUND', () => callerRefusal(world, command) !== undefined],
    ['NOT_FOUND', () => world.accounts[command.account - 1] === undefined],
    ['CONFLICT', () => isTaken],
    ['CONFLICT', () => knownOrder(world, terms?.hash) !== undefined],
    ['GEO_BLOCKED', () => restriction === 'GEO_BLOCKED' || restriction === 'CLOSE_ONLY'],
    ['EMAIL_NOT_VERIFIED', () => restriction === 'EMAIL_NOT_VERIFIED'],
    ['VENUE_MODE', () => world.mode === 'HALTED'],
    ['INVALID_ORDER', () => !Number.isSafeInteger(command.resolutionDate)],
    ['INVALID_ORDER', () => terms !== undefined && (terms.side !== 'BUY' || /^F/.test(terms.timeInForce))],
    ['INVALID_TICK', () => !(10_000 % market.tickBps === 0 && market.tickBps >= 1 && market.tickBps <= 5000)],
    ['EXPIRED_PARAMS', () => command.resolutionDate <= world.now],
    ['BELOW_MIN', () => market.minOrderShares < 0],
    ['BELOW_MIN', () => question.trim() === '' || rules.trim() === ''],
    ['ABOVE_MAX', () => [...question].length > world.config.maxQuestionLength],
    ['ABOVE_MAX', () => [...rules].length > 10_000 || [...(description ?? '')].length > 10_000],
    ['ABOVE_MAX', () => market.feeRateBps > 1000],
    ['ABOVE_MAX', () => world.markets.length >= world.limits.markets],
  ];
  const own = checks.find(([, fails]) => fails())?.[0];
  if (own === 'SIGNER_NOT_ALLOWED' || own === 'NOT_FOUND' || own === 'CONFLICT') return own;
  // The initial order cannot be checked with an invalid fee.
  if (market.feeRateBps > 1000) return own;
  const orderReason = terms && placeRefusal(world, command, terms, { ...SINGLE_ORDER, via: 'initial' }, market);
  return REJECT_REASONS.find((reason) => reason === own || reason === orderReason);
}

function newMarket(world: World, command: CreateMarket, digest: string): NaiveMarket {
  const { id, question, rules, description, categorySlug, topicSlugs, eventId, resolutionDate } = command;
  const { quorum, panelSize, tickBps, feeRateBps } = world.config;
  const slug = toSlug(question);
  const taken = new Set(world.markets.map((market) => market.slug));
  let number = 2;
  while (taken.has(`${slug}-${number}`)) number += 1;
  return {
    market: world.markets.length,
    id,
    slug: taken.has(slug) ? `${slug}-${number}` : slug,
    question,
    rules,
    description,
    categorySlug,
    topicSlugs,
    eventId,
    creator: command.account,
    createdAt: world.now,
    feeRateBps: command.feeRateBps ?? feeRateBps,
    quorum,
    panelSize,
    questionHash: `0x${sha256(canonicalJson({ marketId: id, question, quorum, rules }))}`,
    inputDigest: digest,
    status: 'PENDING_BLOCKCHAIN',
    step: 'DEPLOY',
    halted: false,
    tickBps: command.tickBps ?? tickBps,
    minOrderShares: command.minOrderShares ?? world.config.minOrderShares,
    bookEpoch: 1,
    updatedAt: world.now,
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
    bookSeq: 0,
    isTouched: false,
    lastTrade: 0,
    volume: 0,
    supply: 0,
  };
}
