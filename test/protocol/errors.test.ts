import { describe, expect, it } from 'vitest';
import {
  forbidden,
  internalError,
  invalidArgument,
  invalidCursor,
  invalidId,
  rateLimited,
  unauthorized,
  WireFault,
  wireError,
} from '../../src/protocol/index.ts';

describe('error messages', () => {
  it.each([
    [unauthorized(), 'UNAUTHORIZED'],
    [forbidden('TRADE'), 'forbidden: needs scope TRADE'],
    [forbidden('SESSION'), 'forbidden: needs scope SESSION'],
    [invalidId('market', 'too short'), 'invalid market ID: too short'],
    [invalidId('order', 'too short'), 'invalid order ID: too short'],
    [invalidCursor('of another sort'), 'invalid cursor: of another sort'],
    [invalidArgument('first: too many'), 'invalid argument: first: too many'],
    [rateLimited(125), 'rate limited: retry in 125 ms'],
    [internalError('r-17'), 'internal error r-17'],
  ])('have the form of the API: %s', (fault, message) => {
    expect(fault).toBeInstanceOf(WireFault);
    expect(fault.message).toBe(message);
  });

  it('hide internal details and have the internal error as cause', () => {
    const inside = new Error('disk full at /var/db');
    const fault = internalError('r-18', inside);
    expect(fault.message).toBe('internal error r-18');
    expect(fault.cause).toBe(inside);
  });

  it('suggest a retry only when waiting helps', () => {
    expect(rateLimited(1).retryable).toBe(true);
    expect(
      [unauthorized(), forbidden('READ'), invalidArgument(''), internalError('')].map((fault) => fault.retryable),
    ).toEqual([false, false, false, false]);
  });
});

describe('wireError', () => {
  it('has only a message and a path', () => {
    expect(wireError('no', ['market'])).toEqual({ message: 'no', path: ['market'] });
    expect(wireError('no')).toEqual({ message: 'no', path: [] });
  });

  it('has response keys but no list indexes in its path', () => {
    expect(wireError('no', ['mine', 'edges', 3, 'node', 'shares']).path).toEqual(['mine', 'edges', 'node', 'shares']);
  });
});
