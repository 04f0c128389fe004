/**
 * Commands with up to three replaced numbers, texts or flags, often invalid ones. The exchange refuses such a command
 * and changes nothing, or executes it. It never throws, and all invariants still hold.
 */
import fc from 'fast-check';
import type { ExchangeCommand } from '../../../src/exchange/index.ts';
import { CheckedBody } from './bodies.ts';
import type { Move } from './kinds.ts';
import { MOVES } from './moves.ts';
import { OPENING, runSequence } from './sequence.ts';

const TWO_TO_53 = 9_007_199_254_740_992;

const junkNumber = fc.constantFrom(
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, -1, 0.5, 1, 2, 3, 100, 9999, 10_000],
  ...[TWO_TO_53, TWO_TO_53 + 2, -TWO_TO_53, 1e15, 1e15 + 10_000, 1e21, 2 ** 31, 2 ** 32, 2 ** 32 + 1, Number.MIN_VALUE],
  ...[1_795_000_000_000, 8_640_000_000_000_001, 3e15, 9e15],
);
const junkText = fc.constantFrom('', 'HOLD', 'YES', 'SELL', 'GTC', '__proto__', 'toString', '\u{1f4a5}', '\ud800');

/** Replaces the member with this index, counting nested members, by the value of its type. Flags are inverted. */
const replacement = fc.record({ member: fc.nat({ max: 40 }), number: junkNumber, text: junkText });
type Replacement = { readonly member: number; readonly number: number; readonly text: string };
/** Moves with at most three replacements. */
export const INVALID_MOVES = MOVES.map((move) =>
  fc.record({ move, replacements: fc.array(replacement, { maxLength: 3 }) }),
);
export type InvalidMove = { readonly move: Move; readonly replacements: readonly Replacement[] };

/** Runs moves and replaces members of their commands before the engine executes them. */
export function checkGarbage(list: readonly InvalidMove[]): void {
  const body = new CheckedBody();
  // Negative during the opening, whose commands stay unchanged.
  let count = -OPENING.length;
  runSequence(
    list.map((invalid) => invalid.move),
    {
      execute: (command) => body.execute(replaceMembers(command, list[count++]?.replacements ?? [])),
      tickOf: (market) => body.tickOf(market),
      before: (call, model) => body.before(call, model),
      after: (command, calls, model) => body.after(command, calls, model),
    },
  );
}

/** Returns a copy with replaced members. The type and the time stay, because the host sets them. */
function replaceMembers(command: ExchangeCommand, replacements: readonly Replacement[]): ExchangeCommand {
  const copy = structuredClone(command);
  for (const { member, number, text } of replacements) {
    const members = membersOf(copy).filter(({ owner, key }) => owner !== copy || (key !== 'type' && key !== 'time'));
    const target = members[member % Math.max(1, members.length)];
    if (target === undefined) continue;
    const old: unknown = Reflect.get(target.owner, target.key);
    if (typeof old === 'number') Reflect.set(target.owner, target.key, number);
    else if (typeof old === 'string') Reflect.set(target.owner, target.key, text);
    else Reflect.set(target.owner, target.key, !old);
  }
  return copy;
}

interface Member {
  readonly owner: object;
  readonly key: string;
}

/** Returns every number, text and flag of an object, nested ones included. */
function membersOf(owner: object): readonly Member[] {
  return Object.entries(owner).flatMap(([key, value]: [string, unknown]): readonly Member[] => {
    if (typeof value === 'object' && value !== null) return membersOf(value);
    return value === undefined ? [] : [{ owner, key }];
  });
}
