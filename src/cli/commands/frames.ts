import { Command } from 'commander';
import { examples, type Session } from '../session.ts';

/** `halfspread frames`. */
export function framesCommand(session: Session): Command {
  return new Command('frames')
    .summary('list the frames of a recording as they came')
    .description(
      'Prints what came over the sockets of a venue while a bot with `record: { raw: true }` ran: the time it came in, the number of the socket, the bytes. Socket 0 is a note of frames that were left out because the disk was too slow.',
    )
    .argument('<frames>', 'the .frames file of a recording')
    .option('--grep <text>', 'only frames with this text in them')
    .option('--limit <n>', 'at most so many; default: all')
    .option('--json', 'print a JSON object a line')
    .addHelpText(
      'after',
      examples('npx halfspread frames recordings/2026-11-22T05-00-00.000Z.frames --grep orderBookUpdated --limit 20'),
    )
    .action(async (path: string, options: unknown) => {
      const { frames } = await import('../actions/frames.ts');
      frames(session, path, options);
    });
}
