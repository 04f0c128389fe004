import { InputFault } from '../domain/index.ts';
import { NEWER_LIMIT_DEFAULTS } from '../risk/index.ts';
import type { RunIdentity } from '../runtime/index.ts';
import type { RunSpec } from './run-spec.ts';

export interface StrategyIdentity {
  readonly name: string;
  readonly strategy: { readonly name: string; readonly sha256: string };
  /** Parsed by the strategy's schema. */
  readonly params: unknown;
  /** Slugs or ids; undefined for all markets. */
  readonly markets: readonly string[] | undefined;
}

/**
 * Returns the identity of a run for the hash of its event log: all parts of the spec that can change a step, with
 * hashes in place of paths. It omits newer risk limits at their defaults, which keeps the hashes of older runs.
 * @param files sha256 of the files of signals and of the latency model
 * @throws InputFault for a parameter that JSON cannot represent, because different runs would seem equal
 */
export function runIdentity(
  spec: RunSpec,
  strategies: readonly StrategyIdentity[],
  tapes: readonly string[],
  files: { readonly signals?: string | undefined; readonly latency?: string | undefined } = {},
): RunIdentity {
  const isList = spec.strategies !== undefined;
  for (const [index, { params }] of strategies.entries())
    assertJsonValue(params, isList ? `strategies[${index}].params` : 'params', []);
  const { signals, latency: sha256 } = files;
  const latency = sha256 === undefined ? spec.latency : { model: spec.latency.model, sha256 };
  const risk = Object.fromEntries(
    Object.entries(spec.risk).filter(([key, value]) => value !== NEWER_LIMIT_DEFAULTS[key]),
  );
  const [only] = strategies;
  const strategyKeys = isList ? { strategies } : { strategy: only?.strategy, params: only?.params };
  const unchanged = Object.fromEntries(UNCHANGED_KEYS.map((key) => [key, spec[key]]));
  return { spec: canonicalJson({ ...strategyKeys, ...unchanged, latency, risk, signals }), tapes };
}

/** Keys of the spec that the identity contains unchanged. */
const UNCHANGED_KEYS = [
  ...(['seed', 'capital_usd', 'from', 'to', 'queue', 'fees', 'liquidity', 'trades_only', 'settlement'] as const),
  ...(['execution', 'limits', 'markets'] as const),
];

/** Returns JSON with sorted keys in every object. Undefined values are omitted. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

function assertJsonValue(value: unknown, field: string, ancestors: readonly object[]): void {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol')
    throw notJson(field, value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new InputFault(field, value, 'a finite number');
  if (typeof value !== 'object' || value === null) return;
  if (!isPlain(value)) throw notJson(field, value);
  if (ancestors.includes(value)) throw new InputFault(field, value, 'a value that does not contain itself');
  for (const [key, inner] of Object.entries(value))
    assertJsonValue(inner, Array.isArray(value) ? `${field}[${key}]` : `${field}.${key}`, [...ancestors, value]);
}

function notJson(field: string, value: unknown): InputFault {
  return new InputFault(field, value, 'a JSON value, such as a number or a string');
}

/** Returns whether JSON represents the whole value: a plain object, an array, or an object with `toJSON`. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Array.isArray(value) || 'toJSON' in value;
}
