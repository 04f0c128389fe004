/** A venue whose market data is written down as the core takes it in. */
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import type { Recording } from './recording.ts';

/** The same venue; its rows go to the core, then to the recording. Events are in the run's own store. */
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
