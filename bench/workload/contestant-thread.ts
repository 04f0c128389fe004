/** The thread of a contestant: answers what `Contestant` asks. Does nothing where it is no thread. */
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../harness.ts';
import type { Question, Who } from './contestants.ts';
import { coreNanos, coreOutcome } from './core-run.ts';
import { exchangeNanos, exchangeOutcome } from './exchange-run.ts';
import type { OrderFlow } from './order-flow.ts';
import type { Outcome } from './outcome.ts';
import { peerNanos, peerOutcome } from './peer-run.ts';

/** A way to play a flow. */
interface Player {
  readonly nanos: (flow: OrderFlow, feeRateBps: number) => number;
  readonly outcome: (flow: OrderFlow) => Outcome;
}

const PLAYERS: Readonly<Record<Who, Player>> = {
  exchange: {
    nanos: (flow, feeRateBps) => exchangeNanos(flow, { feeRateBps }),
    outcome: exchangeOutcome,
  },
  core: { nanos: coreNanos, outcome: coreOutcome },
  peer: { nanos: peerNanos, outcome: peerOutcome },
};

if (parentPort !== null) answerTo(parentPort, PLAYERS[who(workerData)]);

function answerTo(port: NonNullable<typeof parentPort>, player: Player): void {
  let flow: OrderFlow | undefined;
  port.on('message', (question: Question) => {
    if ('flow' in question) {
      flow = question.flow;
      port.postMessage(undefined);
    } else if (flow !== undefined) port.postMessage(answer(player, flow, question));
  });
}

function answer(player: Player, flow: OrderFlow, question: Exclude<Question, { flow: OrderFlow }>): Outcome | number {
  collectGarbage();
  if (question.ask === 'outcome') return player.outcome(flow);
  let sum = 0;
  for (let pass = 0; pass < question.passes; pass++) sum += player.nanos(flow, question.feeRateBps);
  return sum / question.passes;
}

function who(value: unknown): Who {
  if (value === 'exchange' || value === 'core' || value === 'peer') return value;
  throw new TypeError(`no contestant: ${String(value)}`);
}
