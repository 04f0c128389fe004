/** Random concurrent operations over the API, whose replies must match the exchange to the micro-dollar. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinal } from '../../../../src/domain/index.ts';
import { ALL_OPERATIONS } from '../../../protocol/generated/operations.ts';
import { IS_SHORT, runs } from '../../../runs.ts';
import { SHARE } from './signed-orders.ts';
import { openVenue, START, type Trader, type Venue } from './venue.ts';

const PRICES = [3000, 5000, 5000, 5000, 5000, 5010, 5010, 7000, 5005];
const SIZES = [10_000, 1_000_000, 2_510_000, 7_000_000, 4_000_000, 1_010_000, 15_000, 3_330_000, 30_000_000];
/** Resting orders are more frequent than FOK and FAK orders. */
const FORCES = ['GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'GTD', 'FOK', 'FAK'] as const;

/** A random operation. Numbers of traders, markets and orders are taken modulo their count. */
const action = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      type: fc.constant('place' as const),
      traderNo: fc.nat(2),
      market: fc.nat(1),
      outcome: fc.constantFrom('YES' as const, 'NO' as const),
      side: fc.constantFrom('BUY' as const, 'BUY' as const, 'SELL' as const),
      priceBps: fc.constantFrom(...PRICES),
      shares: fc.constantFrom(...SIZES),
      timeInForce: fc.constantFrom(...FORCES),
      postOnly: fc.constantFrom(false, false, false, false, false, true),
      selfTradePrevention: fc.constantFrom('CANCEL_TAKER' as const, 'CANCEL_MAKER' as const, 'CANCEL_BOTH' as const),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel' as const), traderNo: fc.nat(2), which: fc.nat(50) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('reduce' as const),
      traderNo: fc.nat(2),
      which: fc.nat(50),
      shares: fc.constantFrom(...SIZES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('replace' as const),
      traderNo: fc.nat(2),
      market: fc.nat(1),
      priceBps: fc.constantFrom(...PRICES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('split' as const),
      traderNo: fc.nat(2),
      market: fc.nat(1),
      shares: fc.constantFrom(...SIZES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('merge' as const),
      traderNo: fc.nat(2),
      market: fc.nat(1),
      shares: fc.constantFrom(...SIZES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancelAll' as const), traderNo: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('claim' as const), traderNo: fc.nat(2) }) },
);
/** The result of the first market, which ends after half of the rounds. */
const ending = fc.constantFrom('YES' as const, 'NO' as const, 'UNCERTAIN' as const, 'CANCELLED' as const);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

interface Scenario {
  readonly venue: Venue;
  readonly traders: readonly Trader[];
  readonly markets: readonly string[];
}

const DEPOSIT = 200;

async function openScenario(isLate: boolean): Promise<Scenario> {
  const venue = await openVenue({}, isLate);
  const markets = [await venue.market({ feeRateBps: 200 }), await venue.market()];
  const traders = [];
  for (const name of ['alice', 'bob', 'carol']) traders.push(await venue.trader(name, DEPOSIT));
  for (const trader of traders) {
    for (const marketId of markets)
      await venue.execute(trader, ALL_OPERATIONS.splitPosition, { marketId, sets: '20000000' });
  }
  return { venue, traders, markets };
}

async function runAction({ venue, traders, markets }: Scenario, step: Action): Promise<void> {
  const marketId = 'market' in step ? (markets[step.market] ?? '') : '';
  const trader = traders[step.traderNo];
  if (trader === undefined) throw new Error('no trader');
  const openOrders = venue.view.openOrders(trader.account);
  const chosen = 'which' in step ? openOrders[step.which % Math.max(1, openOrders.length)] : undefined;
  const id =
    chosen === undefined ? `0x${'ee'.repeat(32)}` : (venue.archive.order(chosen.order)?.id ?? `0x${'ee'.repeat(32)}`);
  switch (step.type) {
    case 'place': {
      const { type: _, traderNo: __, market: ___, ...request } = step;
      const expiration = step.timeInForce === 'GTD' ? START + 3_600_000 : 0;
      const { accepted, order, rejection, seq } = await venue.place(trader, { ...request, marketId, expiration });
      expect(accepted).toBe(order !== null);
      expect(accepted).toBe(rejection === null);
      expect(Number(seq)).toBeGreaterThanOrEqual(Number(order?.seq ?? 0));
      return;
    }
    case 'cancel':
      await venue.execute(trader, ALL_OPERATIONS.cancelOrder, { id });
      return;
    case 'reduce':
      await venue.execute(trader, ALL_OPERATIONS.reduceOrder, { id, byShares: String(step.shares) });
      return;
    case 'replace': {
      const place = [venue.input(trader, { marketId, priceBps: step.priceBps, size: 2, postOnly: true })];
      await venue.execute(trader, ALL_OPERATIONS.replaceOrders, {
        input: { marketId, cancelAllInMarket: true, place },
      });
      return;
    }
    case 'split':
      await venue.execute(trader, ALL_OPERATIONS.splitPosition, { marketId, sets: String(step.shares) });
      return;
    case 'merge':
      await venue.execute(trader, ALL_OPERATIONS.mergePosition, { marketId, sets: String(step.shares) });
      return;
    case 'cancelAll':
      await venue.execute(trader, ALL_OPERATIONS.cancelAllOrders, {});
      return;
    case 'claim':
      await venue.execute(trader, ALL_OPERATIONS.claimAllPositions, {});
  }
}

/** Compares everything that the API reports about each trader with the exchange. */
async function assertMatchesExchange({ venue, traders, markets }: Scenario): Promise<void> {
  const { view } = venue;
  let cash = 0;
  for (const trader of traders) {
    const { balance } = await venue.execute(trader, ALL_OPERATIONS.balance, {});
    const account = view.account(trader.account);
    const [available, reserved] = [Number(balance.availableMicros), Number(balance.reservedMicros)];
    expect({ available, reserved }).toEqual({ available: account?.available, reserved: account?.reserved });
    expect(balance.availableCents).toBe(Math.floor(available / 10_000));
    expect(balance.reservedCents).toBe(Math.ceil(reserved / 10_000));
    expect(balance.totalCents).toBe(Math.floor((available + reserved) / 10_000));
    cash += available + reserved;

    const ledger = await readAllPages(
      async (page) => (await venue.execute(trader, ALL_OPERATIONS.ledger, { input: page })).ledger,
    );
    expect(ledger.reduce((sum, { amountMicros }) => sum + Number(amountMicros), 0)).toBe(available + reserved);
    for (const { amountMicros, amountCents, direction } of ledger) {
      const micros = Number(amountMicros);
      expect([amountCents, direction]).toEqual([Math.floor(Math.abs(micros) / 10_000), Math.sign(micros)]);
    }
    const orders = await readAllPages(
      async (page) => (await venue.execute(trader, ALL_OPERATIONS.orders, { input: page })).orders,
    );
    const open = orders.filter(({ status }) => status === 'LIVE' || status === 'PARTIALLY_FILLED');
    const engine = view.openOrders(trader.account).map((each) => ({
      price: each.price,
      outcome: each.outcome,
      side: each.side,
      remaining: each.remaining,
      queue: venue.view.queueAhead(each.order),
      id: venue.archive.order(each.order)?.id,
    }));
    const reported = open.map((each) => ({
      price: each.priceBps,
      outcome: each.outcome,
      side: each.side,
      remaining: micro(each.remainingShares),
      queue: each.queueAheadShares === null ? undefined : micro(each.queueAheadShares),
      id: each.id,
    }));
    expect(reported.toSorted(byId)).toEqual(engine.toSorted(byId));
    const fills = await readAllPages(
      async (page) => (await venue.execute(trader, ALL_OPERATIONS.fills, { input: page })).fills,
    );
    for (const order of orders) {
      const own = fills.filter(({ orderId }) => orderId === order.id);
      expect(own.reduce((sum, { shares }) => sum + micro(shares), 0)).toBe(micro(order.filledShares));
      const isOpen = open.includes(order);
      expect(micro(order.remainingShares)).toBe(isOpen ? micro(order.shares) - micro(order.filledShares) : 0);
      expect(order.feeCents).toBe(Math.ceil(own.reduce((sum, { feeMicros }) => sum + Number(feeMicros), 0) / 10_000));
    }
    const positions = await readAllPages(
      async (page) =>
        (await venue.execute(trader, ALL_OPERATIONS.positions, { input: { ...page, openOnly: false } })).positions,
    );
    for (const { marketId, outcome, shares, amountMicros, realizedPnlMicros, reservedShares } of positions) {
      if (outcome === 'CANCELLED') continue;
      const market = view.markets.find(({ id }) => id === marketId);
      const side = view.holding(trader.account, market?.number ?? -1)?.[outcome === 'YES' ? 'yes' : 'no'];
      expect([micro(shares), Number(amountMicros), Number(realizedPnlMicros), micro(reservedShares)]).toEqual([
        ...[side?.shares, side?.cost, side?.realized, side?.reservedShares],
      ]);
    }
    const { portfolio } = await venue.execute(trader, ALL_OPERATIONS.portfolio, {});
    const sum = positions.reduce((total, { realizedPnlMicros }) => total + Number(realizedPnlMicros), 0);
    expect(Number(portfolio.realizedPnlMicros)).toBe(sum);
    // The claimable amount is the sum of the payouts that are due.
    const owed = view.holdingsOf(trader.account).reduce((total, holding) => total + holding.owed, 0);
    expect(balance.claimableCents).toBe(Math.floor(owed / 10_000));
  }
  const locked = markets.reduce(
    (sum, id) => sum + view.collateral(view.markets.find((each) => each.id === id)?.number ?? -1),
    0,
  );
  expect(cash + locked + view.fees).toBe(traders.length * DEPOSIT * SHARE);
}

const micro = (shares: number): number => Math.round(shares * SHARE);
const byId = (first: { readonly id: string | undefined }, second: { readonly id: string | undefined }): number =>
  (first.id ?? '') < (second.id ?? '') ? -1 : 1;

interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function readAllPages<Node>(
  read: (page: { first: number; after?: string }) => Promise<Page<Node> | null | undefined>,
) {
  const nodes: Node[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read({ first: 100, ...(after === undefined ? {} : { after }) });
    if (page === null || page === undefined) throw new Error('no page');
    nodes.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) return nodes;
    after = page.pageInfo.endCursor ?? undefined;
  }
}

/** Coverage of all scenarios. */
interface Coverage {
  trades: number;
  /** Largest number of waiting tasks. */
  maxWaiting: number;
  finals: number;
  claims: number;
}

function watch({ venue: { queue } }: Scenario, coverage: Coverage): void {
  queue.watch({
    onBatchEnd: () => {
      coverage.maxWaiting = Math.max(coverage.maxWaiting, queue.waitingCount);
    },
    onCommitted: (events) => {
      for (const reported of events) {
        if (reported.type === 'traded') coverage.trades += 1;
        if (reported.type === 'rareEvent' && reported.event.type === 'claimed') coverage.claims += 1;
      }
    },
  });
}

describe('random API requests', () => {
  it.each([
    ['commits synchronously', false],
    ['commits later', true],
  ])('over a journal that %s get replies that match the exchange, and conserve money', async (_, isLate) => {
    const coverage: Coverage = { trades: 0, maxWaiting: 0, finals: 0, claims: 0 };
    const rounds = fc.array(fc.array(action, { minLength: 2, maxLength: 8, size: 'max' }), {
      maxLength: 16,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(rounds, ending, async (list, outcome) => {
        const scenario = await openScenario(isLate);
        watch(scenario, coverage);
        const { venue, markets } = scenario;
        for (const [round, actions] of list.entries()) {
          await Promise.all(actions.map((step) => runAction(scenario, step)));
          if (round === Math.floor(list.length / 2)) await venue.end(markets[0] ?? '', outcome);
        }
        await assertMatchesExchange(scenario);
        coverage.finals += venue.view.markets.filter(({ status }) => isFinal(status)).length;
        expect([venue.stops, venue.logged]).toEqual([[], []]);
        await venue.close();
      }),
      { numRuns: runs(30) },
    );
    // A short run has too few scenarios for the checks of coverage: some have no trade.
    if (IS_SHORT) return;
    expect(coverage.trades).toBeGreaterThan(20);
    expect(coverage.finals).toBeGreaterThan(10);
    expect(coverage.claims).toBeGreaterThan(3);
    expect(coverage.maxWaiting > 2).toBe(isLate);
  });
});
