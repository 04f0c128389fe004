import { describe, expect, it } from 'vitest';
import { StrategyFault } from '../../src/domain/index.ts';
import { about } from '../state/world.ts';
import { bids, createInstance } from './fakes.ts';
import { RunFixture } from './run-fixture.ts';

function fail(): never {
  throw new TypeError('bang');
}

describe('a run that fails', () => {
  it('stores the steps and cancels all orders, then throws the strategy’s fault and allows only `close`', async () => {
    const fixture = new RunFixture([createInstance({ onStart: () => [bids(4_000)], onBook: fail })]);
    await fixture.run.start();
    fixture.received();
    expect(() => fixture.rows('1001 | bid 10 1\n1002 | bid 20 1')).toThrow(StrategyFault);
    expect(fixture.received()).toEqual(['store 2', 'send cancelAll', 'seen 2']);
    expect(fixture.run.fault).toBeInstanceOf(StrategyFault);
    expect(() => fixture.rows('1003 | bid 30 1')).toThrow(StrategyFault);
    expect(() => fixture.event({ type: 'orderAccepted', ...about(1) })).toThrow(StrategyFault);
    expect(() => fixture.run.stop()).toThrow(StrategyFault);
    await fixture.run.close();
    expect(fixture.received()).toEqual(['close']);
  });

  it('rejects `start` when a strategy throws in it', async () => {
    const fixture = new RunFixture([createInstance({ onStart: fail })]);
    await expect(fixture.run.start()).rejects.toThrow(StrategyFault);
    expect(fixture.received()).toEqual(['connect', 'store 1', 'send cancelAll', 'seen 1']);
  });

  it('sends only the command to cancel all orders when the store fails', async () => {
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })]);
    await fixture.run.start();
    fixture.received();
    fixture.onAppend = () => {
      throw new Error('disk full');
    };
    expect(() => fixture.rows('1001 | bid 10 1')).toThrow('disk full');
    expect(fixture.received()).toEqual(['store 2', 'send cancelAll']);
    expect(() => fixture.run.submit({ type: 'signalReceived', name: 's', value: 1 })).toThrow('disk full');
  });

  it('cancels all orders after a broken invariant of the core', async () => {
    const fixture = new RunFixture([]);
    await fixture.run.start();
    fixture.received();
    expect(() => fixture.rows('1001 | @9 bid 10 1')).toThrow(/market 9/);
    expect(fixture.received()).toEqual(['send cancelAll']);
  });

  it('reports both errors when cancelling fails as well', async () => {
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })]);
    await fixture.run.start();
    const problems = ['line is down', 'no socket'];
    fixture.onSend = () => {
      throw new TypeError(problems.shift());
    };
    expect(() => fixture.rows('1001 | bid 10 1')).toThrow(
      'line is down; and cancelling everything failed too: TypeError: no socket',
    );
    expect(fixture.run.fault).toBeInstanceOf(AggregateError);
  });

  it('reports a venue that answers during send', async () => {
    const fixture = new RunFixture([createInstance({ onBook: () => [bids(4_000)] })]);
    await fixture.run.start();
    let first = true;
    fixture.onSend = () => {
      if (first) {
        first = false;
        fixture.event({ type: 'orderAccepted', ...about(1) });
      }
    };
    expect(() => fixture.rows('1001 | bid 10 1')).toThrow(
      'Invariant: a venue answers by later events, never during send',
    );
    expect(fixture.received().at(-1)).toBe('send cancelAll');
  });

  it('refuses commands after it is closed', async () => {
    const fixture = new RunFixture([]);
    await fixture.run.start();
    await fixture.run.close();
    expect(() => fixture.run.submit({ type: 'operatorCommanded', command: 'kill' })).toThrow(
      'Invariant: nothing can be sent before start or after close',
    );
  });

  it('reports any thrown value as an error', async () => {
    const fixture = new RunFixture([]);
    await fixture.run.start();
    fixture.onAppend = () => {
      throw 'plain text';
    };
    expect(() => fixture.run.submit({ type: 'signalReceived', name: 's', value: 1 })).toThrow('plain text was thrown');
  });
});
