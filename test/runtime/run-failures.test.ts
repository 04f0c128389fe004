import { describe, expect, it } from 'vitest';
import { StrategyFault } from '../../src/domain/index.ts';
import { about } from '../state/world.ts';
import { bids, botOf } from './fakes.ts';
import { Scene } from './scene.ts';

function bang(): never {
  throw new TypeError('bang');
}

describe('a run that fails', () => {
  it('cancels, stores and sends before it throws the strategy’s fault; afterwards only close works', async () => {
    const scene = new Scene([botOf({ onStart: () => [bids(4_000)], onBook: bang })]);
    await scene.run.start();
    scene.received();
    expect(() => scene.rows('1001 | bid 10 1\n1002 | bid 20 1')).toThrow(StrategyFault);
    expect(scene.received()).toEqual(['store 2', 'send cancelAll', 'seen 2']);
    expect(scene.run.fault).toBeInstanceOf(StrategyFault);
    expect(() => scene.rows('1003 | bid 30 1')).toThrow(StrategyFault);
    expect(() => scene.event({ type: 'orderAccepted', ...about(1) })).toThrow(StrategyFault);
    expect(() => scene.run.stop()).toThrow(StrategyFault);
    await scene.run.close();
    expect(scene.received()).toEqual(['close']);
  });

  it('at the start rejects the start', async () => {
    const scene = new Scene([botOf({ onStart: bang })]);
    await expect(scene.run.start()).rejects.toThrow(StrategyFault);
    expect(scene.received()).toEqual(['connect', 'store 1', 'send cancelAll', 'seen 1']);
  });

  it('because the store cannot keep a step sends only the command to cancel everything', async () => {
    const scene = new Scene([botOf({ onBook: () => [bids(4_000)] })]);
    await scene.run.start();
    scene.received();
    scene.onAppend = () => {
      throw new Error('disk full');
    };
    expect(() => scene.rows('1001 | bid 10 1')).toThrow('disk full');
    expect(scene.received()).toEqual(['store 2', 'send cancelAll']);
    expect(() => scene.run.signal('s', 1)).toThrow('disk full');
  });

  it('because of a broken invariant of the core cancels everything', async () => {
    const scene = new Scene([]);
    await scene.run.start();
    scene.received();
    expect(() => scene.rows('1001 | @9 bid 10 1')).toThrow(/market 9/);
    expect(scene.received()).toEqual(['send cancelAll']);
  });

  it('reports both errors when cancelling fails as well', async () => {
    const scene = new Scene([botOf({ onBook: () => [bids(4_000)] })]);
    await scene.run.start();
    scene.onSend = () => {
      throw new Error('line is down');
    };
    expect(() => scene.rows('1001 | bid 10 1')).toThrow('line is down; and cancelling everything failed too');
    expect(scene.run.fault).toBeInstanceOf(AggregateError);
  });

  it('reports a venue that answers during send', async () => {
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
    expect(scene.received().at(-1)).toBe('send cancelAll');
  });

  it('sends nothing afterwards', async () => {
    const scene = new Scene([]);
    await scene.run.start();
    await scene.run.close();
    expect(() => scene.run.operate('kill')).toThrow('Invariant: nothing can be sent before start or after close');
  });

  it('reports any thrown value as an error', async () => {
    const scene = new Scene([]);
    await scene.run.start();
    scene.onAppend = () => {
      throw 'a word';
    };
    expect(() => scene.run.signal('s', 1)).toThrow('a word was thrown');
  });
});
