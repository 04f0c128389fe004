/** A venue whose market data is written down as the core takes it in. */
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import type { Recording } from './recording.ts';

/**
 * The same venue; its rows go to the core first, then to the recording, whatever the core made of them. Events are not
 * rows: the store of the run has them, each with the number of rows before it.
 */
export function recordedVenue(venue: Venue, recording: Recording): Venue {
  return {
    connect: (sink: VenueSink): Promise<VenueSession> =>
      venue.connect({
        rows(block, from, to) {
          try {
            sink.rows(block, from, to);
          } finally {
            recording.take(block, from, to);
          }
        },
        event: (event, position) => sink.event(event, position),
      }),
    leave: async () => venue.leave?.(),
  };
}
