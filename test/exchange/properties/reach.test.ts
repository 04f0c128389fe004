/** The reach of random sequences: every command, event, refusal and close reason occurs in a few of them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MARKET_STATUSES, REJECT_REASONS } from '../../../src/domain/index.ts';
import { CLOSE_CODES, MATCH_TYPES } from '../../../src/exchange/index.ts';
import { TYPES } from '../engine/every-command.ts';
import { EngineBody } from './bodies.ts';
import { MOVES } from './moves.ts';
import { play } from './sequence.ts';

/** Of the wire alone. */
const WIRE = ['RATE_LIMITED', 'BAD_SIGNATURE'];
/** Played against the simulated venue instead (test/replay). */
const OF_TAPES: readonly string[] = ['followTape', 'playTape'];
const EVENTS = `accountOpened chainAsked claimed converted credentialRevoked epochRaised groupChanged groupDeleted
  heartbeatArmed heartbeatDisarmed heartbeatLapsed marketChanged resolutionAsked resolutionStepped reversalsAllowed
  tradeReversed transferred venueChanged`;

/** Plays ninety sequences; answers what came up, by what it is. */
function met(): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  const meet = (what: string, name: string) => found.set(what, (found.get(what) ?? new Set<string>()).add(name));
  const long = { minLength: 250, maxLength: 250, size: 'max' } as const;
  const sequences = fc.oneof(...MOVES.map((move) => fc.array(move, long)));
  for (const moves of fc.sample(sequences, { numRuns: 90, seed: 7 })) {
    const body = new EngineBody();
    play(moves, {
      carryOut: (command) => {
        const calls = body.carryOut(command);
        const isDone = calls.some(([name]) => name !== 'refused' && name !== 'duplicate');
        if (isDone) meet('command that did something', command.type);
        else if (calls.some(([name]) => name === 'refused')) meet('command that was refused', command.type);
        return calls;
      },
      tickOf: (market) => body.tickOf(market),
      before: (call) => {
        meet('call', call[0]);
        if (call[0] === 'happened') meet('event', call[2].type);
        else if (call[0] === 'refused') meet('reason', call[2].reason);
        else if (call[0] === 'closed') meet('close', call[4]);
        else if (call[0] === 'traded') meet('match', MATCH_TYPES[call[7]] ?? '');
      },
    });
    for (const { status } of body.exchange.view.markets) meet('status', status);
  }
  return found;
}

describe('a few random sequences', () => {
  const found = met();

  it.each([
    ['command that did something', TYPES.filter((type) => !OF_TAPES.includes(type))],
    ['command that was refused', TYPES.filter((type) => !['tick', 'setMode', ...OF_TAPES].includes(type))],
    ['call', ['accepted', 'traded', 'reduced', 'closed', 'happened', 'refused', 'duplicate']],
    ['event', EVENTS.split(/\s+/)],
    ['reason', REJECT_REASONS.filter((reason) => !WIRE.includes(reason))],
    ['close', CLOSE_CODES],
    ['match', MATCH_TYPES],
    ['status', MARKET_STATUSES],
  ] as const)('reach every %s', (what, all) => {
    expect([...(found.get(what) ?? [])].sort()).toEqual([...all].sort());
  });
});
