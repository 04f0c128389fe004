/**
 * Frames can pile up unread: in a venue's queue, in a kernel, in front of a loop that is too busy. Every one of them is news when it
 * is read, and yet old; so a book is as old as its last change, by the venue's clock, and not only as the time since its last frame.
 */
import type { ClockOffset } from '../transport/index.ts';

/**
 * When a change should have been heard of, by our clock: now, or longer ago where it is certainly late by more than `mostMs`.
 * How far the clocks may be apart counts for it; before they were compared nothing is late.
 * @param at of the change, by the venue's clock, epoch ms
 */
export function heardAt(
  at: number,
  now: number,
  offset: Pick<ClockOffset, 'offsetMs' | 'errorMs'>,
  mostMs: number,
): number {
  const late = now + offset.offsetMs - offset.errorMs - at;
  return late > mostMs ? now - late : now;
}
