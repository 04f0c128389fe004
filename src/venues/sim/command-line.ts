import type { OrderCommand } from '../../domain/index.ts';
import type { LatencyModel } from './ports.ts';
import type { SimMarket } from './sim-market.ts';
import { TimeHeap } from './time-heap.ts';
import { TimeQueue } from './time-queue.ts';

/** A command on its way to the venue, or held back there. */
export interface Flight {
  readonly command: OrderCommand;
  /** How many `cancelAll` had been sent before it. */
  readonly epoch: number;
  /** How often its market had stopped accepting orders when it arrived; only told of places and replaces. */
  stops: number;
}

/**
 * Commands between the bot and the venue's book: they keep their order on the way; at the venue the placing delay holds
 * places and replaces back, so that cancels overtake them (docs/spec/models.md#time-and-look-ahead).
 *
 * HOT: asked for `next` after each piece of work, passed by every command. Measured in bench/replay.ts.
 */
export class CommandLine {
  readonly #latency: LatencyModel;
  readonly #arriving = new TimeQueue<Flight>();
  readonly #held = new TimeHeap<Flight>();
  #epoch = 0;
  #lastArrival = 0;

  constructor(latency: LatencyModel) {
    this.#latency = latency;
  }

  /** When the next command arrives, or has been held back long enough; Infinity when none is on its way. */
  get next(): number {
    const arriving = this.#arriving.next;
    const held = this.#held.next;
    return arriving < held ? arriving : held;
  }

  send(commands: readonly OrderCommand[], now: number): void {
    for (const command of commands) {
      this.#lastArrival = Math.max(this.#lastArrival, now + this.#latency.entry());
      this.#arriving.add(this.#lastArrival, { command, epoch: this.#epoch, stops: 0 });
      if (command.type === 'cancelAll') this.#epoch += 1;
    }
  }

  /** Takes what is due at `time`, first what was held back; undefined when the next one is only now held back. */
  take(time: number, marketOf: (no: number) => Readonly<SimMarket> | undefined): Flight | undefined {
    if (this.#held.next <= time) return this.#held.take();
    const flight = this.#arriving.take();
    const { command } = flight;
    if (command.type !== 'place' && command.type !== 'replace') return flight;
    const market = marketOf(command.market);
    if (market === undefined) return flight;
    flight.stops = market.stops;
    if (market.placeDelay === 0) return flight;
    this.#held.add(time + market.placeDelay, flight);
    return undefined;
  }
}
