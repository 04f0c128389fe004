/** A server with the system's clock and random bytes, and native signing where available. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { secureBytes, seededRandom, steadyClock } from '../clock/index.ts';
import { Fault } from '../domain/index.ts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  loadPrimitives,
  loginDomain,
  lowerAddress,
  signedMessages,
  signingBackend,
} from '../signing/index.ts';
import { completeAccessSettings, type GivenAccessSettings } from './access/settings.ts';
import type { PolymarketSettings } from './polymarket/settings.ts';
import { startServer } from './server.ts';
import { publicUrl, type ServerOptions, type VenueServer } from './server-options.ts';

export interface LocalVenueOptions
  extends Omit<ServerOptions, 'clock' | 'runId' | 'messages' | 'access' | 'random' | 'polymarket'> {
  readonly chainId: number;
  /** `verifyingContract` of orders: 0x and 40 hex digits; undefined for `LOCAL_CONTRACT`. */
  readonly contract: string | undefined;
  /** By default, `audience` is the server's URL and `walletChainIds` is `chainId`. */
  readonly access: GivenAccessSettings;
  /** Seed of the random numbers of the simulated chain and the resolution panel, 0 to 2^32 - 1. */
  readonly randomSeed: number;
  readonly polymarket: Partial<PolymarketSettings> | undefined;
}

/** Starts the server. Closes the store on failure. @throws like `startServer` and `loadPrimitives` */
export async function startLocalVenue(options: LocalVenueOptions): Promise<VenueServer> {
  const { access, chainId, contract, randomSeed, listen, store, polymarket, ...rest } = options;
  try {
    // Login messages contain the URL, so the port must be known before the server listens.
    const port = listen.port === 0 ? await findFreePort(listen.host) : listen.port;
    const signer = createSigner(await loadPrimitives({ blinding: secureBytes(32) }));
    rest.log.info({}, `signatures: ${signingBackend(signer)}`);
    const settings = completeAccessSettings({
      walletChainIds: [chainId],
      ...access,
      audience: access.audience ?? publicUrl({ ...listen, port }),
    });
    return await startServer({
      ...rest,
      store,
      access: settings,
      polymarket: polymarket && { signer, settings: polymarket },
      clock: steadyClock(),
      random: seededRandom(randomSeed),
      listen: { ...listen, port },
      messages: signedMessages(signer, {
        exchange: exchangeDomain(chainId, lowerAddress(contract ?? LOCAL_CONTRACT) ?? LOCAL_CONTRACT),
        login: loginDomain(chainId),
      }),
      runId: Buffer.from(secureBytes(4)).toString('hex'),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function findFreePort(host: string): Promise<number> {
  const probe = createServer().listen(0, host);
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  await once(probe, 'close');
  if (typeof address === 'object' && address !== null) return address.port;
  throw new Fault('PORT', 'no port is free');
}
