/** What a live bot is put together from, and what comes of it: of `run` and of `run --paper` alike. */
import type { Clock } from '../../clock/index.ts';
import type { LiveConfiguration } from '../../config/live-file.ts';
import type { LiveBot, Log, Redactor, RunOutcome, Tally } from '../../ops/index.ts';
import type { AccountView } from '../../state/index.ts';
import type { LiveSignals } from '../signals.ts';
import type { Closers } from '../startup.ts';
import type { Owner } from '../venue-access.ts';
import type { LivePaths } from './paths.ts';
import type { StrategyPlans } from './strategies.ts';

export interface LiveInput {
  readonly live: LiveConfiguration;
  readonly paths: LivePaths;
  readonly plans: StrategyPlans;
  /** Takes the venue's word for what differs and nothing explains. */
  readonly adopt: boolean;
  /** Goes on where something that was acknowledged is missing in its files. Default false. */
  readonly acceptLoss?: boolean;
  readonly log: Log;
  /** Why the log is not written; undefined while it is. Default: it is. */
  readonly logProblem?: (() => string | undefined) | undefined;
  readonly redactor: Redactor;
  /** Whose key is in memory; default: the account of the configuration. */
  readonly owner?: Owner | undefined;
  /** Ask for an end before it is there. Default: nobody does. */
  readonly signals?: Pick<LiveSignals, 'asked' | 'hurried'> | undefined;
}

export interface LiveStart extends LiveInput {
  readonly closers: Closers;
  /** Where failures go, also before there is a bot. */
  readonly outcome: RunOutcome;
}

export interface OpenedLive {
  readonly bot: LiveBot;
  readonly clock: Clock;
  readonly tally: Tally;
  readonly account: string;
  readonly markets: number;
  readonly state: AccountView;
  /** Why trading stays killed from the last time; undefined where it does not. */
  readonly killed: string | undefined;
  /** Connects, reconciles, lets strategies begin. @throws Fault when it cannot */
  start(): Promise<void>;
  alert(kind: string, text: string, fields: Readonly<Record<string, string | number>>): void;
  /** Cancels everything at once, past the run. Never rejects. */
  cancelNow(): Promise<void>;
  /** Frees everything, the last taken first; a second time does nothing. Never rejects. */
  close(): Promise<void>;
}
