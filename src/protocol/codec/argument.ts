/**
 * Arguments of requests. An invalid value becomes an error of its field.
 *
 * A bad value in Time, Cursor, UintString, IntString, Hex or ID is an error of its field; other fields are not affected
 * (docs/spec/venue.md#errors-and-transport). Therefore these scalars accept every string, and the type `Raw` is not a string: only the
 * readers in this folder read its text.
 */
import { InputFault, type Outcome } from '../../domain/index.ts';
import { invalidArgument, type WireFault } from '../errors.ts';
import type { Raw, RawScalar } from '../field.ts';
import type { BetOutcome } from '../generated/schema-types.ts';

/** A fault for an invalid argument. @param expected such as `a whole number of lots` */
export function badArgument(field: string, received: unknown, expected: string): WireFault {
  return invalidArgument(new InputFault(field, received, expected).message);
}

/** @throws WireFault `invalid argument: …` for each InputFault of `parse` */
export function asArgument<T>(parse: () => T): T {
  try {
    return parse();
  } catch (fault) {
    if (fault instanceof InputFault) throw invalidArgument(fault.message);
    throw fault;
  }
}

/** An outcome that can be traded. @throws WireFault for CANCELLED, which only answers have */
export function readOutcome(field: string, outcome: BetOutcome): Outcome {
  if (outcome === 'CANCELLED') throw badArgument(field, outcome, 'YES or NO');
  return outcome;
}

/** The name of the only present argument. @throws WireFault unless exactly one is neither null nor undefined */
export function exactlyOne<Name extends string>(choices: Readonly<Record<Name, unknown>>): Name {
  const names: Name[] = [];
  for (const name in choices) if (choices[name] !== null && choices[name] !== undefined) names.push(name);
  const [name] = names;
  if (name === undefined || names.length > 1) {
    const got = names.length === 0 ? 'none' : names.join(' and ');
    throw invalidArgument(`expected exactly one of ${Object.keys(choices).join(', ')}, got ${got}`);
  }
  return name;
}

/** Wraps text, for callers of resolvers without GraphQL and for tests. */
export function rawText<Scalar extends RawScalar>(text: string): Raw<Scalar> {
  return text as unknown as Raw<Scalar>;
}

/** The text, for readers in other folders, such as that of cursors. */
export function textOf(raw: Raw<RawScalar>): string {
  return raw as unknown as string;
}
