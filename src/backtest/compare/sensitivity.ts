/** Repeats a run under other models of what recordings do not contain: queue, latency, and reaction to own takers. */
import { queueSchema } from '../../replay/index.ts';
import { runForResult } from '../run-backtest.ts';
import type { BacktestOptions } from '../run-options.ts';
import type { RunSpec } from '../run-spec.ts';
import type { LatencyPercentiles } from './calibration.ts';

type Latency = RunSpec['latency'];

export interface SensitivityCell {
  readonly queue: 'risk-averse' | 'power' | 'log';
  /** Factor of the configured latency; always 1 for a recorded or measured latency. */
  readonly latency: number;
  /** Whether own takers consume liquidity. */
  readonly reactive: boolean;
  readonly fills: number;
  readonly shares: number;
  readonly pnlMicros: number;
}

const QUEUE_MODELS = ['risk-averse', 'power', 'log'] as const;
const LATENCY_FACTORS = [0.5, 1, 4] as const;

/** Runs every combination, one after the other. @throws what `runForResult` throws */
export async function runSensitivity(
  spec: RunSpec,
  options: BacktestOptions,
  onCell: (done: number, total: number) => void = () => {},
): Promise<readonly SensitivityCell[]> {
  const factors = isFromFile(spec.latency) ? [1] : LATENCY_FACTORS;
  const models = factors.flatMap((latency) => [true, false].map((reactive) => ({ latency, reactive })));
  const cases = QUEUE_MODELS.flatMap((queue) => models.map((model) => ({ queue, ...model })));
  const cells: SensitivityCell[] = [];
  for (const { queue, latency, reactive } of cases) {
    const { fills, pnl } = await runForResult(
      {
        ...spec,
        report_dir: null,
        queue: spec.queue.model === queue ? spec.queue : queueSchema.parse({ model: queue }),
        latency: scaleLatency(spec.latency, latency),
        liquidity: reactive ? 'consumed' : 'immutable',
      },
      options,
    );
    cells.push({ queue, latency, reactive, fills: fills.count, shares: fills.shares, pnlMicros: pnl.totalMicros });
    onCell(cells.length, cases.length);
  }
  return cells;
}

/** Multiplies order and response latency, not feed latency. Constant latencies are rounded to the nearest ms. */
function scaleLatency(latency: Latency, factor: number): Latency {
  if (isFromFile(latency) || factor === 1) return latency;
  if (latency.model === 'constant' || latency.model === 'spiky') {
    const { entry_ms, response_ms } = latency;
    return { ...latency, entry_ms: Math.round(entry_ms * factor), response_ms: Math.round(response_ms * factor) };
  }
  const scale = ({ median, p99 }: LatencyPercentiles) => ({ median: median * factor, p99: p99 * factor });
  return { ...latency, entry_ms: scale(latency.entry_ms), response_ms: scale(latency.response_ms) };
}

/** Recorded and measured latencies cannot be scaled. */
function isFromFile(latency: Latency): latency is Extract<Latency, { model: 'recorded' | 'measured' }> {
  return latency.model === 'recorded' || latency.model === 'measured';
}
