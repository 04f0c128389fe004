import { describe, expect, it } from 'vitest';
import { epochMs, type OrderCommand, type PlaceOrder } from '../../../src/domain/index.ts';
import { constantLatency } from '../../../src/venues/sim/latency.ts';
import { Harness } from './harness.ts';
import { once, type RunOptions, runAll, start } from './sim-run.ts';

const orders = new Harness();
const bid = (text: string, options = {}): PlaceOrder => orders.order(text, options);

describe('the path of an order (docs/spec/models.md#time-and-look-ahead)', () => {
  it('has the times of the worked example, from market data to the response', async () => {
    const place = bid('bid 10 @ 5800');
    const run = await start('1000: bid 5800 100, ask 6200 100\n3000: bid 5700 1', { act: once('1050', place) });
    runAll(run);
    expect(run.log).toEqual([
      '1050 rows bid 5800 100, ask 6200 100',
      `1170 orderAccepted #${place.order} of 1130`,
      '3050 rows bid 5700 1',
    ]);
  });

  it('includes the placement delay in force at its arrival, also after the end of the tape', async () => {
    const place = bid('bid 10 @ 5800');
    const tape = '1000: delay 5000, bid 5800 100, ask 6200 100\n1140: delay 0';
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log.at(-1)).toBe(`6170 orderAccepted #${place.order} of 6130`);
  });

  it('includes no delay for a cancel, which overtakes delayed orders', async () => {
    const [first, second, third] = [bid('bid 10 @ 5800'), bid('bid 11 @ 5800'), bid('bid 12 @ 5800')];
    const cancel: OrderCommand = { type: 'cancel', order: first.order, market: first.market };
    const replace: OrderCommand = {
      type: 'replace',
      market: first.market,
      cancels: [{ order: first.order, remaining: first.shares }],
      places: [third],
    };
    const tape = '1000: bid 5800 100, ask 6200 100\n2000: delay 5000\n9000: bid 5700 1';
    const act: RunOptions['act'] = (line, { session }) => {
      if (line.startsWith('1050')) session.send([first]);
      if (line.startsWith('2050')) session.send([second, replace, cancel]);
    };
    const run = await start(tape, { act });
    runAll(run);
    expect(run.log.filter((line) => line.includes('#'))).toEqual([
      `1170 orderAccepted #${first.order} of 1130`,
      `2170 orderClosed #${first.order} USER of 2130`,
      `7170 orderAccepted #${second.order} of 7130`,
      `7170 cancelRejected #${first.order} ALREADY_FINAL of 7130`,
      `7170 orderRejected #${third.order} CONFLICT of 7130`,
    ]);
  });

  it('ends when the market halts during its delay, even if trading has resumed', async () => {
    const place = bid('bid 10 @ 5800');
    const tape = '1000: delay 5000, bid 5800 100\n2000: halt\n3000: open\n9000: bid 5700 1';
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log).toContain(`6170 orderRejected #${place.order} MARKET_HALTED of 6130`);
  });

  it('ends when a cancelAll overtakes it', async () => {
    const [place, later] = [bid('bid 10 @ 5800'), bid('bid 10 @ 5800')];
    const run = await start('1000: delay 5000, bid 5800 100', {
      act: once('1050', place, { type: 'cancelAll' }, later),
    });
    runAll(run);
    expect(run.log.slice(1)).toEqual([
      `6170 orderRejected #${place.order} STALE_EPOCH of 6130`,
      `6170 orderAccepted #${later.order} of 6130`,
    ]);
  });
});

it('a fill that takes longer than its order’s response delays the end of the order', async () => {
  const take = bid('bid 30 @ 6200', { timeInForce: 'FAK', postOnly: false });
  const latency = { ...constantLatency({ feed: 50, entry: 80, response: 40 }), fill: () => 500 };
  const run = await start('1000: bid 5800 100, ask 6200 10\n9000: bid 5700 1', { latency, act: once('1050', take) });
  runAll(run);
  expect(run.log.filter((line) => line.includes('#'))).toEqual([
    `1170 orderAccepted #${take.order} of 1130`,
    `1630 orderFilled #${take.order} of 1130`,
    `1630 orderClosed #${take.order} FAK_REMAINDER of 1130`,
  ]);
});

describe('at equal time', () => {
  it('the market moves before our order arrives', async () => {
    const place = bid('bid 10 @ 5810');
    const tape = '1000: bid 5800 100, ask 6200 100\n1130: ask 5810 5';
    const run = await start(tape, { act: once('1050', place) });
    runAll(run);
    expect(run.log[1]).toBe(`1170 orderRejected #${place.order} POST_ONLY_WOULD_CROSS of 1130`);
  });

  it('the market moves before our cancel arrives', async () => {
    const place = bid('bid 10 @ 5800');
    const cancel: OrderCommand = { type: 'cancel', order: place.order, market: place.market };
    const act: RunOptions['act'] = (line, { session }) => {
      if (line.startsWith('1050')) session.send([place]);
      if (line.startsWith('1170')) session.send([cancel]);
    };
    const run = await start('1000: bid 5800 0, ask 6200 100\n1250: sell 10 @ 5790', { act });
    runAll(run);
    expect(run.log.slice(2)).toEqual([
      `1290 orderFilled #${place.order} of 1250`,
      `1290 cancelRejected #${place.order} ALREADY_FINAL of 1250`,
      '1300 rows print 10 @ 5790',
    ]);
  });

  it('the market moves before an order expires', async () => {
    const place = bid('bid 10 @ 5800', { timeInForce: 'GTD', postOnly: true, expiration: epochMs(1_500) });
    const run = await start('1000: bid 5800 0\n1500: sell 4 @ 5790\n1501: sell 4 @ 5790', { act: once('1050', place) });
    runAll(run);
    expect(run.log.filter((line) => line.includes('#')).slice(1)).toEqual([
      `1540 orderFilled #${place.order} of 1500`,
      `1540 orderClosed #${place.order} EXPIRED of 1500`,
    ]);
  });

  it('a market message is delivered before our timer', async () => {
    const place = bid('bid 10 @ 5800');
    const run = await start('1000: bid 5800 100\n1080: bid 5700 1', { act: once('1050', place) });
    run.clock.schedule(epochMs(1_130), () => run.log.push('1130 timer'));
    runAll(run);
    expect(run.log.slice(1)).toEqual([
      '1130 rows bid 5700 1',
      '1130 timer',
      `1170 orderAccepted #${place.order} of 1130`,
    ]);
  });

  it('a market message is delivered before a response', async () => {
    const [early, late] = [bid('bid 10 @ 5800'), bid('bid 10 @ 5800')];
    const act: RunOptions['act'] = (line, { session }) => {
      if (line.startsWith('1050')) session.send([early]);
      if (line.startsWith('1060')) session.send([late]);
    };
    // Responses take 50 ms too, so each arrives together with a market message.
    const latency = constantLatency({ feed: 50, entry: 80, response: 50 });
    const run = await start('1000: bid 5800 100\n1010: bid 5700 1\n1130: bid 5700 2\n1140: bid 5700 3', {
      latency,
      act,
    });
    runAll(run);
    expect(run.log.slice(2)).toEqual([
      '1180 rows bid 5700 2',
      `1180 orderAccepted #${early.order} of 1130`,
      '1190 rows bid 5700 3',
      `1190 orderAccepted #${late.order} of 1140`,
    ]);
  });

  it('an older response is delivered before a newer market message', async () => {
    const place = bid('bid 10 @ 5800');
    const latency = constantLatency({ feed: 50, entry: 70, response: 60 });
    const run = await start('1000: bid 5800 100\n1130: bid 5700 2', { latency, act: once('1050', place) });
    runAll(run);
    expect(run.log.slice(1)).toEqual([`1180 orderAccepted #${place.order} of 1120`, '1180 rows bid 5700 2']);
  });
});
