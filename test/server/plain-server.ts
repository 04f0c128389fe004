/** The whole server as plain as it can be: no chain, no house, no replay, an operator who resolves. For tests and benches. */
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { type AccessSettings, type ServerOptions, startServer, type VenueServer } from '../../src/server/index.ts';
import type { SqliteStore } from '../../src/store/index.ts';

/** What differs from one to the next. */
export interface PlainServer {
  readonly store: SqliteStore;
  readonly log: ServerOptions['log'];
  readonly messages: ServerOptions['messages'];
  readonly access: AccessSettings;
  /** Default: the exchange's own. */
  readonly config?: ServerOptions['config'];
  readonly chaos?: ServerOptions['chaos'];
  /** Default: no dialect of Polymarket. */
  readonly polymarket?: NonNullable<ServerOptions['polymarket']>;
  /** Default: any that is free. */
  readonly port?: number;
  readonly renewOperatorToken: boolean;
  readonly onStop: ServerOptions['onStop'];
}

/** On this machine, by the wall clock. @throws as `startServer` */
export function startPlainServer(plain: PlainServer): Promise<VenueServer> {
  const { store, log, messages, access, config = {}, chaos, polymarket, port = 0, renewOperatorToken, onStop } = plain;
  return startServer({
    clock: wallClock(),
    version: '0',
    runId: '00000000',
    store,
    log,
    messages,
    outbox: { send: async () => undefined },
    access,
    listen: { host: '127.0.0.1', port },
    quotePolicy: undefined,
    config,
    betPresetsCents: [],
    chain: undefined,
    resolver: { type: 'manual' },
    house: undefined,
    seed: false,
    random: seededRandom(1),
    renewOperatorToken,
    chaos,
    ...(polymarket === undefined ? {} : { polymarket }),
    onStop,
  });
}
