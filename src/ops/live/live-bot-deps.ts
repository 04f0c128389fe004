/** The dependencies of a live bot, which `app/live/bot.ts` assembles. */
import type { StrategyResult, UptimeConditions } from '../../analytics/index.ts';
import type { Clock } from '../../clock/index.ts';
import type { MarketNo } from '../../domain/index.ts';
import type { RateBucketState } from '../../execution/index.ts';
import type { RiskGate, RiskLimits } from '../../risk/index.ts';
import type { RecoveryReport, Run, WantedQuotes } from '../../runtime/index.ts';
import type { AccountState } from '../../state/index.ts';
import type { SendAlert } from '../alerts/alert.ts';
import type { BotChanges, BotFill, VenueHealth } from '../control/bot-port.ts';
import type { RecentLog } from '../feed/recent-log.ts';
import type { RecentAlert } from '../feed/report-types.ts';
import type { KillSwitch } from '../guard/kill-switch.ts';
import type { Log } from '../log/log.ts';
import type { SignalSource } from '../signals/signal-sources.ts';
import type { OrderCanceller } from '../venue/account-client.ts';
import type { OrderTimes } from '../watch/order-times.ts';
import type { RunCounters } from '../watch/run-counters.ts';
import type { RunOutcome } from './run-outcome.ts';

export interface EarlierRuns {
  /** Start of the first run, epoch ms; undefined before the first run. */
  readonly since: number | undefined;
  readonly fillCount: number;
  /** The last fills, the newest first. */
  readonly fills: readonly BotFill[];
}

export interface LiveBotDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly pid: number;
  readonly version: string;
  /** Address in lower case. */
  readonly account: string;
  /** Base URL. */
  readonly venue: string;
  readonly run: Run;
  readonly outcome: RunOutcome;
  readonly state: AccountState;
  readonly gate: RiskGate;
  readonly limits: RiskLimits;
  readonly kind: 'LIVE' | 'PAPER' | 'DEMO';
  readonly uptimeConditions: UptimeConditions;
  readonly rates: () => readonly RateBucketState[];
  readonly wantedQuotes: (market: MarketNo) => readonly WantedQuotes[];
  readonly recentLog: RecentLog;
  /** Command line that works from any folder. For `resume`: `npx halfspread resume --db /home/me/live.db`. */
  readonly commandLine: (...command: readonly string[]) => string;
  /** Like `commandLine`, for commands that go directly to the venue: `orders`, `cancel-all`. */
  readonly venueCommandLine: (command: string) => string;
  readonly counters: RunCounters;
  readonly times: OrderTimes;
  readonly signalSources: readonly SignalSource[];
  readonly earlierRuns: EarlierRuns;
  /** Fills and P&L by strategy, including earlier runs. */
  readonly strategies: () => readonly StrategyResult[];
  readonly killSwitch: KillSwitch;
  readonly health: () => VenueHealth;
  readonly changes: BotChanges;
  /** Waits until no own order is open at the venue. @returns number of orders still open. @throws Fault */
  readonly verifyNoneOpen: (timeoutMs: number) => Promise<number>;
  /** Orders without a final state in the journal. */
  readonly unfinishedOrders: () => readonly { readonly hash: string; readonly timestampMs: number }[];
  readonly client: OrderCanceller;
  /** The last alerts, the newest first. */
  readonly recentAlerts: () => readonly RecentAlert[];
  readonly alert: SendAlert;
  /** Compares the account again after a difference. @throws Fault RECONCILE that names the differences, LINK, VENUE */
  readonly recheck?: (() => Promise<void>) | undefined;
  /** Stores a recovery for `status` of a stopped bot. @throws FileFault */
  readonly storeRecovery?: ((report: RecoveryReport) => void) | undefined;
  /** Why the log cannot be written; undefined if it can. */
  readonly logProblem: () => string | undefined;
  readonly storeStateAndLease: () => void;
  readonly onStarted?: (() => void) | undefined;
  /** Writes the file that keeps the bot killed at its next start, if the run could not store the kill. */
  readonly writeKillFile?: ((reason: string) => void) | undefined;
}
