/** Input and result of opening a bot, live or paper. */
import type { Clock } from '../../clock/index.ts';
import type { LiveConfiguration } from '../../config/live-file.ts';
import type { LiveBot, OrderTimes, RecentLog, Redactor, RunCounters, RunOutcome, SendAlert } from '../../ops/index.ts';
import type { AccountView } from '../../state/index.ts';
import type { Closers, StartOptions } from '../startup.ts';
import type { Owner } from '../venue-access.ts';
import type { LivePaths } from './paths.ts';
import type { ConfiguredStrategies } from './strategies.ts';

export interface LiveInput extends Pick<StartOptions, 'log' | 'signals'> {
  readonly live: LiveConfiguration;
  readonly paths: LivePaths;
  readonly strategies: ConfiguredStrategies;
  /** Whether to accept the venue's values for unexplained differences. */
  readonly adopt: boolean;
  /** Whether to start although acknowledged data is missing in the bot's files. Default false. */
  readonly acceptLoss?: boolean;
  /** Returns why the log cannot be written; undefined while the log works. Default: always undefined. */
  readonly logProblem?: (() => string | undefined) | undefined;
  readonly redactor: Redactor;
  /** The last lines of the log, for clients of the bot. Default: none. */
  readonly recentLog?: RecentLog;
  readonly isDemo?: boolean;
  /** An account whose key is in memory. Default: the account of the configuration. */
  readonly owner?: Owner | undefined;
}

export interface LiveStart extends LiveInput {
  readonly closers: Closers;
  /** Receives failures, even before the bot exists. */
  readonly outcome: RunOutcome;
}

export interface OpenedLive {
  readonly bot: LiveBot;
  readonly clock: Clock;
  readonly counters: RunCounters;
  readonly times: OrderTimes;
  readonly account: string;
  readonly marketCount: number;
  readonly state: AccountView;
  /** Path of the recorded steps; undefined without a recording. */
  readonly recording: string | undefined;
  /** Reason of an earlier run's kill that is still in force; undefined without a kill. */
  readonly killReason: string | undefined;
  /** Connects, reconciles, starts the strategies. @throws Fault */
  start(): Promise<void>;
  readonly alert: SendAlert;
  /** Cancels every order of the account, independently of the run. Never rejects. */
  cancelNow(): Promise<void>;
  /** Closes everything in reverse order. A second call does nothing. Never rejects. */
  close(): Promise<void>;
}
