/** The exchange emits `resolutionRequested`, and votes arrive as journalled commands: a replay needs no resolver. */
import type { Random } from '../../clock/index.ts';
import { type DurationMs, type EpochMs, InputFault, type MarketNo, timeAfter } from '../../domain/index.ts';
import type { Decision, MarketCommand, ModelVote } from '../market-command.ts';
import type { ResolutionRequested } from '../market-event.ts';
import { assertProbability } from './chain.ts';
import { DECISIONS } from './lifecycle-state.ts';

/** Decides markets at their resolution date. */
export interface Resolver {
  /** Returns commands to send to the exchange, each at its `time`. */
  commandsFor(event: ResolutionRequested, now: EpochMs): readonly MarketCommand[];
}

/** Casts no votes: the resolution fails, and the operator decides after the safety period. */
export const manualResolver: Resolver = { commandsFor: () => [] };

export interface ScriptedOutcome {
  readonly decision: Decision;
  /** Time of the votes. Default, and minimum: the time of the request. */
  readonly at?: EpochMs | undefined;
  /** Default: `as recorded`. */
  readonly rationale?: string | undefined;
  readonly sources?: readonly string[];
}

/** Casts a quorum of votes for the scripted decision in every round. A market without a script gets no votes. */
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

export interface PanelModel {
  /** Unique in the panel. */
  readonly name: string;
  /** Probability of a vote for the right decision, 0 … 1. A wrong vote is for one of the other three decisions. */
  readonly accuracy: number;
  /** Probability that the model does not vote in a round, 0 … 1. Default 0. */
  readonly silence?: number;
  /** Mean of the exponentially distributed time before a vote. */
  readonly meanDelay: DurationMs;
}

export interface PanelOptions {
  /** Votes depend only on this stream's seed, the market, the round and the model's name. */
  readonly random: Random;
  /** Only the first `panelSize` models vote. */
  readonly models: readonly PanelModel[];
  /** Returns the right decision; undefined for "cannot be decided". */
  readonly decisionOf: (market: MarketNo) => Decision;
}

const REASONS: readonly string[] = [
  'The sources named in the rules agree.',
  'Two independent reports say so.',
  'The rules leave no other reading.',
  'Contrary reports are older and were corrected.',
];

/** A panel of simulated models, which vote again in each round. */
export class PanelResolver implements Resolver {
  readonly #options: PanelOptions;

  /** @throws InputFault on a duplicate name, a probability outside 0 … 1 or no models */
  constructor(options: PanelOptions) {
    if (options.models.length === 0) throw new InputFault('models', 0, 'at least one model');
    for (const [index, { name, accuracy, silence = 0 }] of options.models.entries()) {
      assertProbability(`models[${index}].accuracy`, accuracy);
      assertProbability(`models[${index}].silence`, silence);
      if (options.models.findIndex((model) => model.name === name) !== index) {
        throw new InputFault(`models[${index}].name`, name, 'a name that no other model has');
      }
    }
    this.#options = options;
  }

  commandsFor({ market, round, panelSize }: ResolutionRequested, now: EpochMs): readonly MarketCommand[] {
    const { models, random, decisionOf } = this.#options;
    const commands: MarketCommand[] = [];
    for (const model of models.slice(0, panelSize)) {
      const draws = random.fork(`panel ${market} ${round} ${model.name}`);
      if (draws.uniform() < (model.silence ?? 0)) continue;
      const time = timeAfter(now, Math.ceil(model.meanDelay * draws.exponential()));
      const id = voteId(market, round, model.name);
      const vote = drawVote(model, id, decisionOf(market), draws);
      commands.push({ type: 'castVote', time, market, round, vote, note: '' });
    }
    return commands;
  }
}

function drawVote({ name, accuracy }: PanelModel, id: string, right: Decision, draws: Random): ModelVote {
  const isCorrect = draws.uniform() < accuracy;
  const others = DECISIONS.filter((decision) => decision !== right);
  const vote = isCorrect ? right : others[draws.int(others.length)];
  const confidenceBps = isCorrect ? 7_000 + draws.int(3_001) : 5_000 + draws.int(3_001);
  return { id, model: name, vote, confidenceBps, rationale: REASONS[draws.int(REASONS.length)] ?? '', sources: [] };
}

/** Returns an id that is unique if each model votes once per round. */
export function voteId(market: MarketNo, round: number, model: string): string {
  return `vote-${market}-${round}-${model}`;
}
