import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread demo`. */
export function demoCommand(session: Session): Command {
  return new Command('demo')
    .summary('the real thing on this machine: a venue, a recorded match, a bot')
    .description(
      'Runs a venue on this machine that plays a recorded tennis match as the outside world, 60 times faster, and a bot with a ladder of quotes in it, over loopback with signed orders and play money. Ends after --duration, with the match, or with Ctrl-C: orders are cancelled, both books are compared, and a report says what came of it. Durations are of the wall clock.',
    )
    .option(
      '--duration <time>',
      'how long to trade, wall clock: 30s, 5m. Default: until the match ends; 60s without a terminal, or with --json',
    )
    .option('--from <time>', 'where on the recording it begins', '2022-07-11T12:00:00Z')
    .option('--credit-cents <n>', 'play money of the account, cents', '100000')
    .option('--keep <folder>', 'keep databases and logs in this folder, instead of one that is removed')
    .option('--report <file>', 'where the HTML report goes', 'reports/demo.html')
    .option('--json', 'print the outcome as one JSON object and nothing else')
    .addHelpText('after', examples('npx halfspread demo', 'npx halfspread demo --duration 30s --json'))
    .action(async (options: unknown) => {
      const { demo } = await import('../actions/demo.ts');
      await demo(session, options);
    });
}
