/** Entry of the dashboard process of a bot. The start message lists the bots; the answer is the address. */
import { setPriority } from 'node:os';
import process from 'node:process';
import { thrownText } from '../domain/index.ts';
import { openDashboard } from './dashboard.ts';
import { type DashboardStart, type DashboardStarted, startSchema } from './start-dashboard.ts';

/** The bot has priority on a busy machine. */
const NICENESS = 5;

setPriority(NICENESS);
process.on('message', (message) => void start(startSchema.parse(message)));
process.on('disconnect', () => process.exit(0));
// Ctrl+C reaches every process of a terminal. The dashboard's process ends with the bot.
process.on('SIGINT', () => {});

async function start(message: DashboardStart): Promise<void> {
  const bots = message.bots.map(({ id, socket }) => ({ id, address: socket }));
  const settings = { ...message, bots, host: '127.0.0.1', isBehindProxy: false, names: [] };
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
