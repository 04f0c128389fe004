/**
 * Money: micro-USD inside, whole cents outside. Cents are made once, here, from a sum of micro-USD; the name tells the
 * direction: **down** what one has or gets, **up** what one pays or risks (docs/spec/venue.md#floats-and-cents).
 */
import { type MicroUsd, microUsd, mulDivCeil, mulDivFloor } from '../../domain/index.ts';
import { badArgument } from './argument.ts';

/** One cent in micro-USD. */
export const CENT = 10_000;

/** Cents of what one has or gets, rounded **down**. @throws RangeError unless a safe integer, not negative */
export function centsDown(amount: MicroUsd): number {
  return mulDivFloor(sized(amount), 1, CENT);
}

/** Cents of what one pays or risks, rounded **up**. @throws RangeError unless a safe integer, not negative */
export function centsUp(amount: MicroUsd): number {
  return mulDivCeil(sized(amount), 1, CENT);
}

/** Exact. @throws WireFault on negative amounts, and on those past 2^53 micro-USD (nine billion dollars) */
export function readCents(field: string, cents: number): MicroUsd {
  const micros = cents * CENT;
  if (cents < 0 || !Number.isInteger(cents) || !Number.isSafeInteger(micros)) {
    throw badArgument(field, cents, 'whole cents, not negative, below nine billion dollars');
  }
  return microUsd(micros);
}

function sized(amount: MicroUsd): MicroUsd {
  if (!Number.isSafeInteger(amount) || amount < 0) {
    throw new RangeError(`Invariant: ${amount} micro-USD have no cents: the wire has no signed and no inexact ones`);
  }
  return amount;
}
