/** The Sobol sequence in Gray code order, with a digital shift (docs/spec/searches.md#sobol). */
import { InputFault } from '../../domain/index.ts';

const BITS = 32;
const RANGE = 4_294_967_296;
/**
 * From Joe and Kuo, SIAM J. Sci. Comput. 30 (2008), table new-joe-kuo-6: for each dimension after the first, the
 * primitive polynomial, highest power first, and the initial direction numbers.
 */
const DIRECTIONS: readonly (readonly [polynomial: number, initial: readonly number[]])[] = [
  [0b11, [1]],
  [0b111, [1, 3]],
  [0b1011, [1, 3, 1]],
  [0b1101, [1, 1, 1]],
  [0b10011, [1, 1, 3, 3]],
  [0b11001, [1, 3, 5, 13]],
  [0b100101, [1, 1, 5, 5, 17]],
  [0b101001, [1, 1, 5, 5, 5]],
  [0b101111, [1, 1, 7, 11, 19]],
  [0b110111, [1, 1, 5, 1, 1]],
  [0b111011, [1, 1, 1, 3, 11]],
  [0b111101, [1, 3, 5, 5, 31]],
  [0b1000011, [1, 3, 3, 9, 7, 49]],
  [0b1011011, [1, 1, 1, 15, 21, 21]],
  [0b1100001, [1, 3, 1, 13, 27, 49]],
  [0b1100111, [1, 1, 1, 15, 7, 5]],
  [0b1101101, [1, 3, 1, 15, 13, 25]],
  [0b1110011, [1, 1, 5, 5, 19, 61]],
  [0b10000011, [1, 3, 7, 11, 23, 15, 103]],
  [0b10001001, [1, 3, 7, 13, 13, 15, 69]],
  [0b10001111, [1, 1, 3, 13, 7, 35, 63]],
  [0b10010001, [1, 3, 5, 9, 1, 25, 53]],
  [0b10011101, [1, 3, 1, 13, 9, 35, 107]],
];

/**
 * Returns a function from a point's number, 0 or more, to the point's coordinates in [0, 1).
 * @param shifts 32 random bits for each dimension, XORed with every point. 0 gives the published sequence
 * @throws InputFault for more than 24 dimensions
 */
export function sobolSequence(shifts: readonly number[]): (number: number) => readonly number[] {
  const maxDimensions = DIRECTIONS.length + 1;
  if (shifts.length > maxDimensions)
    throw new InputFault('parameters', shifts.length, `at most ${maxDimensions} for sobol; use random or tpe`);
  const dimensions = shifts.map((shift, index) => ({ shift, directions: computeDirections(index) }));
  return (number) => {
    const gray = number ^ (number >>> 1);
    return dimensions.map(({ shift, directions }) => {
      let bits = shift;
      for (const [index, direction] of directions.entries()) if ((gray >>> index) & 1) bits ^= direction;
      return (bits >>> 0) / RANGE;
    });
  };
}

function computeDirections(dimension: number): readonly number[] {
  const row = DIRECTIONS[dimension - 1];
  if (row === undefined) return Array.from({ length: BITS }, (_, index) => 1 << (BITS - 1 - index));
  const [polynomial, initial] = row;
  const degree = initial.length;
  const directions = initial.map((value, index) => value << (BITS - 1 - index));
  for (let index = degree; index < BITS; index += 1) {
    const oldest = directions[index - degree] ?? 0;
    let next = oldest ^ (oldest >>> degree);
    for (let back = 1; back < degree; back += 1)
      if ((polynomial >>> (degree - back)) & 1) next ^= directions[index - back] ?? 0;
    directions.push(next);
  }
  return directions;
}
