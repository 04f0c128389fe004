/**
 * The port for the resolver, a resolver without votes, and one with recorded votes. The exchange emits
 * `resolutionRequested`, and the votes arrive as journalled commands.
 */
import type { EpochMs, MarketNo } from '../../domain/index.ts';
import type { Decision, MarketCommand } from '../market-command.ts';
import type { ResolutionRequested } from '../market-event.ts';

/** Decides markets at their resolution date. */
export interface Resolver {
  /**
   * @param event the request
   * @param now time of the request
   * @returns commands to send to the exchange, each at its `time`; empty without votes
   */
  commandsFor(event: ResolutionRequested, now: EpochMs): readonly MarketCommand[];
}

/** Casts no votes: the resolution fails, and the operator decides after the safety period. */
export const manualResolver: Resolver = { commandsFor: () => [] };

/** A recorded outcome of a market. */
export interface ScriptedOutcome {
  readonly decision: Decision;
  /** Time of the votes. Default: at once. */
  readonly at?: EpochMs | undefined;
  /** Default: `as recorded`. */
  readonly rationale?: string | undefined;
  readonly sources?: readonly string[];
}

/** Casts the votes of a whole quorum for the recorded decision, in every round. A market without a record gets no votes. */
export class ScriptedResolver implements Resolver {
  readonly #outcomes: ReadonlyMap<MarketNo, ScriptedOutcome>;

  constructor(outcomes: ReadonlyMap<MarketNo, ScriptedOutcome>) {
    this.#outcomes = outcomes;
  }

  commandsFor({ market, round, quorum }: ResolutionRequested, now: EpochMs): readonly MarketCommand[] {
    const outcome = this.#outcomes.get(market);
    if (outcome === undefined) return [];
    const time = outcome.at !== undefined && outcome.at > now ? outcome.at : now;
    const { decision, rationale = 'as recorded', sources = [] } = outcome;
    return Array.from({ length: quorum }, (_, index) => {
      const model = `record-${index + 1}`;
      const vote = { id: voteId(market, round, model), model, vote: decision, confidenceBps: undefined };
      return { type: 'castVote', time, market, round, vote: { ...vote, rationale, sources }, note: '' };
    });
  }
}

/** Returns a unique id for a vote, if a model votes once a round. */
export function voteId(market: MarketNo, round: number, model: string): string {
  return `vote-${market}-${round}-${model}`;
}
