/** A core with real risk and execution, instances that quote around a signal, and a venue that answers on request. */

import type { z } from 'zod';
import {
  epochMs,
  type InputEvent,
  type Intent,
  type OperatorCommand,
  type OrderCommand,
  type PlaceOrder,
  priceBps,
  type Quote,
  unchecked,
} from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import { createRiskGate, type RiskGate, riskLimits, riskSchema } from '../../src/risk/index.ts';
import type { CoreOptions } from '../../src/runtime/core.ts';
import { type Step, type StrategyInstance, TradingCore } from '../../src/runtime/index.ts';
import type { Outbox } from '../../src/runtime/ports.ts';
import type { AccountState } from '../../src/state/index.ts';
import { eachMessage, messages } from '../state/messages.ts';
import { account, setup, shares, usd } from '../state/world.ts';
import { createInstance, outbox } from './fakes.ts';

/** Quotes of 10 shares on both sides, 100 bps from a mid. A mid of 0 gives no quotes. */
export function quotesAround(market: number, mid: number): Intent {
  const quotes: Quote[] = [
    { side: 'bid', price: priceBps(Math.max(1, mid - 100)), shares: shares(10) },
    { side: 'ask', price: priceBps(mid + 100), shares: shares(10) },
  ];
  return { type: 'quote', market: unchecked.market(market), quotes: mid === 0 ? [] : quotes };
}

/** An instance that quotes around the value of the signal `q<market>`. */
export function quoter(market: number): StrategyInstance {
  const handlers = {
    onSignal: ({ name, value }: { readonly name: string; readonly value: number }) =>
      name === `q${market}` ? [quotesAround(market, value)] : undefined,
  };
  return createInstance(handlers, { number: market, markets: [market] });
}

export class LiveBench {
  readonly state: AccountState;
  readonly risk: RiskGate;
  readonly core: TradingCore;
  /** Commands without an answer. */
  readonly sent: OrderCommand[] = [];
  readonly steps: Step[] = [];
  wakeAt: number | undefined;
  now = 1_000;

  constructor(
    markets: number,
    options: Partial<CoreOptions> = {},
    instances?: readonly StrategyInstance[],
    limits: Partial<z.input<typeof riskSchema>> = {},
  ) {
    const numbers = Array.from({ length: markets }, (_, number) => number);
    this.state = options.state ?? account(numbers.map((number) => setup(number)));
    this.risk = createRiskGate(
      riskLimits(riskSchema.parse({ max_position: 'none', max_book_age_ms: 'none', ...limits })),
    );
    this.core = new TradingCore({
      state: this.state,
      instances: instances ?? numbers.map(quoter),
      risk: this.risk,
      planner: createPlanner({ firstOrder: unchecked.order(1) }),
      ...options,
    });
    for (const number of numbers) this.feed(`@${number} bid 4000 100 | @${number} ask 6000 100`);
    this.step({ type: 'started', time: epochMs(this.now) });
  }

  step(event: InputEvent): Outbox {
    const out = outbox();
    this.core.step(event, out);
    return this.#record(out);
  }

  /** Sends market data as text without times (see `messages.ts`). */
  feed(text: string): Outbox {
    const out = outbox();
    eachMessage(messages(`${this.now} | ${text}`), (row) => this.core.market(row, out));
    return this.#record(out);
  }

  submit(market: number, mid: number): readonly string[] {
    const out = this.step({ type: 'signalReceived', time: epochMs(this.now), name: `q${market}`, value: mid });
    return commandLines(out.commands);
  }

  operate(command: OperatorCommand, reason?: string): readonly string[] {
    const options = reason === undefined ? {} : { reason };
    const event = { type: 'operatorCommanded', time: epochMs(this.now), command, ...options } as const;
    return commandLines(this.step(event).commands);
  }

  /** Reports the holdings of a market in shares, with a cost of 50 cents a share. */
  reportHoldings(market: number, yes: number, no = 0): void {
    const cost = { yesCost: usd(yes / 2), noCost: usd(no / 2) };
    const received = { time: epochMs(this.now), venueTime: epochMs(this.now), market: unchecked.market(market) };
    this.step({ type: 'holdingAdjusted', ...received, yes: shares(yes), no: shares(no), ...cost });
  }

  /** Returns the common members of events about an order in market 0. Their time is the state's, at least 1000. */
  about(order: number) {
    const time = epochMs(Math.max(1_000, this.state.now));
    return { time, venueTime: time, order: unchecked.order(order), market: unchecked.market(0) };
  }

  /** Advances the time and runs due wakes. @returns the sent commands */
  advance(ms: number): readonly string[] {
    const end = this.now + ms;
    const commands: string[] = [];
    while (this.wakeAt !== undefined && this.wakeAt <= end) {
      this.now = Math.max(this.now, this.wakeAt);
      this.wakeAt = undefined;
      commands.push(...commandLines(this.step({ type: 'woke', time: epochMs(this.now) }).commands));
    }
    this.now = end;
    return commands;
  }

  /** Answers all sent commands with success. Ignores `reduce`, `split` and `claim`. */
  answer(): void {
    for (const command of this.sent.splice(0)) this.#answer(command);
  }

  /** Open orders in a market as `10 @ 4900`, bids first, in YES prices. */
  openQuotes(market: number): readonly string[] {
    const orders = this.state.markets[market]?.orders ?? [];
    return orders
      .filter(({ phase }) => phase !== 'cancelling')
      .toSorted((a, b) => a.yesPrice - b.yesPrice)
      .map(({ remaining, yesPrice }) => `${remaining / 1_000_000} @ ${yesPrice}`);
  }

  #record(out: Outbox): Outbox {
    this.sent.push(...out.commands);
    this.steps.push(...out.steps);
    if (out.wakeAt !== undefined) this.wakeAt = out.wakeAt === Number.MAX_SAFE_INTEGER ? undefined : out.wakeAt;
    return out;
  }

  #answer(command: OrderCommand): void {
    const received = { time: epochMs(this.now), venueTime: epochMs(this.now) };
    const accept = ({ order, market, timeInForce }: PlaceOrder) => {
      this.step({ type: 'orderAccepted', ...received, order, market });
      if (timeInForce === 'FAK')
        this.step({ type: 'orderClosed', ...received, order, market, reason: 'FAK_REMAINDER' });
    };
    if (command.type === 'place') accept(command);
    else if (command.type === 'cancel') {
      this.step({ type: 'orderClosed', ...received, order: command.order, market: command.market, reason: 'USER' });
    } else if (command.type === 'replace') {
      const { market, cancels, places } = command;
      const [closed, accepted] = [cancels.map(({ order }) => order), places.map(({ order }) => order)];
      this.step({ type: 'ordersReplaced', ...received, market, closed, accepted });
    } else if (command.type === 'cancelAll') {
      const cancelling = this.state.markets.flatMap(({ orders }) =>
        orders.filter(({ phase }) => phase === 'cancelling'),
      );
      for (const { order, market } of cancelling) {
        this.step({ type: 'orderClosed', ...received, order, market, reason: 'USER' });
      }
    } else if (command.type === 'merge') {
      const { bot, market, shares: pairs } = command;
      const paid = unchecked.usd(pairs);
      this.step({
        type: 'converted',
        ...received,
        conversion: 'merge',
        bot,
        market,
        shares: pairs,
        paid,
        fee: unchecked.usd(0),
      });
    }
  }
}

/** Commands as text: `place 3 in 1`, `replace 2 by 2 in 0`, `cancel 4`, `cancel all`. */
export function commandLines(commands: readonly OrderCommand[]): readonly string[] {
  return commands.map((command) => {
    switch (command.type) {
      case 'place':
        return `place ${command.order} in ${command.market}`;
      case 'replace':
        return `replace ${command.cancels.length} by ${command.places.length} in ${command.market}`;
      case 'cancelAll':
        return command.isAccountWide === true ? 'cancel all of the account' : 'cancel all';
      case 'cancel':
      case 'reduce':
        return `${command.type} ${command.order}`;
      default:
        return `${command.type} in ${command.market}`;
    }
  });
}
