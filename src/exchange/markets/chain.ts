/** The exchange emits `chainRequested`, and the answer arrives as a journalled command, so a replay needs no chain. */
import type { Random } from '../../clock/index.ts';
import { type DurationMs, type EpochMs, InputFault, timeAfter } from '../../domain/index.ts';
import type { MarketCommand } from '../market-command.ts';
import type { ChainRequested } from '../market-event.ts';

/** Deploys markets and reports payouts on a chain. */
export interface Chain {
  /** Returns commands to send to the exchange, each at its `time`; none if the operator answers instead. */
  commandsFor(event: ChainRequested, now: EpochMs): readonly MarketCommand[];
}

export interface SimulatedChainOptions {
  /** The result depends only on this stream's seed, the market and the attempt. */
  readonly random: Random;
  /** Bounds of the uniformly distributed delay of an answer. */
  readonly minDelay: DurationMs;
  readonly maxDelay: DurationMs;
  /** Probability that an attempt fails, 0 … 1. Default 0. */
  readonly failureProbability?: number;
  /** Probability that a failure is permanent, 0 … 1; other failures are retried. Default 0. */
  readonly permanentProbability?: number;
  /** Probability that an attempt is never answered, 0 … 1; checked first. Default 0. */
  readonly silenceProbability?: number;
}

export class SimulatedChain implements Chain {
  readonly #options: Required<SimulatedChainOptions>;

  /** @throws InputFault on a probability outside 0 … 1, or `maxDelay` below `minDelay` */
  constructor(options: SimulatedChainOptions) {
    const { failureProbability = 0, permanentProbability = 0, silenceProbability = 0 } = options;
    const probabilities = { failureProbability, permanentProbability, silenceProbability };
    for (const [name, value] of Object.entries(probabilities)) assertProbability(name, value);
    if (!(options.maxDelay >= options.minDelay)) {
      throw new InputFault('maxDelay', options.maxDelay, `at least minDelay (${options.minDelay} ms)`);
    }
    this.#options = { ...options, ...probabilities };
  }

  commandsFor({ market, step, attempt }: ChainRequested, now: EpochMs): readonly MarketCommand[] {
    const { minDelay, maxDelay, failureProbability, permanentProbability, silenceProbability } = this.#options;
    const random = this.#options.random.fork(`chain ${market} ${attempt}`);
    if (random.uniform() < silenceProbability) return [];
    const time = timeAfter(now, minDelay + random.int(maxDelay - minDelay + 1));
    const answer = { time, market, step, attempt, note: '' };
    if (random.uniform() >= failureProbability) {
      const words = Array.from({ length: 8 }, () => random.int(4_294_967_296).toString(16).padStart(8, '0'));
      return [{ type: 'chainConfirmed', ...answer, transactionHash: `0x${words.join('')}` }];
    }
    return [{ type: 'chainFailed', ...answer, permanent: random.uniform() < permanentProbability }];
  }
}

/** @throws InputFault unless 0 … 1 */
export function assertProbability(name: string, value: number): void {
  if (!(value >= 0 && value <= 1)) throw new InputFault(name, value, 'a probability from 0 to 1');
}
