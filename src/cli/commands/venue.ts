import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread venue`. */
export function venueCommand(session: Session): Command {
  return new Command('venue')
    .summary("send an operator's command to a venue")
    .description(
      "Sends an operator's command to a venue that runs, and prints the answer as JSON. `commands` lists them; docs/server.md has each with its arguments. The token is read from the environment (HALFSPREAD_OPERATOR_TOKEN) or a file.",
    )
    .argument('<command>', 'such as create-market, halt, resolve, credit, status')
    .argument('[arguments...]', 'key=value each; a value that is JSON is taken as such, any other as text')
    .option('--url <url>', 'base URL of the venue', 'http://127.0.0.1:4000')
    .option('--token-file <file>', "file with the operators' token")
    .addHelpText(
      'after',
      examples(
        'npx halfspread venue status',
        'npx halfspread venue put-category slug=sports name=Sports',
        'npx halfspread venue create-market category=sports question="Will it rain?" rules="As measured." resolution_date=2030-01-01T00:00:00Z',
        'npx halfspread venue halt market=will-it-rain',
      ),
    )
    .action(async (command: string, args: readonly string[], options: unknown) => {
      const { venue } = await import('../actions/venue.ts');
      await venue(session, { command, args }, options);
    });
}
