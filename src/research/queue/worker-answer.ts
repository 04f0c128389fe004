/** A worker's answer to a backtest. */
import { z } from 'zod';
import { figuresSchema } from '../study/figures.ts';
import type { TrialOutcome } from '../study/trial-pool.ts';

const answerSchema = z.object({
  outcome: z.union([z.object({ figures: figuresSchema }), z.object({ problem: z.string().max(10_000) })]),
  /** Computing time. */
  seconds: z.number().nonnegative(),
  /** Name of the worker. */
  worker: z.string().max(200),
});

export interface WorkerAnswer {
  readonly outcome: TrialOutcome;
  readonly seconds: number;
  readonly worker: string;
}

/** @param value an object or its JSON. @throws z.ZodError or SyntaxError for anything else */
export function parseAnswer(value: unknown): WorkerAnswer {
  return answerSchema.parse(typeof value === 'string' ? JSON.parse(value) : value);
}
