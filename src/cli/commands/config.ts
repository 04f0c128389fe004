import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread config`. */
export function configCommand(session: Session): Command {
  return new Command('config')
    .summary('check configuration files, print their schemas')
    .description('Checks and describes configuration files.')
    .addCommand(check(session))
    .addCommand(schema(session));
}

function check(session: Session): Command {
  return new Command('check')
    .description(
      'Checks a configuration without running it: the YAML, each key and value, the strategy and its parameters, the tapes.',
    )
    .argument('<file>', 'YAML file of a bot, a backtest, a venue or its faults, or a recipe of a synthetic tape')
    .option('--set <key=value>', 'another value for one key of the file; may come several times', several)
    .addHelpText('after', examples('npx halfspread config check config/demo.yaml'))
    .action(async (file: string, options: unknown) => {
      const { configCheck } = await import('../actions/config-check.ts');
      await configCheck(session, file, options);
    });
}

function schema(session: Session): Command {
  return new Command('schema')
    .description('Prints the JSON schema of a kind of configuration, for editors that complete and check YAML.')
    .argument('[kind]', 'backtest, live, synthetic, venue or chaos', 'backtest')
    .option('--strategy <name>', 'with the parameters of this strategy')
    .addHelpText('after', examples('npx halfspread config schema backtest --strategy ladder > backtest.schema.json'))
    .action(async (kind: string, options: unknown) => {
      const { configSchema } = await import('../actions/config-schema.ts');
      await configSchema(session, kind, options);
    });
}
