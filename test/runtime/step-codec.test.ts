import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../src/domain/byte-writer.ts';
import { epochMs, unchecked } from '../../src/domain/index.ts';
import { decodeStep, encodeStep, type Step } from '../../src/runtime/index.ts';
import { place } from '../state/world.ts';
import { anyStep } from './any-step.ts';

const STEP: Step = {
  seq: unchecked.seq(7),
  time: epochMs(1_000),
  row: 3,
  event: { type: 'timerFired', time: epochMs(1_000), bot: unchecked.instance(1), timer: 'ab' },
  refused: [{ ok: false, market: unchecked.market(2), code: 'REDUCE_ONLY', limit: 0.5, actual: -1 }],
  commands: [{ type: 'cancelAll' }],
};

function bytesOf(step: Step, capacity = 8): Uint8Array {
  const writer = new ByteWriter(capacity);
  encodeStep(step, writer);
  return writer.finish().slice();
}

describe('a step with saved states', () => {
  const states = [
    { strategy: 'counter', market: unchecked.market(1), value: '{"fills":3}' },
    { strategy: 'pair', value: '{}' },
    { strategy: 'gone', value: undefined },
  ];

  it('is decoded unchanged with its commands', () => {
    expect(decodeStep(bytesOf({ ...STEP, states }))).toEqual({ ...STEP, states });
  });

  it('has the same bytes as a step without states when there are none', () => {
    expect(bytesOf({ ...STEP, states: [] })).toEqual(bytesOf(STEP));
  });
});

describe('decodeStep', () => {
  const bytes = bytesOf({ ...STEP, commands: [place({ order: 1 }), { type: 'cancelAll', isAccountWide: true }] });

  it('throws when bytes are cut anywhere', () => {
    for (let length = 0; length < bytes.length; length += 1) {
      expect(() => decodeStep(bytes.subarray(0, length)), `of ${length} bytes`).toThrow(RangeError);
    }
  });

  it('throws when bytes remain', () => {
    expect(() => decodeStep(Buffer.concat([bytes, Buffer.of(0)]))).toThrow('1 bytes are left over');
  });

  it('throws only a RangeError for invalid bytes', () => {
    fc.assert(
      fc.property(fc.nat({ max: bytes.length - 1 }), fc.integer({ min: 0, max: 255 }), (at, byte) => {
        const changed = bytes.slice();
        changed[at] = byte;
        let step: Step;
        try {
          step = decodeStep(changed);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
          return;
        }
        expect(Buffer.from(bytesOf(step)).equals(changed)).toBe(true);
      }),
    );
  });

  it.each([
    [24, 99, 'there is no event with code 99'],
    [bytes.length - 1, 77, 'there is no command with code 77'],
  ])('names the unknown code at byte %i', (at, byte, message) => {
    const changed = bytes.slice();
    changed[at] = byte;
    expect(() => decodeStep(changed)).toThrow(message);
  });
});

describe('encodeStep', () => {
  it('encodes every step without loss', () => {
    fc.assert(
      fc.property(anyStep, (step) => {
        expect(decodeStep(bytesOf(step))).toEqual(step);
      }),
      { numRuns: 1_000 },
    );
  });

  it('writes the documented layout', () => {
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

  it('returns the same bytes regardless of how often the buffer grew', () => {
    const step = { ...STEP, commands: Array.from({ length: 50 }, (_, at) => place({ order: at + 1 })) };
    expect(bytesOf(step, 1)).toEqual(bytesOf(step, 100_000));
  });

  it('encodes every NaN alike', () => {
    const signal = (value: number): Step => ({
      ...STEP,
      event: { type: 'signalReceived', time: epochMs(1), name: '', value },
    });
    const otherNan = new Float64Array(new BigUint64Array([0xfff8_0000_0000_0001n]).buffer)[0] ?? 0;
    expect(bytesOf(signal(otherNan))).toEqual(bytesOf(signal(Number.NaN)));
    expect(bytesOf(signal(-0))).not.toEqual(bytesOf(signal(0)));
  });

  it('refuses a string without a code', () => {
    const strange = { ...STEP, refused: [{ ...STEP.refused[0], code: 'NEWS' }] };
    const untyped: Step = Object.assign(JSON.parse('{}'), strange);
    expect(() => bytesOf(untyped)).toThrow('Invariant: "NEWS" is not one of KILLED');
  });
});
