import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread journal`. */
export function journalCommand(session: Session): Command {
  return new Command('journal')
    .summary('check the journal of a venue, or the database of a venue or a bot')
    .description('Looks after the journal of an exchange.')
    .addCommand(check(session));
}

function check(session: Session): Command {
  return new Command('check')
    .description(
      'Reads a whole journal, or the database of a venue or a bot, and changes nothing: every checksum of records and snapshots, and a replay to the hash of the state; of a bot’s database its structure and each checksum; of a venue’s database its structure, the checksum of each row, and each column of each row against rows that the replay makes anew, sums of money and transparency records, too. Damage is told with its place; a torn end is none.',
    )
    .argument('<path>', 'folder of the journal, or database file, at which no process is at work; or a copy')
    .option('--no-replay', 'structure and checksums only')
    .option(
      '--set <key=value>',
      'a member of the configuration with which the exchange began; may come several times (a database knows it)',
      several,
    )
    .option('--quote-policy <name>', 'the quote policy with which the exchange began', 'additive')
    .option('--json', 'print the findings as one JSON object and nothing else')
    .addHelpText(
      'after',
      examples(
        'npx halfspread journal check data/journal',
        'npx halfspread journal check venue.db',
        'npx halfspread journal check bot.db',
      ),
    )
    .action(async (folder: string, options: unknown) => {
      const { journalCheck } = await import('../actions/journal-check.ts');
      await journalCheck(session, folder, options);
    });
}
