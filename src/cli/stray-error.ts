import { thrownText } from '../runtime/index.ts';
import { EXIT } from './exit-code.ts';
import { type ShownFault, showFault } from './show-fault.ts';

/** Where halfspread's own code lies. */
const OWN = new URL('../', import.meta.url).href;

/**
 * What is told of an error that nobody caught: a timer or a promise of a strategy, as commands catch their own. Only a
 * stack that leads through halfspread alone is an internal error.
 * @param debug adds the stack
 */
export function strayError(error: unknown, debug: boolean): ShownFault {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  const files = stack.match(/file:\/\/[^\s)]+/g) ?? [];
  if (files.length > 0 && files.every((file) => file.startsWith(OWN))) return showFault(error, debug);
  return {
    exitCode: EXIT.strategy,
    text:
      `error: an error that nobody caught ended the run: ${thrownText(error)}${placeOf(files)}. ` +
      'It came of a timer or a promise that the strategy left behind; a strategy works in its handlers only: ' +
      'use timers of the strategy instead of setTimeout, and no promises\n' +
      (debug && stack !== '' ? `${stack}\n` : ''),
  };
}

/** The first place in a file that is not halfspread's own. */
function placeOf(files: readonly string[]): string {
  const place = files.find((file) => !file.startsWith(OWN));
  return place === undefined ? '' : ` (${place})`;
}
