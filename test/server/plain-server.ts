/** A minimal server for tests and benches: no chain, no simulation, no replay and manual resolution. */
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { type AccessSettings, type ServerOptions, startServer, type VenueServer } from '../../src/server/index.ts';
import type { SqliteStore } from '../../src/store/index.ts';

/** Options of a minimal server. */
export interface PlainServer {
  readonly store: SqliteStore;
  readonly log: ServerOptions['log'];
  readonly messages: ServerOptions['messages'];
  readonly access: AccessSettings;
  /** Default: the exchange's defaults. */
  readonly config?: ServerOptions['config'];
  readonly chaos?: ServerOptions['chaos'];
  /** Default: without the Polymarket API. */
  readonly polymarket?: ServerOptions['polymarket'];
  /** Default: none. */
  readonly trustedProxies?: readonly string[];
  /** Default: any free port. */
  readonly port?: number;
  readonly renewOperatorToken: boolean;
  readonly onStop: ServerOptions['onStop'];
}

/** Starts it on 127.0.0.1 with the wall clock. @throws as `startServer` */
export function startPlainServer(plain: PlainServer): Promise<VenueServer> {
  const { store, log, messages, access, config = {}, chaos, polymarket, trustedProxies = [], port = 0 } = plain;
  return startServer({
    clock: wallClock(),
    version: '0',
    runId: '00000000',
    store,
    log,
    messages,
    mailSender: { send: async () => undefined },
    access,
    listen: { host: '127.0.0.1', port, base: '', trustedProxies, origins: undefined },
    quotePolicy: undefined,
    config,
    betPresetsCents: [],
    chain: undefined,
    resolver: { type: 'manual' },
    house: undefined,
    seed: false,
    random: seededRandom(1),
    payouts: undefined,
    replays: [],
    renewOperatorToken: plain.renewOperatorToken,
    acceptPause: false,
    chaos,
    polymarket,
    onStop: plain.onStop,
  });
}
