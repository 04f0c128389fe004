/**
 * Chain and resolver of a running server. What they will say waits in memory alone: after a start every question that is
 * open is put again, and bodies answer a question as they did before.
 */

import type { Clock } from '../../clock/index.ts';
import { type Chain, type ExchangeEvent, type MarketCommand, Outside, type Resolver } from '../../exchange/index.ts';
import type { CommandQueue } from '../command-queue.ts';
import { DeadlineTimer } from '../deadline-timer.ts';
import type { Log } from '../graphql/index.ts';
import type { Watcher } from '../pending-command.ts';

/** What the loop stands on. */
export interface AgendaLoopOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly chain: Chain;
  readonly resolver: Resolver;
  readonly log: Log;
}

/** Hears what markets ask, and has the answers sent at their time. */
export class AgendaLoop implements Watcher {
  readonly #options: AgendaLoopOptions;
  readonly #outside: Outside;
  readonly #timer: DeadlineTimer;
  #leave: (() => void) | undefined;

  constructor(options: AgendaLoopOptions) {
    this.#options = options;
    this.#outside = new Outside(options);
    this.#timer = new DeadlineTimer(options.clock, () => this.#send());
  }

  /** Puts the questions that are open, and listens. */
  start(): void {
    const { queue } = this.#options;
    this.#leave = queue.watch(this);
    this.#outside.resume(queue.view.markets);
    this.#arm();
  }

  /** No timer stays. */
  close(): void {
    this.#leave?.();
    this.#timer.set(undefined);
  }

  onCommitted(events: readonly ExchangeEvent[]): void {
    const { now } = this.#options.queue.view;
    for (const event of events) if (event.type === 'happened') this.#outside.hear(event.event, now);
  }

  onTurnEnd(): void {
    this.#arm();
  }

  #arm(): void {
    if (this.#leave !== undefined) this.#timer.set(this.#outside.agenda.next);
  }

  #send(): void {
    const { clock } = this.#options;
    for (;;) {
      const command = this.#outside.agenda.take(clock.now());
      if (command === undefined) break;
      this.#ask(command);
    }
    this.#arm();
  }

  /** What was decided meanwhile is refused, which is as it should be. */
  #ask(command: MarketCommand): void {
    const { queue, log } = this.#options;
    queue.execute(command).then(
      (events) => {
        for (const event of events) {
          if (event.type === 'refused') log.info({ command, refusal: event.refusal }, 'outside: came too late');
        }
      },
      (error: unknown) => log.warn({ err: error, command: command.type }, 'outside: could not be sent'),
    );
  }
}
