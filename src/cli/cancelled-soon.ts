import { timeAfter } from '../domain/index.ts';
import type { OpenedLive } from './opened-live.ts';

/** For the cancel to be written, and answered where the venue is there. */
const HURRY_MS = 1_000;

/** After a second signal: one more cancel of everything, whose answer is waited for a second at most. Never rejects. */
export function cancelledSoon({ clock, cancelNow }: Pick<OpenedLive, 'clock' | 'cancelNow'>): Promise<void> {
  return new Promise((resolve) => {
    const late = clock.schedule(timeAfter(clock.now(), HURRY_MS), resolve);
    void cancelNow().then(() => {
      late();
      resolve();
    });
  });
}
