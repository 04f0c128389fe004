/** How a bot handles markets after commands that keep failing and after contradictory trades. */
import { expect, it } from 'vitest';
import { MarketChanges, type MarketChangesOptions } from '../../../src/app/live/market-changes.ts';
import { counted, Fault } from '../../../src/domain/index.ts';
import type { Run } from '../../../src/runtime/index.ts';

/** Two markets, each with a strategy. */
function fixture() {
  const done: string[] = [];
  const alerts: (readonly [kind: string, text: string, fields: object])[] = [];
  const logged: string[] = [];
  const slugs = ['rain', 'snow'];
  const market = (no: number) => ({ info: { market: no, slug: slugs[no], id: `id-${no}` }, orders: [] });
  const log = (_fields: object, text: string): void => void logged.push(text);
  // Only the members that these tests read.
  const options: unknown = {
    core: {
      assignments: { entries: slugs.map((_, no) => ({ bot: no, markets: [no], strategy: 'ladder' })) },
      state: { market, markets: slugs.map((_, no) => market(no)) },
    },
    marketData: { remove: (no: number) => void done.push(`unfollowed ${slugs[no]}`) },
    log: { debug: log, info: log, warn: log, error: log },
    commandLine: (...command: readonly string[]) => `npx halfspread ${command.join(' ')} --db a.db`,
    venueCommandLine: (command: string) => `npx halfspread ${command} --venue a.yaml`,
    alert: (kind: string, text: string, fields: object) => void alerts.push([kind, text, fields]),
  };
  const changes = new MarketChanges(options as MarketChangesOptions);
  const run: unknown = { fault: undefined, removeMarket: (no: number) => void done.push(`removed ${slugs[no]}`) };
  changes.attach(run as Run);
  return { changes, done, alerts, logged };
}

const RAIN = counted.market(0);
const LOOK = 'Check the orders at the venue: `npx halfspread orders --venue a.yaml`';
const FAILING_COMMAND = { command: 'cancelOrders', problem: 'HTTP 500' };

it('a failing command removes its markets from trading, withholds them from selection and raises an alert', async () => {
  const { changes, done, alerts, logged } = fixture();
  changes.stuck({ ...FAILING_COMMAND, markets: [RAIN] });
  // The core may be in the middle of a message.
  expect(done).toEqual([]);
  await Promise.resolve();
  // Its book stays subscribed, because it values the position.
  expect(done).toEqual(['removed rain']);
  // A selection does not choose it again, until an operator adds it.
  expect(['id-0', 'id-1', 'id-2'].map((id) => changes.isWithheld(id))).toEqual([true, false, false]);
  const text =
    'cancelOrders keeps failing (HTTP 500) and is repeated slowly. No longer traded: rain. `npx halfspread market add rain --db a.db` trades it again.';
  expect(logged).toEqual([text]);
  expect(alerts).toEqual([['stuck', `halfspread: ${text} ${LOOK}`, { command: 'cancelOrders', markets: 1 }]]);
});

it('a failing command for the whole account raises an alert and removes no market', async () => {
  const { changes, done, alerts } = fixture();
  changes.stuck({ ...FAILING_COMMAND, markets: [] });
  await Promise.resolve();
  expect(done).toEqual([]);
  expect(alerts.map(([, text]) => text)).toEqual([
    `halfspread: cancelOrders keeps failing (HTTP 500) and is repeated slowly. ${LOOK}`,
  ]);
});

it('a trade with contradictory contents raises an alert; its market is removed when this run trades it', async () => {
  const { changes, done, alerts } = fixture();
  const fault = new Fault('TRADE_CONFLICT', 'the venue tells of trade 7 with other contents than before');
  changes.failed(RAIN, fault);
  changes.failed(undefined, fault);
  await Promise.resolve();
  expect(done).toEqual(['removed rain', 'unfollowed rain']);
  expect(alerts).toEqual([
    ['trade_conflict', `halfspread: ${fault.message}`, { market: 0 }],
    ['trade_conflict', `halfspread: ${fault.message}`, {}],
  ]);
});

it('no other error of a market is an alert', async () => {
  const { changes, done, alerts } = fixture();
  changes.failed(RAIN, new Fault('VENUE', 'its book is gone'));
  await Promise.resolve();
  expect([done, alerts]).toEqual([['removed rain', 'unfollowed rain'], []]);
});
