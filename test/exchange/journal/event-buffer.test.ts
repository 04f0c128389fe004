import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CLOSE_REASONS } from '../../../src/domain/index.ts';
import { EventBuffer } from '../../../src/exchange/journal/event-buffer.ts';
import type { OrderTerms } from '../../../src/exchange/order-terms.ts';
import type { ExchangeSink } from '../../../src/exchange/sink.ts';
import { SILENT } from '../../../src/exchange/sink.ts';
import { noting } from './words.ts';

const anyNumber = fc.oneof(fc.maxSafeInteger(), fc.double());
/** A call, and the sink it is for: 0, 1 or 2. */
const anyCall: fc.Arbitrary<(sink: ExchangeSink) => void> = fc.oneof(
  fc.tuple(anyNumber, anyNumber, anyNumber, anyNumber).map(([a, b, c, d]) => (sink: ExchangeSink) => {
    sink.accepted(a, b, c, { shares: d } as OrderTerms);
  }),
  fc
    .tuple(anyNumber, anyNumber, anyNumber, anyNumber, anyNumber, anyNumber, anyNumber, anyNumber)
    .map((values) => (sink: ExchangeSink) => sink.traded(...values)),
  fc.tuple(anyNumber, anyNumber, anyNumber).map((values) => (sink: ExchangeSink) => sink.reduced(...values)),
  fc
    .tuple(anyNumber, anyNumber, anyNumber, fc.constantFrom(...CLOSE_REASONS))
    .map((values) => (sink: ExchangeSink) => sink.closed(...values)),
  fc.tuple(anyNumber, fc.nat()).map(([seq, account]) => (sink: ExchangeSink) => {
    sink.happened(seq, { type: 'heartbeatDisarmed', account, credential: 1 });
  }),
  fc.tuple(anyNumber, fc.nat()).map(([entry, limit]) => (sink: ExchangeSink) => {
    sink.refused(entry, { reason: 'ABOVE_MAX', limit });
  }),
  fc.tuple(anyNumber, anyNumber).map((values) => (sink: ExchangeSink) => sink.duplicate(...values)),
);
const anyCommands = fc.array(
  fc.record({ sink: fc.nat(2), calls: fc.array(anyCall, { maxLength: 40 }), hasEnd: fc.boolean() }),
);

describe('an event buffer', () => {
  it('tells later what it was told, each to its own sink, and then nothing', () => {
    const buffer = new EventBuffer();
    fc.assert(
      fc.property(anyCommands, (commands) => {
        const [now, later]: [string[], string[]] = [[], []];
        const sinks = (lines: string[]) => [noting(lines, 'a'), noting(lines, 'b'), noting(lines, 'c')];
        const [direct, delayed] = [sinks(now), sinks(later)];
        expect(buffer.isEmpty).toBe(true);
        for (const [at, { sink, calls, hasEnd }] of commands.entries()) {
          buffer.begin(delayed[sink] ?? SILENT);
          for (const call of calls) {
            call(direct[sink] ?? SILENT);
            call(buffer);
          }
          if (hasEnd) {
            now.push(`end ${at}`);
            buffer.end(() => later.push(`end ${at}`));
          }
        }
        expect(later).toEqual([]);
        expect(buffer.isEmpty).toBe(commands.length === 0);
        buffer.deliver();
        expect(later).toEqual(now);
        buffer.deliver();
        expect(later).toEqual(now);
      }),
      { numRuns: 300 },
    );
  });

  it('forgets what it is told to forget', () => {
    const lines: string[] = [];
    const buffer = new EventBuffer();
    buffer.begin(noting(lines));
    buffer.duplicate(1, 2);
    buffer.clear();
    expect(buffer.isEmpty).toBe(true);
    buffer.begin(noting(lines));
    buffer.duplicate(3, 4);
    buffer.deliver();
    expect(lines).toEqual(['duplicate 3 4']);
  });
});
