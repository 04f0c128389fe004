/** Settings of a replay. */
import type { EpochMs } from '../../domain/index.ts';
import type { ModelOptions } from '../../replay/index.ts';
import type { Feed, TapeManifest } from '../../tape/index.ts';

/** A tape that can be read from its begin any number of times. */
export interface RecordedTape {
  /** Its name for people. */
  readonly path: string;
  readonly manifest: TapeManifest;
  /** Rows in order, to be closed. @throws FileFault, also later, from `fill` */
  feed(): Feed;
}

/** One tape as the outside world's flow. */
export interface ReplaySettings {
  readonly tape: RecordedTape;
  /** Moment of the tape at which a market begins that does not follow it yet. */
  readonly from: EpochMs;
  /** Milliseconds of the tape in one of the clock, above 0. */
  readonly speed: number;
  /** Slug of the category of its markets, created when it does not exist. */
  readonly category: string;
  readonly models: ModelOptions;
}
