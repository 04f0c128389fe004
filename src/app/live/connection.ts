/** A bot's access to its venue. Each kind of venue has its own implementation, such as `service.ts`. */
import type { Clock } from '../../clock/index.ts';
import type { MarketLimits } from '../../domain/index.ts';
import type { KillLimits, LiveBot, LiveBotDeps } from '../../ops/index.ts';
import type { RecoveryReport } from '../../runtime/index.ts';
import type { MarketSetup } from '../../state/index.ts';
import type {
  ClockOffset,
  MarketData,
  MarketDirectory,
  TradingVenue,
  TradingVenueOptions,
} from '../../venues/base/index.ts';
import type { WarmupOptions } from '../warmup/warmup.ts';
import type { LiveCore } from './core.ts';
import type { TakenLeases } from './leases.ts';
import type { MarketChanges } from './market-changes.ts';
import type { LiveStart } from './opened-live.ts';
import type { SessionRecorder } from './recording.ts';
import type { BotRecovery } from './recover.ts';

/** Public access to a venue, for live and paper bots. */
export interface VenueConnection {
  /** Base URL for display. */
  readonly url: string;
  readonly clock: Clock;
  readonly directory: MarketDirectory;
  readonly marketData: MarketData;
  /** Limits and fees that apply to the whole venue. */
  readonly terms: Pick<MarketLimits, 'minBet' | 'maxBet' | 'maxExposure' | 'feeRateBps' | 'spreadBps'>;
  readonly offset: Pick<ClockOffset, 'offsetMs' | 'errorMs' | 'minSkewMs'>;
  readonly recorder: SessionRecorder;
  readonly killLimits: KillLimits;
  /** Samples the server's clock for `offset`. Without an answer, `offset` does not change. */
  measureClock(): Promise<void>;
  /** Connects. @throws Fault LINK, BLOCKED */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The account of a live bot, and a client that is independent of the bot. */
interface LiveAccount extends Pick<LiveBotDeps, 'client'> {
  /** The account's leases, and its address in lower case. */
  readonly facts: TakenLeases & { readonly address: string };
  /** Cancels every order of the account. Never rejects. */
  cancelNow(): Promise<void>;
}

/** Access of a live bot that has taken its leases and logged in. */
export interface TradingAccess {
  readonly connection: VenueConnection;
  readonly account: LiveAccount;
  /** Checks that the venue would accept the account's signatures. @throws Fault SIGNING */
  checkSignatures(markets: readonly MarketSetup[]): Promise<void>;
  /** Starts the configured watchdog, or checks that the venue's heartbeat replaces it. @throws InputFault */
  openWatchdog(): void;
  /** Opens the session without connecting to the venue. */
  openSession(deps: SessionDeps): TradingVenue;
  /** Warms up the code before the first quote. Call the result once trading has begun, to keep the code warm. */
  warmUp(counts: Pick<WarmupOptions, 'ordersSent' | 'rowsReceived'>): Promise<() => void>;
}

export interface SessionDeps {
  /** Ordered by number, as in the core's state. */
  readonly markets: readonly MarketSetup[];
  readonly core: LiveCore;
  readonly recovery: BotRecovery;
  readonly changes: MarketChanges;
  /** Returns the bot, which is created after the session. First called after the run has connected. */
  readonly getBot: () => Pick<LiveBot, 'onRecovered' | 'onCommandResent'>;
}

export function createVenueCallbacks({ outcome }: LiveStart, { changes, getBot }: SessionDeps) {
  return {
    onFault: (error: Error) => outcome.fail(error),
    onMarketFailed: changes.onMarketFailed.bind(changes),
    onStuckCommand: changes.onCommandStuck.bind(changes),
    onRecovered: (report: RecoveryReport) => getBot().onRecovered(report),
    onCommandResent: (command: string, problem: string) => getBot().onCommandResent(command, problem),
  } satisfies Partial<TradingVenueOptions>;
}
