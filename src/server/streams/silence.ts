import type { Clock } from '../../clock/index.ts';
import { timeAfter } from '../../domain/index.ts';
import type { Topic } from './topic.ts';

/** After so many ms without a word a stream says that it is alive (docs/spec/venue.md#order-book-stream). */
export const SILENCE_MS = 5_000;

/** Speaks up whenever a topic has been silent. @returns what ends it */
export function breakSilence(clock: Clock, topic: Topic, speak: () => void): () => void {
  let cancel: () => void;
  const arm = (): void => {
    cancel = clock.schedule(timeAfter(topic.toldAt, SILENCE_MS), () => {
      if (clock.now() - topic.toldAt >= SILENCE_MS) speak();
      arm();
    });
  };
  arm();
  return () => cancel();
}
