/** What a run has to beat: strategies without an idea, with the size, tapes, models and limits of the run. */
import { paramNumber } from '../../strategy/index.ts';
import type { RunSpec } from '../run-spec.ts';

const QUOTES = ['none', 'join', 'narrow'] as const;
const NAMES = { none: 'do nothing', join: 'join the best prices', narrow: 'one tick wide' } as const;
/** Shares, for runs whose parameters do not say them. */
const SIZE = 10;
const POSITION = 300;

/** Specs of the baselines beside a run. Sizes come from its `order_amount` and `max_position`. */
export function baselineSpecs(spec: RunSpec): readonly { readonly name: string; readonly spec: RunSpec }[] {
  const { strategies, strategy_sha256: _pinned, ...rest } = spec;
  const params: unknown = strategies === undefined ? spec.params : strategies[0]?.params;
  const sizes = {
    order_amount: paramNumber(params, 'order_amount') ?? SIZE,
    max_position: paramNumber(params, 'max_position') ?? POSITION,
  };
  return QUOTES.map((quote) => ({
    name: NAMES[quote],
    spec: { ...rest, strategy: 'baseline', params: { quote, ...sizes }, in_sample: false, report_dir: null },
  }));
}
