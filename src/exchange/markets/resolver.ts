/**
 * The resolver as a port, and the one that leaves all to the operator. It stands outside the exchange:
 * `resolutionAsked` goes out, and the votes come back as commands that are journalled like all others.
 */
import type { EpochMs } from '../../domain/index.ts';
import type { MarketCommand } from '../market-command.ts';
import type { ResolutionAsked } from '../market-event.ts';

/** Decides markets whose date has come. */
export interface Resolver {
  /**
   * @param event the question
   * @param now when it was asked
   * @returns what is to be sent to the exchange, each at its `time`; nothing when nobody votes
   */
  asked(event: ResolutionAsked, now: EpochMs): readonly MarketCommand[];
}

/** Nobody votes: without a quorum in time the resolution fails, and the operator decides after the safety period. */
export const manualResolver: Resolver = { asked: () => [] };
