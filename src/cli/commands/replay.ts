import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread replay`. */
export function replayCommand(session: Session): Command {
  return new Command('replay')
    .summary('do a recorded live session again and compare every decision')
    .description(
      'Takes in what a live or paper run recorded (`record` in its file), in the same order, with the strategies as they are now, and compares every step to the byte. The first one that differs is shown, and the exit code is 1.',
    )
    .argument('<steps>', 'the .steps file of a recording; its tape is beside it')
    .option('--json', 'print the findings as one JSON object and nothing else')
    .addHelpText('after', examples('npx halfspread replay recordings/2026-11-22T05-00-00.000Z.steps'))
    .action(async (path: string, options: unknown) => {
      const { replay } = await import('../actions/replay.ts');
      await replay(session, path, options);
    });
}
