/** Entry of a bot's dashboard process. The start message lists the bots. The reply has the dashboard's address. */
import { setPriority } from 'node:os';
import process from 'node:process';
import { thrownText } from '../domain/index.ts';
import { openDashboard } from './dashboard.ts';
import { type DashboardStart, type DashboardStarted, startSchema } from './start-dashboard.ts';

/** Gives the bot's process priority on a busy machine. */
setPriority(5);
process.on('message', (message) => void start(startSchema.parse(message)));
process.on('disconnect', () => process.exit(0));
// Ctrl+C reaches every process of a terminal, but this process must run until the bot's process ends.
process.on('SIGINT', () => {});

async function start(message: DashboardStart): Promise<void> {
  const bots = message.bots.map(({ id, socket }) => ({ id, address: socket }));
  const settings = { ...message, bots, host: '127.0.0.1', isBehindProxy: false, hostNames: [] };
  try {
    const { url } = await openDashboard(settings);
    reply({ url });
  } catch (error) {
    reply({ problem: thrownText(error) });
  }
}

/** Ignores a failure to send, because this process ends with the bot's process. */
function reply(message: DashboardStarted): void {
  process.send?.(message, undefined, undefined, () => {});
}
