import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { epochMs, marketNo } from '../../../src/domain/index.ts';
import type { MarketCommand } from '../../../src/exchange/market-command.ts';
import type { ChainRequested, ResolutionRequested } from '../../../src/exchange/market-event.ts';
import {
  ChainAndResolver,
  CommandSchedule,
  chainRequest,
  resolverRequest,
} from '../../../src/exchange/markets/chain-and-resolver.ts';
import { creation, Harness, START } from './harness.ts';

const MARKET = marketNo(0);
const halt = (time: number, note: string): MarketCommand => ({
  type: 'halt',
  time: epochMs(time),
  market: MARKET,
  note,
});

/** A chain and resolver that returns every request as a command one hour later. */
function echo(): {
  readonly chainAndResolver: ChainAndResolver;
  readonly requests: (ChainRequested | ResolutionRequested)[];
} {
  const requests: (ChainRequested | ResolutionRequested)[] = [];
  const answer = (event: ChainRequested | ResolutionRequested, now: number): readonly MarketCommand[] => {
    requests.push(event);
    return [halt(now + 3_600_000, event.type)];
  };
  return {
    chainAndResolver: new ChainAndResolver({ chain: { commandsFor: answer }, resolver: { commandsFor: answer } }),
    requests,
  };
}

describe('the simulated chain and resolver', () => {
  it('receive only requests to the chain and to the resolver', () => {
    const { chainAndResolver, requests } = echo();
    const harness = new Harness();
    harness.send(creation(START));
    const [changed, stepped, chainRequested] = harness.events;
    if (changed === undefined || stepped === undefined || chainRequested === undefined)
      throw new Error('too few events');
    const resolutionRequested = resolverRequest(harness.market());
    for (const event of [changed, stepped, chainRequested, resolutionRequested, { type: 'venueChanged' } as const]) {
      chainAndResolver.onEvent(event, epochMs(START));
    }
    expect(requests).toEqual([chainRequested, resolutionRequested]);
    expect(chainAndResolver.schedule.size).toBe(2);
    expect(chainAndResolver.schedule.next).toBe(START + 3_600_000);
  });

  it('receive pending requests after a start with their original times', () => {
    const { chainAndResolver, requests } = echo();
    const harness = new Harness();
    harness.send(creation(START));
    chainAndResolver.resume(harness.markets.list);
    expect([requests, chainAndResolver.schedule.next]).toEqual([[chainRequest(harness.market())], START + 3_600_000]);
  });

  it('receive no request for a step that no market waits for', () => {
    const harness = new Harness();
    harness.send(creation(START));
    harness.market().chainStep = undefined;
    expect(() => chainRequest(harness.market())).toThrow('Invariant: market 0 waits for no step of the chain');
  });
});

describe('the schedule', () => {
  it('returns exactly the due commands, with the current time when they are late', () => {
    const schedule = new CommandSchedule();
    expect([schedule.next, schedule.size, schedule.removeDue(epochMs(100))]).toEqual([undefined, 0, undefined]);
    schedule.add([halt(20, 'b'), halt(10, 'a')]);
    expect([schedule.next, schedule.size, schedule.removeDue(epochMs(9))]).toEqual([10, 2, undefined]);
    expect(schedule.removeDue(epochMs(10))).toEqual(halt(10, 'a'));
    expect([schedule.next, schedule.removeDue(epochMs(25))]).toEqual([20, halt(25, 'b')]);
    expect([schedule.next, schedule.size]).toEqual([undefined, 0]);
  });

  it('returns commands by time, and those of equal time in the order in which they were added', () => {
    fc.assert(
      fc.property(fc.array(fc.array(fc.nat(9), { maxLength: 5 })), (batches) => {
        const schedule = new CommandSchedule();
        let count = 0;
        const all = batches.map((times) => times.map((time) => halt(time, String(count++))));
        for (const batch of all) schedule.add(batch);
        const taken: MarketCommand[] = [];
        for (let next = schedule.next; next !== undefined; next = schedule.next) {
          const command = schedule.removeDue(next);
          if (command !== undefined) taken.push(command);
        }
        expect(taken).toEqual(all.flat().sort((a, b) => a.time - b.time));
      }),
    );
  });
});
