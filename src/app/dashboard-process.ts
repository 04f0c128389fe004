/** Entry of a dashboard that runs beside a bot: it is told what to watch, says its address, and ends when the bot's process does. */
import process from 'node:process';
import { thrownText } from '../domain/index.ts';
import { openDashboard } from './dashboard.ts';
import { type DashboardStart, type DashboardStarted, startSchema } from './dashboard-messages.ts';

process.on('message', (message) => void start(startSchema.parse(message)));
process.on('disconnect', () => process.exit(0));
// Ctrl+C reaches the whole group of a terminal: the bot ends first, and takes this process with it.
process.on('SIGINT', () => {});

async function start(given: DashboardStart): Promise<void> {
  const settings = { ...given, host: '127.0.0.1', isBehindProxy: false, names: [] };
  try {
    const { url } = await openDashboard(settings);
    say({ url });
  } catch (error) {
    say({ problem: thrownText(error) });
  }
}

/** The bot's process may have ended meanwhile: then nobody waits for it, and this process ends by itself. */
function say(message: DashboardStarted): void {
  process.send?.(message, undefined, undefined, () => {});
}
