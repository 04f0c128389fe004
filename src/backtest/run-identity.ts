import { InputFault } from '../domain/index.ts';
import { LATER_LIMITS } from '../risk/index.ts';
import type { RunIdentity } from '../runtime/index.ts';
import type { RunSpec } from './run-spec.ts';

/** A strategy of a run. */
export interface StrategyIdentity {
  readonly name: string;
  readonly strategy: { readonly name: string; readonly sha256: string };
  /** As the strategy's schema gave them back. */
  readonly params: unknown;
  /** Slugs or ids; undefined for all markets. */
  readonly markets: readonly string[] | undefined;
}

/**
 * Identity of a run, for its event log's hash: everything in the spec that can change a step, with the strategy's hash
 * instead of its path. Paths of files and settings of the report are not part of it.
 * @param files sha256 of the file of signals, and of the file of the latency model
 * @throws InputFault for a parameter that JSON cannot represent, because different runs would seem equal: a bigint, NaN
 * or Infinity, a function, a Map, a Set, a value that contains itself
 */
export function runIdentity(
  spec: RunSpec,
  strategies: readonly StrategyIdentity[],
  tapes: readonly string[],
  files: { readonly signals?: string | undefined; readonly latency?: string | undefined } = {},
): RunIdentity {
  const isList = spec.strategies !== undefined;
  for (const [at, { params }] of strategies.entries())
    checkTellable(params, isList ? `strategies[${at}].params` : 'params', []);
  const { seed, capital_usd, from, to, queue, fees, liquidity, trades_only, settlement } = spec;
  const { signals, latency: sha256 } = files;
  const latency = sha256 === undefined ? spec.latency : { model: spec.latency.model, sha256 };
  const { execution, limits, markets } = spec;
  const risk = Object.fromEntries(Object.entries(spec.risk).filter(([key, value]) => value !== LATER_LIMITS[key]));
  const rest = {
    seed,
    capital_usd,
    from,
    to,
    latency,
    queue,
    fees,
    liquidity,
    trades_only,
    settlement,
    risk,
    execution,
    limits,
    markets,
    signals,
  };
  const [only] = strategies;
  const own = isList ? { strategies } : { strategy: only?.strategy, params: only?.params };
  return { spec: canonicalJson({ ...own, ...rest }), tapes };
}

/** JSON with the keys of every object in order; what JSON leaves out (undefined) is left out. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
  });
}

function checkTellable(value: unknown, field: string, above: readonly object[]): void {
  if (typeof value === 'bigint' || typeof value === 'function' || typeof value === 'symbol') throw untold(field, value);
  if (typeof value === 'number' && !Number.isFinite(value)) throw new InputFault(field, value, 'a finite number');
  if (typeof value !== 'object' || value === null) return;
  if (!isPlain(value)) throw untold(field, value);
  if (above.includes(value)) throw new InputFault(field, value, 'a value that does not contain itself');
  for (const [key, inner] of Object.entries(value)) {
    checkTellable(inner, Array.isArray(value) ? `${field}[${key}]` : `${field}.${key}`, [...above, value]);
  }
}

function untold(field: string, value: unknown): InputFault {
  return new InputFault(field, value, 'a JSON value, such as a number or a string');
}

/** Whether its keys, its entries or its `toJSON` (such as a date's) represent the whole value. */
function isPlain(value: object): boolean {
  const made: unknown = Object.getPrototypeOf(value);
  return made === null || made === Object.prototype || Array.isArray(value) || 'toJSON' in value;
}
