export type { Alert, AlertLevel, SendAlert } from './alerts/alert.ts';
export { Alerts } from './alerts/alerts.ts';
export { DailySummary } from './alerts/daily-summary.ts';
export { LocalTime, parseMinutes } from './alerts/local-time.ts';
export { type AlertTarget, attemptDelivery } from './alerts/target.ts';
export {
  type BotChanges,
  type BotFill,
  type BotStatus,
  isBookMissing,
  oldestBookMs,
  type ParameterReport,
  type SetScope,
  UNANSWERED_PHASES,
} from './control/bot-port.ts';
export { type ControlCommand, splitLines } from './control/commands.ts';
export {
  addressText,
  type BotAddress,
  type BotWatch,
  checkToken,
  parseTcpAddress,
  requestBot,
  type TcpAddress,
  watchBot,
} from './control/control-client.ts';
export { type ControlServer, checkControlPath, clearControlPath, serveControl } from './control/control-server.ts';
export { TcpControl, type TcpControlOptions } from './control/tcp-control.ts';
export { runPreflight } from './doctor/doctor.ts';
export { shellQuote } from './doctor/local-check.ts';
export { checkSigning } from './doctor/market-check.ts';
export { runPolymarketPreflight } from './doctor/polymarket-doctor.ts';
export type { CheckedStrategy, Finding, Machine, PreflightInput } from './doctor/preflight.ts';
export { RecentLog } from './feed/recent-log.ts';
export { cancelAllAndVerify } from './guard/guard.ts';
export { HARMLESS_REJECTIONS, type KillLimits, KillSwitch } from './guard/kill-switch.ts';
export { type DayStatement, dayStatement } from './live/day-statement.ts';
export { LiveBot } from './live/live-bot.ts';
export type { EarlierRuns, LiveBotDeps } from './live/live-bot-deps.ts';
export { findByName, findMarket, listSlugs } from './live/market-names.ts';
export { DISAGREEMENT_PREFIX } from './live/recovery-watch.ts';
export { guardedClock, RunOutcome } from './live/run-outcome.ts';
export {
  compareStatement,
  type ListedDay,
  type StatementComparison,
} from './live/statement-differences.ts';
export { storedFills, storedNextStep, storedOrders, storedPositions, storedStatus } from './live/stored-view.ts';
export { createLog, type Log, type LogLevel, readableLine } from './log/log.ts';
export { checkLogFile, LogFile } from './log/log-file.ts';
export { Redactor } from './log/redactor.ts';
export { type SignalSource, unreadSignalWarnings } from './signals/signal-sources.ts';
export { CommandPoller } from './telegram/command-poller.ts';
export { AccountClient, type OrderCanceller } from './venue/account-client.ts';
export { DirectAccess, logIn, logOut } from './venue/sessions.ts';
export { VenueHttp } from './venue/venue-http.ts';
export { botMetrics, type MetricsServer, serveMetrics } from './watch/metrics.ts';
export { OrderTimes } from './watch/order-times.ts';
export { RunCounters } from './watch/run-counters.ts';
export {
  countsText,
  refusedText,
  rejectedText,
  runSummary,
  sumCounts,
  summaryText,
} from './watch/run-summary.ts';
export {
  feedWatchdog,
  Watchdog,
  type WatchdogActions,
  type WatchdogEnd,
  type WatchdogHello,
} from './watchdog/watchdog.ts';
