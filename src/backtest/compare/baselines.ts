/** Baselines: naive strategies with a run's sizes, tapes, models and limits. The run should beat them. */
import { paramNumber } from '../../strategy/index.ts';
import type { RunSpec } from '../run-spec.ts';

const NAMES_BY_QUOTE = { none: 'do nothing', join: 'join the best prices', narrow: 'one tick wide' } as const;
/** Defaults for runs without `order_amount` or `max_position`, shares. */
const DEFAULT_SIZE = 10;
const DEFAULT_POSITION = 300;

export interface NamedSpec {
  readonly name: string;
  readonly spec: RunSpec;
}

export function baselineSpecs(spec: RunSpec): readonly NamedSpec[] {
  return Object.entries(NAMES_BY_QUOTE).map(([quote, name]) => ({ name, spec: toBaseline(spec, { quote }) }));
}

/** Returns specs that quote at random distances from the mid, with mean `distanceBps`. Each has its own seed. */
export function randomSpecs(spec: RunSpec, distanceBps: number, count: number): readonly NamedSpec[] {
  const distance = Math.min(5_000, Math.max(1, Math.round(distanceBps)));
  return Array.from({ length: count }, (_, index) => ({
    name: `random ${index + 1} at ${distance} bps`,
    spec: { ...toBaseline(spec, { quote: 'random', distance_bps: distance }), seed: index + 1 },
  }));
}

function toBaseline(spec: RunSpec, quoting: object): RunSpec {
  const { strategies, strategy_sha256: _pinned, ...rest } = spec;
  const params: unknown = strategies === undefined ? spec.params : strategies[0]?.params;
  const sizes = {
    order_amount: paramNumber(params, 'order_amount') ?? DEFAULT_SIZE,
    max_position: paramNumber(params, 'max_position') ?? DEFAULT_POSITION,
  };
  return { ...rest, strategy: 'baseline', params: { ...quoting, ...sizes }, in_sample: false, report_dir: null };
}
