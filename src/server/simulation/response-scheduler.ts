/**
 * Runs the simulated chain and the resolver. Scheduled responses are only in memory. A restart repeats every open
 * request and gets the same responses.
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
import { DeadlineTimer } from '../deadline-timer.ts';
import type { Log } from '../graphql/context.ts';

interface ResponseSchedulerOptions {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly chain: Chain;
  readonly resolver: Resolver;
  readonly log: Log;
}

/** Passes the markets' requests to chain and resolver, and sends each response at its scheduled time. */
export function makeResponseScheduler(options: ResponseSchedulerOptions) {
  const { clock, queue, log } = options;
  const external = new ChainAndResolver(options);
  const timer = new DeadlineTimer(clock, () => {
    const { agenda } = external;
    for (let due = agenda.takeDue(clock.now()); due !== undefined; due = agenda.takeDue(clock.now())) send(due);
    schedule();
  });
  let unwatch: (() => void) | undefined;

  function schedule(): void {
    if (unwatch !== undefined) timer.set(external.agenda.next);
  }

  /** Sends a response. The exchange refuses a response to a request that is already completed. */
  function send(command: MarketCommand): void {
    queue.execute(command).then(
      (events) => {
        const refusal = events.find((event) => event.type === 'refused')?.refusal;
        if (refusal !== undefined) log.info({ command, refusal }, 'simulation: a response came too late');
      },
      (error: unknown) => log.warn({ err: error, command: command.type }, 'simulation: a response could not be sent'),
    );
  }

  function onCommitted(events: readonly ExchangeEvent[]): void {
    for (const event of events) {
      if (event.type !== 'happened') continue;
      external.onEvent(event.event, queue.view.now);
      schedule();
    }
  }

  return {
    start(): void {
      unwatch = queue.watch({ onCommitted });
      external.resume(queue.view.markets);
      schedule();
    },
    close(): void {
      unwatch?.();
      timer.set(undefined);
    },
  };
}
