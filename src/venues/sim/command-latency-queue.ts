import type { OrderCommand } from '../../domain/index.ts';
import type { LatencyModel } from './latency.ts';
import type { SimMarket } from './sim-market.ts';
import { TimeList, TimeQueue } from './time-queue.ts';

/** A command on its way to the venue, or held there by the placing delay. */
export interface QueuedCommand {
  readonly command: OrderCommand;
  /** Number of earlier `cancelAll` commands. */
  readonly epoch: number;
  /** Time at which a place or replace takes effect; undefined if the market's placing delay decides. */
  readonly placedAt: number | undefined;
  /** Value of `SimMarket.stopCount` when the command arrived. Set for places and replaces only. */
  stopCount: number;
}

/**
 * Delays commands between the bot and the venue's book. Commands keep their order until they arrive. Then the placing
 * delay holds places and replaces, so that cancels overtake them (docs/spec/models.md#time-and-look-ahead).
 *
 * HOT: `nextTime` is read after each piece of work, and every command passes here (bench/replay.ts).
 */
export class CommandLatencyQueue {
  readonly #latency: LatencyModel;
  readonly #arriving = new TimeQueue<QueuedCommand>();
  readonly #held = new TimeList<QueuedCommand>();
  #epoch = 0;
  #lastArrival = 0;

  constructor(latency: LatencyModel) {
    this.#latency = latency;
  }

  /** Time at which the next command arrives or its placing delay ends; Infinity if the queue is empty. */
  get nextTime(): number {
    const arriving = this.#arriving.nextTime;
    const held = this.#held.nextTime;
    return arriving < held ? arriving : held;
  }

  add(commands: readonly OrderCommand[], now: number): void {
    for (const command of commands) {
      this.#lastArrival = Math.max(this.#lastArrival, now + this.#latency.entry(now));
      const placedAt = this.#latency.placedAt?.(now);
      this.#arriving.add(this.#lastArrival, { command, epoch: this.#epoch, placedAt, stopCount: 0 });
      if (command.type === 'cancelAll') this.#epoch += 1;
    }
  }

  /** Removes the next command at `time`, held commands first. Returns undefined if its placing delay begins. */
  removeNext(time: number, findMarket: (number: number) => Readonly<SimMarket> | undefined): QueuedCommand | undefined {
    if (this.#held.nextTime <= time) return this.#held.shift();
    const queued = this.#arriving.shift();
    const { command } = queued;
    if (command.type !== 'place' && command.type !== 'replace') return queued;
    const market = findMarket(command.market);
    if (market === undefined) return queued;
    queued.stopCount = market.stopCount;
    const releasedAt = queued.placedAt ?? time + market.placeDelay;
    if (releasedAt <= time) return queued;
    this.#held.add(releasedAt, queued);
    return undefined;
  }
}
