/** Every combination of a few values of each parameter (docs/spec/searches.md#grid). */
import { makeAxis } from './axis.ts';
import { type Dimension, isActive, type ParameterValue, sortByDependency, type Values } from './space.ts';

export interface Grid {
  /** Number of combinations. A parameter adds none while its condition is false. */
  readonly size: number;
  /** Returns the combination with a number from 0 to `size - 1`. The last parameter varies fastest. */
  combination(this: void, number: number): Values;
}

/** @param points maximum number of values of a numeric parameter, at least 2 @throws InputFault for an invalid space */
export function createGrid(space: readonly Dimension[], points: number): Grid {
  const order = sortByDependency(space).map((dimension) => ({
    dimension,
    values: computeGridValues(dimension, points),
  }));
  const parents = new Set(space.flatMap(({ when }) => when?.parameter ?? []));

  /** Counts combinations from an index of `order`. Recurses per value only if a condition depends on the value. */
  const countFrom = (index: number, chosen: Values): number => {
    const entry = order[index];
    if (entry === undefined) return 1;
    const { dimension, values } = entry;
    if (!isActive(dimension, chosen)) return countFrom(index + 1, chosen);
    if (!parents.has(dimension.name)) return values.length * countFrom(index + 1, chosen);
    let count = 0;
    for (const value of values) count += countFrom(index + 1, { ...chosen, [dimension.name]: value });
    return count;
  };
  const size = countFrom(0, {});
  return {
    size,
    combination(number) {
      let remaining = number;
      let chosen: Values = {};
      for (const [index, { dimension, values }] of order.entries()) {
        if (!isActive(dimension, chosen)) continue;
        for (const value of values) {
          const next = { ...chosen, [dimension.name]: value };
          const count = countFrom(index + 1, next);
          if (remaining < count) {
            chosen = next;
            break;
          }
          remaining -= count;
        }
      }
      return chosen;
    },
  };
}

/** Returns all choices, or numbers at equal distances on the parameter's axis, including both ends. */
function computeGridValues(dimension: Dimension, points: number): readonly ParameterValue[] {
  if (dimension.kind === 'choice') return dimension.choices;
  const axis = makeAxis(dimension);
  const count = Math.min(points, axis.count ?? points);
  const low = axis.position(axis.value(axis.low));
  const high = axis.position(axis.value(axis.high));
  const spaced = Array.from({ length: count }, (_, index) => axis.value(low + ((high - low) * index) / (count - 1)));
  return [...new Set(spaced)];
}
