import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { VariationMeter } from '../../../src/history/quality/meters.ts';
import { LAST_TIME } from '../../../src/tape/index.ts';

describe('the variation of a mark', () => {
  it('equals the variation of samples taken one by one', () => {
    const marks = fc.array(fc.record({ wait: fc.nat(250), mark: fc.option(fc.integer({ min: 1, max: 9 })) }));
    fc.assert(
      fc.property(fc.nat(50), marks, (start, list) => {
        const meter = new VariationMeter(40);
        meter.start(start);
        const samples: number[] = [];
        let [time, gridTime] = [start, start];
        for (const { wait, mark } of list) {
          time += wait;
          meter.advance(time, mark ?? undefined);
          for (; gridTime < time; gridTime += 40) if (mark !== null) samples.push(mark);
        }
        const changes = samples.slice(1).map((sample, index) => sample - (samples[index] ?? sample));
        expect(meter).toMatchObject({
          steps: changes.length,
          sumSquares: changes.reduce((sum, change) => sum + change * change, 0),
          first: samples[0],
          last: samples.at(-1),
        });
      }),
    );
  });

  it('is computed at once over a period up to the last time that a tape can have', () => {
    const meter = new VariationMeter(60_000);
    meter.start(0);
    meter.advance(LAST_TIME - 60_000, 5);
    meter.advance(LAST_TIME, 7);
    expect(meter).toMatchObject({ steps: Math.floor(LAST_TIME / 60_000), sumSquares: 4, first: 5, last: 7 });
  });
});
