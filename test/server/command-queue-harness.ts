import { SimClock } from '../../src/clock/index.ts';
import { accountNo } from '../../src/domain/ids.ts';
import { epochMs, microUsd } from '../../src/domain/index.ts';
import {
  DurableExchange,
  Exchange,
  type ExchangeCommand,
  type ExchangeEvent,
  type Journal,
  type RegistryChange,
} from '../../src/exchange/index.ts';
import type { DurableExchangeOptions } from '../../src/exchange/journal/durable-exchange.ts';
import { CommandQueue } from '../../src/server/command-queue.ts';
import { sha256 } from '../exchange/engine/harness.ts';

export const START = epochMs(1_800_000_000_000);
const ADDRESS = `0x${'a1'.repeat(20)}`;

interface Options extends Partial<Pick<DurableExchangeOptions, 'machine' | 'maxTimeStep'>> {
  readonly maxWaiting?: number;
}

export function openQueue<J extends Journal>(journal: J, { maxWaiting, ...exchangeOptions }: Options = {}) {
  const machine = new Exchange({ sha256 });
  const clock = new SimClock(START);
  const stops: unknown[] = [];
  const changes: RegistryChange[] = [];
  const { view } = machine;
  const registry = { put: (change: RegistryChange) => void changes.push(change) };
  const queue = new CommandQueue(
    {
      exchange: new DurableExchange({ machine, journal, ...exchangeOptions }),
      view,
      registry,
      clock,
      onStop: (cause) => void stops.push(cause),
    },
    maxWaiting,
  );
  return { queue, view, clock, journal, stops, changes, machine };
}

export const open = (address = ADDRESS): ExchangeCommand => ({
  type: 'openAccount',
  time: START,
  address,
  unlimited: false,
});
export const deposit = (dollars: number): ExchangeCommand => {
  return { type: 'transfer', time: START, account: accountNo(1), amount: microUsd(dollars * 1_000_000) };
};
export const types = (events: readonly ExchangeEvent[]): readonly string[] =>
  events.map((event) => (event.type === 'rareEvent' ? event.event.type : event.type));
