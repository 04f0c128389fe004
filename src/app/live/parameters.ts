/** The parameters of running strategies, with what they mean and may be. */
import { z } from 'zod';
import type { ParameterReport } from '../../ops/index.ts';
import { paramsOf, type StrategyAssignment } from '../../runtime/index.ts';
import type { Strategy } from '../../strategy/index.ts';

type Shape = z.core.JSONSchema.BaseSchema;

/** Made once for each strategy. */
const shapes = new WeakMap<Strategy, Readonly<Record<string, Shape>>>();

export function parameterReports(
  entry: StrategyAssignment,
  strategy: Strategy | undefined,
): readonly ParameterReport[] {
  const shape = strategy === undefined ? {} : shapeOf(strategy);
  const values = paramsOf(entry);
  return [...new Set([...Object.keys(shape), ...Object.keys(values)])].map((name) => {
    const { description, minimum, maximum, default: preset } = shape[name] ?? {};
    return {
      strategy: entry.strategy,
      name,
      value: values[name] ?? preset ?? null,
      help: description ?? null,
      minimum: bound(minimum),
      maximum: bound(maximum),
    };
  });
}

function shapeOf(strategy: Strategy): Readonly<Record<string, Shape>> {
  const known = shapes.get(strategy);
  if (known !== undefined) return known;
  const { properties = {} } = z.toJSONSchema(strategy.params, { io: 'input', unrepresentable: 'any', cycles: 'ref' });
  const shape = Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => (typeof each === 'object' ? [[name, each]] : [])),
  );
  shapes.set(strategy, shape);
  return shape;
}

/** Null for a bound that every number has. */
function bound(value: number | undefined): number | null {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}
