/** The only door to time. The core never uses it: time comes in the event. */
import type { EpochMs } from '../domain/index.ts';

export interface Clock {
  now(): EpochMs;
  /** Calls `fire` once at `when` (at once if past, but never before this call returns). The answer cancels it. */
  schedule(when: EpochMs, fire: () => void): () => void;
}
