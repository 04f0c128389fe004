/** Lines out of a stream of text, however it is cut. */

/** Longer than any command or answer. */
const LONGEST = 64 * 1_024 * 1_024;

/** @returns a function that takes the stream's pieces. @throws RangeError when a line does not end */
export function splitLines(take: (line: string) => void): (piece: string) => void {
  let rest = '';
  return (piece) => {
    rest += piece;
    if (rest.length > LONGEST) throw new RangeError('a line that does not end');
    let at = rest.indexOf('\n');
    let from = 0;
    while (at >= 0) {
      take(rest.slice(from, at));
      from = at + 1;
      at = rest.indexOf('\n', from);
    }
    rest = rest.slice(from);
  };
}
