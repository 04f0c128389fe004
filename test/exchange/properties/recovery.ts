/** Replays and snapshots of a sequence. */
import { column } from '../../../src/domain/index.ts';
import { Exchange, type ExchangeCommand } from '../../../src/exchange/index.ts';
import { EngineBody, OPTIONS } from './bodies.ts';
import { demandSame } from './demand.ts';
import type { Move } from './kinds.ts';
import { play } from './sequence.ts';
import { restored } from './snapshot.ts';

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
    demandSame(again.exchange.stateHash(), body.exchange.stateHash(), `replay of ${log.length} commands`);
  }
}

/** Nothing happens by itself before the next deadline, and something at it. */
function checkDeadline(body: EngineBody): void {
  const copy = new EngineBody();
  copy.exchange = restored(body.exchange, body.identities);
  const { nextDeadline } = copy.exchange.view;
  if (nextDeadline === undefined) return;
  const before = copy.carryOut({ type: 'tick', time: column.time(nextDeadline - 1) });
  const at = copy.carryOut({ type: 'tick', time: nextDeadline });
  demandSame([before.length > 0, at.length > 0], [false, true], `something happens before and at ${nextDeadline}`);
}

/** A snapshot after `part` of the commands, and the rest, give the same events and the same hash. */
export function checkSnapshot(moves: readonly Move[], part: number): void {
  const whole = new EngineBody();
  const commands = play(moves, whole);
  const cut = Math.floor(commands.length * part);
  const first = new EngineBody();
  for (const command of commands.slice(0, cut)) first.carryOut(command);
  const second = new EngineBody();
  second.exchange = restored(first.exchange, first.identities);
  demandSame(second.exchange.stateHash(), first.exchange.stateHash(), 'hash of the snapshot');
  checkDeadline(first);
  for (const command of commands.slice(cut)) {
    demandSame(second.carryOut(command), first.carryOut(command), `events after a snapshot at ${cut}`);
  }
  demandSame(second.exchange.stateHash(), whole.exchange.stateHash(), `hash after a snapshot at ${cut}`);
}
