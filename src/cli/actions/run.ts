import { statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { collectDefaultMetrics } from 'prom-client';
import { z } from 'zod';
import { checkConfiguredFiles } from '../../app/live/configured-files.ts';
import { openLive } from '../../app/live/open-live.ts';
import type { OpenedLive } from '../../app/live/opened-live.ts';
import { botCommand, type LivePaths, livePaths, venueCommand } from '../../app/live/paths.ts';
import { loadConfiguredStrategies } from '../../app/live/strategies.ts';
import { cancelAgain, type LiveSignals, listenForSignals } from '../../app/signals.ts';
import { type RunningDashboard, startDashboard } from '../../app/start-dashboard.ts';
import { compileEarly } from '../../app/v8-flags.ts';
import { createSecretReader } from '../../app/venue-access.ts';
import { repeatEvery } from '../../clock/index.ts';
import { type LiveConfiguration, readLiveFile } from '../../config/live-file.ts';
import { counted, Fault, InputFault, thrownText } from '../../domain/index.ts';
import {
  botMetrics,
  checkToken,
  createLog,
  type Log,
  LogFile,
  type MetricsServer,
  RecentLog,
  Redactor,
  runSummary,
  serveControl,
  serveMetrics,
  summaryText,
  TcpControl,
  type TcpControlOptions,
} from '../../ops/index.ts';
import { action, assignments, flag, type OptionsOf, optionalText, whole } from '../command.ts';
import { LiveLine } from '../output/live-line.ts';
import type { Session, TextOutput } from '../output/terminal.ts';
import { displayPath, strategyFolders, withFaultLocation } from '../paths.ts';

const DASHBOARD_PORT = 8790;
const OPTIONS = {
  db: optionalText,
  adopt: flag,
  acceptLoss: flag,
  json: flag,
  dashboard: z.union([z.literal(true), whole(0, 65_535, 'a port')]).optional(),
  set: assignments,
};

const STATUS_INTERVAL_MS = 500;

/** Trades until a signal of the operating system or a fault ends the run. */
export const runLive = action(OPTIONS, async ({ terminal }, [config = ''], options) => {
  compileEarly();
  const live = readLiveFile(config, terminal.cwd, options.set);
  const { configuration, file } = live;
  const paths = livePaths(configuration, file, terminal.cwd, options.db);
  const withLocation = <T>(work: () => T | Promise<T>): Promise<T> =>
    withFaultLocation(configuration, terminal.cwd, work);
  await withLocation(() => checkConfiguredFiles(live, paths));
  const redactor = new Redactor();
  const line = new LiveLine(terminal.err);
  const toTerminal = (text: string): void => line.write(text);
  const logFile = paths.log === undefined ? undefined : new LogFile(paths.log, toTerminal);
  const recentLog = new RecentLog();
  const write = (text: string): void => {
    recentLog.add(text);
    if (logFile === undefined) toTerminal(text);
    else logFile.write(text);
  };
  const log = createLog({ level: file.log.level, redactor, write });
  const logProblem = (): string | undefined => logProblemText(logFile, terminal.err);
  const openBot = file.mode === 'paper' ? (await import('../../app/paper.ts')).openPaper : openLive;
  let opened: OpenedLive | undefined;
  let isKilledEarly = false;
  const signals = listenForSignals(() => {
    if (opened === undefined) isKilledEarly = true;
    else opened.bot.kill('SIGNAL', 'SIGUSR2');
  });
  try {
    const folders = { folders: strategyFolders(terminal.cwd), baseDir: dirname(configuration.path) };
    const port = await withLocation(() => readTcpPort(live, redactor));
    const strategies = await withLocation(() => loadConfiguredStrategies(file, folders));
    const parts = { live, paths, strategies, log, recentLog, logProblem, redactor, signals };
    opened = await withLocation(() => openBot({ ...options, ...parts }));
    if (isKilledEarly) opened.bot.kill('SIGNAL', 'SIGUSR2');
    await trade(opened, { live, paths, port, options, log, line, signals, write: terminal.out.write });
  } catch (error) {
    throw redactor.error(error);
  } finally {
    await opened?.close();
    await logFile?.close();
    line.end();
    signals.release();
    await writeSessionReport(opened, file.report_dir, terminal, options.json);
  }
});

type TcpPort = Pick<TcpControlOptions, 'host' | 'port' | 'token' | 'viewerToken'>;

/**
 * Reads the tokens and registers both with the redactor. @returns undefined without `control.tcp`
 * @throws InputFault for a token that is missing, short, or the same for operators and viewers; FileFault for its file
 */
export function readTcpPort(live: LiveConfiguration, redactor: Redactor): TcpPort | undefined {
  const { tcp } = live.file.control;
  if (tcp === undefined) return undefined;
  const secrets = createSecretReader(live, redactor);
  const readToken = (source: typeof tcp.token, field: string): string => checkToken(secrets.read(source, field), field);
  const token = readToken(tcp.token, 'control.tcp.token');
  const field = 'control.tcp.viewer_token';
  const viewerToken = tcp.viewer_token && readToken(tcp.viewer_token, field);
  if (viewerToken === token) throw new InputFault(field, undefined, 'another token than `control.tcp.token`');
  return { host: tcp.host, port: tcp.port, token, viewerToken };
}

/** Writes the session's report. A failure does not change the outcome of the run. */
async function writeSessionReport(
  opened: OpenedLive | undefined,
  folder: string | null,
  { out, err, cwd }: Session['terminal'],
  isJson: boolean,
): Promise<void> {
  if (opened?.recording === undefined || folder === null || !opened.bot.hasBegun) return;
  try {
    const { reportSession } = await import('../../app/recorded-session.ts');
    const { result } = await reportSession(opened.recording, resolve(cwd, folder));
    (isJson ? err : out).write(`report: ${displayPath(cwd, result.report ?? '')}\n`);
  } catch (error) {
    const retryCommand = `halfspread report ${displayPath(cwd, opened.recording)}`;
    err.write(`the report was not written: ${thrownText(error)}. Try again: \`npx ${retryCommand}\`\n`);
  }
}

interface TradingDeps {
  readonly live: LiveConfiguration;
  readonly paths: LivePaths;
  readonly port: TcpPort | undefined;
  readonly options: OptionsOf<typeof OPTIONS>;
  readonly log: Log;
  readonly line: LiveLine;
  readonly signals: LiveSignals;
  readonly write: (text: string) => void;
}

/** Trades from the first request to the final check. @throws the fault that ended trading, if any */
async function trade(opened: OpenedLive, trading: TradingDeps): Promise<void> {
  const { bot, counters, times, account } = opened;
  const { live, paths, port, options, log, line, signals, write } = trading;
  const config = live.configuration.path;
  const isPaper = live.file.mode === 'paper';
  const control = await serveControl({ path: paths.socket, bot, clock: opened.clock, log });
  let server: MetricsServer | undefined;
  let tcp: TcpControl | undefined;
  let dashboard: RunningDashboard | undefined;
  let fault: Error | undefined;
  try {
    const { metrics } = live.file;
    const registry = botMetrics({
      report: () => bot.report(),
      counters,
      times,
      unknownOrders: () => countUnknownOrders(opened),
      fileSizes: () =>
        isPaper ? undefined : { database: fileBytesOrZero(paths.db), wal: fileBytesOrZero(`${paths.db}-wal`) },
    });
    if (options.dashboard !== undefined) dashboard = startBotDashboard(trading, options.dashboard);
    if (port !== undefined) tcp = await TcpControl.listen({ ...port, bot, clock: opened.clock, log });
    if (metrics !== undefined) collectDefaultMetrics({ register: registry });
    if (metrics !== undefined) server = await serveMetrics(registry, metrics.port, metrics.host);
    const startFault = opened.start().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(thrownText(error))),
    );
    const startOutcome = await Promise.race([startFault, bot.failed, signals.stopRequested]);
    if (startOutcome instanceof Error) fault = startOutcome;
    else if (startOutcome === undefined) {
      line.write(startedText(opened, trading, { metrics: server?.port, commands: tcp?.port }));
      log.info({ account, markets: opened.marketCount, ...(isPaper ? {} : { db: paths.db }) }, 'trading');
      const stopShowing = repeatEvery(opened.clock, STATUS_INTERVAL_MS, () => line.show(bot.status()));
      const cause = await Promise.race([bot.failed, signals.stopRequested]);
      stopShowing();
      if (cause instanceof Error) fault = cause;
      else log.info({ signal: cause }, 'stopping: cancelling every order');
    }
  } finally {
    dashboard?.close();
    await tcp?.close();
    await control.close();
  }
  if (fault !== undefined) log.error({ problem: fault.message }, 'the run failed: cancelling every order');
  const forcedCancel = signals.stopForced.then(() => cancelAgain(opened));
  const { open } = await bot.stop(fault, forcedCancel);
  const summary = runSummary(bot.status(), counters, { openAtVenue: open, hasBegun: bot.hasBegun });
  await server?.close();
  line.end();
  const summaryOutput = options.json ? `${JSON.stringify(summary)}\n` : summaryText(summary);
  if (fault !== undefined) {
    opened.alert('fault', `halfspread ended: ${fault.message} (${openOrdersText(open, config)})`, { open: open ?? -1 });
    log.info({ ...summary }, 'ended by a fault');
    if (bot.hasBegun) write(summaryOutput);
    throw fault;
  }
  // The terminal shows the summary directly below the log message.
  const isSummaryBelow = paths.log === undefined && line.isShown && !options.json;
  log.info(isSummaryBelow ? {} : { ...summary }, 'ended');
  opened.alert('end', `halfspread ended after a signal: ${openOrdersText(open, config)}`, { open: open ?? -1 });
  write(summaryOutput);
  if (open !== 0) throw notVerifiedFault(open, config);
}

function countUnknownOrders({ state }: OpenedLive): number {
  return state.markets.reduce((sum, { orders }) => sum + orders.filter(({ phase }) => phase === 'unknown').length, 0);
}

function fileBytesOrZero(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** Starts the dashboard in the background. The bot continues if that fails. */
function startBotDashboard({ live, paths, line, log }: TradingDeps, port: number | true): RunningDashboard {
  const folder = dirname(paths.db);
  const dashboard = startDashboard({
    bots: [{ id: basename(live.configuration.path).replace(/\.ya?ml$/, ''), socket: paths.socket }],
    reports: resolve(live.file.report_dir ?? 'reports'),
    studies: dirname(live.configuration.path),
    audit: join(folder, 'dashboard-audit.jsonl'),
    port: port === true ? DASHBOARD_PORT : port,
  });
  void dashboard.started.then((started) => {
    if ('url' in started) line.write(`dashboard ${started.url}\n`);
    else log.error({ problem: started.problem }, 'the dashboard did not start; the bot continues');
  });
  return dashboard;
}

function openOrdersText(open: number | null, config: string): string {
  if (open === 0) return '0 orders open at the venue, verified';
  return `NOT VERIFIED: ${open ?? 'an unknown number of'} orders are open at the venue. Look at once: \`${venueCommand(config, 'orders')}\``;
}

function notVerifiedFault(open: number | null, config: string): Fault {
  const openProblem =
    open === null ? 'the venue did not confirm whether orders are open' : `${open} orders are open at the venue`;
  const problem = `stopped, but ${openProblem}. Look at once: \`${venueCommand(config, 'orders')}\`, and cancel: \`${venueCommand(config, 'cancel-all')}\`. If the venue's dead-man's switch or the watchdog is active, it cancels the open orders`;
  return new Fault('NOT_VERIFIED', problem);
}

function startedText(
  { account, marketCount, killReason }: OpenedLive,
  { live, paths }: TradingDeps,
  ports: Readonly<Record<string, number | undefined>>,
): string {
  const openPorts = Object.entries(ports).filter(([, port]) => port !== undefined);
  const onPort = openPorts.map(([name, port]) => `, ${name} on port ${port}`).join('');
  const resume = botCommand(paths, live.configuration.path, ['resume']);
  const mode = killReason === undefined ? '' : `, KILLED (${killReason}): \`${resume}\` lets it trade again`;
  const count = `trading ${counted(marketCount, 'market')}`;
  if (live.file.mode === 'paper')
    return `${count} on paper: no order is sent and no database is kept${onPort}${mode}\n`;
  return `${count} as ${account}, database ${paths.db}${onPort}${mode}\n`;
}

function logProblemText(file: LogFile | undefined, err: TextOutput): string | undefined {
  if (file !== undefined && file.problem === undefined) return undefined;
  const terminalProblem = err.problem === undefined ? undefined : `standard error cannot be written (${err.problem})`;
  const problems = [file?.problem, terminalProblem].filter((problem) => problem !== undefined);
  return problems.length === 0 ? undefined : problems.join('; ');
}
