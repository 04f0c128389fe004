import { describe, expect, it } from 'vitest';
import { fakeBot } from '../fake-bot.ts';
import { marketLine, report } from '../reports.ts';
import { health, OPERATOR, openServer, VIEWER } from './dashboard-server.ts';

describe('a bot', () => {
  it('that does not run, sends an invalid report, or has another version is shown as unreachable', async () => {
    const garbage = await fakeBot('hello\n');
    const other = await fakeBot(
      '{"v":2,"id":1,"ok":false,"error":{"code":"INPUT","message":"of different versions"}}\n',
    );
    const invalid = await fakeBot({ ...report(), equity: 'a lot' });
    const gone = await fakeBot();
    await gone.close();
    const dashboard = await openServer([garbage, other, invalid, gone]);
    const cookie = await dashboard.signIn(OPERATOR);
    await expect.poll(() => health(dashboard, cookie)).toContain('no bot runs there');
    await expect.poll(() => health(dashboard, cookie)).toContain('of different versions');
    await expect.poll(() => health(dashboard, cookie)).toContain('is no halfspread bot');
    await expect.poll(() => health(dashboard, cookie)).toContain('an invalid report');
  });

  it('of an earlier version, whose report lacks a nullable field, is shown with null', async () => {
    const { maxBookAgeMs: _, ...earlier } = report();
    const { twoSided: _twoSided, ...line } = marketLine();
    const dashboard = await openServer([await fakeBot({ ...earlier, markets: [line] })]);
    const cookie = await dashboard.signIn(OPERATOR);
    await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
    const { body } = await dashboard.query('{ bots { state { maxBookAgeMs markets { twoSided } } } }', cookie);
    expect(JSON.parse(body).data.bots).toEqual([{ state: { maxBookAgeMs: null, markets: [{ twoSided: null }] } }]);
  });

  it('that is killed while it is watched is unreachable at once, and its last figures stay visible', async () => {
    const bot = await fakeBot();
    const dashboard = await openServer([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
    await bot.close();
    await expect.poll(() => health(dashboard, cookie)).toContain('UNREACHABLE');
    expect((await dashboard.query('{ bots { state { equity } } }', cookie)).body).toContain('1610000');
    const act = await dashboard.query('mutation { act(bot: "bot-0", action: KILL) { done text } }', cookie);
    expect(JSON.parse(act.body).data.act).toMatchObject({
      done: false,
      text: expect.stringContaining('no bot runs there'),
    });
  });

  it('with ten thousand markets, and with HTML in a name, is returned unchanged', async () => {
    const markets = Array.from({ length: 10_000 }, (_, index) =>
      marketLine({ slug: `market-${index}`, question: '<img src=x onerror=alert(1)>' }),
    );
    const dashboard = await openServer([await fakeBot({ ...report(), markets })]);
    const cookie = await dashboard.signIn(OPERATOR);
    await expect.poll(() => health(dashboard, cookie), { timeout: 5_000 }).toContain('QUOTING');
    const { body } = await dashboard.query('{ bots { state { markets { slug question } } } }', cookie);
    const [{ state }] = JSON.parse(body).data.bots;
    expect(state.markets).toHaveLength(10_000);
    expect(state.markets[0].question).toBe('<img src=x onerror=alert(1)>');
  });

  it('shows an acknowledged alert again when the alert repeats, and a restarted bot has a new alert with the same id', async () => {
    const alert = { id: '1', kind: 'stuck', level: 'WARNING', text: 'stuck', time: 1, count: 1 };
    const bot = await fakeBot({ ...report(), alerts: [alert] });
    const dashboard = await openServer([bot]);
    const cookie = await dashboard.signIn(OPERATOR);
    const acknowledged = async () =>
      (await dashboard.query('{ bots { state { alerts { acknowledged } } } }', cookie)).body;
    const acknowledge = () => dashboard.query('mutation { acknowledge(bot: "bot-0", alert: "1") }', cookie);
    const expectAfter = async (reported: object, expected: boolean): Promise<void> => {
      bot.watchResponse = { ...report(), ...reported };
      bot.push();
      await expect.poll(acknowledged).toContain(`"acknowledged":${expected}`);
    };
    await expectAfter({ alerts: [alert] }, false);
    await acknowledge();
    await expectAfter({ alerts: [alert] }, true);
    await expectAfter({ alerts: [{ ...alert, count: 2 }] }, false);
    await acknowledge();
    await expectAfter({ alerts: [{ ...alert, count: 2 }] }, true);
    await expectAfter({ startedAt: 5, alerts: [{ ...alert, text: 'other' }] }, false);
  });

  it('that is unknown is refused with a list of the known bots', async () => {
    const dashboard = await openServer([await fakeBot()]);
    const cookie = await dashboard.signIn(OPERATOR);
    expect((await dashboard.query('mutation { act(bot: "x", action: KILL) { done } }', cookie)).body).toContain(
      'one of bot-0',
    );
  });
});

describe('figures in YES terms', () => {
  it('show a purchase of NO as a sale', async () => {
    const bot = await fakeBot();
    bot.responses.set('orders', [
      {
        order: 7,
        market: 'rain',
        outcome: 'NO',
        side: 'BUY',
        priceBps: 3_800,
        remaining: 5,
        phase: 'live',
        since: 1,
        tag: null,
      },
    ]);
    bot.responses.set('fills', [
      {
        time: 2,
        order: 7,
        market: 'rain',
        outcome: 'NO',
        side: 'SELL',
        priceBps: 3_800,
        shares: 5,
        fee: 0,
        liquidity: 'maker',
        trade: null,
        tag: null,
      },
    ]);
    const dashboard = await openServer([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
    expect(
      JSON.parse((await dashboard.query('{ orders { side price } fills { side price } }', cookie)).body).data,
    ).toEqual({
      orders: [{ side: 'ASK', price: 6_200 }],
      fills: [{ side: 'BID', price: 6_200 }],
    });
  });
});

it('finds fills by a part of the market’s slug among all fills, before it limits their number', async () => {
  const bot = await fakeBot();
  const [old, newest] = [{ ...fill(1), market: 'rain-in-rome' }, fill(2)];
  bot.responses.set('fills', [newest, old]);
  const dashboard = await openServer([bot], VIEWER);
  const cookie = await dashboard.signIn(VIEWER);
  await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
  const times = async (filter: string) => {
    const { body } = await dashboard.query(`{ fills(first: 1, filter: { ${filter} }) { time } }`, cookie);
    return JSON.parse(body).data?.fills;
  };
  expect(await times('marketContains: "rome"')).toEqual([{ time: 1 }]);
  expect(await times('marketContains: null')).toEqual([{ time: 2 }]);
  expect(await times('marketContains: "Rome"')).toEqual([]);
});

it('orders and fills of an earlier version have no tag and no trade', async () => {
  const bot = await fakeBot();
  const earlier = { order: 7, market: 'rain', outcome: 'YES', side: 'BUY', priceBps: 3_800 };
  bot.responses.set('orders', [{ ...earlier, remaining: 5, phase: 'live', since: 1 }]);
  bot.responses.set('fills', [{ ...earlier, time: 2, shares: 5, fee: 0, liquidity: 'maker' }]);
  const dashboard = await openServer([bot], VIEWER);
  const cookie = await dashboard.signIn(VIEWER);
  await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
  const { body } = await dashboard.query('{ orders { tag } fills { trade tag } }', cookie);
  expect(JSON.parse(body).data).toEqual({ orders: [{ tag: null }], fills: [{ trade: null, tag: null }] });
});

describe('the history of a market', () => {
  it('covers the requested range, also a range that ended before now', async () => {
    const bot = await fakeBot();
    bot.responses.set('fills', [fill(3_000), fill(2_000), fill(1_000)]);
    const dashboard = await openServer([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    const history = async (query: string) => {
      const { body } = await dashboard.query(`{ history(bot: "bot-0", market: "rain", ${query} }`, cookie);
      return JSON.parse(body).data?.history;
    };
    await expect
      .poll(() => history('rangeMs: 60000) { doubleMid position }'))
      .toEqual({
        doubleMid: [12_300],
        position: [1_000_000],
      });
    expect(await history('rangeMs: 1500, until: 2500) { from until time fillCount fills { time } }')).toEqual({
      from: 1_000,
      until: 2_500,
      time: [],
      fillCount: 2,
      fills: [{ time: 2_000 }, { time: 1_000 }],
    });
    expect((await history('rangeMs: 1) { oldest }')).oldest).toBeGreaterThan(1e12);
    expect(await history('rangeMs: 1, until: null, points: -5) { fills { time } }')).toEqual({ fills: [] });
  });

  it('has at most five hundred fills, and the total number of fills', async () => {
    const bot = await fakeBot();
    bot.responses.set(
      'fills',
      Array.from({ length: 1_200 }, (_, at) => fill(2_000 - at)),
    );
    const dashboard = await openServer([bot], VIEWER);
    const cookie = await dashboard.signIn(VIEWER);
    await expect.poll(() => health(dashboard, cookie)).toContain('QUOTING');
    const query = '{ history(bot: "bot-0", market: "rain", rangeMs: 5000, until: 5000) { fillCount fills { time } } }';
    const { history } = JSON.parse((await dashboard.query(query, cookie)).body).data;
    expect([history.fillCount, history.fills.length]).toEqual([1_200, 400]);
  });
});

function fill(time: number): object {
  const rest = { order: 7, market: 'rain', outcome: 'YES', side: 'BUY', priceBps: 6_100, shares: 5, fee: 0 };
  return { ...rest, time, liquidity: 'maker', trade: null, tag: null };
}
