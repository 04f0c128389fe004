/** The parameters of running strategies, with descriptions and bounds. */
import { z } from 'zod';
import type { ParameterReport } from '../../ops/index.ts';
import { paramsOf, type StrategyAssignment } from '../../runtime/index.ts';
import type { Strategy } from '../../strategy/index.ts';

type Schema = z.core.JSONSchema.BaseSchema;

const schemaCache = new WeakMap<Strategy, Readonly<Record<string, Schema>>>();

export function parameterReports(
  entry: StrategyAssignment,
  strategy: Strategy | undefined,
): readonly ParameterReport[] {
  const schemas = strategy === undefined ? {} : schemasOf(strategy);
  const values = paramsOf(entry);
  return [...new Set([...Object.keys(schemas), ...Object.keys(values)])].map((name) => {
    const { description, minimum, maximum, default: preset } = schemas[name] ?? {};
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

function schemasOf(strategy: Strategy): Readonly<Record<string, Schema>> {
  const known = schemaCache.get(strategy);
  if (known !== undefined) return known;
  const { properties = {} } = z.toJSONSchema(strategy.params, { io: 'input', unrepresentable: 'any', cycles: 'ref' });
  const schemas = Object.fromEntries(
    Object.entries(properties).flatMap(([name, each]) => (typeof each === 'object' ? [[name, each]] : [])),
  );
  schemaCache.set(strategy, schemas);
  return schemas;
}

/** Null for the bound of a safe integer. */
function bound(value: number | undefined): number | null {
  return value !== undefined && Math.abs(value) < Number.MAX_SAFE_INTEGER ? value : null;
}
