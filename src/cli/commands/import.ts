import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread import`. */
export function importCommand(session: Session): Command {
  const betfair = new Command('betfair')
    .summary('recordings of the Betfair Exchange Stream')
    .description(
      'Turns recordings of the Betfair Exchange Stream (one JSON message a line, plain or gzip) into tapes and prints what was found, dropped and why. A two-runner market with one winner becomes one YES book.',
    )
    .argument('<files...>', 'recordings')
    .option('--catalogue <file>', 'runner names, a JSON file')
    .option('--description <text>', 'who recorded it, for the tape')
    .option('--licence <text>', 'licence of the recording, for the tape')
    .option('--separate', 'a tape for each runner, also where two runners make one book')
    .option('--out <dir>', 'folder of the tapes', 'tapes')
    .option('--json', 'print the quality reports as one JSON object and nothing else')
    .addHelpText('after', examples('npx halfspread import betfair test/fixtures/betfair/1.200806927.gz --out tapes'))
    .action(async (files: readonly string[], options: unknown) => {
      const { importRecordings } = await import('../actions/import.ts');
      await importRecordings(session, files, options);
    });
  return new Command('import')
    .summary('turn recordings of other venues into tapes')
    .description('Turns recordings of other venues into tapes.')
    .addCommand(betfair);
}
