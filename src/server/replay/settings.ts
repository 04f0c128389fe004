import type { Clock } from '../../clock/index.ts';
import type { EpochMs } from '../../domain/index.ts';
import type { ModelOptions } from '../../replay/index.ts';
import type { Feed, TapeManifest } from '../../tape/index.ts';
import type { Catalogue } from '../catalogue.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';

export interface ReplayDeps {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly catalogue: Catalogue;
  readonly log: Log;
}

/** A tape that can be read repeatedly. */
export interface RecordedTape {
  /** Path for messages. */
  readonly path: string;
  readonly manifest: TapeManifest;
  /** Opens the rows in order; the caller closes the feed. This and the feed's `fill` throw FileFault. */
  feed(): Feed;
}

/** The replay of one tape. */
export interface ReplaySettings {
  readonly tape: RecordedTape;
  /** Time on the tape at which new markets begin. */
  readonly from: EpochMs;
  /** Milliseconds on the tape per millisecond of the clock, above 0. */
  readonly speed: number;
  /** Slug of the category of its markets, created when it does not exist. */
  readonly category: string;
  readonly models: ModelOptions;
}
