import type { EpochMs } from '../../domain/index.ts';
import type { MarketCommand } from '../market-command.ts';
import type { ChainRequested, ResolutionRequested } from '../market-event.ts';
import type { RareEvent } from '../sink.ts';
import type { Chain } from './chain.ts';
import type { MarketRecord } from './market-record.ts';
import type { Resolver } from './resolver.ts';

/** Passes the exchange's requests to chain and resolver, and schedules their answers. */
export class ChainAndResolver {
  readonly schedule = new CommandSchedule();
  readonly #chain: Chain;
  readonly #resolver: Resolver;

  constructor({ chain, resolver }: { readonly chain: Chain; readonly resolver: Resolver }) {
    this.#chain = chain;
    this.#resolver = resolver;
  }

  /** Handles a request made at `now`; ignores other events. */
  onEvent(event: RareEvent, now: EpochMs): void {
    if (event.type === 'chainRequested') this.schedule.add(this.#chain.commandsFor(event, now));
    if (event.type === 'resolutionRequested') this.schedule.add(this.#resolver.commandsFor(event, now));
  }

  /**
   * Repeats every unanswered request after a start, with its original time. The repetition is safe, because the
   * exchange refuses a second answer as CONFLICT.
   */
  resume(markets: readonly MarketRecord[]): void {
    for (const market of markets) {
      if (market.requestedAt === undefined) continue;
      if (market.status === 'PENDING_BLOCKCHAIN') this.onEvent(chainRequest(market), market.requestedAt);
      if (market.status === 'PENDING_RESOLUTION') this.onEvent(resolverRequest(market), market.requestedAt);
    }
  }
}

export function chainRequest({ number, chainStep: step, attempts, yesPayoutBps }: MarketRecord): ChainRequested {
  if (step === undefined) throw new RangeError(`Invariant: market ${number} waits for no step of the chain`);
  return { type: 'chainRequested', market: number, step, attempt: attempts, yesPayoutBps };
}

export function resolverRequest({ number, round, quorum, panelSize }: MarketRecord): ResolutionRequested {
  return { type: 'resolutionRequested', market: number, round, quorum, panelSize };
}

/** Future commands of chain and resolver, ordered by time, then by insertion. */
export class CommandSchedule {
  readonly #waiting: MarketCommand[] = [];

  get size(): number {
    return this.#waiting.length;
  }

  /** Time of the next command; undefined if there is none. */
  get next(): EpochMs | undefined {
    return this.#waiting[0]?.time;
  }

  add(commands: readonly MarketCommand[]): void {
    for (const command of commands) {
      const index = this.#waiting.findLastIndex(({ time }) => time <= command.time) + 1;
      this.#waiting.splice(index, 0, command);
    }
  }

  /** Removes and returns the next due command, with its time set to `now`; undefined if none is due. */
  removeDue(now: EpochMs): MarketCommand | undefined {
    const [command] = this.#waiting;
    if (command === undefined || command.time > now) return undefined;
    this.#waiting.shift();
    return { ...command, time: now };
  }
}
