import { describe, expect, it } from 'vitest';
import {
  approve,
  Fault,
  FileFault,
  InputFault,
  instanceNo,
  isFinal,
  MARKET_STATUSES,
  marketId,
  marketNo,
  microShares,
  orderNo,
  priceBps,
  REJECT_REASONS,
  unchecked,
  yesPrice,
  yesSign,
} from '../../src/domain/index.ts';

describe('ids', () => {
  it('accept a UUID in any case and return it in lower case', () => {
    expect(marketId('3F2B8C1E-5A7D-4e90-8B6F-1C2D3E4F5A6B')).toBe('3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b');
    const bad = [
      '',
      '3f2b8c1e5a7d4e908b6f1c2d3e4f5a6b',
      '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6g',
      ' 3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b',
      '3f2b8c1e-5a7d-4e90-8b6f-1c2d3e4f5a6b\n',
    ];
    for (const text of bad) expect(() => marketId(text)).toThrow('market ID: expected a UUID');
  });

  it('count markets and bots from 0, and orders from 1', () => {
    expect([marketNo(0), instanceNo(0), orderNo(1), unchecked.market(7)]).toEqual([0, 0, 1, 7]);
    expect(() => orderNo(0)).toThrow('order number: expected an integer from 1, got 0');
    for (const bad of [-1, 0.5, Number.NaN, 2 ** 53]) {
      expect(() => marketNo(bad)).toThrow('market number: expected');
      expect(() => instanceNo(bad)).toThrow('instance number: expected');
    }
  });
});

describe('YES terms', () => {
  it('count buying YES and selling NO as bids, the others as asks (docs/spec/models.md#signs-and-units)', () => {
    expect([yesSign('YES', 'BUY'), yesSign('NO', 'SELL'), yesSign('YES', 'SELL'), yesSign('NO', 'BUY')]).toEqual([
      1, 1, -1, -1,
    ]);
    expect([yesPrice('YES', priceBps(3000)), yesPrice('NO', priceBps(3000))]).toEqual([3000, 7000]);
  });
});

describe('market statuses', () => {
  it('are final after a resolution or a cancellation', () => {
    expect(MARKET_STATUSES.filter(isFinal)).toEqual(['RESOLVED_YES', 'RESOLVED_NO', 'RESOLVED_UNCERTAIN', 'CANCELLED']);
  });
});

describe('reject reasons', () => {
  it('are unique and in the order of the checks', () => {
    expect(new Set(REJECT_REASONS).size).toBe(REJECT_REASONS.length);
    expect(REJECT_REASONS.indexOf('BAD_SIGNATURE')).toBeLessThan(REJECT_REASONS.indexOf('MARKET_NOT_OPEN'));
    expect(REJECT_REASONS.at(-1)).toBe('FOK_NOT_FILLABLE');
  });
});

describe('the approval of an intent', () => {
  it('is a type brand and does not change the intent', () => {
    const intent = { type: 'merge', market: marketNo(0), shares: microShares(10_000) } as const;
    expect(approve(intent)).toBe(intent);
  });
});

describe('faults', () => {
  it('name the field, the expected and the actual value', () => {
    const fault = new InputFault('gamma', 'much', 'a number above 0');
    expect(fault).toBeInstanceOf(Fault);
    expect(fault.message).toBe('gamma: expected a number above 0, got "much"');
    expect([fault.code, fault.field, fault.received, fault.retryable, fault.name]).toEqual([
      'INPUT',
      'gamma',
      'much',
      false,
      'InputFault',
    ]);
  });

  it('shorten values, and never print the inside of objects, which may hold secrets', () => {
    const shown = (value: unknown): string =>
      new InputFault('x', value, 'y').message.slice('x: expected y, got '.length);
    expect([shown(5n), shown([1]), shown({ key: 'secret' }), shown(null)]).toEqual([
      '5n',
      'a list',
      'an object',
      'null',
    ]);
    expect(shown('a'.repeat(100))).toBe(`"${'a'.repeat(80)}…"`);
  });

  it('report a missing value as missing', () => {
    expect(new InputFault('x', undefined, 'y').message).toBe('x: expected y, but it is missing');
  });

  it('name file, place and remedy, and keep their cause', () => {
    const cause = new Error('EOF');
    const fault = new FileFault('a.tape', 'byte 12', 'the block is cut off', 'Import it again.', {
      cause,
      retryable: true,
    });
    expect(fault.message).toBe('a.tape, byte 12: the block is cut off. Import it again.');
    expect([fault.code, fault.file, fault.where, fault.cause, fault.retryable]).toEqual([
      'FILE',
      'a.tape',
      'byte 12',
      cause,
      true,
    ]);
    expect(new FileFault('a.tape', undefined, 'p', 'r').message).toBe('a.tape: p. r');
    expect('cause' in new Fault('X', 'm')).toBe(false);
  });
});
