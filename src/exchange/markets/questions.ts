/** What chain and resolver are asked about a market, as events and as what still waits for an answer. */
import type { EpochMs } from '../../domain/index.ts';
import type { ChainAsked, ResolutionAsked } from '../market-event.ts';
import type { MarketRecord } from './market-record.ts';

/** A question to chain or resolver, and when it was asked. */
export interface OpenQuestion {
  readonly event: ChainAsked | ResolutionAsked;
  readonly at: EpochMs;
}

/**
 * The question that a market waits for an answer to, undefined when it waits for none. After a start it is put again:
 * bodies answer the same to the same question, and what was answered already is refused as CONFLICT.
 */
export function openQuestion(market: MarketRecord): OpenQuestion | undefined {
  if (market.askedAt === undefined) return undefined;
  if (market.status === 'PENDING_BLOCKCHAIN') return { event: chainQuestion(market), at: market.askedAt };
  if (market.status === 'PENDING_RESOLUTION') return { event: resolverQuestion(market), at: market.askedAt };
  return undefined;
}

/** The chain is to do the step that the market waits for. */
export function chainQuestion({ no, step, attempts, yesPayoutBps }: MarketRecord): ChainAsked {
  if (step === undefined) throw new RangeError(`Invariant: market ${no} waits for no step of the chain`);
  return { type: 'chainAsked', market: no, step, attempt: attempts, yesPayoutBps };
}

/** The resolver is to decide in the present round. */
export function resolverQuestion({ no, round, quorum, panelSize }: MarketRecord): ResolutionAsked {
  return { type: 'resolutionAsked', market: no, round, quorum, panelSize };
}
