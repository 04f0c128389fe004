import { describe, expect, it } from 'vitest';
import { durationMs, type PriceGrid, priceBps, unchecked } from '../../src/domain/index.ts';
import { AccountState } from '../../src/state/index.ts';
import { Cursor } from '../../src/tape/index.ts';
import { eachMessage, messages } from './messages.ts';
import { account, applyMessages, filled, setup, usd } from './world.ts';

const MARKET = unchecked.market(0);

describe('books and marks', () => {
  it('apply exactly one message, after which the cursor is at its last row', () => {
    const state = account();
    const cursor = new Cursor(messages('1000 | bid 5000 10 | ask 5200 5\n1001 | ask 5100 5'));
    state.applyMessage(cursor);
    expect([cursor.row, state.market(MARKET).mark]).toEqual([1, 10_200]);
    cursor.row = 2;
    state.applyMessage(cursor);
    expect([cursor.row, state.market(MARKET).mark]).toEqual([2, 10_100]);
  });

  it('use best bid + best ask as the mark, and have the time of the book', () => {
    const state = account();
    const view = state.market(MARKET);
    expect([view.mark, view.bookTime]).toEqual([undefined, undefined]);
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    expect([view.mark, view.bookTime, state.now]).toEqual([10_200, 1_000, 1_000]);
  });

  it('have the last mark while a side is empty', () => {
    const state = account();
    const view = state.market(MARKET);
    applyMessages(state, '1000 | bid 5000 10');
    expect(view.mark).toBeUndefined();
    applyMessages(state, '1001 | ask 5200 5\n1002 | ask 5200 0\n1003 | bid 4000 10 | bid 5000 0');
    expect([view.mark, view.bookTime]).toEqual([10_200, 1_003]);
  });

  it('never use a partly applied message for the mark', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    // Between the two rows the book is crossed at 5300/5200.
    applyMessages(state, '1001 | bid 5300 10 | ask 5200 0 | ask 5400 1');
    expect(state.market(MARKET).mark).toBe(10_700);
  });

  it('have the last mark and exit prices in a halt that empties the book', () => {
    const state = account();
    state.apply(filled({ order: 9, price: 5_000 }));
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    applyMessages(state, '1001 | status HALTED | clear | bid 100 1 | ask 200 1');
    const view = state.market(MARKET);
    expect(view.state).toEqual({ status: 'OPEN', acceptingOrders: false, placeDelay: 0 });
    expect([view.mark, state.exitEquity]).toEqual([10_200, usd(1_000)]);
    applyMessages(state, '1002 | status OPEN | bid 100 0 | ask 200 0 | bid 4000 9 | ask 4200 9');
    expect([view.mark, state.exitEquity]).toEqual([8_200, usd(995 + 4)]);
  });

  it('do not treat a trade as a book update', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5\n1007 | trade buy 5200 1');
    const view = state.market(MARKET);
    expect([view.bookTime, view.bookChanged, view.stateChanged, state.now]).toEqual([1_000, false, false, 1_007]);
  });

  it('report each market of a message once, in the order of their first rows', () => {
    const state = account([setup(0), setup(1), setup(2)]);
    applyMessages(state, '1000 | @2 bid 10 1 | @0 bid 10 1 | @2 ask 20 1');
    const touched = Array.from(
      { length: state.messageMarketCount },
      (_, index) => state.messageMarketAt(index).info.market,
    );
    expect(touched).toEqual([2, 0]);
    applyMessages(state, '1001 | @1 delay 5000');
    expect([state.messageMarketCount, state.messageMarketAt(0).info.market]).toEqual([1, 1]);
    expect(state.messageMarketAt(0).stateChanged).toBe(true);
    expect(state.market(unchecked.market(2)).bookChanged).toBe(true);
    applyMessages(state, '1002 | @2 trade sell 10 1');
    expect(state.market(unchecked.market(2)).bookChanged).toBe(false);
  });

  it('follow status and placement delay', () => {
    const state = account();
    const view = state.market(MARKET);
    applyMessages(state, '1000 | delay 5000');
    expect(view.state).toEqual({ status: 'OPEN', acceptingOrders: true, placeDelay: 5_000 });
    applyMessages(state, '1001 | status PENDING_RESOLUTION');
    expect(view.state).toEqual({ status: 'PENDING_RESOLUTION', acceptingOrders: false, placeDelay: 5_000 });
  });

  it.each([
    ['10000', 'RESOLVED_YES'],
    ['0', 'RESOLVED_NO'],
    ['5000', 'RESOLVED_UNCERTAIN'],
    ['CANCELLED', 'CANCELLED'],
  ])('treat a resolution at %s as %s', (payout, status) => {
    const state = account();
    applyMessages(state, `1000 | resolution ${payout}`);
    expect(state.market(MARKET).state).toMatchObject({ status, acceptingOrders: false });
  });

  it('start with the values of the setup', () => {
    const halted = { status: 'OPEN', acceptingOrders: false, placeDelay: durationMs(7) } as const;
    const state = account([setup(0, { state: halted })]);
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5');
    expect(state.market(MARKET).state).toEqual(halted);
    expect(state.market(MARKET).mark).toBeUndefined();
  });

  it('use the last trade as the mark when the tape has no book', () => {
    const state = account([setup(0, { marks: 'trades' })]);
    applyMessages(state, '1000 | bid 10 1 | ask 20 1');
    expect(state.market(MARKET).mark).toBeUndefined();
    state.apply(filled({ order: 9, price: 5_000 }));
    applyMessages(state, '1001 | trade buy 6000 1\n1002 | trade sell 5990 1');
    expect([state.market(MARKET).mark, state.exitEquity]).toEqual([11_980, usd(1_000 - 5 + 5.99)]);
  });

  it('support a book on a list of odds', () => {
    const grid: PriceGrid = { type: 'list', bids: [priceBps(4_999)], asks: [priceBps(5_003)] };
    const first = setup();
    const state = account([{ ...first, info: { ...first.info, grid } }]);
    applyMessages(state, '1000 | bid 4999 10 | ask 5003 5');
    expect(state.market(MARKET).mark).toBe(10_002);
  });
});

describe('an invalid message', () => {
  it.each([
    ['an unknown market', '1000 | @4 bid 10 1', /market 4/],
    ['an unknown status', '1000 | status MAYBE', /status code/],
  ])('is refused for a row of %s', (_, text, message) => {
    expect(() => applyMessages(account(), text)).toThrow(message);
  });

  it('is refused without an end', () => {
    const block = messages('1000 | bid 10 1');
    block.flags[0] = 0;
    expect(() => account().applyMessage(new Cursor(block))).toThrow('ends within the message');
  });

  it('is refused for a row of unknown kind', () => {
    const block = messages('1000 | bid 10 1');
    block.kind[0] = 77;
    expect(() => eachMessage(block, (row) => account().applyMessage(row))).toThrow(/kind 77/);
  });

  it('is refused for markets out of order, and for a number that is not in the run', () => {
    expect(() => account([setup(1)])).toThrow(/market 1 is at position 0/);
    expect(() => account().market(unchecked.market(3))).toThrow(RangeError);
  });
});

describe('a gap of the market data', () => {
  it('halts the market until the next full book, with the same mark', () => {
    const state = account();
    const lines = ['1000 | bid 5000 10 | ask 5200 5', '1001 | gap', '1002 | status OPEN | bid 5100 1'];
    const states = lines.map((text) => {
      applyMessages(state, text);
      const { state: now, mark, stateChanged } = state.market(MARKET);
      return [now.acceptingOrders, mark, stateChanged];
    });
    expect(states).toEqual([
      [true, 10_200, false],
      [false, 10_200, true],
      [false, 10_200, true],
    ]);
    applyMessages(state, '1003 | clear | bid 4900 10 | ask 5000 5');
    expect([state.market(MARKET).state.acceptingOrders, state.market(MARKET).mark]).toEqual([true, 9_900]);
  });

  it('does not reopen a market that the venue halted during the gap', () => {
    const state = account();
    applyMessages(state, '1000 | gap\n1001 | status HALTED\n1002 | clear | bid 4900 10 | ask 5000 5');
    expect(state.market(MARKET).state.acceptingOrders).toBe(false);
    applyMessages(state, '1003 | status OPEN');
    expect(state.market(MARKET).state.acceptingOrders).toBe(true);
  });

  it('continues in a restored account', () => {
    const state = account();
    applyMessages(state, '1000 | bid 5000 10 | ask 5200 5\n1001 | gap');
    const restored = AccountState.restore(JSON.parse(JSON.stringify(state.snapshot())));
    expect(restored.market(MARKET).state.acceptingOrders).toBe(false);
    applyMessages(restored, '1002 | clear | bid 4900 10 | ask 5000 5');
    expect(restored.market(MARKET).state.acceptingOrders).toBe(true);
  });
});

describe('the cursor of a message', () => {
  it('is valid only during the call, as its block is reused', () => {
    const state = account();
    eachMessage(
      messages('1000 | bid 5000 10 | ask 5200 5\n1001 | trade buy 5200 1\n1002 | status HALTED | delay 5'),
      (cursor) => {
        const { block, row: first } = cursor;
        state.applyMessage(cursor);
        for (let row = first; row <= cursor.row; row += 1) {
          for (const column of [block.tx, block.rx, block.market, block.kind, block.side, block.price, block.shares]) {
            column[row] = 99;
          }
        }
      },
    );
    state.apply(filled({ order: 4 }));
    expect([state.market(MARKET).mark, state.exitEquity, state.market(MARKET).state.placeDelay]).toEqual([
      10_200,
      usd(1_000),
      5,
    ]);
  });
});
