import { describe, expect, it } from 'vitest';
import { StrategyFault } from '../../src/domain/index.ts';
import { about } from '../state/world.ts';
import { bids, botOf } from './fakes.ts';
import { Scene } from './scene.ts';

function bang(): never {
  throw new TypeError('bang');
}

describe('when something breaks', () => {
  it('a failing strategy is cancelled, stored and sent before its fault is thrown; then nothing works but close', async () => {
    const scene = new Scene([botOf({ onStart: () => [bids(4_000)], onBook: bang })]);
    await scene.run.start();
    scene.heard();
    expect(() => scene.rows('1001 | bid 10 1\n1002 | bid 20 1')).toThrow(StrategyFault);
    expect(scene.heard()).toEqual(['store 2', 'send cancelAll', 'seen 2']);
    expect(scene.run.fault).toBeInstanceOf(StrategyFault);
    expect(() => scene.rows('1003 | bid 30 1')).toThrow(StrategyFault);
    expect(() => scene.event({ type: 'orderAccepted', ...about(1) })).toThrow(StrategyFault);
    expect(() => scene.run.stop()).toThrow(StrategyFault);
    await scene.run.close();
    expect(scene.heard()).toEqual(['close']);
  });

  it('a strategy that fails at the start lets the start fail', async () => {
    const scene = new Scene([botOf({ onStart: bang })]);
    await expect(scene.run.start()).rejects.toThrow(StrategyFault);
    expect(scene.heard()).toEqual(['connect', 'store 1', 'send cancelAll', 'seen 1']);
  });

  it('a store that cannot keep a step lets nothing out but the order to cancel everything', async () => {
    const scene = new Scene([botOf({ onBook: () => [bids(4_000)] })]);
    await scene.run.start();
    scene.heard();
    scene.onAppend = () => {
      throw new Error('disk full');
    };
    expect(() => scene.rows('1001 | bid 10 1')).toThrow('disk full');
    expect(scene.heard()).toEqual(['store 2', 'send cancelAll']);
    expect(() => scene.run.signal('s', 1)).toThrow('disk full');
  });

  it('a broken invariant of the core cancels everything', async () => {
    const scene = new Scene([]);
    await scene.run.start();
    scene.heard();
    expect(() => scene.rows('1001 | @9 bid 10 1')).toThrow(/market 9/);
    expect(scene.heard()).toEqual(['send cancelAll']);
  });

  it('both troubles are told when cancelling fails as well', async () => {
    const scene = new Scene([botOf({ onBook: () => [bids(4_000)] })]);
    await scene.run.start();
    scene.onSend = () => {
      throw new Error('line is down');
    };
    expect(() => scene.rows('1001 | bid 10 1')).toThrow('line is down; and cancelling everything failed too');
    expect(scene.run.fault).toBeInstanceOf(AggregateError);
  });

  it('a venue that answers during send is told so', async () => {
    const scene = new Scene([botOf({ onBook: () => [bids(4_000)] })]);
    await scene.run.start();
    let first = true;
    scene.onSend = () => {
      if (first) {
        first = false;
        scene.event({ type: 'orderAccepted', ...about(1) });
      }
    };
    expect(() => scene.rows('1001 | bid 10 1')).toThrow(
      'Invariant: a venue answers by later events, never during send',
    );
    expect(scene.heard().at(-1)).toBe('send cancelAll');
  });

  it('nothing is sent after the end', async () => {
    const scene = new Scene([]);
    await scene.run.start();
    await scene.run.close();
    expect(() => scene.run.operate('kill')).toThrow('Invariant: nothing can be sent before start or after close');
  });

  it('whatever is thrown comes out as an error', async () => {
    const scene = new Scene([]);
    await scene.run.start();
    scene.onAppend = () => {
      throw 'a word';
    };
    expect(() => scene.run.signal('s', 1)).toThrow('a word was thrown');
  });
});
