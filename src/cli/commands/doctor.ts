import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread doctor`. */
export function doctorCommand(session: Session): Command {
  return new Command('doctor')
    .summary('look whether a bot could trade: venue, schema, account, signing, clock, disk')
    .description(
      'Looks at everything that can be known before a bot runs: the machine, the venue and its schema, clocks, country, limits, the account, and whether what the venue offers to sign is what was meant. Each line says ok, warn or fail, with a remedy. Places no order. Ends with 2 when anything fails.',
    )
    .argument('<config>', 'YAML file of a bot; docs/live.md describes it')
    .option('--venue-db <file>', 'database of a venue on this machine, whose permissions are looked at, too')
    .option('--json', 'print the findings as one JSON object and nothing else')
    .option('--set <key=value>', 'another value for one key of the file; may come several times', several)
    .addHelpText('after', examples('npx halfspread doctor config/live.yaml'))
    .action(async (config: string, options: unknown) => {
      const { doctor } = await import('../actions/doctor.ts');
      await doctor(session, config, options);
    });
}
