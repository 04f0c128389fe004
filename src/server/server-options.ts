/** All ports and settings of a server. Each is required, so that the compiler finds a forgotten setting. */
import type { Clock, Random } from '../clock/index.ts';
import type { EpochMs, Fault } from '../domain/index.ts';
import type {
  Archive,
  ExchangeConfig,
  Identities,
  Journal,
  OnDurable,
  PanelModel,
  QuotePolicyName,
  Registry,
  RowSource,
  ScriptedOutcome,
} from '../exchange/index.ts';
import type { SignedMessages, Signer } from '../signing/index.ts';
import type { MailSender } from './access/ports.ts';
import type { AccessSettings } from './access/settings.ts';
import type { PayoutSettings } from './access/simulated-payouts.ts';
import type { ChaosSettings } from './chaos/settings.ts';
import type { Log } from './graphql/context.ts';
import type { HealthReport, ListenSettings } from './http/options.ts';
import type { PolymarketSettings } from './polymarket/settings.ts';
import type { ReplaySettings } from './replay/recorded-markets.ts';
import type { HouseSettings } from './simulation/house-market-maker.ts';

/** Behaviour of the simulated chain; times in ms, probabilities 0 … 1. */
export interface ChainSettings {
  readonly minDelayMs: number;
  readonly maxDelayMs: number;
  /** Probability that an attempt fails. */
  readonly failure: number;
  /** Probability that a failure is permanent. */
  readonly permanent: number;
}

export type ResolverSettings =
  | { readonly type: 'manual' }
  | { readonly type: 'panel'; readonly models: readonly PanelModel[] }
  /** Outcomes by the UUID or slug of the market. */
  | { readonly type: 'scripted'; readonly outcomes: ReadonlyMap<string, ScriptedOutcome> };

export interface ServerOptions {
  readonly store: StorePort;
  readonly clock: Clock;
  readonly log: Log;
  readonly version: string;
  /** Prefix of this run's request ids: unguessable, of fixed length. */
  readonly runId: string;
  readonly messages: SignedMessages;
  readonly mailSender: MailSender;
  readonly listen: ListenSettings;
  readonly access: AccessSettings;
  /** Quote policy of a new exchange; undefined for the default. An existing exchange must have the same policy. */
  readonly quotePolicy: QuotePolicyName | undefined;
  /** Settings to change at the start. Other settings keep their values. */
  readonly config: Partial<ExchangeConfig>;
  readonly betPresetsCents: readonly number[];
  /** Undefined for `PAYOUT_DEFAULTS`. */
  readonly payouts: PayoutSettings | undefined;
  /** The simulated chain; undefined leaves its steps to operators. */
  readonly chain: ChainSettings | undefined;
  readonly resolver: ResolverSettings;
  readonly house: HouseSettings | undefined;
  /** Whether to create the example markets. */
  readonly seed: boolean;
  /** Tapes whose recorded order flow the venue replays. */
  readonly replays: readonly ReplaySettings[];
  readonly random: Random;
  readonly chaos: ChaosSettings | undefined;
  /** The Polymarket dialect under `/polymarket`; undefined for none. */
  readonly polymarket: { readonly signer: Signer; readonly settings: Partial<PolymarketSettings> } | undefined;
  readonly renewOperatorToken: boolean;
  /** Whether to start although the last event is more than `MAX_TIME_STEP` ago. */
  readonly acceptPause: boolean;
  /** Called once when the exchange has stopped permanently. The host must end the process. */
  readonly onStop: (cause: unknown) => void;
}

export interface VenueServer {
  /** Base URL, without trailing slash. */
  readonly url: string;
  /** The operators' token, if this start created it. */
  readonly operatorToken: string | undefined;
  /** The status that `GET /health` returns. */
  health(): HealthReport;
  /** Runs an operator's command like `POST /operator`, without a token. @throws Fault when it fails */
  operate(command: string, args?: object): Promise<unknown>;
  /** Waits up to `graceMs` for running requests, then closes everything. A second call waits for the first. */
  close(graceMs: number): Promise<void>;
}

/** The store: one transaction per batch (docs/storage.md). */
interface StorePort {
  readonly journal: Journal;
  readonly archive: Archive;
  readonly registry: Registry;
  readonly identities: Identities;
  /** The fault that stopped all writing; undefined for none. */
  readonly fault: Fault | undefined;
  /** Calls `listener` once, when a read finds damage. Afterwards, the store writes nothing. */
  onDamage(listener: (fault: Fault) => void): void;
  /** Writes the rows of `source` with each batch from now on. */
  writeRowsFrom(source: RowSource): void;
  /** Deletes events older than the retention time. */
  pruneEvents(now: EpochMs, done?: OnDurable): void;
  /** Commits pending writes and releases the file. */
  close(): Promise<void>;
}

/**
 * Returns the base URL that clients use, without trailing slash. A host that means all addresses becomes `localhost`.
 * By default logins are signed for this URL, so a login works only at exactly this URL.
 */
export function publicUrl({ host, port, base }: Pick<ListenSettings, 'host' | 'port' | 'base'>): string {
  return `http://${hostText(host)}:${port}${base}`;
}

function hostText(host: string): string {
  if (host === '0.0.0.0' || host === '::') return 'localhost';
  return host.includes(':') ? `[${host}]` : host;
}
