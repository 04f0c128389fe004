import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decimalDown, decimalText, hasAtMostDecimals } from '../../../src/protocol/wire/decimal.ts';

describe('a decimal text', () => {
  it('is read exactly and truncated after its decimal places', () => {
    fc.assert(
      fc.property(fc.bigInt(0n, 9_000_000_000_000_000n), fc.nat(6), fc.nat(9), (units, places, extraDigit) => {
        const digits = String(units).padStart(places + 1, '0');
        const whole = digits.slice(0, digits.length - places);
        const text = `${whole}.${digits.slice(digits.length - places)}${extraDigit}`;
        expect(decimalDown(text, places)).toBe(Number(units));
        expect(hasAtMostDecimals(text, places)).toBe(extraDigit === 0);
      }),
    );
  });

  it('may lack digits on one side of its point', () => {
    expect([decimalDown('.48', 4), decimalDown('5.', 2), decimalDown('007', 0)]).toEqual([4800, 500, 7]);
    expect([
      hasAtMostDecimals('5', 0),
      hasAtMostDecimals('5.', 0),
      hasAtMostDecimals('5.500', 1),
      hasAtMostDecimals('5.501', 1),
    ]).toEqual([true, true, true, false]);
  });

  it.each(['', '.', '-1', '+1', '1e3', '1.2.3', ' 1', '0x1', 'NaN', '9007199254740992', '99999999999.9'])(
    'is refused: "%s"',
    (text) => {
      expect(decimalDown(text, 6)).toBeNaN();
    },
  );

  it('is written without an exponent', () => {
    expect(decimalText(1e-7)).toMatch(/^0\.0000001/);
    expect([decimalText(0.1), decimalText('x'), decimalText(null), decimalText(Number.NaN)]).toEqual([
      '0.1',
      'x',
      undefined,
      undefined,
    ]);
  });
});
