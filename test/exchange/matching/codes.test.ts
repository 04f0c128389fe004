import { describe, expect, it } from 'vitest';
import { CLOSE_REASONS, complement, priceBps, REJECT_REASONS, yesPrice, yesSign } from '../../../src/domain/index.ts';
import {
  BOOK_RESULT,
  CLOSE,
  FORCE,
  inYesTerms,
  isBidKind,
  ORDER_KINDS,
  orderKind,
  SELF_TRADE,
} from '../../../src/exchange/index.ts';
import { inOwnTerms, MATCH, MATCH_TYPES, ORDER_KIND } from '../../../src/exchange/matching/codes.ts';
import { SELF_TRADE_MODES } from '../../../src/exchange/order-terms.ts';
import { forceOf, rejectReason } from './order-codes.ts';

/** Converts `FAK_REMAINDER` to `fakRemainder`. */
function camelCase(word: string): string {
  return word.toLowerCase().replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

describe('order kinds', () => {
  it('have one code each, in both directions', () => {
    expect(ORDER_KINDS.map(({ outcome, side }) => orderKind(outcome, side))).toEqual([0, 1, 2, 3]);
    const named = Object.entries(ORDER_KIND).map(([name, code]) => [name, ORDER_KINDS[code]]);
    expect(named).toEqual([
      ['buyYes', { outcome: 'YES', side: 'BUY' }],
      ['sellYes', { outcome: 'YES', side: 'SELL' }],
      ['buyNo', { outcome: 'NO', side: 'BUY' }],
      ['sellNo', { outcome: 'NO', side: 'SELL' }],
    ]);
  });

  it('are normalized as in domain/, at every price', () => {
    for (const [kind, { outcome, side }] of ORDER_KINDS.entries()) {
      expect(isBidKind(kind)).toBe(yesSign(outcome, side) === 1);
      for (let price = 1; price <= 9999; price++) {
        if (inYesTerms(kind, price) !== yesPrice(outcome, priceBps(price))) expect.fail(`kind ${kind} at ${price}`);
      }
      for (let price = 0; price <= 10_000; price++) {
        if (inOwnTerms(kind, price) !== inYesTerms(kind, price)) expect.fail(`kind ${kind} at ${price}`);
      }
    }
    expect(inYesTerms(ORDER_KIND.buyNo, 1)).toBe(complement(priceBps(1)));
  });
});

describe('codes of the matching engine', () => {
  it('cover every refusal in the order in which the venue checks', () => {
    expect(rejectReason(BOOK_RESULT.done)).toBeUndefined();
    const reasons = Object.values(BOOK_RESULT).slice(1).map(rejectReason);
    expect(reasons).not.toContain(undefined);
    const known: readonly (string | undefined)[] = REJECT_REASONS;
    const places = reasons.map((reason) => known.indexOf(reason));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(rejectReason(99)).toBeUndefined();
  });

  it('cover every close reason and every match type', () => {
    expect(Object.entries(CLOSE)).toEqual(CLOSE_REASONS.map((word, code) => [camelCase(word), code]));
    expect(Object.entries(SELF_TRADE)).toEqual(SELF_TRADE_MODES.map((word, code) => [camelCase(word), code]));
    expect([MATCH_TYPES[MATCH.mint], MATCH_TYPES[MATCH.normal], MATCH_TYPES[MATCH.merge]]).toEqual([
      'MINT',
      'NORMAL',
      'MERGE',
    ]);
  });

  it('cover each time in force except GTD, and post-only for GTC alone', () => {
    expect((['GTC', 'FAK', 'FOK', 'GTD'] as const).map((force) => forceOf(force, false))).toEqual([
      FORCE.gtc,
      FORCE.fak,
      FORCE.fok,
      undefined,
    ]);
    expect((['GTC', 'FAK', 'FOK', 'GTD'] as const).map((force) => forceOf(force, true))).toEqual([
      FORCE.postOnly,
      undefined,
      undefined,
      undefined,
    ]);
  });
});
