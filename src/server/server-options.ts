/** Ports and settings of a server. It reads nothing from anywhere else. */
import type { Clock, Random } from '../clock/index.ts';
import type { EpochMs, Fault } from '../domain/index.ts';
import type {
  Archive,
  ExchangeConfig,
  Identities,
  Journal,
  OnDurable,
  QuotePolicyName,
  Registry,
  RowSource,
} from '../exchange/index.ts';
import type { SignedMessages, Signer } from '../signing/index.ts';
import type { Outbox } from './access/ports.ts';
import type { AccessSettings } from './access/settings.ts';
import type { PayoutSettings } from './access/simulated-payouts.ts';
import type { ChaosSettings } from './chaos/settings.ts';
import type { Log } from './graphql/context.ts';
import type { HealthReport, HttpOptions } from './http/options.ts';
import type { PolymarketSettings } from './polymarket/settings.ts';
import type { ReplaySettings } from './replay/settings.ts';
import type { ChainSettings, HouseSettings, ResolverSettings } from './simulation/settings.ts';

/** Addresses to listen on. */
export interface ListenSettings extends Pick<HttpOptions, 'port' | 'base' | 'trustedProxies' | 'origins'> {
  readonly host: string;
}

export interface ServerOptions {
  readonly store: StorePort;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Unguessable and of one length; begins the request ids of this run. */
  readonly runId: string;
  readonly messages: SignedMessages;
  readonly outbox: Outbox;
  readonly listen: ListenSettings;
  readonly access: AccessSettings;
  /** Quote policy of a new exchange; undefined keeps the present one. */
  readonly quotePolicy: QuotePolicyName | undefined;
  /** Members to set; the others stay as operators set them. */
  readonly config: Partial<ExchangeConfig>;
  readonly betPresetsCents: readonly number[];
  /** Options of payouts; default `PAYOUT_DEFAULTS`. */
  readonly payouts?: PayoutSettings;
  /** Undefined leaves the chain's steps to operators. */
  readonly chain: ChainSettings | undefined;
  readonly resolver: ResolverSettings;
  readonly house: HouseSettings | undefined;
  /** Whether to create example markets. */
  readonly seed: boolean;
  /** Tapes that are played as the outside world's flow; default none. */
  readonly replays?: readonly ReplaySettings[];
  /** Of chain, panel and chaos: the same stream and the same questions give the same answers. */
  readonly random: Random;
  /** Injected faults; undefined for none. */
  readonly chaos: ChaosSettings | undefined;
  /** The dialect of Polymarket below `/polymarket`; undefined for none. */
  readonly polymarket?: { readonly signer: Signer; readonly settings: Partial<PolymarketSettings> };
  /** Whether to draw a new operators' token. */
  readonly renewOperatorToken: boolean;
  /** The exchange has stopped permanently: the process must end. */
  readonly onStop: (cause: unknown) => void;
}

/** A server that runs. */
export interface VenueServer {
  /** Base URL, without trailing slash. */
  readonly url: string;
  /** The operators' token, if this start drew it. */
  readonly operatorToken: string | undefined;
  /** The status that `GET /health` returns. */
  health(): HealthReport;
  /** Runs an operator's command like `POST /operator`, without a token. @throws Fault when it fails */
  operate(command: string, args?: object): Promise<unknown>;
  /** Waits for running requests, at most `graceMs`, then closes everything. A second call waits for the first. */
  close(graceMs: number): Promise<void>;
}

/** The store: one transaction per batch (docs/storage.md). */
export interface StorePort {
  readonly journal: Journal;
  readonly archive: Archive;
  readonly registry: Registry;
  readonly identities: Identities;
  /** Fault that stopped all writing; undefined without one. */
  readonly fault: Fault | undefined;
  /** Calls `listener` once, when a read finds damage: nothing is written after that. */
  onDamage(listener: (fault: Fault) => void): void;
  /** Writes the rows of `source` with each batch from now on. */
  follow(source: RowSource): void;
  /** Deletes events that no client may request any more. */
  pruneEvents(now: EpochMs, done?: OnDurable): void;
  /** Commits the rest and releases the file. */
  close(): Promise<void>;
}

/**
 * Without trailing slash; for a host that means every address, the name of this machine. Logins are signed for this URL
 * by default, and a start prints it. Both must be equal, or no login at the printed URL would work.
 */
export function publicUrl({ host, port, base = '' }: Pick<ListenSettings, 'host' | 'port' | 'base'>): string {
  return `http://${hostText(host)}:${port}${base}`;
}

function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
