/** Starts a dashboard in a process of its own, beside a bot. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { type DashboardStart, type DashboardStarted, startedSchema } from './dashboard-messages.ts';

const ENTRY = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './dashboard-process.ts' : './dashboard-process.js', import.meta.url),
);

export interface BesideDashboard {
  /** Its address with the token that signs in; or why there is none. */
  readonly started: Promise<DashboardStarted>;
  close(): void;
}

/** Never rejects: a bot runs without a dashboard, too. */
export function startDashboard(start: DashboardStart): BesideDashboard {
  const child = fork(ENTRY, [], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  const started = Promise.withResolvers<DashboardStarted>();
  child.once('message', (message) => started.resolve(startedSchema.parse(message)));
  child.on('error', (error) => started.resolve({ problem: error.message }));
  child.once('exit', (code, signal) => started.resolve({ problem: `it ended (${signal ?? `code ${code}`})` }));
  child.send(start);
  return {
    started: started.promise,
    close: () => {
      if (child.connected) child.disconnect();
    },
  };
}
