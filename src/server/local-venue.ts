/** A server as one process has it: the system's clock, native signing where there is any, secrets of its own. */
import { createServer } from 'node:net';
import { secureBytes, seededRandom, steadyClock } from '../clock/index.ts';
import { Fault } from '../domain/index.ts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  loginDomain,
  lowerAddress,
  openPrimitives,
  signedMessages,
  signingBackend,
} from '../signing/index.ts';
import { accessSettings, type GivenAccessSettings } from './access/settings.ts';
import type { PolymarketSettings } from './polymarket/settings.ts';
import { startServer } from './server.ts';
import { publicUrl, type ServerOptions, type VenueServer } from './server-options.ts';

/** Options of the venue. The rest is created here. */
export interface LocalVenueOptions
  extends Omit<ServerOptions, 'clock' | 'runId' | 'messages' | 'access' | 'random' | 'polymarket'> {
  /** The domains in which messages are signed. @see LOCAL_CHAIN_ID */
  readonly chainId: number;
  /** `verifyingContract` of orders: 0x and 40 hex digits; undefined for the local venue's. */
  readonly contract: string | undefined;
  /** `audience` is the URL on which it listens where it is not given; wallets are on `chainId`. */
  readonly access: GivenAccessSettings;
  /** Of chain, panel and faults, 0 to 2^32 - 1. */
  readonly randomSeed: number;
  /** Settings of the dialect of Polymarket; undefined leaves the dialect out. */
  readonly polymarket?: Partial<PolymarketSettings>;
}

/** The chain of a venue on this machine. */
export const LOCAL_CHAIN_ID = 31_337;

const RUN_ID_BYTES = 4;
const BLINDING_BYTES = 32;

/**
 * Starts it. The store is closed where that fails.
 * @throws as `startServer` and `openPrimitives`
 */
export async function startLocalVenue(options: LocalVenueOptions): Promise<VenueServer> {
  const { access, chainId, contract, randomSeed, listen, store, polymarket, ...rest } = options;
  try {
    // Logins are signed for the URL, which must be known before the server listens.
    const port = listen.port === 0 ? await freePort(listen.host) : listen.port;
    const signer = createSigner(await openPrimitives({ blinding: secureBytes(BLINDING_BYTES) }));
    rest.log.info({}, `signatures: ${signingBackend(signer)}`);
    const settings = accessSettings({
      audience: publicUrl({ ...listen, port }),
      walletChainIds: [chainId],
      ...access,
    });
    return await startServer({
      ...rest,
      store,
      access: settings,
      ...(polymarket === undefined ? {} : { polymarket: { signer, settings: polymarket } }),
      clock: steadyClock(),
      random: seededRandom(randomSeed),
      listen: { ...listen, port },
      messages: signedMessages(signer, {
        exchange: exchangeDomain(chainId, lowerAddress(contract ?? LOCAL_CONTRACT) ?? LOCAL_CONTRACT),
        login: loginDomain(chainId),
      }),
      runId: Buffer.from(secureBytes(RUN_ID_BYTES)).toString('hex'),
    });
  } catch (error) {
    await store.close();
    throw error;
  }
}

function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.on('error', reject);
    probe.listen(0, host, () => {
      const address = probe.address();
      probe.close(() => {
        if (typeof address === 'object' && address !== null) resolve(address.port);
        else reject(new Fault('PORT', 'no port is free'));
      });
    });
  });
}
