/**
 * Commands with a few invalid members: any number, any text, undefined. The exchange refuses such a command without a
 * change, or executes it as it is. It never throws, and all invariants still hold.
 */
import fc from 'fast-check';
import type { ExchangeCommand } from '../../../src/exchange/index.ts';
import { CheckedBody } from './bodies.ts';
import type { Move } from './kinds.ts';
import { MOVES } from './moves.ts';
import { OPENING, play } from './sequence.ts';

const TWO_TO_53 = 9_007_199_254_740_992;

const junkNumber = fc.constantFrom(
  ...[Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0, 0, -1, 0.5, 1, 2, 3, 100, 9999, 10_000],
  ...[TWO_TO_53, TWO_TO_53 + 2, -TWO_TO_53, 1e15, 1e15 + 10_000, 1e21, 2 ** 31, 2 ** 32, 2 ** 32 + 1, Number.MIN_VALUE],
  ...[1_795_000_000_000, 8_640_000_000_000_001, 3e15, 9e15],
);
const junkWord = fc.constantFrom('', 'HOLD', 'YES', 'SELL', 'GTC', '__proto__', 'toString', '\u{1f4a5}', '\ud800');

/** Which member, counted through all of them, nested ones too, and what it becomes. */
const slip = fc.record({ member: fc.nat({ max: 40 }), number: junkNumber, word: junkWord });
type Slip = { readonly member: number; readonly number: number; readonly word: string };
/** Moves with none to three slips. */
export const SLOPPY_MOVES = MOVES.map((move) => fc.record({ move, slips: fc.array(slip, { maxLength: 3 }) }));
export type SloppyMove = { readonly move: Move; readonly slips: readonly Slip[] };

/** Plays moves whose commands are spoilt on the way to the engine. */
export function checkGarbage(list: readonly SloppyMove[]): void {
  const body = new CheckedBody();
  let count = -OPENING.length;
  play(
    list.map((sloppy) => sloppy.move),
    {
      carryOut: (command) => body.carryOut(spoilt(command, list[count++]?.slips ?? [])),
      tickOf: (market) => body.tickOf(market),
      before: (call, model) => body.before(call, model),
      after: (command, calls, model) => body.after(command, calls, model),
    },
  );
}

/** A copy with other members. The kind of command and its time are the host's and stay. */
function spoilt(command: ExchangeCommand, slips: readonly Slip[]): ExchangeCommand {
  const copy = structuredClone(command);
  for (const { member, number, word } of slips) {
    const places = membersOf(copy).filter(({ owner, key }) => owner !== copy || (key !== 'type' && key !== 'time'));
    const place = places[member % Math.max(1, places.length)];
    if (place === undefined) continue;
    const old: unknown = Reflect.get(place.owner, place.key);
    if (typeof old === 'number') Reflect.set(place.owner, place.key, number);
    else if (typeof old === 'string') Reflect.set(place.owner, place.key, word);
    else Reflect.set(place.owner, place.key, !old);
  }
  return copy;
}

interface Place {
  readonly owner: object;
  readonly key: string;
}

/** Every number, word and flag in it. */
function membersOf(owner: object): readonly Place[] {
  return Object.entries(owner).flatMap(([key, value]: [string, unknown]): readonly Place[] => {
    if (typeof value === 'object' && value !== null) return membersOf(value);
    return value === undefined ? [] : [{ owner, key }];
  });
}
