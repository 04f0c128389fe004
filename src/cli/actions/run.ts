import { dirname } from 'node:path';
import process from 'node:process';
import { z } from 'zod';
import { Fault, timeAfter } from '../../domain/index.ts';
import {
  botMetrics,
  ControlServer,
  createLog,
  type Log,
  Redactor,
  runSummary,
  serveMetrics,
  summaryText,
} from '../../ops/index.ts';
import { thrownText } from '../../runtime/index.ts';
import { cancelledSoon } from '../cancelled-soon.ts';
import { compileEarly } from '../compile-early.ts';
import { type LiveConfiguration, readLiveFile } from '../live-file.ts';
import { LiveLine } from '../live-line.ts';
import { type LivePaths, livePaths } from '../live-paths.ts';
import { type LiveSignals, listenForSignals } from '../live-signals.ts';
import { strategyPlans } from '../live-strategies.ts';
import { LogFile } from '../log-file.ts';
import type { OpenedLive } from '../opened-live.ts';
import { withPathHint } from '../path-hint.ts';
import type { Session } from '../session.ts';
import { strategyFolders } from '../strategy-folders.ts';
import { openLive } from '../wire-live.ts';

const optionsSchema = z.object({
  db: z.string().min(1).optional(),
  adopt: z.boolean().default(false),
  acceptLoss: z.boolean().default(false),
  json: z.boolean().default(false),
  set: z.array(z.string()).default([]),
});
type Options = z.output<typeof optionsSchema>;

const SHOW_MS = 500;

/** Trades until a signal or a fault ends it. */
export async function runLive({ terminal }: Session, config: string, given: unknown): Promise<void> {
  compileEarly();
  const options = optionsSchema.parse(given);
  const live = readLiveFile(config, terminal.cwd, options.set);
  const { configuration, file } = live;
  const paths = livePaths(configuration, file, terminal.cwd, options.db);
  const redactor = new Redactor();
  const line = new LiveLine(terminal.err);
  const spare = (text: string): void => line.write(text);
  const logFile = paths.log === undefined ? undefined : new LogFile(paths.log, spare);
  const write = logFile === undefined ? spare : (text: string) => logFile.write(text);
  const log = createLog({ level: file.log.level, redactor, write });
  const open = file.mode === 'paper' ? (await import('../wire-paper.ts')).openPaper : openLive;
  let opened: OpenedLive | undefined;
  let isKilledEarly = false;
  const signals = listenForSignals(() => {
    if (opened === undefined) isKilledEarly = true;
    else opened.bot.pull('SIGNAL', 'SIGUSR2');
  });
  try {
    const folders = { folders: strategyFolders(terminal.cwd), baseDir: dirname(configuration.path) };
    const plans = await blamed(live, terminal.cwd, () => strategyPlans(file, folders));
    opened = await blamed(live, terminal.cwd, () => open({ live, paths, plans, ...options, log, redactor, signals }));
    if (isKilledEarly) opened.bot.pull('SIGNAL', 'SIGUSR2');
    await traded(opened, { live, paths, options, log, line, signals, write: terminal.out.write });
  } catch (error) {
    throw redactor.error(error);
  } finally {
    await opened?.close();
    await logFile?.close();
    line.end();
    signals.release();
  }
}

interface Trading {
  readonly live: LiveConfiguration;
  readonly paths: LivePaths;
  readonly options: Options;
  readonly log: Log;
  readonly line: LiveLine;
  readonly signals: LiveSignals;
  readonly write: (text: string) => void;
}

/** From the first word to the venue until its last. @throws what ended it, where that was no signal */
async function traded(opened: OpenedLive, trading: Trading): Promise<void> {
  const { bot, tally, account } = opened;
  const { live, paths, options, log, line, signals, write } = trading;
  const control = await ControlServer.listen({ path: paths.socket, bot, log, umask: (mask) => process.umask(mask) });
  const { metrics } = live.file;
  const registry = botMetrics({ status: () => bot.status(), tally, memory: () => process.memoryUsage().rss });
  const server = metrics === undefined ? undefined : await serveMetrics(registry, metrics.port, metrics.host);
  let fault: Error | undefined;
  try {
    const begun = opened.start().then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error : new Error(thrownText(error))),
    );
    const first = await Promise.race([begun, bot.failed, signals.asked]);
    if (first instanceof Error) fault = first;
    else if (first === undefined) {
      line.write(started(opened, paths, server?.port));
      log.info({ account, markets: opened.markets, db: paths.db }, 'trading');
      const shown = showing(opened, line);
      const cause = await Promise.race([bot.failed, signals.asked]);
      shown();
      if (cause instanceof Error) fault = cause;
      else log.info({ signal: cause }, 'stopping: everything is being cancelled');
    }
  } finally {
    await control.close();
  }
  if (fault !== undefined) log.error({ problem: fault.message }, 'the run cannot go on: everything is being cancelled');
  const hurried = signals.hurried.then(() => cancelledSoon(opened));
  const { open } = await bot.stop(fault, hurried);
  const summary = runSummary(bot.status(), tally, open, bot.hasBegun);
  await server?.close();
  line.end();
  const shown = options.json ? `${JSON.stringify(summary)}\n` : summaryText(summary);
  if (fault !== undefined) {
    const left = open === 0 ? 'no order is open at the venue' : `${open ?? 'an unknown number of'} orders are open`;
    opened.alert('fault', `halfspread ended: ${fault.message} (${left})`, { open: open ?? -1 });
    log.info({ ...summary }, 'ended by a fault');
    if (bot.hasBegun) write(shown);
    throw fault;
  }
  // On a terminal the same stands below, for people.
  const isBelow = paths.log === undefined && line.isShown && !options.json;
  log.info(isBelow ? {} : { ...summary }, 'ended');
  write(shown);
  if (open !== 0) throw unverified(open);
}

/** The end of a run whose venue did not say that nothing is left. */
function unverified(open: number | null): Fault {
  const what = open === null ? 'the venue did not say whether orders are open' : `${open} orders are open at the venue`;
  return new Fault(
    'NOT_VERIFIED',
    `stopped, but ${what}. Look at once: \`halfspread orders --venue <config>\`, and cancel: \`halfspread cancel-all --venue <config>\`; its dead-man's switch and the watchdog cancel them where they are on`,
  );
}

function started({ account, markets, killed }: OpenedLive, paths: LivePaths, metricsPort: number | undefined): string {
  const where = metricsPort === undefined ? '' : `, metrics on port ${metricsPort}`;
  const mode = killed === undefined ? '' : `, KILLED (${killed}): \`halfspread resume\` lets it trade again`;
  return `trading ${markets} ${markets === 1 ? 'market' : 'markets'} as ${account}, database ${paths.db}${where}${mode}\n`;
}

/** @returns what ends it */
function showing({ bot, clock }: OpenedLive, line: LiveLine): () => void {
  let cancel = (): void => {};
  const arm = (): void => {
    cancel = clock.schedule(timeAfter(clock.now(), SHOW_MS), () => {
      line.show(bot.status());
      arm();
    });
  };
  arm();
  return () => cancel();
}

/** Faults of the configuration's fields are shown with their lines. */
async function blamed<T>({ configuration }: LiveConfiguration, cwd: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (fault) {
    throw withPathHint(configuration.blame(fault), configuration.path, cwd);
  }
}
