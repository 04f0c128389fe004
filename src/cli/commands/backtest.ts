import { Command } from 'commander';
import { examples, type Session, several } from '../session.ts';

/** `halfspread backtest`. */
export function backtestCommand(session: Session): Command {
  return new Command('backtest')
    .summary('replay a strategy on recorded markets and report')
    .description(
      'Replays a strategy on recorded markets against the simulated venue, prints a summary and writes one HTML report.',
    )
    .argument('<config>', 'YAML file; docs/configuration.md describes it')
    .option('--json', 'print the result as one JSON object and nothing else')
    .option('--out <dir>', 'folder of the report, instead of report_dir of the file')
    .option('--no-report', 'write no report')
    .option('--quiet', 'print neither progress nor summary')
    .option('--seed <n>', 'seed, instead of the one of the file')
    .option('--set <key=value>', 'another value for one key of the file; may come several times', several)
    .addHelpText(
      'after',
      examples(
        'npx halfspread backtest config/demo.yaml',
        'npx halfspread backtest config/demo.yaml --set params.order_levels=3 --set queue.model=power',
        'npx halfspread backtest config/demo.yaml --json --no-report',
      ),
    )
    .action(async (config: string, options: unknown) => {
      const { backtest } = await import('../actions/backtest.ts');
      await backtest(session, config, options);
    });
}
