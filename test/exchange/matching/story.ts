/**
 * Stories as tables: each line is a command, what the book told, and the book afterwards.
 *
 *     1 BUY YES 10 @ 6000 | rests 10                 | bid 6000: 10 (1)
 *     2 BUY NO 4 @ 4500   | takes 4 of 1 @ 6000 MINT | bid 6000: 6 (1)
 *     cancel 1            | 1 gives up 6             | empty
 *
 * Sizes are whole shares, a level is `price: shares (orders)`, best first, prices in the book are YES bps. After the
 * limit may stand GTC (default), FAK, FOK or post-only. A line of dashes starts with an empty book.
 */
import { expect } from 'vitest';
import type { Outcome, Side } from '../../../src/domain/index.ts';
import {
  CLOSE_CODES,
  forceOf,
  MATCH_TYPES,
  type MatchingBook,
  orderKind,
  rejectReason,
} from '../../../src/exchange/index.ts';
import { LoggedBook } from './logged-book.ts';

const SHARE = 1_000_000;
const PLACE = /^(\d+) (BUY|SELL) (YES|NO) (\S+) @ (\S+)(?: (GTC|FAK|FOK|post-only))?$/;

/** Runs the commands of a table and compares all of it. */
export function expectStory(table: string, tickBps = 10): void {
  const lines = table
    .trim()
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim().replaceAll(/\s+/g, ' ')));
  let stage = newStage(tickBps);
  const played = lines.map(([command = '']) => {
    if (/^-+$/.test(command)) {
      stage = newStage(tickBps);
      return [command];
    }
    const refused = rejectReason(run(stage.book, command));
    return [command, refused ?? tellRows(stage.log.rows.splice(0)), drawn(stage.book)];
  });
  expect(played).toEqual(lines);
}

function newStage(tickBps: number) {
  const book = new LoggedBook({ tickBps });
  return { log: book.log, book };
}

function run(book: LoggedBook, command: string): number {
  const [, cancelled] = /^cancel (\d+)$/.exec(command) ?? [];
  if (cancelled !== undefined) return book.cancel(Number(cancelled));
  const [, reduced, by] = /^reduce (\d+) by (\S+)$/.exec(command) ?? [];
  if (reduced !== undefined) return book.reduceOrder(Number(reduced), Number(by) * SHARE);
  const [, order, side, outcome, shares, price, force = 'GTC'] = PLACE.exec(command) ?? [];
  if (!isSide(side) || !isOutcome(outcome)) throw new Error(`no command: ${command}`);
  const postOnly = force === 'post-only';
  const code = forceOf(force === 'FAK' || force === 'FOK' ? force : 'GTC', postOnly);
  return book.place(Number(order), orderKind(outcome, side), code ?? -1, Number(price), Number(shares) * SHARE);
}

function tellRows(rows: readonly number[][]): string {
  return rows
    .map(([event, a = 0, b = 0, c = 0, d = 0, e = 0]) => {
      if (event === 0) return `takes ${d / SHARE} of ${a} @ ${c} ${MATCH_TYPES[e]}`;
      if (event === 1) return `rests ${b / SHARE}`;
      if (event === 2) return `${a} has ${b / SHARE}`;
      if (CLOSE_CODES[c] === 'FILLED') return `${a} filled`;
      return `${a} gives up ${b / SHARE}${CLOSE_CODES[c] === 'USER' ? '' : ` ${CLOSE_CODES[c]}`}`;
    })
    .join(', ');
}

function drawn(book: MatchingBook): string {
  const level = (price: number) => `${price}: ${book.sharesAt(price) / SHARE} (${book.countAt(price)})`;
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
