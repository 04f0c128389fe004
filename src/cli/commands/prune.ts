import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread prune`. */
export function pruneCommand(session: Session): Command {
  return new Command('prune')
    .summary('remove old orders, fills and steps from the database of a bot')
    .description(
      'Removes from the database of a bot that does not run what ended before a moment: orders with their fills, and steps that a snapshot has in it. Sums of fills by day, positions, profit and loss stay as they are. A bot that runs does it by itself with `store.keep_days`.',
    )
    .argument('[config]', "the bot's YAML file")
    .requiredOption('--before <time>', 'a day (UTC) or a time; what ended later stays')
    .option('--db <file>', "the bot's database, in place of the configuration's")
    .option('--shrink', 'also give what became free back to the disk; needs as much room again meanwhile')
    .option('--json', 'print one JSON object and nothing else')
    .addHelpText(
      'after',
      examples(
        'npx halfspread prune config/live.yaml --before 2026-10-01',
        'npx halfspread prune --db live.db --before 2026-10-01T12:00:00Z --shrink',
      ),
    )
    .action(async (config: string | undefined, options: unknown) => {
      const { prune } = await import('../actions/prune.ts');
      await prune(session, config, options);
    });
}
