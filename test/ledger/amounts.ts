import {
  column,
  type DoubleMid,
  type MicroShares,
  type MicroUsd,
  microShares,
  microUsd,
} from '../../src/domain/index.ts';

/** Converts dollars to micro-USD. */
export function usd(dollars: number): MicroUsd {
  return microUsd(Math.round(dollars * 1_000_000));
}

export function shares(count: number): MicroShares {
  return microShares(Math.round(count * 100) * 10_000);
}

export function mid(value: number): DoubleMid {
  return column.mid(value);
}
