/**
 * An invalid Time, Cursor, UintString, IntString, Hex or ID fails only its own field
 * (docs/spec/venue.md#errors-and-transport). Therefore these scalars accept every string, and the type `Raw` hides the
 * string until a reader calls `unwrapRaw`.
 */
import { InputFault, type Outcome } from '../../domain/index.ts';
import { invalidArgument, type WireFault } from '../errors.ts';
import type { Raw, RawScalar } from '../field.ts';
import type { BetOutcome } from '../generated/schema-types.ts';

/** @param expected such as `a whole number of lots` */
export function badArgument(field: string, received: unknown, expected: string): WireFault {
  return invalidArgument(new InputFault(field, received, expected).message);
}

/** @throws WireFault `invalid argument: …` for each InputFault of `parse` */
export function parseArgument<T>(parse: () => T): T {
  try {
    return parse();
  } catch (fault) {
    if (fault instanceof InputFault) throw invalidArgument(fault.message);
    throw fault;
  }
}

/** @throws WireFault for CANCELLED, which cannot be traded */
export function readOutcome(field: string, outcome: BetOutcome): Outcome {
  if (outcome === 'CANCELLED') throw badArgument(field, outcome, 'YES or NO');
  return outcome;
}

/** Returns the name of the only present argument. @throws WireFault unless exactly one is neither null nor undefined */
export function requireExactlyOne<Name extends string>(choices: Readonly<Record<Name, unknown>>): Name {
  const names: Name[] = [];
  for (const name in choices) if (choices[name] !== null && choices[name] !== undefined) names.push(name);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    const got = names.length === 0 ? 'none' : names.join(' and ');
    throw invalidArgument(`expected exactly one of ${Object.keys(choices).join(', ')}, got ${got}`);
  }
  return name;
}

/** For callers of resolvers without GraphQL, and for tests. */
export function wrapRaw<Scalar extends RawScalar>(text: string): Raw<Scalar> {
  return text as unknown as Raw<Scalar>;
}

export function unwrapRaw(raw: Raw<RawScalar>): string {
  return raw as unknown as string;
}
