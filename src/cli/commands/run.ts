import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread run`. */
export function runCommand(session: Session): Command {
  return new Command('run')
    .summary('trade: strategies on the markets of a venue')
    .description(
      'Trades on a venue until SIGINT or SIGTERM, then cancels its orders, asks the venue whether any is left, and prints a summary. A second signal does not wait for the venue. SIGUSR2 kills: everything is cancelled and nothing sent until `halfspread resume`.',
    )
    .argument('<config>', 'YAML file of a bot; docs/live.md describes it')
    .option('--db <file>', "the bot's database, instead of the one of the file")
    .option('--adopt', "take the venue's word where cash or positions differ from the database and nothing explains it")
    .option(
      '--accept-loss',
      'go on where files of the bot lack something that was acknowledged: orders of that time are cancelled',
    )
    .option('--json', 'print the summary as one JSON object and nothing else')
    .option('--set <key=value>', 'another value for one key of the file; may come several times', several)
    .addHelpText(
      'after',
      examples('npx halfspread run config/live.yaml', 'npx halfspread run config/live.yaml --set log.level=debug'),
    )
    .action(async (config: string, options: unknown) => {
      const { runLive } = await import('../actions/run.ts');
      await runLive(session, config, options);
    });
}
