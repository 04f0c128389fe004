/** Lines out of a stream of text, however it is cut. */
import { Fault } from '../../domain/index.ts';

/**
 * @param longest characters of a line
 * @returns a function that takes the stream's pieces
 * @throws Fault CONTROL when a line is longer; those before it were taken
 */
export function splitLines(longest: number, take: (line: string) => void): (piece: string) => void {
  let rest = '';
  return (piece) => {
    let from = 0;
    // Only the new piece is searched: what is left of earlier ones has no end of a line.
    for (let at = piece.indexOf('\n'); at >= 0; at = piece.indexOf('\n', from)) {
      const line = rest + piece.slice(from, at);
      rest = '';
      from = at + 1;
      check(line.length, longest);
      take(line);
    }
    rest += piece.slice(from);
    check(rest.length, longest);
  };
}

function check(length: number, longest: number): void {
  if (length > longest) throw new Fault('CONTROL', `a line of more than ${longest} characters`);
}
