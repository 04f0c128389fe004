import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { areHexDigits, areLowerHexDigits } from '../../src/domain/index.ts';

describe('hex digits', () => {
  it('match a regular expression, character by character', () => {
    for (let code = 0; code < 0x1_0000; code += 1) {
      const text = String.fromCharCode(code);
      expect([code, areHexDigits(text), areLowerHexDigits(text)]).toEqual([
        code,
        /^[0-9a-fA-F]$/.test(text),
        /^[0-9a-f]$/.test(text),
      ]);
    }
  });

  it('are required from the first to the last requested position only', () => {
    const digits = fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), maxLength: 64 });
    const other = fc.constantFrom('g', 'G', '/', ':', '@', '`', ' ', '\0', '\n', 'é', '٣', '😀');
    fc.assert(
      fc.property(digits, other, digits, (before, wrong, after) => {
        expect(areHexDigits(before + after) && areLowerHexDigits(before + after)).toBe(true);
        expect(areHexDigits(before + wrong + after) || areLowerHexDigits(before + wrong + after)).toBe(false);
        const from = before.length + wrong.length;
        expect(areHexDigits(before + wrong + after, from) && areLowerHexDigits(before + wrong + after, from)).toBe(
          true,
        );
      }),
    );
  });

  it('may be an empty range, and may be limited to lower case', () => {
    expect([areHexDigits(''), areHexDigits('0x', 2), areLowerHexDigits('0x', 2)]).toEqual([true, true, true]);
    expect([areHexDigits('aF'), areLowerHexDigits('aF'), areLowerHexDigits('Fa', 1)]).toEqual([true, false, true]);
  });
});
