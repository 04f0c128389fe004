/** Open orders, quotes and commands as text. Numbers of new orders start at #10. */

import {
  approve,
  type Intent,
  instanceNo,
  marketNo,
  type OrderCommand,
  orderNo,
  type PlaceOrder,
  type QuoteTolerance,
  SHARE,
} from '../../src/domain/index.ts';
import { createPlanner } from '../../src/execution/index.ts';
import type { Plan, PlannerOptions } from '../../src/execution/planner.ts';
import { type FakeAccount, type FakeMarket, fakeAccount, parseQuote } from '../risk/fake-account.ts';

/** The account and market before a plan. Default: no position, ample cash, and other traders' best prices 5900/6100. */
export type Before = FakeAccount & FakeMarket;

const BEST_PRICES = { bid: 5900, ask: 6100 };

/** Returns the commands for quotes such as `bid 100 @ 5800`, listed best first. */
export function quote(before: Before, quoteLines: readonly string[], tolerance?: QuoteTolerance): readonly string[] {
  const quotes = quoteLines.map(parseQuote);
  const intent: Intent = {
    type: 'quote',
    market: marketNo(0),
    quotes,
    ...(tolerance === undefined ? {} : { tolerance }),
  };
  return describePlan(plan(before, intent));
}

export function plan(before: Before, intent: Intent, options: Partial<PlannerOptions> = {}): Plan {
  const planner = createPlanner({ firstOrder: orderNo(10), ...options });
  return planner.plan(approve(intent), instanceNo(0), fakeAccount({ ...BEST_PRICES, ...before }));
}

export function describePlan({ commands, isDeferred, dropped }: Plan): readonly string[] {
  return [
    ...commands.map(describe),
    ...dropped.map(({ code }) => `dropped ${code}`),
    ...(isDeferred ? ['deferred'] : []),
  ];
}

export function describe(command: OrderCommand): string {
  switch (command.type) {
    case 'place':
      return describePlace(command);
    case 'cancel':
      return `cancel #${command.order}`;
    case 'reduce':
      return `reduce #${command.order} by ${command.by / SHARE}`;
    case 'replace': {
      const cancels = command.cancels.map(({ order, remaining }) => `#${order}(${remaining / SHARE})`);
      return `replace ${cancels.join(' ')} by ${command.places.map(describePlace).join(', ')}`;
    }
    case 'cancelAll':
      return 'cancel all';
    default:
      return `${command.type} ${command.shares / SHARE}`;
  }
}

function describePlace({ order, outcome, side, price, shares, timeInForce, postOnly }: PlaceOrder): string {
  const kind = timeInForce === 'GTC' && postOnly ? '' : ` ${timeInForce}${postOnly ? ' post-only' : ''}`;
  return `#${order} ${side} ${outcome} ${shares / SHARE} @ ${price}${kind}`;
}
