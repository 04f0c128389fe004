/** The parameters that a study searches, with their values and conditions (docs/spec/searches.md#parameters). */
import { z } from 'zod';
import { InputFault } from '../../domain/index.ts';

export type ParameterValue = number | string | boolean;
/** Values by parameter. A parameter whose condition is false has no value. */
export type Values = Readonly<Record<string, ParameterValue>>;

export const valuesSchema = z.record(z.string(), z.union([z.number(), z.string(), z.boolean()]));

/** A searched parameter. Ranges include `low` and `high`. */
export type Dimension = RangeDimension | ChoiceDimension;

export interface RangeDimension {
  readonly kind: 'number' | 'integer';
  readonly name: string;
  readonly low: number;
  readonly high: number;
  /** Whether the logarithm is uniform. Needs `low` above 0, and no `step`. */
  readonly log: boolean;
  /** Allows only `low`, `low + step`, … up to `high`. Default: every number of the range. Not for integers. */
  readonly step?: number | undefined;
  readonly when?: Condition | undefined;
}

interface ChoiceDimension {
  readonly kind: 'choice';
  readonly name: string;
  readonly choices: readonly ParameterValue[];
  readonly when?: Condition | undefined;
}

/** The dimension is searched only while the other `parameter` has one of the values `is`. */
export interface Condition {
  readonly parameter: string;
  readonly is: readonly ParameterValue[];
}

/**
 * Orders parameters so that each follows the parameter of its condition. Otherwise keeps their order.
 * @throws InputFault for an empty space, duplicate names, impossible ranges and choices, and conditions with an unknown
 * parameter, an impossible value, or a cycle
 */
export function sortByDependency(space: readonly Dimension[]): readonly Dimension[] {
  if (space.length === 0) throw new InputFault('parameters', 0, 'at least one parameter to search');
  const byName = new Map<string, Dimension>();
  for (const dimension of space) {
    if (byName.has(dimension.name)) throw new InputFault('parameters', dimension.name, 'each name once');
    byName.set(dimension.name, dimension);
    if (dimension.kind === 'choice') checkChoices(dimension);
    else checkRange(dimension);
  }
  const ordered = new Set<Dimension>();
  for (const dimension of space) for (const ancestor of findAncestry(dimension, byName)) ordered.add(ancestor);
  return [...ordered];
}

/** Returns the position of a value in its range: 0 for the lowest value or first choice, 1 for the highest or last. */
export function fractionOfRange(dimension: Dimension, value: ParameterValue): number {
  if (dimension.kind === 'choice') return dimension.choices.indexOf(value) / (dimension.choices.length - 1);
  const { low, high, log } = dimension;
  const number = Number(value);
  return log ? Math.log(number / low) / Math.log(high / low) : (number - low) / (high - low);
}

/** Chooses values for all parameters whose conditions are true. @param order as `sortByDependency` returns it */
export function fillValues(order: readonly Dimension[], choose: (dimension: Dimension) => ParameterValue): Values {
  const values: Record<string, ParameterValue> = {};
  for (const dimension of order) if (isActive(dimension, values)) values[dimension.name] = choose(dimension);
  return values;
}

export function isActive({ when }: Dimension, values: Values): boolean {
  if (when === undefined) return true;
  const value = values[when.parameter];
  return value !== undefined && when.is.includes(value);
}

function checkChoices({ name, choices }: ChoiceDimension): void {
  if (choices.length < 2) throw new InputFault(`${name}.choices`, choices.length, 'at least two values to choose from');
  const repeated = choices.find((choice, index) => choices.indexOf(choice) !== index);
  if (repeated !== undefined) throw new InputFault(`${name}.choices`, repeated, 'each value once');
}

function checkRange({ name, kind, low, high, log, step }: RangeDimension): void {
  const isValid = kind === 'integer' ? Number.isSafeInteger : Number.isFinite;
  const expected = kind === 'integer' ? 'a whole number, because whole is true' : 'a number';
  if (!isValid(low)) throw new InputFault(`${name}.low`, low, expected);
  if (!isValid(high)) throw new InputFault(`${name}.high`, high, expected);
  if (low >= high) throw new InputFault(`${name}.low`, low, `less than high, which is ${high}`);
  if (log && low <= 0) throw new InputFault(`${name}.low`, low, 'more than 0, because log is true');
  if (kind === 'integer' || step === undefined) return;
  if (log) throw new InputFault(`${name}.step`, step, 'no step, because log is true');
  if (!(step > 0 && step <= high - low))
    throw new InputFault(`${name}.step`, step, `more than 0 and at most high - low, which is ${high - low}`);
}

/** Returns the chain of conditions that leads to a parameter. The parameter is the last element. */
function findAncestry(dimension: Dimension, byName: ReadonlyMap<string, Dimension>): readonly Dimension[] {
  const chain = [dimension];
  for (let child = dimension; child.when !== undefined; ) {
    const parent = findParent(child, child.when, byName);
    if (chain.includes(parent)) {
      const names = [parent, ...chain.slice(0, chain.indexOf(parent) + 1)].map(({ name }) => name);
      throw new InputFault(`${child.name}.when`, names.join(' -> '), 'conditions without a cycle');
    }
    chain.unshift(parent);
    child = parent;
  }
  return chain;
}

function findParent(child: Dimension, { parameter, is }: Condition, byName: ReadonlyMap<string, Dimension>): Dimension {
  const parent = byName.get(parameter);
  const field = `${child.name}.when`;
  if (parent === undefined) {
    const others = [...byName.keys()].filter((name) => name !== child.name);
    const expected =
      others.length === 0 ? 'no condition on another parameter, as there is none' : `one of ${others.join(', ')}`;
    throw new InputFault(field, parameter, expected);
  }
  if (parent.kind === 'number') throw new InputFault(field, parameter, 'a parameter with choices or with whole: true');
  if (is.length === 0) throw new InputFault(field, 0, `at least one value of ${parameter}`);
  const impossible = is.find((value) => !isPossible(parent, value));
  if (impossible !== undefined) throw new InputFault(field, impossible, `values that ${parameter} can have`);
  return parent;
}

function isPossible(dimension: Dimension, value: ParameterValue): boolean {
  if (dimension.kind === 'choice') return dimension.choices.includes(value);
  return typeof value === 'number' && Number.isInteger(value) && value >= dimension.low && value <= dimension.high;
}
