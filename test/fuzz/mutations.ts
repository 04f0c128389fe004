/** Random changes of the bytes or the text of a file. */
import type { seededRandom } from '../../src/clock/index.ts';

export type Random = ReturnType<typeof seededRandom>;

/** Makes one to three changes: flips bits, truncates, removes, doubles, fills, or inserts a piece of another file. */
export function mutate(bytes: Buffer, random: Random, others: readonly Buffer[]): Buffer {
  let result = bytes;
  for (let changes = 1 + random.int(3); changes > 0; changes -= 1) {
    const at = random.int(result.length + 1);
    const to = Math.min(result.length, at + 1 + random.int(60));
    switch (random.int(8)) {
      case 0:
        result = result.subarray(0, at);
        break;
      case 1:
        result = Buffer.concat([result.subarray(0, at), result.subarray(to)]);
        break;
      case 2:
        result = Buffer.concat([result.subarray(0, to), result.subarray(at)]);
        break;
      case 3: {
        const other = others[random.int(others.length)] ?? result;
        const from = random.int(other.length + 1);
        result = Buffer.concat([
          result.subarray(0, at),
          other.subarray(from, from + 1 + random.int(200)),
          result.subarray(at),
        ]);
        break;
      }
      case 4:
        result = Buffer.from(result);
        result.fill(random.int(3) === 0 ? 255 : 0, at, to);
        break;
      default:
        result = Buffer.from(result);
        if (at < result.length) result[at] = (result[at] ?? 0) ^ (1 << random.int(8));
    }
  }
  return result;
}

/** Overwrites some bytes with a boundary number. */
function writeOddNumber(bytes: Buffer, random: Random): void {
  if (bytes.length < 8) return;
  const at = random.int(bytes.length - 7);
  const odd = [0, 1, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 32 - 1, 2 ** 53, -(2 ** 53), 1e300];
  const value = odd[random.int(odd.length)] ?? 0;
  if (random.int(2) === 0) bytes.writeDoubleLE(value, at);
  else bytes.writeUInt32LE(Number.isFinite(value) && value > 0 ? Math.min(value, 2 ** 32 - 1) >>> 0 : 0, at);
}

/** Writes a boundary number into a copy of the bytes, or mutates it. */
export function corrupt(bytes: Buffer, random: Random): Buffer {
  const copy = Buffer.from(bytes);
  if (random.int(2) !== 0) return mutate(copy, random, [copy]);
  writeOddNumber(copy, random);
  return copy;
}

/** Replaces a token of JSON or YAML by an unusual one. */
export function replaceToken(text: string, random: Random): string {
  const words = [...text.matchAll(/-?\b[\w.]+\b|"[^"\n]*"|[[\]{},:]/g)];
  const word = words[random.int(Math.max(1, words.length))];
  const odd = [
    'null',
    '-1',
    '0.5',
    '1e999',
    '9007199254740993',
    '[]',
    '{}',
    '""',
    '"x"',
    '[[[[]]]]',
    '4294967296',
    '',
    '"\\ud800"',
    '~',
  ];
  if (word?.index === undefined) return text;
  return text.slice(0, word.index) + (odd[random.int(odd.length)] ?? '') + text.slice(word.index + word[0].length);
}

/** Replaces one to three tokens. */
export function replaceTokens(bytes: Buffer, random: Random): Buffer {
  let text = bytes.toString('utf8');
  for (let changes = 1 + random.int(3); changes > 0; changes -= 1) text = replaceToken(text, random);
  return Buffer.from(text);
}

/** Replaces the value of a YAML key by one that a schema may accept. */
export function replaceValue(text: string, random: Random): string {
  const values = [...text.matchAll(/(?<=: )[\w.]+/g)];
  const value = values[random.int(Math.max(1, values.length))];
  const odd = ['0', '1', '2', '-1', '3', '7', '0.01', '1000', '65536', '1000000', '9007199254740991', 'true', 'x'];
  if (value?.index === undefined) return text;
  return text.slice(0, value.index) + (odd[random.int(odd.length)] ?? '') + text.slice(value.index + value[0].length);
}
