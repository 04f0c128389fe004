import { fork } from 'node:child_process';
import { z } from 'zod';
import { errorMessage } from '../domain/index.ts';
import { entryUrl } from '../package-files.ts';

/** The message that starts the dashboard's process. `reports` and `studies` are folders, `audit` is a file. */
export const startSchema = z.object({
  bots: z.array(z.object({ id: z.string(), socket: z.string() })),
  reports: z.string(),
  studies: z.string(),
  audit: z.string(),
  port: z.int(),
});
export type DashboardStart = z.output<typeof startSchema>;

/** The answer of the process: its URL with a login token, or the problem. */
const startedSchema = z.union([z.object({ url: z.string() }), z.object({ problem: z.string() })]);
export type DashboardStarted = z.output<typeof startedSchema>;

export interface RunningDashboard {
  readonly started: Promise<DashboardStarted>;
  close(): void;
}

/** Never throws, because a bot also runs without a dashboard: `started` names the problem. */
export function startDashboard(start: DashboardStart): RunningDashboard {
  try {
    return startProcess(start);
  } catch (error) {
    return { started: Promise.resolve({ problem: errorMessage(error) }), close: () => {} };
  }
}

function startProcess(start: DashboardStart): RunningDashboard {
  const child = fork(entryUrl('dashboard-process', import.meta.url), [], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const started = Promise.withResolvers<DashboardStarted>();
  child.once('message', (message) => started.resolve(startedSchema.parse(message)));
  child.on('error', (error) => started.resolve({ problem: errorMessage(error) }));
  child.once('exit', (code, signal) => started.resolve({ problem: `it ended (${signal ?? `code ${code}`})` }));
  // Without free file descriptors, the process has no channel and emits an error.
  if (child.connected) child.send(start);
  return {
    started: started.promise,
    close(): void {
      if (child.connected) child.disconnect();
    },
  };
}
