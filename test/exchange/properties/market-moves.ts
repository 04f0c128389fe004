/** Commands about markets, and those of operators. */
import { column, counted, type MarketNo, type MicroUsd, marketId } from '../../../src/domain/index.ts';
import type { CreateMarket, ExchangeCommand, ExchangeConfig } from '../twin/words.ts';
import type { MarketPick, Move } from './kinds.ts';
import { addressOf, type Picks } from './picks.ts';

type Said<K extends Move['kind']> = Extract<Move, { kind: K }>['said'];

const SECOND = 1000;
const CENT = 10_000;
const CHANGES: readonly Partial<ExchangeConfig>[] = [
  { minBet: column.usd(100_000) },
  { minBet: column.usd(5_000_000) },
  { maxBetPerMarket: column.usd(20_000_000) },
  { maxBetPerMarket: column.usd(100_000_000_000) },
  { maxExposurePerMarket: column.usd(120_000_000) },
  { maxExposurePerMarket: column.usd(1_000_000_000_000) },
  { feeRateBps: 300 },
  { maxBatchOrders: 3, maxBatchCancels: 2 },
  { maxBatchOrders: 20, maxBatchCancels: 200 },
  { spreadBps: 1501, quorum: 1 },
  { minHeartbeat: column.duration(2000), maxHeartbeat: column.duration(1000) },
  { tickBps: 30 },
];

/** The command of a move that is not about orders; undefined for those. */
export function marketCommand(move: Move, picks: Picks): ExchangeCommand | undefined {
  const { kind, said } = move;
  const time = column.time(picks.now);
  switch (kind) {
    case 'openAccount':
      return { type: kind, time, address: addressOf(said.address), unlimited: said.unlimited };
    case 'transfer':
      return { type: kind, time, account: counted.account(said.account), amount: amountOf(said, picks) };
    case 'allowReversals':
      return { type: kind, time, window: column.duration(said.window) };
    case 'reverseTrade':
      return { type: kind, time, trade: picks.trade(said.pick) };
    case 'setMode':
      return { type: kind, time, mode: said.mode };
    case 'configure':
      return { type: kind, time, config: CHANGES[said.change] ?? {} };
    case 'tick':
      return { type: kind, time };
    case 'createMarket':
      return createMarket(said, picks);
    case 'voidByCreator':
      return { type: kind, ...picks.asked(said), market: picks.market(said.market) };
    case 'dispute':
      return { type: kind, ...picks.asked(said), market: picks.marketIn(said.market, 'RESOLVED'), reason: 'not so' };
    default:
      return ofMarket(move, picks);
  }
}

function amountOf({ account, cents, leaves }: Said<'transfer'>, picks: Picks): MicroUsd {
  return column.usd(leaves === undefined ? cents * CENT : leaves * CENT - picks.free(account));
}

function ofMarket({ kind, said }: Move, picks: Picks): ExchangeCommand | undefined {
  if (!('market' in said)) return undefined;
  const time = column.time(picks.now);
  const of = { time, market: pickFor(kind, said.market, picks), note: '' };
  switch (kind) {
    case 'deployed':
      return {
        type: 'chainConfirmed',
        ...of,
        step: 'DEPLOY',
        attempt: picks.attempt(of.market),
        transactionHash: '0xd',
      };
    case 'chain':
      return chain(said, of, picks);
    case 'vote':
      return vote(said, of, picks);
    case 'halt':
    case 'end':
    case 'operator':
      return { type: said.type, ...of };
    case 'changeTick':
      return { type: kind, ...of, note: 'finer or coarser', tickBps: said.tick };
    case 'changeMinOrder':
      return { type: kind, ...of, minOrderShares: column.shares(said.lots * 10_000) };
    case 'moveDate': {
      const resolutionDate = column.time(picks.now + said.inSeconds * SECOND);
      return { type: kind, ...of, by: said.by, resolutionDate };
    }
    case 'decide':
      return { type: 'decideManually', ...of, decision: said.decision };
    default:
      return undefined;
  }
}

/** Where each kind has something to do. */
function pickFor(kind: Move['kind'], pick: MarketPick | undefined, picks: Picks): MarketNo {
  const market = pick ?? { pick: 0, among: 'any' };
  if (kind === 'deployed' || kind === 'chain') return picks.marketIn(market, 'PENDING_BLOCKCHAIN');
  if (kind === 'vote') return picks.marketIn(market, 'PENDING_RESOLUTION');
  if (kind === 'decide') return picks.marketIn(market, 'RESOLUTION_FAILED');
  if (kind === 'operator') return picks.marketIn(market, 'RESOLVED', 'RESOLUTION_FAILED');
  if (kind === 'moveDate') return picks.marketIn(market, 'OPEN', 'PENDING_RESOLUTION');
  return picks.marketIn(market, 'OPEN', 'OPEN', 'PENDING_RESOLUTION', 'RESOLUTION_FAILED');
}

type Of = Pick<Extract<ExchangeCommand, { type: 'castVote' }>, 'time' | 'market' | 'note'>;

function chain(said: Said<'chain'>, of: Of, picks: Picks): ExchangeCommand {
  const about = { ...of, step: picks.step(of.market), attempt: picks.attempt(of.market) - (said.isLate ? 1 : 0) };
  if (said.result === 'confirmed') return { type: 'chainConfirmed', ...about, transactionHash: '0xabc' };
  return { type: 'chainFailed', ...about, permanent: said.result === 'failedForGood' };
}

function vote(said: Said<'vote'>, of: Of, picks: Picks): ExchangeCommand {
  const round = picks.round(of.market) - (said.isLate ? 1 : 0);
  const words = { rationale: `because of ${said.model}`, sources: ['https://one.example', 'two'] };
  const one = { id: `v${round}-${said.model}`, model: `model-${said.model}`, vote: said.vote };
  return { type: 'castVote', ...of, round, vote: { ...one, confidenceBps: said.confidence, ...words } };
}

function createMarket(said: Said<'createMarket'>, picks: Picks): CreateMarket {
  const initial = said.initial === undefined ? undefined : picks.terms(said.initial, said.account);
  return {
    type: 'createMarket',
    ...picks.asked(said),
    id: marketId(`00000000-0000-4000-8000-0000000000${String(said.id).padStart(2, '0')}`),
    question: ['', 'Will it rain?', 'Ça ira, vraiment?', 'W'.repeat(301)][said.question] ?? '',
    rules: 'By what the gauge says.',
    description: said.id % 2 === 0 ? undefined : 'Measured at noon.',
    categorySlug: 'weather',
    topicSlugs: said.id % 3 === 0 ? ['rain', 'gauges'] : [],
    // The same for some minutes, so that the same input comes again.
    resolutionDate: column.time(Math.ceil(picks.now / (600 * SECOND)) * 600 * SECOND + said.inSeconds * SECOND),
    tickBps: said.tick,
    feeRateBps: said.fee,
    minOrderShares: said.minLots === undefined ? undefined : column.shares(said.minLots * 10_000),
    eventId: said.id % 4 === 0 ? 'event-1' : undefined,
    initialOrder: initial,
    restriction: initial?.restriction,
  };
}
