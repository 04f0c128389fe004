/**
 * Scenarios of a whole exchange as tables. Each line is a command, the emitted events, the book afterwards, the
 * accounts, and the number of pairs that the market's collateral pays for.
 *
 * start | events | bid 6000: 10 (1) | A $80 Y20 N20 | B $80 Y20 N20 | 40
 * A BUY YES 10 @ 6000 | 1 rests 10 | bid 6000: 10 (1) | A $74+6 Y20 N20 | B $80 Y20 N20 | 40
 * B SELL YES 4 @ 5500 | 2 takes 4 of 1 @ 6000 NORMAL, 2 filled | bid 6000: 6 (1) | A $74+3.6 Y24 N20 | … | 40
 *
 * Money is in dollars and sizes in shares; `74+6` is free and reserved. The price may be followed by `GTD 500` (ms),
 * FAK, FOK or post-only, and by a mode of self-trade prevention. Other commands are `wait 500` (ms), `A cancel 1` and
 * `A reduce 1 by 4`. At the start A, B and C each have $80 and 20 pairs. A line of dashes starts a new exchange.
 */

import { expect } from 'vitest';
import type { Outcome, Side, TimeInForce } from '../../../src/domain/index.ts';
import type { ExchangeEvent } from '../../../src/exchange/index.ts';
import type { SelfTradeMode } from '../../../src/exchange/order-terms.ts';
import { Harness, SHARE } from './harness.ts';

const NAMES = ['A', 'B', 'C'];
const ORDER = /^([ABC]) (BUY|SELL) (YES|NO) (\S+) @ (\d+)(?: (GTD (\d+)|GTC|FAK|FOK|post-only))?(?: (CANCEL_\w+))?$/;

/** Executes a table and compares every line. Accounts that a line does not list are not compared. */
export function expectExchange(table: string, feeRateBps = 0): void {
  const lines = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll(/\s+/g, ' ')));
  let harness = newHarness(feeRateBps);
  const actual = lines.map(([command = '', ...cells]) => {
    if (/^-+$/.test(command)) {
      harness = newHarness(feeRateBps);
      return [command];
    }
    const received = command === 'start' ? '' : formatEvents(harness, execute(harness, command));
    const named = NAMES.filter((name) => cells.some((cell) => cell.startsWith(`${name} $`)));
    const accounts = named.map((name) => formatAccount(harness, NAMES.indexOf(name) + 1, name));
    return [command, received, formatBook(harness), ...accounts, `${harness.view.collateral(0) / SHARE}`];
  });
  expect(actual).toEqual(lines);
}

function newHarness(feeRateBps: number): Harness {
  const harness = new Harness();
  for (const _ of NAMES) harness.account(100);
  harness.market({ feeRateBps });
  for (const at of NAMES.keys()) harness.send('split', { account: at + 1, market: 0, shares: 20 * SHARE });
  return harness;
}

function execute(harness: Harness, command: string): readonly ExchangeEvent[] {
  const [, wait] = /^wait (\d+)$/.exec(command) ?? [];
  if (wait !== undefined) {
    harness.time += Number(wait);
    return harness.send('tick');
  }
  const [, accountName = '', verb, order, by] = /^([ABC]) (cancel|reduce) (\d+)(?: by (\S+))?$/.exec(command) ?? [];
  const account = NAMES.indexOf(accountName) + 1;
  if (verb === 'cancel') return harness.send('cancel', { account, orders: [Number(order)] });
  if (verb === 'reduce') return harness.send('reduce', { account, order: Number(order), by: Number(by) * SHARE });
  const [, name = '', side, outcome, size, price, force = 'GTC', life, mode] = ORDER.exec(command) ?? [];
  if (!isSide(side) || !isOutcome(outcome)) throw new Error(`unknown command: ${command}`);
  return harness.place(NAMES.indexOf(name) + 1, {
    outcome,
    side,
    price: Number(price),
    microShares: Math.round(Number(size) * SHARE),
    timeInForce: isForce(force) ? force : life === undefined ? 'GTC' : 'GTD',
    postOnly: force === 'post-only',
    expiration: life === undefined ? 0 : harness.time + Number(life),
    selfTrade: isMode(mode) ? mode : 'CANCEL_TAKER',
  });
}

function formatEvents(harness: Harness, events: readonly ExchangeEvent[]): string {
  const received = events.flatMap((event): readonly string[] => {
    switch (event.type) {
      case 'accepted':
        return [];
      case 'traded': {
        const fee = event.fee === 0 ? '' : ` fee ${event.fee / SHARE}`;
        return [
          `${event.taker} takes ${event.shares / SHARE} of ${event.maker} @ ${event.yesPrice} ${event.match}${fee}`,
        ];
      }
      case 'reduced':
        return [`${event.order} has ${event.remaining / SHARE}`];
      case 'closed':
        if (event.reason === 'FILLED') return [`${event.order} filled`];
        return [`${event.order} gives up ${event.unfilled / SHARE} ${event.reason}`];
      case 'refused':
        return [event.refusal.reason];
      default:
        throw new Error(`unexpected event: ${event.type}`);
    }
  });
  for (const event of events) {
    const left = event.type === 'accepted' ? harness.view.openOrder(event.order)?.remaining : undefined;
    if (event.type === 'accepted' && left !== undefined) received.push(`${event.order} rests ${left / SHARE}`);
  }
  return received.join(', ');
}

function formatBook({ view }: Harness): string {
  const book = view.book(0);
  if (book === undefined) throw new Error('market 0 has no book');
  const level = (price: number) => ` ${price}: ${book.sharesAt(price) / SHARE} (${book.orderCountAt(price)})`;
  let [bids, asks] = ['', ''];
  for (let price = book.bestBid; price > 0; price = book.priceBelow(price)) bids += level(price);
  for (let price = book.bestAsk; price < 10_000; price = book.priceAbove(price)) asks += level(price);
  const sides = [bids === '' ? '' : `bid${bids}`, asks === '' ? '' : `ask${asks}`];
  return sides.filter((side) => side !== '').join(' ') || 'empty';
}

function formatAccount({ view }: Harness, account: number, name: string): string {
  const { available = 0, reserved = 0 } = view.account(account) ?? {};
  const holding = view.holding(account, 0);
  const position = (
    { shares, reservedShares }: { readonly shares: number; readonly reservedShares: number } = {
      shares: 0,
      reservedShares: 0,
    },
  ) => formatAmounts(shares - reservedShares, reservedShares);
  return `${name} $${formatAmounts(available, reserved)} Y${position(holding?.yes)} N${position(holding?.no)}`;
}

function formatAmounts(free: number, reservedShares: number): string {
  return reservedShares === 0 ? `${free / SHARE}` : `${free / SHARE}+${reservedShares / SHARE}`;
}

function isSide(text: string | undefined): text is Side {
  return text === 'BUY' || text === 'SELL';
}

function isOutcome(text: string | undefined): text is Outcome {
  return text === 'YES' || text === 'NO';
}

function isForce(text: string): text is TimeInForce {
  return text === 'GTC' || text === 'FAK' || text === 'FOK';
}

function isMode(text: string | undefined): text is SelfTradeMode {
  return text === 'CANCEL_TAKER' || text === 'CANCEL_MAKER' || text === 'CANCEL_BOTH';
}
