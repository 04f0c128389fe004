export type { Core, EventStore, Outbox, Step, Venue, VenueSession, VenueSink } from './ports.ts';
