import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread record`. */
export function recordCommand(session: Session): Command {
  return new Command('record')
    .summary('write the market data of a venue to a tape')
    .description(
      "Writes books, trades and states of a venue's markets to a tape for backtests, until SIGINT or SIGTERM. It needs no account and sends no order; of the file it takes `venue`, `markets` and `log`.",
    )
    .argument('<config>', 'YAML file of a bot; docs/live.md describes it')
    .option('--out <file>', 'the tape; default: a file under recordings/ with the time in its name')
    .option('--seconds <n>', 'how long; default: until it is ended')
    .option('--raw', 'keep frames of sockets as they come, too: a file with .frames for .tape')
    .option('--json', 'print the findings as one JSON object and nothing else')
    .option('--set <key=value>', 'another value for one key of the file; may come several times', several)
    .addHelpText('after', examples('npx halfspread record config/paper.yaml --seconds 60 --out rain.tape'))
    .action(async (config: string, options: unknown) => {
      const { record } = await import('../actions/record.ts');
      await record(session, config, options);
    });
}
