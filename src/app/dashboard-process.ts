/** Entry of a dashboard beside a bot. A message names the bots; the answer is its address. It ends when the bot's process does. */
import { setPriority } from 'node:os';
import process from 'node:process';
import { thrownText } from '../domain/index.ts';
import { type DashboardStart, type DashboardStarted, startSchema } from './beside-dashboard.ts';
import { openDashboard } from './dashboard.ts';

/** Niceness: on a busy machine the bot goes first. */
const AFTER_THE_BOT = 5;

setPriority(AFTER_THE_BOT);
process.on('message', (message) => void start(startSchema.parse(message)));
process.on('disconnect', () => process.exit(0));
// Ctrl+C reaches the whole group of a terminal: the bot ends first, and takes this process with it.
process.on('SIGINT', () => {});

async function start(given: DashboardStart): Promise<void> {
  const bots = given.bots.map(({ id, socket }) => ({ id, address: socket }));
  const settings = { ...given, bots, host: '127.0.0.1', isBehindProxy: false, names: [] };
  try {
    const { url } = await openDashboard(settings);
    say({ url });
  } catch (error) {
    say({ problem: thrownText(error) });
  }
}

/** A message that cannot be sent changes nothing: the bot's process has ended, and this one ends with it. */
function say(message: DashboardStarted): void {
  process.send?.(message, undefined, undefined, () => {});
}
