import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread markets`. */
export function marketsCommand(session: Session): Command {
  return new Command('markets')
    .summary('list the markets of a venue that runs')
    .description(
      "Lists a venue's markets, those with the most volume first: slug, status, best bid and ask of YES (bps), volume, end of trading, question. Asks what is public: no key and no token is needed.",
    )
    .option('--url <url>', 'base URL of the venue', 'http://127.0.0.1:4000')
    .option('--status <status>', 'open, pending_resolution, resolved … or any', 'open')
    .option('--search <text>', 'only where the question has this in it, in any case')
    .option('--limit <n>', 'so many at most', '50')
    .option('--json', 'print one JSON object a market, with its id, and nothing else')
    .addHelpText(
      'after',
      examples(
        'npx halfspread markets',
        'npx halfspread markets --search rain --status any',
        'npx halfspread markets --url http://127.0.0.1:4000 --limit 1000 --json',
      ),
    )
    .action(async (options: unknown) => {
      const { markets } = await import('../actions/markets.ts');
      await markets(session, options);
    });
}
