/** How a bot handles markets after commands that keep failing and after contradictory trades. */
import { expect, it } from 'vitest';
import { z } from 'zod';
import { MarketChanges } from '../../../src/app/live/market-changes.ts';
import { Fault, type MarketNo, unchecked } from '../../../src/domain/index.ts';
import { createLog, Redactor } from '../../../src/ops/index.ts';
import { StrategyAssignments } from '../../../src/runtime/index.ts';
import type { Strategy } from '../../../src/strategy/index.ts';
import { account, setup } from '../../state/world.ts';

const SLUGS = ['rain', 'snow'];

function unused(): never {
  throw new Error('these tests do not use it');
}

const STRATEGY: Strategy = { name: 'ladder', summary: '', params: z.strictObject({}), create: unused };

/** Two markets, each with a strategy. */
function fixture() {
  const done: string[] = [];
  const alerts: (readonly [kind: string, text: string, fields: object])[] = [];
  const logged: string[] = [];
  const markets = SLUGS.map((slug, no) => {
    const market = setup(no);
    return { ...market, info: { ...market.info, slug } };
  });
  const entries = markets.map(({ info: { market } }) => {
    return { bot: unchecked.instance(market), strategy: 'ladder', params: '{}', changed: {}, markets: [market] };
  });
  const changes = new MarketChanges({
    core: { state: account(markets), assignments: new StrategyAssignments(entries) },
    directory: { isId: unused, select: unused },
    marketData: { add: unused, remove: (no: MarketNo) => void done.push(`unfollowed ${SLUGS[no]}`) },
    strategies: { areListed: false, findStrategy: () => STRATEGY, forMarket: unused },
    grids: { apply: unused, findGrid: unused },
    log: createLog({
      level: 'debug',
      redactor: new Redactor(),
      write: (line) => void logged.push(JSON.parse(line).msg),
    }),
    commandLine: (...command) => `npx halfspread ${command.join(' ')} --db a.db`,
    venueCommandLine: (command) => `npx halfspread ${command} --venue a.yaml`,
    alert: (kind, text, fields = {}) => void alerts.push([kind, text, fields]),
    onAllFailed: unused,
  });
  changes.attach({
    fault: undefined,
    submit(event) {
      if (event.type !== 'marketRemoved') return unused();
      done.push(`removed ${SLUGS[event.market]}`);
    },
  });
  return { changes, done, alerts, logged };
}

const RAIN = unchecked.market(0);
const IDS = [0, 1].map((no) => String(setup(no).info.id));
const LOOK = 'Check the orders at the venue: `npx halfspread orders --venue a.yaml`';
const FAILING_COMMAND = { command: 'cancelOrders', problem: 'HTTP 500' };

it('a failing command removes its markets from trading, withholds them from selection and raises an alert', async () => {
  const { changes, done, alerts, logged } = fixture();
  changes.onCommandStuck({ ...FAILING_COMMAND, markets: [RAIN] });
  // The core may be in the middle of a message.
  expect(done).toEqual([]);
  await Promise.resolve();
  // Its book stays subscribed, because it values the position.
  expect(done).toEqual(['removed rain']);
  // A selection does not choose it again, until an operator adds it.
  expect([...IDS, 'none'].map((id) => changes.isWithheld(id))).toEqual([true, false, false]);
  const text =
    'cancelOrders keeps failing (HTTP 500) and is repeated slowly. No longer traded: rain. `npx halfspread market add rain --db a.db` trades it again.';
  expect(logged).toEqual([text]);
  expect(alerts).toEqual([['stuck', `halfspread: ${text} ${LOOK}`, { command: 'cancelOrders', markets: 1 }]]);
});

it('a failing command for the whole account raises an alert and removes no market', async () => {
  const { changes, done, alerts } = fixture();
  changes.onCommandStuck({ ...FAILING_COMMAND, markets: [] });
  await Promise.resolve();
  expect(done).toEqual([]);
  expect(alerts.map(([, text]) => text)).toEqual([
    `halfspread: cancelOrders keeps failing (HTTP 500) and is repeated slowly. ${LOOK}`,
  ]);
});

it('a trade with contradictory contents raises an alert, and removes its market when this run trades it', async () => {
  const { changes, done, alerts } = fixture();
  const fault = new Fault('TRADE_CONFLICT', 'the venue tells of trade 7 with other contents than before');
  changes.onMarketFailed(RAIN, fault);
  changes.onMarketFailed(undefined, fault);
  await Promise.resolve();
  expect(done).toEqual(['removed rain', 'unfollowed rain']);
  expect(alerts).toEqual([
    ['trade_conflict', `halfspread: ${fault.message}`, { market: 0 }],
    ['trade_conflict', `halfspread: ${fault.message}`, {}],
  ]);
});

it('other errors of a market raise no alert', async () => {
  const { changes, done, alerts } = fixture();
  changes.onMarketFailed(RAIN, new Fault('VENUE', 'its book is gone'));
  await Promise.resolve();
  expect([done, alerts]).toEqual([['removed rain', 'unfollowed rain'], []]);
});

it.each(['__proto__', 'constructor', 'size'])(
  'the parameter %s, which the strategy does not have, is refused',
  (name) => {
    const { changes } = fixture();
    for (const value of [1, { size: 1 }])
      expect(() => changes.setParameter(name, value, {})).toThrow(`params.${name}: expected a known key`);
  },
);
