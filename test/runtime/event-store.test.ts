import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ByteWriter } from '../../src/domain/byte-writer.ts';
import { epochMs, unchecked } from '../../src/domain/index.ts';
import { type EventStore, encodeStep, HashStore, type Step } from '../../src/runtime/index.ts';
import { anyStep } from './any-step.ts';
import { MemoryStore } from './memory-store.ts';

/** A store and its observable content. */
interface Implementation {
  readonly store: EventStore;
  content(): string;
}

const IMPLEMENTATIONS: Readonly<Record<string, () => Implementation>> = {
  HashStore() {
    const store = new HashStore({ spec: '{}', tapes: ['a'] });
    return { store, content: () => store.eventLogHash() };
  },
  MemoryStore() {
    const store = new MemoryStore();
    return { store, content: () => JSON.stringify([...store.read(unchecked.seq(1))], encodeNumbers) };
  },
};

/** Encodes -0, NaN and undefined, which JSON cannot represent. */
function encodeNumbers(_key: string, value: unknown): unknown {
  return typeof value === 'number' ? (Object.is(value, -0) ? '-0' : String(value)) : (value ?? 'none');
}

function withNumbers(steps: readonly Step[]): readonly Step[] {
  return steps.map((step, at) => ({ ...step, seq: unchecked.seq(at + 1) }));
}

const someSteps = fc.array(anyStep, { minLength: 1, maxLength: 12 }).map(withNumbers);

describe.each(Object.entries(IMPLEMENTATIONS))('the contract of an event store: %s', (_, make) => {
  it('does not depend on how steps are grouped', () => {
    fc.assert(
      fc.property(someSteps, fc.nat(), (steps, cut) => {
        const [whole, pieces] = [make(), make()];
        whole.store.append(steps);
        pieces.store.append(steps.slice(0, cut % steps.length));
        pieces.store.append([]);
        for (const step of steps.slice(cut % steps.length)) pieces.store.append([step]);
        expect(pieces.content()).toBe(whole.content());
      }),
    );
  });

  it('can be read between appends', () => {
    fc.assert(
      fc.property(someSteps, (steps) => {
        const [watched, reference] = [make(), make()];
        for (const step of steps) {
          const before = watched.content();
          expect(watched.content()).toBe(before);
          watched.store.append([step]);
          expect(watched.content()).not.toBe(before);
          reference.store.append([step]);
        }
        expect(watched.content()).toBe(reference.content());
      }),
    );
  });

  it('distinguishes any two different steps', () => {
    fc.assert(
      fc.property(anyStep, anyStep, (firstStep, secondStep) => {
        const [first, second] = [make(), make()];
        first.store.append(withNumbers([firstStep]));
        second.store.append(withNumbers([secondStep]));
        const same =
          JSON.stringify(withNumbers([firstStep]), encodeNumbers) ===
          JSON.stringify(withNumbers([secondStep]), encodeNumbers);
        expect(first.content() === second.content()).toBe(same);
      }),
    );
  });

  it('does not depend on later changes of the appended list', () => {
    const steps = [emptyStep(1), emptyStep(2)];
    const [changed, unchanged] = [make(), make()];
    changed.store.append(steps);
    unchanged.store.append([...steps]);
    steps.length = 0;
    expect(changed.content()).toBe(unchanged.content());
  });

  it('starts with any number and then requires consecutive ones', () => {
    const { store } = make();
    store.append([emptyStep(41), emptyStep(42)]);
    expect(() => store.append([emptyStep(44)])).toThrow('Invariant: step 44 was stored after step 42');
    expect(() => store.append([emptyStep(42)])).toThrow('Invariant: step 42 was stored after step 42');
    store.append([emptyStep(43)]);
  });
});

function emptyStep(seq: number): Step {
  return { seq: unchecked.seq(seq), time: epochMs(seq), row: 0, event: undefined, refused: [], commands: [] };
}

describe('eventLogHash', () => {
  const hashOf = (spec: string, tapes: readonly string[], steps = 3) => {
    const store = new HashStore({ spec, tapes });
    for (let seq = 1; seq <= steps; seq += 1) store.append([emptyStep(seq)]);
    return store.eventLogHash();
  };

  it('depends on the run and on each of its tapes', () => {
    const hashes = [
      hashOf('{"a":1}', ['x']),
      hashOf('{"a":2}', ['x']),
      hashOf('{"a":1}', ['y']),
      hashOf('{"a":1}', ['x', 'y']),
      hashOf('{"a":1}', ['xy']),
      hashOf('{"a":1}x', ['']),
      hashOf('{"a":1}', ['x'], 4),
      hashOf('{"a":1}', ['x'], 0),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
    expect(hashOf('{"a":1}', ['x'])).toBe(hashes[0]);
  });

  it('is the sha256 of format, spec, tapes and steps, also when the steps exceed one buffer', () => {
    const text = (value: string) => Buffer.concat([count(value.length), Buffer.from(value, 'utf16le')]);
    const hash = createHash('sha256').update(text('halfspread event log 1')).update(text('{}'));
    hash.update(count(2)).update(text('00')).update(text('11'));
    const writer = new ByteWriter(8);
    for (let seq = 1; seq <= 3_000; seq += 1) encodeStep(emptyStep(seq), writer);
    const steps = writer.finish();
    expect(steps.length).toBeGreaterThan(65_536);
    expect(hashOf('{}', ['00', '11'], 3_000)).toBe(hash.update(steps).digest('hex'));
  });
});

function count(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
