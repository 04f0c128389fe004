/** `halfspread worker`: computes backtests of studies that other machines run. */
import { availableParallelism } from 'node:os';
import { resolve } from 'node:path';
import { z } from 'zod';
import { createWorker, workerMetrics } from '../../app/trial-worker.ts';
import { serveMetrics } from '../../ops/index.ts';
import { version } from '../../package-files.ts';
import { listenForInterrupt } from '../interrupt.ts';
import type { Session } from '../output/terminal.ts';
import { strategyFolders } from '../paths.ts';
import { REMOTE_TAPES, remoteTapes } from '../remote-tapes.ts';

const THREADS = 'expected a whole number from 1 to 256';
const DRAIN = 'expected a number of seconds from 0 to 86400';
const PORT = 'expected a port from 1 to 65535';

const optionsSchema = z.object({
  tapes: z.array(z.string().min(1)).default([]),
  folder: z.string().min(1).default('.'),
  threads: z.coerce.number(THREADS).int(THREADS).min(1, THREADS).max(256, THREADS).optional(),
  drain: z.coerce.number(DRAIN).min(0, DRAIN).max(86_400, DRAIN).default(600),
  ...REMOTE_TAPES,
  metricsPort: z.coerce.number(PORT).int(PORT).min(1, PORT).max(65_535, PORT).optional(),
  metricsHost: z.string().min(1).default('127.0.0.1'),
});

/** Works until a signal. The first signal ends it after the running backtests, the second ends it at once. */
export async function worker({ terminal, end }: Session, url: string, given: unknown): Promise<void> {
  const options = optionsSchema.parse(given);
  const { threads = availableParallelism() } = options;
  const folder = resolve(terminal.cwd, options.folder);
  const log = (text: string): void => void terminal.err.write(`${text}\n`);
  const running = createWorker({
    url,
    tapes: options.tapes.length === 0 ? ['.'] : options.tapes,
    baseDir: folder,
    strategyFolders: strategyFolders(folder),
    version: version(),
    threads,
    remoteTapes: remoteTapes(options),
    log,
  });
  const interruption = listenForInterrupt();
  const metrics =
    options.metricsPort === undefined
      ? undefined
      : await serveMetrics(workerMetrics(running), options.metricsPort, options.metricsHost);
  try {
    await running.start();
    const { name, queue } = running.present;
    terminal.out.write(
      `worker ${name} takes backtests from ${queue} on ${threads} ${threads === 1 ? 'thread' : 'threads'}\n`,
    );
    await interruption.requested;
    log(`ending: backtests that run have ${options.drain} s to end`);
    await running.drain(options.drain * 1_000);
    const { backtests, seconds } = running.present;
    terminal.out.write(
      `ended after ${backtests} ${backtests === 1 ? 'backtest' : 'backtests'}, ${seconds.toFixed(1)} s of computing time\n`,
    );
    end(0);
  } finally {
    await metrics?.close();
    interruption.release();
  }
}
