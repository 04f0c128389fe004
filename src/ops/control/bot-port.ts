/** The interface of a running bot for operators. Amounts are integers in internal units, times are epoch ms. */
import type { StrategyResult } from '../../analytics/index.ts';
import type { OperatorCommand } from '../../domain/index.ts';
import type { RecoveryReport } from '../../runtime/index.ts';
import type { FillRow, PositionRow } from '../../store/index.ts';

export type ShownRecovery = RecoveryReport & { readonly text: string };

export interface BotStatus {
  readonly pid: number;
  readonly version: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly now: number;
  readonly account: string;
  readonly venue: string;
  readonly mode: 'ACTIVE' | 'REDUCING' | 'PAUSED' | 'KILLED';
  readonly killReason: string | null;
  /** Why the bot is PAUSED or REDUCING; null in other modes. */
  readonly modeReason: string | null;
  /** Whether the venue confirmed after a kill that no order is open; null without a kill, or while the check runs. */
  readonly killVerified: boolean | null;
  readonly venueMode: string;
  /** Why the venue accepts no orders, or why the bot sends it none; null while `venueMode` is NORMAL. */
  readonly venueModeReason: string | null;
  /** The command line that lets the bot trade again, or the event to wait for; null while the bot trades. */
  readonly nextStep: string | null;
  readonly link: 'UP' | 'DOWN';
  /** Whether the account agrees with the venue's: orders, positions, cash. The bot quotes only while they agree. */
  readonly reconciled: 'agrees' | 'comparing' | 'disagrees';
  /** Result of the last start or recovery; null before the first start. */
  readonly recovery: ShownRecovery | null;
  readonly clockSkewMs: number;
  /** Micro-USD. */
  readonly cash: number;
  readonly available: number;
  readonly equity: number;
  /** Start of the bot's first run, epoch ms. `pnl`, `fills` and `strategies` cover all runs since then. */
  readonly since: number;
  /** Equity less net deposits, micro-USD. */
  readonly pnl: number;
  readonly openOrders: number;
  readonly fills: number;
  /** Totals of this process. */
  readonly run: { readonly pnl: number; readonly fills: number };
  /** Results by strategy, with holdings at the mark. */
  readonly strategies: readonly StrategyResult[];
  readonly refused: Readonly<Record<string, number>>;
  readonly rejected: Readonly<Record<string, number>>;
  /** Signals of this process: delivered to strategies, and refused. */
  readonly signals: { readonly received: number; readonly refused: number };
  /** Why the log file cannot be written, and where the lines go instead; null otherwise. */
  readonly logProblem: string | null;
  readonly markets: readonly MarketStatusLine[];
}

export interface MarketStatusLine {
  readonly slug: string;
  readonly id: string;
  readonly status: string;
  readonly acceptingOrders: boolean;
  readonly strategy: string | null;
  readonly bidBps: number | null;
  readonly askBps: number | null;
  /** ms since the last message about the book; null before the first. */
  readonly bookAgeMs: number | null;
  readonly openOrders: number;
  /** YES less NO, micro-shares. */
  readonly position: number;
  /** Value of the holdings at the exit side, or the payout of an ended market, micro-USD. */
  readonly worth: number;
  /** Taker fee rate of the market; null if the venue's value is invalid. */
  readonly feeBps: number | null;
  /** The highest fee rate that orders are signed for. */
  readonly acceptedFeeBps: number;
  /** Why no order is signed in the market: `FEE_ABOVE_MAX` or `FEE_ROSE`; null if orders are signed. */
  readonly stopped: string | null;
}

type BookAge = Pick<MarketStatusLine, 'bookAgeMs' | 'acceptingOrders' | 'strategy'>;

export function isBookMissing({ bookAgeMs, acceptingOrders, strategy }: BookAge): boolean {
  return bookAgeMs === null && acceptingOrders && strategy !== null;
}

/** Returns a book's age for limits, ms. Before the first message: the age of the process, or 0 if no book is needed. */
export function countedBookAgeMs(market: BookAge, runningMs: number): number {
  return market.bookAgeMs ?? (isBookMissing(market) ? runningMs : 0);
}

export function oldestBookMs(bot: Pick<BotStatus, 'now' | 'startedAt'> & { markets: readonly BookAge[] }): number {
  const runningMs = bot.now - bot.startedAt;
  return bot.markets.reduce((oldest, market) => Math.max(oldest, countedBookAgeMs(market, runningMs)), 0);
}

export interface BotOrder {
  readonly order: number;
  readonly market: string;
  readonly outcome: 'YES' | 'NO';
  readonly side: 'BUY' | 'SELL';
  readonly priceBps: number;
  /** Micro-shares. */
  readonly remaining: number;
  readonly phase: string;
  readonly since: number;
  /** Tag of the order's quote; null without a tag. */
  readonly tag: string | null;
}

/** Phases of orders whose last request has no answer yet. */
export const UNANSWERED_PHASES: ReadonlySet<string> = new Set(['new', 'cancelling', 'reducing', 'unknown']);

export interface BotPosition extends Pick<PositionRow, 'yes' | 'no' | 'yesCost' | 'noCost' | 'realized' | 'fees'> {
  readonly market: string;
  /** `worth` of `MarketStatusLine`; null for a stopped bot, because its database has no prices. */
  readonly worth: number | null;
}

export interface BotFill
  extends Pick<FillRow, 'order' | 'outcome' | 'side' | 'shares' | 'fee' | 'liquidity' | 'trade'> {
  readonly time: number;
  readonly market: string;
  readonly priceBps: number;
  readonly tag: string | null;
}

/** Scope of a parameter. Default: all markets, all strategies. */
export interface SetScope {
  readonly market?: string | undefined;
  readonly strategy?: string | undefined;
}

export interface CommandResult {
  readonly mode: BotStatus['mode'];
  readonly text: string;
}

export interface ControlledBot {
  /** Returns the number of a command that arrives now. Numbers increase. */
  nextCommandNumber(): number;
  status(): BotStatus;
  orders(): readonly BotOrder[];
  positions(): readonly BotPosition[];
  /** Returns the latest fills, the newest first. */
  fills(limit: number): readonly BotFill[];
  /**
   * @param number from `nextCommandNumber` when the command arrived. Default: it arrives now
   * @throws Fault for a command that is not possible now, and for a `resume`, `reduce` or `flatten` after a later
   * command that changed the mode
   */
  operate(command: OperatorCommand, reason: string | undefined, number?: number): Promise<CommandResult>;
  /** Cancels one order, and waits for the venue. @throws InputFault for an order that is not open */
  cancelOrder(order: number): Promise<CommandResult>;
  /** @throws InputFault for a market that the venue does not have, or parameters that the strategy refuses */
  addMarket(market: string, params: Readonly<Record<string, unknown>>): Promise<CommandResult>;
  removeMarket(market: string): CommandResult;
  /** @throws InputFault for a market that the bot does not have, or a fee that cannot be accepted */
  confirmFee(market: string, feeBps: number): CommandResult;
  setParameter(name: string, value: unknown, scope: SetScope): CommandResult;
  /** Returns the bot's report (`BotReport`) as JSON. */
  reportJson(): string;
  /** Returns a market's report as JSON; the text `null` for an unknown market. */
  marketReportJson(market: string): string;
  /** Returns log lines, the newest first. @param after only lines with a higher number */
  log(level: LogReport['level'], limit: number, after: number | undefined): readonly LogReport[];
  /** Delivers a signal to the strategies. @throws InputFault for an invalid signal or a name that no strategy reads */
  signal(signal: { readonly name: string; readonly value: number; readonly time?: string | undefined }): CommandResult;
}

export interface ParameterReport {
  readonly strategy: string;
  readonly name: string;
  readonly value: unknown;
  readonly help: string | null;
  readonly minimum: number | null;
  readonly maximum: number | null;
}

export interface LogReport {
  /** Number of the line in this process. */
  readonly seq: number;
  readonly time: number;
  readonly level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  readonly message: string;
  /** The other fields of the line, as JSON. */
  readonly fields: string;
}

export interface VenueHealth {
  readonly link: 'UP' | 'DOWN';
  readonly mode: string;
  /** Why `mode` is HALTED without a report of the venue; undefined if the venue reported its mode. */
  readonly modeProblem: string | undefined;
  /** Lower bound of the difference between the venue's clock and this machine's. */
  readonly skewMs: number;
  readonly reconciled: BotStatus['reconciled'];
  /** ms since the last message about each book, by market. */
  readonly ages: readonly { readonly market: number; readonly ageMs: number }[];
}

export interface BotChanges {
  strategyOn(market: number): string | undefined;
  addMarket(market: string, params: Readonly<Record<string, unknown>>): Promise<string>;
  removeMarket(market: string): string;
  setParameter(name: string, value: unknown, scope: SetScope): string;
  parameters(market: number): readonly ParameterReport[];
}
