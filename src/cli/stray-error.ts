import { thrownText } from '../runtime/index.ts';
import { EXIT } from './exit-code.ts';
import { type ShownFault, showFault } from './show-fault.ts';

/** Where halfspread's own code lies. */
const OWN = new URL('../', import.meta.url).href;

/**
 * What is told of an error that nobody caught: a timer or a promise of a strategy, as commands catch their own. A stack that
 * leads through halfspread alone is an internal error; one that leads through no file blames nobody.
 * @param debug adds the stack where it would be left out
 */
export function strayError(error: unknown, debug: boolean): ShownFault {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const files = stack.match(/file:\/\/[^\s)]+/g) ?? [];
  if (files.length > 0 && files.every((file) => file.startsWith(OWN))) return showFault(error, debug);
  const isNowhere = error instanceof Error && files.length === 0;
  const whence = isNowhere
    ? 'Nothing says where it came from: a timer or a promise that a strategy left behind, this machine, or halfspread itself. '
    : 'It came of a timer or a promise that the strategy left behind; ';
  const advice =
    'a strategy works in its handlers only: use timers of the strategy instead of setTimeout, and no promises';
  return {
    exitCode: isNowhere ? EXIT.internal : EXIT.strategy,
    text:
      `error: an error that nobody caught ended the run: ${thrownText(error)}${placeOf(files)}. ` +
      `${whence}${isNowhere ? 'Please report it with the lines below' : advice}\n` +
      ((debug || isNowhere) && stack !== '' ? `${stack}\n` : ''),
  };
}

/** The first place in a file that is not halfspread's own. */
function placeOf(files: readonly string[]): string {
  const place = files.find((file) => !file.startsWith(OWN));
  return place === undefined ? '' : ` (${place})`;
}
