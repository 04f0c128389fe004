/**
 * Why a live session and a backtest of its own recording differ: the backtest's assumptions are replaced by those of the
 * session one after the other, and each change of the result belongs to the assumption that was replaced.
 *
 * Invariant: the parts add up to the whole difference, to the share and the micro-dollar.
 */
import type { RunSpec } from '../run-spec.ts';

/** Fills, micro-shares and micro-USD of one run or session, or of a difference. */
export interface SessionOutcome {
  readonly fills: number;
  readonly shares: number;
  readonly pnlMicros: number;
}

interface AttributedPart extends SessionOutcome {
  /** `unexplained` is what is left when every assumption is the session's. */
  readonly cause: 'latency' | 'placing delay' | 'queue' | 'own liquidity' | 'fees' | 'unexplained';
  /** What the backtest assumed instead, in words. */
  readonly change: string;
}

export interface Attribution {
  readonly live: SessionOutcome;
  /** The backtest with its own assumptions. */
  readonly backtest: SessionOutcome;
  /** In the order of the replacements. Each part depends on those before it. */
  readonly parts: readonly AttributedPart[];
}

export interface AttributionOptions {
  readonly spec: RunSpec;
  /** Path of the session's steps. */
  readonly session: string;
  readonly live: SessionOutcome;
  /** Taker fee rate of the session's venue, bps. */
  readonly feeRateBps: number;
  readonly run: (spec: RunSpec) => Promise<SessionOutcome>;
}

type Queue = RunSpec['queue'];

/** The queue models that are tried. */
export const QUEUES: readonly Queue[] = [
  { model: 'risk-averse' },
  ...[1, 2, 3, 5].map((n): Queue => ({ model: 'power', n, variant: 'split' })),
  { model: 'log', variant: 'split' },
];

export function queueText(queue: Queue): string {
  return queue.model === 'power' ? `power, n = ${queue.n}` : queue.model;
}

/** Runs nine backtests or so, one after the other. @throws as `options.run` */
export async function attribute({ spec, session, live, feeRateBps, run }: AttributionOptions): Promise<Attribution> {
  const backtest = await run(spec);
  const parts: AttributedPart[] = [];
  let now = spec;
  let before = backtest;
  const add = (cause: AttributedPart['cause'], change: string, after: SessionOutcome): void => {
    parts.push({ cause, change, ...less(after, before) });
    before = after;
  };
  const replace = async (cause: AttributedPart['cause'], change: string, next: RunSpec): Promise<void> => {
    now = next;
    add(cause, change, await run(now));
  };
  const latency = { model: 'recorded', session, placing_delay: 'published' } as const;
  await replace('latency', `${spec.latency.model} → recorded`, { ...now, latency });
  const measured = { ...latency, placing_delay: 'measured' } as const;
  await replace('placing delay', 'published → measured', { ...now, latency: measured });
  const queue = await nearestQueue(now, live, run);
  await replace('queue', `${queueText(spec.queue)} → ${queueText(queue)}`, { ...now, queue });
  await replace('own liquidity', `${spec.liquidity} → immutable`, { ...now, liquidity: 'immutable' });
  if (feeRateBps > 0) {
    const fees = { model: 'taker', rate_bps: feeRateBps, commission_bps: spec.fees.commission_bps } as const;
    await replace('fees', `${spec.fees.model} → taker, ${feeRateBps} bps`, { ...now, fees });
  } else add('fees', 'the venue takes none', before);
  add('unexplained', 'the session itself', live);
  return { live, backtest, parts };
}

/** The queue model whose fills and shares are nearest to the session's; of equal ones the first. */
async function nearestQueue(spec: RunSpec, live: SessionOutcome, run: AttributionOptions['run']): Promise<Queue> {
  let nearest = spec.queue;
  let least = Number.POSITIVE_INFINITY;
  for (const queue of [spec.queue, ...QUEUES]) {
    const error = errorOf(await run({ ...spec, queue }), live);
    if (error < least) [nearest, least] = [queue, error];
  }
  return nearest;
}

/** Mean of the relative errors of fills and shares; 0 is the same, 1 is twice as many or none. */
export function errorOf(run: SessionOutcome, live: SessionOutcome): number {
  const relative = (is: number, should: number): number => Math.abs(is - should) / Math.max(1, should);
  return (relative(run.fills, live.fills) + relative(run.shares, live.shares)) / 2;
}

function less(one: SessionOutcome, other: SessionOutcome): SessionOutcome {
  return {
    fills: one.fills - other.fills,
    shares: one.shares - other.shares,
    pnlMicros: one.pnlMicros - other.pnlMicros,
  };
}
