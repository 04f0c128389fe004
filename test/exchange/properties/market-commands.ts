/** Builds exchange commands from the random moves (kinds.ts) that concern markets, accounts and the venue. */
import { type MarketNo, type MicroUsd, marketId, unchecked } from '../../../src/domain/index.ts';
import type { CreateMarket, ExchangeCommand, ExchangeConfig } from '../twin/exchange-types.ts';
import type { MarketPick, Move } from './kinds.ts';
import { addressOf, type Picks } from './picks.ts';

type Details<K extends Move['kind']> = Extract<Move, { kind: K }>['details'];

const SECOND = 1000;
const CENT = 10_000;
const CHANGES: readonly Partial<ExchangeConfig>[] = [
  { minBet: unchecked.usd(100_000) },
  { minBet: unchecked.usd(5_000_000) },
  { maxBetPerMarket: unchecked.usd(20_000_000) },
  { maxBetPerMarket: unchecked.usd(100_000_000_000) },
  { maxExposurePerMarket: unchecked.usd(120_000_000) },
  { maxExposurePerMarket: unchecked.usd(1_000_000_000_000) },
  { feeRateBps: 300 },
  { maxBatchOrders: 3, maxBatchCancels: 2 },
  { maxBatchOrders: 20, maxBatchCancels: 200 },
  { spreadBps: 1501, quorum: 1 },
  { minHeartbeat: unchecked.duration(2000), maxHeartbeat: unchecked.duration(1000) },
  { tickBps: 30 },
];

/** Returns the command of a move, or undefined for a move about trading. */
export function marketCommand(move: Move, picks: Picks): ExchangeCommand | undefined {
  const { kind, details } = move;
  const time = unchecked.time(picks.now);
  switch (kind) {
    case 'openAccount':
      return { type: kind, time, address: addressOf(details.address), unlimited: details.unlimited };
    case 'transfer':
      return { type: kind, time, account: unchecked.account(details.account), amount: amountOf(details, picks) };
    case 'allowReversals':
      return { type: kind, time, window: unchecked.duration(details.window) };
    case 'reverseTrade':
      return { type: kind, time, trade: picks.trade(details.pick) };
    case 'setMode':
      return { type: kind, time, mode: details.mode };
    case 'configure':
      return { type: kind, time, config: CHANGES[details.change] ?? {} };
    case 'tick':
      return { type: kind, time };
    case 'createMarket':
      return createMarket(details, picks);
    case 'voidByCreator':
      return { type: kind, ...picks.request(details), market: picks.market(details.market) };
    case 'dispute':
      return {
        type: kind,
        ...picks.request(details),
        market: picks.marketIn(details.market, 'RESOLVED'),
        reason: 'not so',
      };
    default:
      return singleMarketCommand(move, picks);
  }
}

function amountOf({ account, cents, leaves }: Details<'transfer'>, picks: Picks): MicroUsd {
  return unchecked.usd(leaves === undefined ? cents * CENT : leaves * CENT - picks.free(account));
}

function singleMarketCommand({ kind, details }: Move, picks: Picks): ExchangeCommand | undefined {
  if (!('market' in details)) return undefined;
  const time = unchecked.time(picks.now);
  const common = { time, market: pickFor(kind, details.market, picks), note: '' };
  switch (kind) {
    case 'deployed':
      return {
        type: 'chainConfirmed',
        ...common,
        step: 'DEPLOY',
        attempt: picks.attempt(common.market),
        transactionHash: '0xd',
      };
    case 'chain':
      return chain(details, common, picks);
    case 'vote':
      return vote(details, common, picks);
    case 'halt':
    case 'end':
    case 'operator':
      return { type: details.type, ...common };
    case 'changeTick':
      return { type: kind, ...common, note: 'finer or coarser', tickBps: details.tick };
    case 'changeMinOrder':
      return { type: kind, ...common, minOrderShares: unchecked.shares(details.lots * 10_000) };
    case 'moveDate': {
      const resolutionDate = unchecked.time(picks.now + details.inSeconds * SECOND);
      return { type: kind, ...common, by: details.by, resolutionDate };
    }
    case 'decide':
      return { type: 'decideManually', ...common, decision: details.decision };
    default:
      return undefined;
  }
}

/** Picks a market whose status suits the kind of move. */
function pickFor(kind: Move['kind'], pick: MarketPick | undefined, picks: Picks): MarketNo {
  const market = pick ?? { pick: 0, among: 'any' };
  if (kind === 'deployed' || kind === 'chain') return picks.marketIn(market, 'PENDING_BLOCKCHAIN');
  if (kind === 'vote') return picks.marketIn(market, 'PENDING_RESOLUTION');
  if (kind === 'decide') return picks.marketIn(market, 'RESOLUTION_FAILED');
  if (kind === 'operator') return picks.marketIn(market, 'RESOLVED', 'RESOLUTION_FAILED');
  if (kind === 'moveDate') return picks.marketIn(market, 'OPEN', 'PENDING_RESOLUTION');
  return picks.marketIn(market, 'OPEN', 'OPEN', 'PENDING_RESOLUTION', 'RESOLUTION_FAILED');
}

type Common = Pick<Extract<ExchangeCommand, { type: 'castVote' }>, 'time' | 'market' | 'note'>;

function chain(details: Details<'chain'>, common: Common, picks: Picks): ExchangeCommand {
  const answer = {
    ...common,
    step: picks.step(common.market),
    attempt: picks.attempt(common.market) - (details.isLate ? 1 : 0),
  };
  if (details.result === 'confirmed') return { type: 'chainConfirmed', ...answer, transactionHash: '0xabc' };
  return { type: 'chainFailed', ...answer, permanent: details.result === 'failedPermanently' };
}

function vote(details: Details<'vote'>, common: Common, picks: Picks): ExchangeCommand {
  const round = picks.round(common.market) - (details.isLate ? 1 : 0);
  const text = { rationale: `because of ${details.model}`, sources: ['https://one.example', 'two'] };
  const ballot = { id: `v${round}-${details.model}`, model: `model-${details.model}`, vote: details.vote };
  return { type: 'castVote', ...common, round, vote: { ...ballot, confidenceBps: details.confidence, ...text } };
}

function createMarket(details: Details<'createMarket'>, picks: Picks): CreateMarket {
  const initial = details.initial === undefined ? undefined : picks.terms(details.initial, details.account);
  return {
    type: 'createMarket',
    ...picks.request(details),
    id: marketId(`00000000-0000-4000-8000-0000000000${String(details.id).padStart(2, '0')}`),
    question: ['', 'Will it rain?', 'Ça ira, vraiment?', 'W'.repeat(301)][details.question] ?? '',
    rules: 'By what the gauge says.',
    description: details.id % 2 === 0 ? undefined : 'Measured at noon.',
    categorySlug: 'weather',
    topicSlugs: details.id % 3 === 0 ? ['rain', 'gauges'] : [],
    // Rounded up to ten minutes, so that a repeated move gives the same terms although time has passed.
    resolutionDate: unchecked.time(Math.ceil(picks.now / (600 * SECOND)) * 600 * SECOND + details.inSeconds * SECOND),
    tickBps: details.tick,
    feeRateBps: details.fee,
    minOrderShares: details.minLots === undefined ? undefined : unchecked.shares(details.minLots * 10_000),
    eventId: details.id % 4 === 0 ? 'event-1' : undefined,
    initialOrder: initial,
    restriction: initial?.restriction,
  };
}
