/** Random sequences cover every command, event, refusal and close reason. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSE_REASONS, MARKET_STATUSES, REJECT_REASONS } from '../../../src/domain/index.ts';
import { MATCH_TYPES } from '../../../src/exchange/matching/codes.ts';
import { TYPES } from '../engine/every-command.ts';
import { EngineBody } from './bodies.ts';
import { MOVES } from './moves.ts';
import { runSequence } from './sequence.ts';

/** Reasons of the API: such an order never reaches the exchange. */
const API_ONLY = ['RATE_LIMITED', 'BAD_SIGNATURE'];
/** Covered with the simulated venue (test/replay). */
const TAPE_COMMANDS: readonly string[] = ['followTape', 'playTape'];
const EVENTS = `accountOpened chainRequested claimed converted credentialRevoked epochRaised groupChanged groupDeleted
  heartbeatArmed heartbeatDisarmed heartbeatLapsed marketChanged resolutionRequested resolutionStepped reversalsAllowed
  tradeReversed transferred venueChanged`;

/** Runs ninety sequences and returns the names that occurred, by category. */
function coverage(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const add = (category: string, name: string) =>
    found.set(category, (found.get(category) ?? new Set<string>()).add(name));
  const long = { minLength: 250, maxLength: 250, size: 'max' } as const;
  const sequences = fc.oneof(...MOVES.map((move) => fc.array(move, long)));
  for (const moves of fc.sample(sequences, { numRuns: 90, seed: 7 })) {
    const body = new EngineBody();
    runSequence(moves, {
      execute: (command) => {
        const calls = body.execute(command);
        const isDone = calls.some(([name]) => name !== 'refused' && name !== 'duplicate');
        if (isDone) add('command that emits an event', command.type);
        else if (calls.some(([name]) => name === 'refused')) add('command that is refused', command.type);
        return calls;
      },
      tickOf: (market) => body.tickOf(market),
      before: (call) => {
        add('call', call[0]);
        if (call[0] === 'rareEvent') add('event', call[2].type);
        else if (call[0] === 'refused') add('reason', call[2].reason);
        else if (call[0] === 'closed') add('close', call[4]);
        else if (call[0] === 'traded') add('match', MATCH_TYPES[call[7]] ?? '');
      },
    });
    for (const { status } of body.exchange.view.markets) add('status', status);
  }
  return found;
}

describe('a few random sequences', () => {
  const found = coverage();

  it.each([
    ['command that emits an event', TYPES.filter((type) => !TAPE_COMMANDS.includes(type))],
    ['command that is refused', TYPES.filter((type) => !['tick', 'setMode', ...TAPE_COMMANDS].includes(type))],
    ['call', ['accepted', 'traded', 'reduced', 'closed', 'rareEvent', 'refused', 'duplicate']],
    ['event', EVENTS.split(/\s+/)],
    ['reason', REJECT_REASONS.filter((reason) => !API_ONLY.includes(reason))],
    ['close', CLOSE_REASONS],
    ['match', MATCH_TYPES],
    ['status', MARKET_STATUSES],
  ] as const)('cover every %s', (category, names) => {
    expect([...(found.get(category) ?? [])].sort()).toEqual([...names].sort());
  });
});
