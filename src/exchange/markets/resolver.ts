/**
 * The resolver as a port, one that leaves all to the operator, and one with recorded votes. It is outside the exchange:
 * `resolutionAsked` goes out, and the votes come back as commands that are journalled like all others.
 */
import type { EpochMs, MarketNo } from '../../domain/index.ts';
import type { Decision, MarketCommand } from '../market-command.ts';
import type { ResolutionAsked } from '../market-event.ts';

/** Decides markets whose date has come. */
export interface Resolver {
  /**
   * @param event the question
   * @param now time of the request
   * @returns what is to be sent to the exchange, each at its `time`; empty without votes
   */
  commandsFor(event: ResolutionAsked, now: EpochMs): readonly MarketCommand[];
}

/** There are no votes: without a quorum in time the resolution fails, and the operator decides after the safety period. */
export const manualResolver: Resolver = { commandsFor: () => [] };

/** A recorded outcome of a market. */
export interface ScriptedOutcome {
  readonly decision: Decision;
  /** When the outcome is known: the resolver waits until then. Default: at once. */
  readonly at?: EpochMs;
  /** Default: that it is recorded. */
  readonly rationale?: string;
  readonly sources?: readonly string[];
}

/** Votes as recorded, in every round and with the whole quorum at one moment; a market without a record is not decided. */
export class ScriptedResolver implements Resolver {
  readonly #outcomes: ReadonlyMap<MarketNo, ScriptedOutcome>;

  constructor(outcomes: ReadonlyMap<MarketNo, ScriptedOutcome>) {
    this.#outcomes = outcomes;
  }

  commandsFor({ market, round, quorum }: ResolutionAsked, now: EpochMs): readonly MarketCommand[] {
    const outcome = this.#outcomes.get(market);
    if (outcome === undefined) return [];
    const time = outcome.at !== undefined && outcome.at > now ? outcome.at : now;
    const { decision, rationale = 'as recorded', sources = [] } = outcome;
    return Array.from({ length: quorum }, (_, place) => {
      const model = `record-${place + 1}`;
      const vote = { id: voteId(market, round, model), model, vote: decision, confidenceBps: undefined };
      return { type: 'castVote', time, market, round, vote: { ...vote, rationale, sources }, note: '' };
    });
  }
}

/** Unlike any other vote's of the exchange, as long as a model votes once a round. */
export function voteId(market: MarketNo, round: number, model: string): string {
  return `vote-${market}-${round}-${model}`;
}
