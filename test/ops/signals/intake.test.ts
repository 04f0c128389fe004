import { describe, expect, it } from 'vitest';
import { epochMs } from '../../../src/domain/index.ts';
import { parseSignal } from '../../../src/history/index.ts';
import { SignalIntake } from '../../../src/ops/signals/signal-intake.ts';
import { readSignals } from '../../../src/ops/signals/signal-sources.ts';

/** An intake at 10 s after 1970, what it delivers, and what it logs. */
function intakeOf(names?: readonly string[]) {
  const delivered: (readonly [name: string, value: number])[] = [];
  const warnings: string[] = [];
  const time = { now: 10_000 };
  const ignore = (): void => {};
  const intake = new SignalIntake({
    clock: { now: () => epochMs(time.now), schedule: () => ignore },
    log: {
      debug: ignore,
      info: ignore,
      error: ignore,
      warn: (fields: unknown) => void warnings.push(JSON.stringify(fields)),
    },
    run: {
      signalNames: () => names,
      submit: (event) => void (event.type === 'signalReceived' && delivered.push([event.name, event.value])),
    },
    onFailed: ignore,
  });
  return { intake, delivered, warnings, time };
}

const SIGNAL = { name: 'fair', value: 0.5, time: undefined };

describe('the intake of signals', () => {
  it('delivers a signal whose name a strategy reads', () => {
    const { intake, delivered } = intakeOf(['fair', 'rain.p']);
    intake.deliver('control', () => SIGNAL);
    expect(delivered).toEqual([['fair', 0.5]]);
    expect(intake.counts).toEqual({ received: 1, refused: 0 });
  });

  it('refuses a name that no strategy reads, and names the closest one', () => {
    const { intake, delivered } = intakeOf(['fair', 'rain.p']);
    expect(() => intake.deliver('control', () => ({ ...SIGNAL, name: 'rain.q' }))).toThrow(
      'name: expected one of fair, rain.p, did you mean "rain.p", got "rain.q"',
    );
    expect(() => intakeOf([]).intake.deliver('control', () => SIGNAL)).toThrow(/no strategy here reads signals/);
    expect(intake.counts).toEqual({ received: 0, refused: 1 });
    expect(delivered).toEqual([]);
  });

  it('refuses a signal from the future, but accepts one of a clock that is a second ahead', () => {
    const { intake } = intakeOf();
    intake.deliver('control', () => ({ ...SIGNAL, time: epochMs(11_000) }));
    expect(() => intake.deliver('control', () => ({ ...SIGNAL, time: epochMs(11_001) }))).toThrow(
      /time: expected a time that is not after now \(1970-01-01T00:00:10\.000Z\)/,
    );
  });

  it('counts an invalid signal of an operator', () => {
    const { intake } = intakeOf();
    expect(() => intake.deliver('control', () => parseSignal({ name: 'fair', value: 'high' }))).toThrow(
      /value: expected a finite number/,
    );
    intake.deliver('control', () => parseSignal({ name: 'fair', value: 1 }));
    expect(intake.counts).toEqual({ received: 1, refused: 1 });
  });

  it('delivers at most 100 signals of a source in a second, and logs the others once', () => {
    const { intake, delivered, warnings, time } = intakeOf();
    for (let count = 0; count < 1_000; count += 1) intake.accept('feed', SIGNAL);
    intake.accept('other feed', SIGNAL);
    expect(delivered).toHaveLength(101);
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('more than 100 signals in a second');
    time.now += 1_000;
    intake.accept('feed', SIGNAL);
    expect(delivered).toHaveLength(102);
    expect(intake.counts).toEqual({ received: 102, refused: 900 });
  });
});

describe('a value in a message', () => {
  const message = { type: 'price', data: [{ p: '0.61' }, { p: 0.3 }], note: null };

  it('is found by path, also as a number in text', () => {
    expect(readSignals(message, { values: { a: 'data.0.p', b: 'data.1.p' } })).toEqual([
      { name: 'a', value: 0.61, time: undefined },
      { name: 'b', value: 0.3, time: undefined },
    ]);
  });

  it('is ignored in messages of another kind', () => {
    expect(readSignals(message, { values: { a: 'data.0.p' }, where: { type: 'status' } })).toEqual([]);
  });

  it.each(['data.2.p', 'note', 'data', 'type', 'constructor.name', ''])(
    'is refused when the path "%s" has no number',
    (path) => {
      expect(() => readSignals(message, { values: { a: path } })).toThrow(/a number for a/);
    },
  );
});
