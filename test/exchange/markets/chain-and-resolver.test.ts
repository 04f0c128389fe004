import { describe, expect, it } from 'vitest';
import { epochMs, marketNo } from '../../../src/domain/index.ts';
import type { MarketCommand } from '../../../src/exchange/market-command.ts';
import type { ChainRequested, ResolutionRequested } from '../../../src/exchange/market-event.ts';
import { ChainAndResolver, chainRequest, resolverRequest } from '../../../src/exchange/markets/chain-and-resolver.ts';
import { creation, Harness, START } from './harness.ts';

const MARKET = marketNo(0);
const halt = (time: number, note: string): MarketCommand => ({
  type: 'halt',
  time: epochMs(time),
  market: MARKET,
  note,
});

/** A chain and resolver that returns every request as a command one hour later. */
function echo(): { readonly outside: ChainAndResolver; readonly asked: (ChainRequested | ResolutionRequested)[] } {
  const requests: (ChainRequested | ResolutionRequested)[] = [];
  const answer = (event: ChainRequested | ResolutionRequested, now: number): readonly MarketCommand[] => {
    requests.push(event);
    return [halt(now + 3_600_000, event.type)];
  };
  return {
    outside: new ChainAndResolver({ chain: { commandsFor: answer }, resolver: { commandsFor: answer } }),
    asked: requests,
  };
}

describe('the simulated chain and resolver', () => {
  it('receive the requests for them and no others', () => {
    const { outside, asked: requests } = echo();
    const harness = new Harness();
    harness.send(creation(START));
    const [changed, stepped, chainRequested] = harness.events;
    if (changed === undefined || stepped === undefined || chainRequested === undefined)
      throw new Error('too few events');
    const resolutionRequested = resolverRequest(harness.market());
    for (const event of [changed, stepped, chainRequested, resolutionRequested, { type: 'venueChanged' } as const]) {
      outside.onEvent(event, epochMs(START));
    }
    expect(requests).toEqual([chainRequested, resolutionRequested]);
    expect(outside.agenda.size).toBe(2);
    expect(outside.agenda.next).toBe(START + 3_600_000);
  });

  it('receive pending requests after a start with their original times', () => {
    const { outside, asked: requests } = echo();
    const harness = new Harness();
    harness.send(creation(START));
    outside.resume(harness.markets.list);
    expect([requests, outside.agenda.next]).toEqual([[chainRequest(harness.market())], START + 3_600_000]);
  });

  it('receive no request for a step that no market waits for', () => {
    const harness = new Harness();
    harness.send(creation(START));
    harness.market().step = undefined;
    expect(() => chainRequest(harness.market())).toThrow('Invariant: market 0 waits for no step of the chain');
  });
});
