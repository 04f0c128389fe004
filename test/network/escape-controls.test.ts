/** Properties of untrusted texts that are shown on a terminal. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { escapeControls, escapeLine } from '../../src/network/index.ts';
import { readableLine } from '../../src/ops/index.ts';
import { anyCharacter } from '../any-character.ts';

/** Code points that control a terminal, reverse text, or are invisible. Copied by hand from the Unicode tables. */
const CONTROL_RANGES: readonly (readonly [from: number, to: number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x180e, 0x180e],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x2064],
  [0x2066, 0x206f],
  [0x3164, 0x3164],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  [0xd800, 0xdfff],
  [0x1d173, 0x1d17a],
  [0xe0001, 0xe0001],
  [0xe0020, 0xe007f],
  [0xe0100, 0xe01ef],
];

function isControl(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  return CONTROL_RANGES.some(([from, to]) => code >= from && code <= to);
}

const controlCharacter = fc
  .constantFrom(...CONTROL_RANGES)
  .chain(([from, to]) => fc.integer({ min: from, max: to }))
  .map((code) => String.fromCodePoint(code));
const anyText = fc.string({
  unit: fc.oneof(controlCharacter, fc.constantFrom('\t', '\n', '"', '\\'), anyCharacter),
});

describe('an untrusted text', () => {
  it('is shown without characters that control a terminal, reverse text or are invisible', () => {
    for (const [from, to] of CONTROL_RANGES) {
      for (let code = from; code <= to; code += 1) {
        expect([...escapeControls(String.fromCodePoint(code))].some(isControl), code.toString(16)).toBe(false);
      }
    }
    fc.assert(fc.property(anyText, (text) => ![...escapeControls(text)].some(isControl)));
  });

  it('is shown on one line by `escapeLine`', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(escapeLine(text)).not.toMatch(/[\t\n\v\f\r\u0085\u2028\u2029]/);
        expect([...escapeLine(text)].some(isControl)).toBe(false);
      }),
    );
  });

  it('is unchanged without control characters, in any script and with emoji', () => {
    for (const text of ['plain\ttext\n', 'Größe – “so”', 'هل تمطر؟', 'האם', '会下雨吗', '🏳️ ❤️ 👍🏽']) {
      expect(escapeControls(text)).toBe(text);
    }
  });

  it('in JSON keeps the parsed value', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const value = { [text]: [text] };
        expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value);
      }),
    );
  });
});

describe('a line of the log for people', () => {
  it('has no control characters and no extra lines, whatever its fields, names and stack contain', () => {
    const stack = fc.string({ unit: fc.oneof(controlCharacter, fc.constantFrom('a', '\t')) });
    const fields = fc.record({
      level: fc.constantFrom(20, 30, 40, 50),
      time: fc.integer({ min: 0, max: 2_000_000_000_000 }),
      msg: anyText,
      err: fc.record({ message: anyText, stack: fc.array(stack, { maxLength: 3 }).map((lines) => lines.join('\n')) }),
      nested: fc.dictionary(anyText, fc.array(anyText, { maxLength: 2 }), { maxKeys: 3 }),
      text: anyText,
    });
    fc.assert(
      fc.property(fields, fc.dictionary(anyText, anyText, { maxKeys: 2 }), (line, more) => {
        const shown = readableLine(JSON.stringify({ ...more, ...line }));
        expect([...shown].some((character) => character !== '\n' && isControl(character))).toBe(false);
        const lines = shown.split('\n').slice(0, -1);
        expect(lines).toHaveLength(1 + line.err.stack.split('\n').length);
        for (const each of lines.slice(1)) expect(each).toMatch(/^ {4}/);
      }),
    );
  });
});
