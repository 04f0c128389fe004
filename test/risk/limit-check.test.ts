import { describe, expect, it } from 'vitest';
import { instanceNo } from '../../src/domain/index.ts';
import { type Before, expectEdges, gateWith, quoteOf, quotes, verdictLines, viewOf } from './check-text.ts';
import { usd } from './fake-account.ts';

describe('max_position', () => {
  it('counts the position and all orders on the side that may fill', () => {
    const before = { yes: 50, no: 20, orders: ['#1 BUY YES 10 @ 5700 bot 1', '#2 BUY NO 5 @ 3700 bot 1'] };
    expectEdges({ max_position: 100 }, before, [
      ['bid 59.99 @ 5800'],
      ['bid 60 @ 5800'],
      ['bid 60.01 @ 5800', 'MAX_POSITION 100/100.01'],
      ['ask 124.99 @ 6200'],
      ['ask 125 @ 6200'],
      ['ask 125.01 @ 6200', 'MAX_POSITION 100/100.01'],
    ]);
  });

  it('grants quotes in their order and stops one side only', () => {
    const lines = ['bid 60 @ 5800', 'bid 50 @ 5790', 'ask 60 @ 6200', 'bid 40 @ 5780', 'bid 1 @ 5770'];
    expect(quotes({ max_position: 100 }, { yes: 10, no: 10 }, lines)).toEqual([
      'bid 60 @ 5800',
      'ask 60 @ 6200',
      'bid 40 @ 5780',
      'MAX_POSITION 100/110',
      'MAX_POSITION 100/101',
    ]);
  });

  it('does not count orders that the quote set replaces, but counts takers in flight', () => {
    const before = { orders: ['#1 BUY YES 100 @ 5700', '#2 BUY YES 30 @ 6100 taker'] };
    expectEdges({ max_position: 100 }, before, [['bid 70 @ 5800'], ['bid 70.01 @ 5800', 'MAX_POSITION 100/100.01']]);
  });

  it('allows an account beyond the limit to reduce', () => {
    expectEdges({ max_position: 100 }, { yes: 150 }, [['ask 250 @ 6200'], ['bid 1 @ 5800', 'MAX_POSITION 100/151']]);
  });
});

describe('max_notional_usd', () => {
  /** The example of the specification: 80 YES bought at 6000, bid 50 @ 5500, ask 50 @ 6500. 48 + 27.50 = 75.50. */
  const before = { yes: 80, netCash: -48, orders: ['#1 SELL YES 50 @ 6500 bot 1'] };

  it('equals the worst case of docs/spec/models.md#worst-case', () => {
    expect(quotes({ max_notional_usd: 75.5 }, before, ['bid 50 @ 5500'])).toEqual(['bid 50 @ 5500']);
    expect(quotes({ max_notional_usd: 75.49 }, before, ['bid 50 @ 5500'])).toEqual(['MAX_MARKET_NOTIONAL 75.49/75.5']);
  });

  it('is 58 for 100 shares quoted 5800/6200 without a position', () => {
    const lines = ['bid 100 @ 5800', 'ask 100 @ 6200'];
    expect(quotes({ max_notional_usd: 58 }, {}, lines)).toEqual(lines);
    expect(quotes({ max_notional_usd: 57.99 }, {}, lines)).toEqual(['ask 100 @ 6200', 'MAX_MARKET_NOTIONAL 57.99/58']);
  });

  it('is exact to the lot', () => {
    expectEdges({ max_notional_usd: 58 }, {}, [
      ['bid 99.99 @ 5800'],
      ['bid 100 @ 5800'],
      ['bid 100.01 @ 5800', 'MAX_MARKET_NOTIONAL 58/58.0058'],
    ]);
  });

  it('counts paid fees, and allows orders that do not increase the worst case', () => {
    const lost = { yes: 100, netCash: -260, fees: 5 };
    expect(quotes({ max_notional_usd: 100 }, lost, ['ask 100 @ 6200'])).toEqual(['ask 100 @ 6200']);
    expect(quotes({ max_notional_usd: 100 }, lost, ['bid 1 @ 5800'])).toEqual(['MAX_MARKET_NOTIONAL 100/265.58']);
  });

  it('uses the most expensive price that the tolerance of a quote allows', () => {
    const gate = gateWith({ max_notional_usd: 58.57 });
    const view = viewOf({});
    expect(verdictLines(gate.check(quoteOf(['bid 100 @ 5800'], { pricePct: 0.99 }), instanceNo(0), view))).toEqual([
      'bid 100 @ 5800',
    ]);
    expect(verdictLines(gate.check(quoteOf(['bid 100 @ 5800'], { pricePct: 1 }), instanceNo(0), view))).toEqual([
      'MAX_MARKET_NOTIONAL 58.57/58.58',
    ]);
    expect(verdictLines(gate.check(quoteOf(['ask 100 @ 4200'], { pricePct: 2 }), instanceNo(0), view))).toEqual([
      'MAX_MARKET_NOTIONAL 58.57/58.84',
    ]);
  });

  it('refuses orders whose amounts cannot be computed exactly, even without a limit', () => {
    const lines = Array.from({ length: 9 }, () => 'bid 1000000000 @ 5800');
    const granted = quotes({}, { cash: 9e9, limits: { maxBet: usd(9e9), maxExposure: usd(9e9) } }, lines);
    expect(granted.filter((line) => line.startsWith('bid')).length).toBe(7);
    expect(granted.at(-1)).toMatch(/^MAX_MARKET_NOTIONAL/);
  });
});

describe('max_event_notional_usd', () => {
  const here = { number: 0, bid: 5900, ask: 6100, eventId: 'election' };
  /** 100 NO bought at 40 cents: they lose $40 if YES wins and gain $60 if NO wins. */
  const there = { number: 1, no: 100, netCash: -40, eventId: 'election' };
  const withOneWinner = (before: typeof here | typeof there) => ({ ...before, exclusive: true as const });

  it('adds up the worst cases of the markets of an event', () => {
    expectEdges({ max_event_notional_usd: 78 }, { markets: [here, there] }, [
      ['ask 100 @ 6200'],
      ['ask 100.01 @ 6200', 'MAX_EVENT_NOTIONAL 78/78.0038'],
    ]);
  });

  it('counts at most one winner in events with one winner', () => {
    // Worst loss: 38 - 60 if `here` wins, 40 if `there` wins, -60 if neither wins.
    const before = { markets: [withOneWinner(here), withOneWinner(there)] };
    expectEdges({ max_event_notional_usd: 40 }, before, [
      ['ask 100 @ 6200'],
      // If `here` wins: 300 x 0.38 - 60 = 54.
      ['ask 300 @ 6200', 'MAX_EVENT_NOTIONAL 40/54'],
    ]);
    const gains = { ...withOneWinner(there), no: 0, yes: 100 };
    expectEdges({ max_event_notional_usd: 98 }, { markets: [withOneWinner(here), gains] }, [
      ['bid 100 @ 5800'],
      ['bid 100.01 @ 5800', 'MAX_EVENT_NOTIONAL 98/98.0058'],
    ]);
  });

  it('ignores other events, markets without an event, and final markets', () => {
    const other = { ...there, eventId: 'another' };
    const { eventId, ...alone } = there;
    for (const market of [other, alone, { ...there, status: 'RESOLVED_NO' as const }]) {
      expectEdges({ max_event_notional_usd: 38 }, { markets: [here, market] }, [['ask 100 @ 6200']]);
    }
    expectEdges({ max_event_notional_usd: 1 }, { bid: 5900, ask: 6100 }, [['ask 100 @ 6200']]);
  });

  it('allows an account beyond the limit to reduce', () => {
    const before = {
      markets: [
        { ...here, yes: 100, netCash: -58 },
        { ...there, no: 0, yes: 100 },
      ],
    };
    expectEdges({ max_event_notional_usd: 90 }, before, [
      ['ask 100 @ 6200'],
      ['bid 1 @ 5800', 'MAX_EVENT_NOTIONAL 90/98.58'],
    ]);
  });
});

describe('max_total_notional_usd', () => {
  const here = { number: 0, bid: 5900, ask: 6100 };
  const there = { number: 1, yes: 100, netCash: -40, orders: ['#1 BUY YES 10 @ 3000 bot 1'] };

  it('adds up the worst cases of all markets', () => {
    const before = { markets: [here, there] };
    expectEdges({ max_total_notional_usd: 101 }, before, [
      ['bid 99.99 @ 5800'],
      ['bid 100 @ 5800'],
      ['bid 100.01 @ 5800', 'MAX_TOTAL_NOTIONAL 101/101.0058'],
    ]);
  });

  it('excludes final markets', () => {
    const before = { markets: [here, { ...there, status: 'RESOLVED_NO' as const }] };
    expectEdges({ max_total_notional_usd: 58 }, before, [['bid 100 @ 5800']]);
  });

  it('uses the current worst case of another market, not an earlier one', () => {
    const gate = gateWith({ max_total_notional_usd: 100 });
    const quote = (market: number, line: string, markets: Before['markets'] & object) =>
      verdictLines(gate.check(quoteOf([line], undefined, market), instanceNo(0), viewOf({ markets })));
    expect(quote(1, 'bid 100 @ 5800', [here, { ...here, number: 1 }])).toEqual(['bid 100 @ 5800']);
    const withOrder = { ...here, number: 1, orders: ['#1 BUY YES 100 @ 5800'] };
    expect(quote(0, 'bid 100 @ 5800', [here, withOrder])).toEqual(['MAX_TOTAL_NOTIONAL 100/116']);
    expect(quote(0, 'bid 100 @ 5800', [here, { ...here, number: 1 }])).toEqual(['bid 100 @ 5800']);
  });

  it('counts an open order in another market also when a later approval there is smaller', () => {
    const gate = gateWith({ max_total_notional_usd: 100 });
    const withOrder = { ...here, number: 1, orders: ['#1 BUY YES 100 @ 5800'] };
    const quote = (market: number, line: string) =>
      verdictLines(
        gate.check(quoteOf([line], undefined, market), instanceNo(0), viewOf({ markets: [here, withOrder] })),
      );
    expect(quote(1, 'bid 20 @ 5800')).toEqual(['bid 20 @ 5800']);
    expect(quote(0, 'bid 100 @ 5800')).toEqual(['MAX_TOTAL_NOTIONAL 100/116']);
  });

  it('allows an account beyond the limit to reduce', () => {
    const before = { markets: [{ ...here, yes: 100, netCash: -58 }, there] };
    expectEdges({ max_total_notional_usd: 90 }, before, [
      ['ask 100 @ 6200'],
      ['bid 1 @ 5800', 'MAX_TOTAL_NOTIONAL 90/101.58'],
    ]);
  });

  it('counts a replace in flight in another market once', () => {
    const gate = gateWith({ max_total_notional_usd: 116 });
    const quote = (market: number, there: Before) =>
      verdictLines(
        gate.check(quoteOf(['bid 100 @ 5800'], undefined, market), instanceNo(0), viewOf({ markets: [here, there] })),
      );
    expect(quote(1, { ...here, number: 1 })).toEqual(['bid 100 @ 5800']);
    const replacing = ['#1 BUY YES 100 @ 5700 cancelling', '#2 BUY YES 100 @ 5800 new'];
    expect(quote(0, { ...here, number: 1, orders: replacing })).toEqual(['bid 100 @ 5800']);
  });
});

describe('max_open_orders', () => {
  it('counts the account over all markets, without takes and orders that are replaced or being cancelled', () => {
    const before = {
      markets: [
        { number: 0, orders: ['#1 BUY YES 1 @ 5000', '#2 BUY YES 1 @ 5000 bot 1', '#3 BUY YES 1 @ 5000 bot 1 taker'] },
        { number: 1, orders: ['#4 BUY YES 1 @ 5000', '#5 BUY YES 1 @ 5000 cancelling', '#6 BUY YES 1 @ 5000 taker'] },
      ],
    };
    const lines = ['bid 1 @ 5800', 'bid 1 @ 5790', 'bid 1 @ 5780'];
    expect(quotes({ max_open_orders: 5 }, before, lines)).toEqual(lines);
    expect(quotes({ max_open_orders: 4 }, before, lines)).toEqual([...lines.slice(0, 2), 'MAX_OPEN_ORDERS 4/5']);
  });
});

describe('the open orders of other markets', () => {
  it('are recounted before they cause a refusal', () => {
    const gate = gateWith({ max_open_orders: 1 });
    const before = (orders: string[]) =>
      viewOf({
        markets: [
          { bid: 5900, ask: 6100 },
          { number: 1, orders },
        ],
      });
    const verdictFor = (orders: string[]) =>
      verdictLines(gate.check(quoteOf(['bid 1 @ 5800']), instanceNo(0), before(orders)));
    expect(verdictFor(['#1 BUY YES 1 @ 5000'])).toEqual(['MAX_OPEN_ORDERS 1/2']);
    expect(verdictFor([])).toEqual(['bid 1 @ 5800']);
  });
});

describe('commitments of other strategies', () => {
  it('count a replace in flight once', () => {
    const gate = gateWith({ max_position: 200 });
    const first = viewOf({});
    expect(verdictLines(gate.check(quoteOf(['bid 100 @ 5800']), instanceNo(1), first))).toEqual(['bid 100 @ 5800']);
    const replacing = { orders: ['#1 BUY YES 100 @ 5700 cancelling bot 1', '#2 BUY YES 100 @ 5800 new bot 1'] };
    expect(verdictLines(gate.check(quoteOf(['bid 100 @ 5800']), instanceNo(0), viewOf(replacing)))).toEqual([
      'bid 100 @ 5800',
    ]);
    expect(
      verdictLines(
        gateWith({ max_position: 200 }).check(quoteOf(['bid 100 @ 5800']), instanceNo(0), viewOf(replacing)),
      ),
    ).toEqual(['MAX_POSITION 200/300']);
  });

  it('include an open order also when a later approval is smaller', () => {
    const gate = gateWith({ max_position: 200 });
    gate.check(quoteOf(['bid 150 @ 5800']), instanceNo(1), viewOf({}));
    gate.check(quoteOf(['bid 50 @ 5800']), instanceNo(1), viewOf({ orders: ['#1 BUY YES 150 @ 5800 bot 1'] }));
    const reducing = { orders: ['#1 BUY YES 150 @ 5800 reducing bot 1'] };
    expect(verdictLines(gate.check(quoteOf(['bid 100 @ 5800']), instanceNo(0), viewOf(reducing)))).toEqual([
      'MAX_POSITION 200/250',
    ]);
    const reduced = { orders: ['#1 BUY YES 50 @ 5800 bot 1'] };
    expect(verdictLines(gate.check(quoteOf(['bid 100 @ 5800']), instanceNo(0), viewOf(reduced)))).toEqual([
      'bid 100 @ 5800',
    ]);
  });
});
