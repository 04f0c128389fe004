/**
 * Attributes the difference between a live session and a backtest of its recording. Replaces the backtest's assumptions
 * one after the other by the session's, or by the best fit to the session (queue). Each change of the result is a part.
 *
 * Invariant: the parts add up exactly to the whole difference.
 */
import type { RunSpec } from '../run-spec.ts';

/** Fills, micro-shares and micro-USD of a run or session, or of a difference. */
export interface SessionOutcome {
  readonly fills: number;
  readonly shares: number;
  readonly pnlMicros: number;
}

interface AttributedPart extends SessionOutcome {
  /** `unexplained` is the difference that remains after all replacements. */
  readonly cause: 'latency' | 'placing delay' | 'queue' | 'own liquidity' | 'fees' | 'unexplained';
  /** The replaced and the new assumption, as text. */
  readonly change: string;
}

export interface Attribution {
  readonly live: SessionOutcome;
  readonly backtest: SessionOutcome;
  /** In the order of the replacements. Each part depends on the replacements before it. */
  readonly parts: readonly AttributedPart[];
}

export interface AttributionOptions {
  readonly spec: RunSpec;
  /** Path of the session's step log. */
  readonly session: string;
  readonly live: SessionOutcome;
  /** Taker fee rate of the session's venue, bps. */
  readonly feeRateBps: number;
  readonly run: (spec: RunSpec) => Promise<SessionOutcome>;
}

type Queue = RunSpec['queue'];

export const CANDIDATE_QUEUES: readonly Queue[] = [
  { model: 'risk-averse' },
  ...[1, 2, 3, 5].map((n): Queue => ({ model: 'power', n, variant: 'split' })),
  { model: 'log', variant: 'split' },
];

export function describeQueue(queue: Queue): string {
  return queue.model === 'power' ? `power, n = ${queue.n}` : queue.model;
}

/** Runs 12 or 13 backtests, one after the other. @throws what `run` throws */
export async function attributeDifference({
  spec,
  session,
  live,
  feeRateBps,
  run,
}: AttributionOptions): Promise<Attribution> {
  const backtest = await run(spec);
  const parts: AttributedPart[] = [];
  let current = spec;
  let before = backtest;
  const add = (cause: AttributedPart['cause'], change: string, after: SessionOutcome): void => {
    const [fills, shares] = [after.fills - before.fills, after.shares - before.shares];
    parts.push({ cause, change, fills, shares, pnlMicros: after.pnlMicros - before.pnlMicros });
    before = after;
  };
  const replace = async (cause: AttributedPart['cause'], change: string, next: RunSpec): Promise<void> => {
    current = next;
    add(cause, change, await run(current));
  };
  const latency = { model: 'recorded', session, placing_delay: 'published' } as const;
  await replace('latency', `${spec.latency.model} → recorded`, { ...current, latency });
  const measured = { ...latency, placing_delay: 'measured' } as const;
  await replace('placing delay', 'published → measured', { ...current, latency: measured });
  const queue = await nearestQueue(current, live, run);
  await replace('queue', `${describeQueue(spec.queue)} → ${describeQueue(queue)}`, { ...current, queue });
  await replace('own liquidity', `${spec.liquidity} → immutable`, { ...current, liquidity: 'immutable' });
  if (feeRateBps > 0) {
    const fees = { model: 'taker', rate_bps: feeRateBps, commission_bps: spec.fees.commission_bps } as const;
    await replace('fees', `${spec.fees.model} → taker, ${feeRateBps} bps`, { ...current, fees });
  } else add('fees', 'the venue charges no fees', before);
  add('unexplained', 'the session itself', live);
  return { live, backtest, parts };
}

/** Returns the queue model with the smallest error; the first of several with the same error. */
async function nearestQueue(spec: RunSpec, live: SessionOutcome, run: AttributionOptions['run']): Promise<Queue> {
  let nearest = spec.queue;
  let smallestError = Number.POSITIVE_INFINITY;
  for (const queue of [spec.queue, ...CANDIDATE_QUEUES]) {
    const error = relativeError(await run({ ...spec, queue }), live);
    if (error < smallestError) [nearest, smallestError] = [queue, error];
  }
  return nearest;
}

/** Returns the mean relative error of fills and shares: 0 if equal, 1 if the run has twice as many or none. */
export function relativeError(run: SessionOutcome, live: SessionOutcome): number {
  const relative = (actual: number, expected: number): number => Math.abs(actual - expected) / Math.max(1, expected);
  return (relative(run.fills, live.fills) + relative(run.shares, live.shares)) / 2;
}
