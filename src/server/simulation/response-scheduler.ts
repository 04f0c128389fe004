/**
 * Runs the simulated chain and the resolver. Scheduled answers are only in memory. After a restart, every open question is repeated and
 * gets the same answer.
 */

import type { Clock } from '../../clock/index.ts';
import {
  type Chain,
  ChainAndResolver,
  type ExchangeEvent,
  type MarketCommand,
  type Resolver,
} from '../../exchange/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Watcher } from '../command-queue-types.ts';
import { DeadlineTimer } from '../deadline-timer.ts';
import type { Log } from '../graphql/context.ts';

export interface ResponseSchedulerOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly chain: Chain;
  readonly resolver: Resolver;
  readonly log: Log;
}

/** Passes markets' questions to chain and resolver, and sends the answers when they are due. */
export class ResponseScheduler implements Watcher {
  readonly #options: ResponseSchedulerOptions;
  readonly #external: ChainAndResolver;
  readonly #timer: DeadlineTimer;
  #unwatch: (() => void) | undefined;

  constructor(options: ResponseSchedulerOptions) {
    this.#options = options;
    this.#external = new ChainAndResolver(options);
    this.#timer = new DeadlineTimer(options.clock, () => this.#send());
  }

  /** Repeats the open questions and begins to watch. */
  start(): void {
    const { queue } = this.#options;
    this.#unwatch = queue.watch(this);
    this.#external.resume(queue.view.markets);
    this.#schedule();
  }

  close(): void {
    this.#unwatch?.();
    this.#timer.set(undefined);
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'happened') continue;
      this.#external.onEvent(event.event, this.#options.queue.view.now);
      this.#schedule();
    }
  }

  #schedule(): void {
    if (this.#unwatch !== undefined) this.#timer.set(this.#external.agenda.next);
  }

  #send(): void {
    const { clock } = this.#options;
    for (;;) {
      const command = this.#external.agenda.take(clock.now());
      if (command === undefined) break;
      this.#execute(command);
    }
    this.#schedule();
  }

  /** Sends an answer. The exchange refuses answers to decided questions, as intended. */
  #execute(command: MarketCommand): void {
    const { queue, log } = this.#options;
    queue.execute(command).then(
      (events) => {
        const refusal = events.find((event) => event.type === 'refused')?.refusal;
        if (refusal !== undefined) log.info({ command, refusal }, 'simulation: an answer came too late');
      },
      (error: unknown) => log.warn({ err: error, command: command.type }, 'simulation: an answer could not be sent'),
    );
  }
}
