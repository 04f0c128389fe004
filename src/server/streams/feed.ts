/** One of the nine streams. */
import type { EpochMs } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import type { Arguments } from '../graphql/index.ts';
import type { Subscription } from './subscription.ts';

/** What became of a subscription: what ends it, or undefined where nothing is there to be told of. */
export type Opened = (() => void) | undefined;

/** Takes subscribers in and tells them what happens. */
export interface Feed {
  /**
   * Sends what the stream opens with; from then on the subscriber is told.
   * @throws WireFault for arguments that cannot be taken
   */
  open(subscription: Subscription): Opened;
  /** What a command told; the engine may be further. */
  onCommitted?(events: readonly ExchangeEvent[], at: EpochMs): void;
  /** All of the turn was told: the engine stands exactly there. */
  onTurnEnd?(): void;
}

/** Reads arguments, seen more exactly than the map of them: the schema has tested them. @throws WireFault */
export type ArgumentReader<Result> = { read(args: Arguments): Result }['read'];
