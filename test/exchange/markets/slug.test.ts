import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { slugOf } from '../../../src/exchange/markets/slug.ts';

describe('the slug of a question', () => {
  it.each([
    ['Will it rain?', 'will-it-rain'],
    ['  Fed: +25 bps -- in MARCH 2026?!  ', 'fed-25-bps-in-march-2026'],
    ["Will Óscar's team win in “2027”?", 'will-oscars-team-win-in-2027'],
    ['Don’t “touch” it', 'dont-touch-it'],
    ['Łódź, Ørsted, Straße, Þór, ẞ', 'lodz-orsted-strasse-thor-ss'],
    ['İstanbul ılık', 'istanbul-ilik'],
    ['Ærø, œuvre, Đakovo, Seyðis', 'aero-oeuvre-dakovo-seydis'],
    ['Is 東京 > 大阪?', 'is'],
    ['東京?', 'market'],
    ['', 'market'],
  ])('of %j is %j', (question, slug) => {
    expect(slugOf(question)).toBe(slug);
  });

  it('has lower-case ASCII letters and digits only, for any question', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(0x24ff)), (units) => {
        expect(slugOf(String.fromCharCode(...units))).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
      }),
    );
  });
});
