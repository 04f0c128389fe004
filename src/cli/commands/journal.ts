import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread journal`. */
export function journalCommand(session: Session): Command {
  return new Command('journal')
    .summary('check the database of a venue or a bot')
    .description('Looks after the databases of venues and bots.')
    .addCommand(check(session));
}

function check(session: Session): Command {
  return new Command('check')
    .description(
      'Reads the whole database of a venue or a bot and changes nothing. Of a bot’s database it checks the structure and each checksum. Of a venue’s it also replays the records to the hash of the state, and compares each column of each row, sums of money and transparency records with the replay. Shows damage with its place.',
    )
    .argument('<file>', 'database file that no process is using, or a copy')
    .option('--no-replay', 'structure and checksums only')
    .option('--json', 'print the findings as one JSON object and nothing else')
    .addHelpText('after', examples('npx halfspread journal check venue.db', 'npx halfspread journal check bot.db'))
    .action(async (file: string, options: unknown) => {
      const { databaseCheck } = await import('../actions/database-check.ts');
      databaseCheck(session, file, options);
    });
}
