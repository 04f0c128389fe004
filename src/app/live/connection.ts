/** What a bot has of its venue, whatever the venue is. Each kind of venue makes it in a file of its own, such as `service.ts`. */
import type { Clock } from '../../clock/index.ts';
import type { MarketLimits } from '../../domain/index.ts';
import type { KillLimits, LiveBotParts } from '../../ops/index.ts';
import type { RecoveryReport } from '../../runtime/index.ts';
import type { ClockOffset, MarketData, MarketDirectory, Selected, TradingVenue } from '../../venues/base/index.ts';
import type { WarmupOptions } from '../warmup/warmup.ts';
import type { LiveCore } from './core.ts';
import type { TakenLeases } from './leases.ts';
import type { MarketChanges } from './market-changes.ts';
import type { SessionRecorder } from './recording.ts';
import type { RecoveredBot } from './recover.ts';

/** The public half of a venue, for a bot that is live or on paper. */
export interface VenueConnection {
  /** Base URL, for people. */
  readonly url: string;
  readonly clock: Clock;
  readonly directory: MarketDirectory;
  readonly marketData: MarketData;
  /** Of the whole venue. */
  readonly terms: Pick<MarketLimits, 'minBet' | 'maxBet' | 'maxExposure' | 'feeRateBps' | 'spreadBps'>;
  readonly offset: Pick<ClockOffset, 'offsetMs' | 'errorMs' | 'leastSkewMs'>;
  readonly recorder: SessionRecorder;
  readonly limits: KillLimits;
  /** Takes a sample for `offset`. A venue that does not answer changes nothing. */
  measureClock(): Promise<void>;
  /** Connects. @throws Fault LINK, BLOCKED */
  open(): Promise<void>;
  close(): Promise<void>;
}

/** The account that a live bot trades, and a way to it that is independent of the bot. */
interface LiveAccount extends Pick<LiveBotParts, 'client'> {
  readonly facts: TakenLeases & {
    /** Lower case. */
    readonly address: string;
  };
  /** Cancels every order of the account. Never rejects. */
  cancelNow(): Promise<void>;
}

/** What a live bot has of its venue: the leases are taken, the account is logged in. */
export interface TradingAccess {
  readonly connection: VenueConnection;
  readonly account: LiveAccount;
  /** Checks that the venue would take our orders. @throws Fault SIGNING that names the difference */
  checkOrders(markets: readonly Selected[]): Promise<void>;
  /** Starts the watchdog, if it is configured. */
  openWatchdog(): void;
  /** Connects to nothing yet. */
  openSession(parts: SessionParts): TradingVenue;
  /** Runs until the code is compiled, before the first quote. @returns call it once when trading has begun */
  warmUp(counts: Pick<WarmupOptions, 'ordersSent' | 'rowsReceived'>): Promise<() => void>;
}

export interface SessionParts {
  /** In the order of their numbers, as the core's state has them. */
  readonly markets: readonly Selected[];
  readonly core: LiveCore;
  readonly past: RecoveredBot;
  readonly changes: MarketChanges;
  /** Called for the first report, after the run has connected. */
  readonly reports: () => SessionReports;
}

/** Receives reports of recoveries and repeated commands. It is created after the session. */
interface SessionReports {
  recovered(report: RecoveryReport): void;
  repeated(command: string, problem: string): void;
}
