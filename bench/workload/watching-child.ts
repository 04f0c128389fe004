/** Three clients of a bot's control socket that watch the bot and one of its markets each, in a process of their own. */
import { setPriority } from 'node:os';
import process from 'node:process';
import { watchBot } from '../../src/ops/index.ts';

const [path = '', ...markets] = process.argv.slice(2);
// As a dashboard beside a bot.
setPriority(5);
let reports = 0;
const watch = {
  report: () => {
    reports += 1;
  },
  ended: (fault: Error) => process.send?.({ problem: fault.message }),
};
for (const market of markets) {
  await watchBot(path, { command: 'watch' }, watch);
  await watchBot(path, { command: 'watch-market', args: { market } }, watch);
}
process.on('message', () => process.send?.({ reports }));
process.on('disconnect', () => process.exit());
process.send?.({ reports });
