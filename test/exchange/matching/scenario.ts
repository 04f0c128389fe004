/**
 * Scenarios as tables: each line is a command, the events of the book, and the book afterwards.
 *
 *     1 BUY YES 10 @ 6000 by 7             | rests 10                             | bid 6000: 10 (1)
 *     2 BUY NO 4 @ 4500                    | takes 4 of 1 @ 6000 MINT, 2 filled   | bid 6000: 6 (1)
 *     3 BUY NO 4 @ 4500 by 7 CANCEL_BOTH   | 1 gives up 6 SELF_TRADE, 3 gives up 4 SELF_TRADE | empty
 *
 * Sizes are in shares. A level is `price: shares (orders)`, best first. Prices of the book are YES bps. After the price
 * of an order may come GTC (default), FAK, FOK or post-only, then the owner and the self-trade mode (default
 * CANCEL_TAKER). A pause and its actions follow as `, after fill 2 close 5 6 and end`. `ahead of 1` and `orders of 7`
 * are queries. A line of dashes starts with an empty book.
 */

import { expect } from 'vitest';
import { CLOSE_REASONS, type CloseReason, type Outcome, type Side } from '../../../src/domain/index.ts';
import { CLOSE, type MatchingBook, orderKind } from '../../../src/exchange/index.ts';
import { MATCH_TYPES } from '../../../src/exchange/matching/codes.ts';
import { SELF_TRADE_MODES } from '../../../src/exchange/order-terms.ts';
import type { Pause } from './event-log.ts';
import { LoggedBook } from './logged-book.ts';
import { forceOf, rejectReason } from './order-codes.ts';

const SHARE = 1_000_000;
const PLACE = /^(\d+) (BUY|SELL) (YES|NO) (\S+) @ (\S+)(?: (GTC|FAK|FOK|post-only))?(?: by (\d+)(?: (CANCEL_\w+))?)?$/;
const PAUSE = /^after fill (\d+) close((?: \d+)+)( and end)?$/;

/** Executes a table and compares every line. */
export function expectScenario(table: string, tickBps = 10): void {
  const lines = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll(/\s+/g, ' ')));
  let book = new LoggedBook({ tickBps });
  const actual = lines.map(([command = '']) => {
    if (/^-+$/.test(command)) {
      book = new LoggedBook({ tickBps });
      return [command];
    }
    const result = run(book, command);
    return [command, result ?? formatRows(book.log.rows.splice(0)), formatBook(book)];
  });
  expect(actual).toEqual(lines);
}

/** @returns the result of a query or the reason of a refusal; undefined when events were emitted */
function run(book: LoggedBook, command: string): string | undefined {
  const [, cancelled] = /^cancel (\d+)$/.exec(command) ?? [];
  if (cancelled !== undefined) return rejectReason(book.cancel(Number(cancelled)));
  const [, reduced, by] = /^reduce (\d+) by (\S+)$/.exec(command) ?? [];
  if (reduced !== undefined) return rejectReason(book.reduceOrder(Number(reduced), Number(by) * SHARE));
  const [, queued] = /^ahead of (\d+)$/.exec(command) ?? [];
  if (queued !== undefined) return `${book.aheadOf(Number(queued)) / SHARE}`;
  const [, owner] = /^orders of (\d+)$/.exec(command) ?? [];
  if (owner !== undefined) return book.ordersOf(Number(owner)).join(' ') || 'none';
  const [, reason] = /^close all (\S+)$/.exec(command) ?? [];
  if (isReason(reason)) {
    book.closeAll(CLOSE_REASONS.indexOf(reason));
    return undefined;
  }
  return place(book, command);
}

function place(book: LoggedBook, command: string): string | undefined {
  const [terms = '', pause] = command.split(', ');
  const [, order, side, outcome, shares, price, force = 'GTC', owner, mode] = PLACE.exec(terms) ?? [];
  if (!isSide(side) || !isOutcome(outcome)) throw new Error(`unknown command: ${command}`);
  book.log.begin(pause === undefined ? undefined : pauseOf(pause));
  const code = forceOf(force === 'FAK' || force === 'FOK' ? force : 'GTC', force === 'post-only');
  const selfTrade = SELF_TRADE_MODES.findIndex((known) => known === (mode ?? 'CANCEL_TAKER'));
  const [limit, size] = [Number(price), Number(shares) * SHARE];
  const holding = Number(owner ?? 0);
  return rejectReason(book.place(Number(order), orderKind(outcome, side), code ?? -1, limit, size, holding, selfTrade));
}

function pauseOf(text: string): Pause {
  const [, afterFill, orders, end] = PAUSE.exec(text) ?? [];
  if (orders === undefined) throw new Error(`invalid pause: ${text}`);
  const closing = orders.trim().split(' ').map(Number);
  return { afterFill: Number(afterFill), closing, answer: end === undefined ? 0 : CLOSE.orderGroupLimit };
}

function formatRows(rows: readonly number[][]): string {
  return rows
    .map(([event, a = 0, b = 0, c = 0, d = 0, e = 0]) => {
      if (event === 0) return `takes ${d / SHARE} of ${a} @ ${c} ${MATCH_TYPES[e]}`;
      if (event === 1) return `rests ${b / SHARE}`;
      if (event === 2) return `${a} has ${b / SHARE}`;
      if (event === 4) return 'pause';
      if (CLOSE_REASONS[c] === 'FILLED') return `${a} filled`;
      return `${a} gives up ${b / SHARE}${CLOSE_REASONS[c] === 'USER' ? '' : ` ${CLOSE_REASONS[c]}`}`;
    })
    .join(', ');
}

function formatBook(book: MatchingBook): string {
  const level = (price: number) => `${price}: ${book.sharesAt(price) / SHARE} (${book.orderCountAt(price)})`;
  const [bids, asks]: [string[], string[]] = [[], []];
  for (let price = book.bestBid; price > 0; price = book.priceBelow(price)) bids.push(level(price));
  for (let price = book.bestAsk; price < 10_000; price = book.priceAbove(price)) asks.push(level(price));
  const sides = [bids.length > 0 ? `bid ${bids.join(' ')}` : '', asks.length > 0 ? `ask ${asks.join(' ')}` : ''];
  return sides.filter((side) => side !== '').join(' ') || 'empty';
}

function isSide(text: string | undefined): text is Side {
  return text === 'BUY' || text === 'SELL';
}

function isOutcome(text: string | undefined): text is Outcome {
  return text === 'YES' || text === 'NO';
}

function isReason(text: string | undefined): text is CloseReason {
  return CLOSE_REASONS.some((known) => known === text);
}
