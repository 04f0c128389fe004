import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread new`. */
export function newCommand(session: Session): Command {
  const strategy = new Command('strategy')
    .description(
      'Makes strategies/<name> with a strategy that runs, its README and a test that passes. Replaces nothing that is there.',
    )
    .argument('<name>', 'kebab-case, for instance my-maker')
    .option('--dir <dir>', 'folder of the strategies', 'strategies')
    .addHelpText('after', examples('npx halfspread new strategy my-maker', 'npx vitest run strategies/my-maker'))
    .action(async (name: string, options: unknown) => {
      const { newStrategy } = await import('../actions/new-strategy.ts');
      newStrategy(session, name, options);
    });
  return new Command('new')
    .summary('make a strategy to start from')
    .description('Makes files to start from.')
    .addCommand(strategy);
}
