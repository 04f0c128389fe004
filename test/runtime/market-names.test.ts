import { describe, expect, it } from 'vitest';
import { setup } from '../state/world.ts';
import { Bench, bids, createInstance } from './fakes.ts';

const MARKETS = [setup(0), setup(1)];
const slugOf = (number: number) => setup(number).info.slug;

function startReturning(market: unknown): Bench {
  // Strategies run without a type check, so a user's file may return an invalid market.
  const intent = { ...bids(4_000), market: market as string };
  return new Bench([createInstance({ onStart: () => [intent] })], MARKETS).start();
}

describe('the market of an intent', () => {
  it.each([
    ['slug', slugOf(0)],
    ['id', setup(0).info.id],
    ['info', setup(0).info],
    ['number', setup(0).info.market],
  ])('may be a %s', (_, market) => {
    const { risk } = startReturning(market);
    expect(risk.checked).toEqual([bids(4_000)]);
  });

  it('may be the view that a handler receives', () => {
    const instance = createInstance({ onStart: (view) => [{ ...bids(4_000), market: view.market(slugOf(0)) }] });
    expect(new Bench([instance], MARKETS).start().risk.checked).toEqual([bids(4_000)]);
  });

  it.each([
    ['rain', 'market "rain" is not in this run; use a slug or an id. This run has market-0, market-1'],
    [slugOf(1), 'market "market-1" is not one that the strategy trades'],
    [undefined, 'market undefined is not in this run'],
  ])('causes a fault of the strategy when it is %s', (market, problem) => {
    const bench = new Bench(
      [createInstance({ onStart: () => [{ ...bids(4_000), market: market as string }] })],
      MARKETS,
    );
    const out = bench.step({ type: 'started', time: bench.state.now });
    expect(String(out.fault)).toContain(`\`onStart\` returned an invalid intent at index 0: ${problem}`);
  });
});
