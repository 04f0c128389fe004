/** Replays and snapshots of a sequence. */
import { unchecked } from '../../../src/domain/index.ts';
import { Exchange, type ExchangeCommand } from '../../../src/exchange/index.ts';
import { assertSame } from './asserts.ts';
import { EngineBody, OPTIONS } from './bodies.ts';
import type { Move } from './kinds.ts';
import { runSequence } from './sequence.ts';
import { copyOfIdentities, restored } from './snapshot.ts';

/** Commands between two snapshots. */
const MIN_BETWEEN = 6;
const MAX_BETWEEN = 40;
/** Longer than any resolution date, window or time-out of a sequence. */
const FORTY_DAYS = 40 * 86_400_000;

/** Replays all commands, then those with events, and compares hashes. The replaying exchange has another size. */
export function checkReplay(moves: readonly Move[]): void {
  const body = new EngineBody();
  const withEvents: ExchangeCommand[] = [];
  let seq = 0;
  const commands = runSequence(moves, {
    execute: (command) => body.execute(command),
    tickOf: (market) => body.tickOf(market),
    after: (command) => {
      if (body.exchange.view.seq > seq) withEvents.push(command);
      seq = body.exchange.view.seq;
    },
  });
  for (const log of [commands, withEvents]) {
    const replayed = new EngineBody();
    replayed.exchange = new Exchange({ ...OPTIONS, capacity: { orders: 5000 } });
    for (const command of log) replayed.execute(command);
    assertSame(replayed.exchange.stateHash(), body.exchange.stateHash(), `replay of ${log.length} commands`);
  }
}

/** Checks that a tick emits no event before the next deadline, and at least one at it. */
function checkDeadline(body: EngineBody): void {
  const copy = copyOf(body);
  const { nextDeadline } = copy.exchange.view;
  assertSame(nextDeadline, body.exchange.view.nextDeadline, 'next deadline after a snapshot');
  if (nextDeadline === undefined) return;
  const before = copy.execute({ type: 'tick', time: unchecked.time(nextDeadline - 1) });
  const at = copy.execute({ type: 'tick', time: nextDeadline });
  assertSame([before.length > 0, at.length > 0], [false, true], `events before and at ${nextDeadline}`);
}

/**
 * Repeatedly replaces the exchange by its restored snapshot, and compares events and hashes with an exchange that
 * continues. The last command makes all deadlines due.
 * @param fraction of the range from the fewest to the most commands between two snapshots, 0 … 1
 */
export function checkSnapshot(moves: readonly Move[], fraction: number): void {
  const reference = new EngineBody();
  let replayed = new EngineBody();
  const interval = MIN_BETWEEN + Math.floor(fraction * (MAX_BETWEEN - MIN_BETWEEN));
  const commands = runSequence(moves, reference);
  const continuous = new EngineBody();
  const last = commands.at(-1)?.time ?? 0;
  const end: ExchangeCommand = { type: 'tick', time: unchecked.time(last + FORTY_DAYS) };
  for (const [at, command] of [...commands, end].entries()) {
    if (at % interval === 0) {
      replayed = copyOf(replayed);
      assertSame(replayed.exchange.stateHash(), continuous.exchange.stateHash(), `hash of a snapshot at ${at}`);
      checkDeadline(continuous);
    }
    assertSame(
      replayed.execute(command),
      continuous.execute(command),
      `events after a snapshot at ${at - (at % interval)}`,
    );
    if (at === commands.length - 1) {
      assertSame(
        replayed.exchange.stateHash(),
        reference.exchange.stateHash(),
        'hash after snapshots and later commands',
      );
    }
  }
  assertSame(replayed.exchange.stateHash(), continuous.exchange.stateHash(), 'hash after all deadlines');
}

function copyOf(body: EngineBody): EngineBody {
  const identities = copyOfIdentities(body.identities);
  const copy = new EngineBody(identities);
  copy.exchange = restored(body.exchange, identities);
  return copy;
}
