/**
 * Fits the queue and latency models of a backtest to a live session. Replays the session's tape with a few candidates,
 * and chooses the candidate with the smallest error of fills and shares.
 */
import type { RunSpec } from '../run-spec.ts';
import { CANDIDATE_QUEUES, describeQueue, relativeError, type SessionOutcome } from './attribution.ts';

/** Latency of one kind of message in a session, ms. */
export interface LatencyPercentiles {
  readonly median: number;
  readonly p99: number;
}

export interface CalibrationSession {
  readonly spec: RunSpec;
  readonly live: SessionOutcome;
  readonly run: (spec: RunSpec) => Promise<SessionOutcome>;
}

interface CalibrationCandidate {
  readonly queue: string;
  readonly latency: 'constant' | 'sampled';
  readonly fills: number;
  readonly shares: number;
  /** Mean relative error of fills and shares; 0 if both equal those of the session. */
  readonly error: number;
}

export interface Calibration {
  readonly live: SessionOutcome;
  readonly entryMs: LatencyPercentiles;
  readonly responseMs: LatencyPercentiles;
  /** Median latency of placing orders minus median latency of cancels, ms. */
  readonly placingMs: number;
  /** Sorted by error, smallest first. */
  readonly candidates: readonly CalibrationCandidate[];
  /** Error of the spec's own models on the session. */
  readonly errorBefore: number;
  /** Models of the first candidate, as keys of a backtest file. */
  readonly models: Pick<RunSpec, 'queue' | 'latency'>;
}

/** Default of `feed_ms`. */
const FEED_MS = 50;

/** @throws what `run` throws */
export async function calibrate(
  { spec, live, run }: CalibrationSession,
  { entryMs, responseMs, placingMs }: Pick<Calibration, 'entryMs' | 'responseMs' | 'placingMs'>,
): Promise<Calibration> {
  const [entry, response] = [Math.round(entryMs.median), Math.round(responseMs.median)];
  const latencies = [
    { model: 'constant', feed_ms: FEED_MS, entry_ms: entry, response_ms: response, placing_ms: placingMs },
    { model: 'sampled', feed_ms: { median: FEED_MS, p99: FEED_MS }, entry_ms: entryMs, response_ms: responseMs },
  ] as const;
  const tried: { readonly candidate: CalibrationCandidate; readonly models: Calibration['models'] }[] = [];
  for (const latency of latencies) {
    for (const queue of CANDIDATE_QUEUES) {
      const outcome = await run({ ...spec, queue, latency });
      const { fills, shares } = outcome;
      const error = relativeError(outcome, live);
      const candidate = { queue: describeQueue(queue), latency: latency.model, fills, shares, error };
      tried.push({ candidate, models: { queue, latency } });
    }
  }
  const sorted = tried.toSorted((a, b) => a.candidate.error - b.candidate.error);
  const [best] = sorted;
  if (best === undefined) throw new Error('Invariant: there are candidates');
  return {
    live,
    entryMs,
    responseMs,
    placingMs,
    candidates: sorted.map(({ candidate }) => candidate),
    errorBefore: relativeError(await run(spec), live),
    models: best.models,
  };
}

/** Returns the errors of calibrated models and of the spec's models on another session. @throws what `run` throws */
export async function testCalibration(
  { spec, live, run }: CalibrationSession,
  models: Calibration['models'],
): Promise<{ readonly error: number; readonly errorBefore: number; readonly live: SessionOutcome }> {
  const error = relativeError(await run({ ...spec, ...models }), live);
  return { error, errorBefore: relativeError(await run(spec), live), live };
}
