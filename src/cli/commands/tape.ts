import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread tape`. */
export function tapeCommand(session: Session): Command {
  return new Command('tape')
    .summary('look at tapes, check them, make synthetic ones')
    .description('Looks at, checks and makes tapes.')
    .addCommand(info(session))
    .addCommand(check(session))
    .addCommand(generate(session));
}

function info(session: Session): Command {
  return new Command('info')
    .description('Prints what a tape says about itself: source, licence, markets, rows, time, content hash.')
    .argument('<tape>', 'tape file')
    .option('--json', 'print the manifest as one JSON object and nothing else')
    .addHelpText('after', examples('npx halfspread tape info config/tapes/betfair-1.200806927.tape'))
    .action(async (file: string, options: unknown) => {
      const { tapeInfo } = await import('../actions/tape-info.ts');
      tapeInfo(session, file, options);
    });
}

function check(session: Session): Command {
  return new Command('check')
    .description('Reads a whole tape: checksums, content hash, order of time, crossed states, gaps.')
    .argument('<tape>', 'tape file')
    .option('--from <time>', 'only what happened from here on counts, ISO 8601 with Z')
    .option('--json', 'print the findings as one JSON object and nothing else')
    .addHelpText('after', examples('npx halfspread tape check config/tapes/betfair-1.200806927.tape'))
    .action(async (file: string, options: unknown) => {
      const { tapeCheck } = await import('../actions/tape-check.ts');
      tapeCheck(session, file, options);
    });
}

function generate(session: Session): Command {
  return new Command('generate')
    .description('Makes a synthetic tape from a recipe; the same recipe and seed give the same tape, byte for byte.')
    .argument('<recipe>', 'YAML file; docs/configuration.md describes it')
    .requiredOption('--out <file>', 'the tape to write')
    .option('--set <key=value>', 'another value for one key of the recipe; may come several times', several)
    .addHelpText('after', examples('npx halfspread tape generate config/synthetic.yaml --out tapes/synthetic.tape'))
    .action(async (recipe: string, options: unknown) => {
      const { tapeGenerate } = await import('../actions/tape-generate.ts');
      tapeGenerate(session, recipe, options);
    });
}
