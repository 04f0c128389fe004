/** Replays and snapshots of a sequence. */
import { column } from '../../../src/domain/index.ts';
import { Exchange, type ExchangeCommand } from '../../../src/exchange/index.ts';
import { EngineBody, OPTIONS } from './bodies.ts';
import { assertSame } from './demand.ts';
import type { Move } from './kinds.ts';
import { play } from './sequence.ts';
import { copyOfIdentities, restored } from './snapshot.ts';

/** Commands between two snapshots. */
const MIN_BETWEEN = 6;
const MAX_BETWEEN = 40;
/** Longer than any date, window or time-out of a sequence. */
const FOREVER = 40 * 86_400_000;

/** All commands again, and only those that raised the seq, give the same hash in an exchange of another capacity. */
export function checkReplay(moves: readonly Move[]): void {
  const body = new EngineBody();
  const raising: ExchangeCommand[] = [];
  let seq = 0;
  const commands = play(moves, {
    carryOut: (command) => body.carryOut(command),
    tickOf: (market) => body.tickOf(market),
    after: (command) => {
      if (body.exchange.view.seq > seq) raising.push(command);
      seq = body.exchange.view.seq;
    },
  });
  for (const log of [commands, raising]) {
    const again = new EngineBody();
    again.exchange = new Exchange({ ...OPTIONS, capacity: { orders: 5000 } });
    for (const command of log) again.carryOut(command);
    assertSame(again.exchange.stateHash(), body.exchange.stateHash(), `replay of ${log.length} commands`);
  }
}

/** Nothing happens by itself before the next deadline, and something at it. */
function checkDeadline(body: EngineBody): void {
  const copy = copyOf(body);
  const { nextDeadline } = copy.exchange.view;
  assertSame(nextDeadline, body.exchange.view.nextDeadline, 'next deadline after a snapshot');
  if (nextDeadline === undefined) return;
  const before = copy.carryOut({ type: 'tick', time: column.time(nextDeadline - 1) });
  const at = copy.carryOut({ type: 'tick', time: nextDeadline });
  assertSame([before.length > 0, at.length > 0], [false, true], `something happens before and at ${nextDeadline}`);
}

/**
 * Again and again a snapshot takes the place of the exchange, and gives the same events and the same hash as one that
 * never stopped, also when at last all that is due comes.
 * @param part how far it is from the least to the most commands between two snapshots, 0 … 1
 */
export function checkSnapshot(moves: readonly Move[], part: number): void {
  const whole = new EngineBody();
  let again = new EngineBody();
  const every = MIN_BETWEEN + Math.floor(part * (MAX_BETWEEN - MIN_BETWEEN));
  const commands = play(moves, whole);
  const first = new EngineBody();
  const last = commands.at(-1)?.time ?? 0;
  const end: ExchangeCommand = { type: 'tick', time: column.time(last + FOREVER) };
  for (const [at, command] of [...commands, end].entries()) {
    if (at % every === 0) {
      again = copyOf(again);
      assertSame(again.exchange.stateHash(), first.exchange.stateHash(), `hash of a snapshot at ${at}`);
      checkDeadline(first);
    }
    assertSame(again.carryOut(command), first.carryOut(command), `events after a snapshot at ${at - (at % every)}`);
    if (at === commands.length - 1) {
      assertSame(again.exchange.stateHash(), whole.exchange.stateHash(), 'hash after snapshots and their tails');
    }
  }
  assertSame(again.exchange.stateHash(), first.exchange.stateHash(), 'hash after all that was due');
}

function copyOf(body: EngineBody): EngineBody {
  const identities = copyOfIdentities(body.identities);
  const copy = new EngineBody(identities);
  copy.exchange = restored(body.exchange, identities);
  return copy;
}
