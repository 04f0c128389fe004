import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { counted, epochMs } from '../../src/domain/index.ts';
import { ByteWriter, encodeStep, type Step } from '../../src/runtime/index.ts';
import { place } from '../state/world.ts';
import { anyStep } from './any-step.ts';
import { decodeStep } from './step-decoder.ts';

const STEP: Step = {
  seq: counted.seq(7),
  time: epochMs(1_000),
  row: 3,
  event: { type: 'timerFired', time: epochMs(1_000), bot: counted.bot(1), timer: 'ab' },
  refused: [{ ok: false, market: counted.market(2), code: 'REDUCE_ONLY', limit: 0.5, was: -1 }],
  commands: [{ type: 'cancelAll' }],
};

function bytesOf(step: Step, capacity = 8): Uint8Array {
  const writer = new ByteWriter(capacity);
  encodeStep(step, writer);
  return writer.take().slice();
}

describe('encodeStep', () => {
  it('loses nothing: every step can be read back from its bytes', () => {
    fc.assert(
      fc.property(anyStep, (step) => {
        expect(decodeStep(bytesOf(step))).toEqual(step);
      }),
      { numRuns: 1_000 },
    );
  });

  it('writes the layout it promises', () => {
    const hex = Buffer.from(bytesOf(STEP)).toString('hex');
    const parts = [
      '0000000000001c40', // seq 7
      '0000000000408f40', // time 1000
      '0000000000000840', // row 3
      '0b', // timerFired
      '0000000000408f40', // at 1000
      '000000000000f03f', // bot 1
      '02000000', // "ab"
      '61006200',
      '01000000', // one refusal
      '0000000000000040', // market 2
      '01', // REDUCE_ONLY
      '000000000000e03f', // limit 0.5
      '000000000000f0bf', // was -1
      '01000000', // one command
      '08', // cancelAll
    ];
    expect(hex).toBe(parts.join(''));
  });

  it('gives the same bytes whatever the buffer had to grow', () => {
    const step = { ...STEP, commands: Array.from({ length: 50 }, (_, at) => place({ order: at + 1 })) };
    expect(bytesOf(step, 1)).toEqual(bytesOf(step, 100_000));
  });

  it('has one form for what is not a number', () => {
    const signal = (value: number): Step => ({
      ...STEP,
      event: { type: 'signalReceived', time: epochMs(1), name: '', value },
    });
    const odd = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0001n]).buffer)[0] ?? 0;
    expect(bytesOf(signal(odd))).toEqual(bytesOf(signal(Number.NaN)));
    expect(bytesOf(signal(-0))).not.toEqual(bytesOf(signal(0)));
  });

  it('refuses a word that has no place', () => {
    const strange = { ...STEP, refused: [{ ...STEP.refused[0], code: 'NEWS' }] };
    const untyped: Step = Object.assign(JSON.parse('{}'), strange);
    expect(() => bytesOf(untyped)).toThrow('Invariant: "NEWS" is none of KILLED');
  });
});
