/** Random operations over the API, several at a time: what is answered is what the exchange has, to the micro-dollar. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isFinal } from '../../../../src/domain/index.ts';
import { OPERATIONS } from '../../../../src/protocol/index.ts';
import { IS_SHORT, runs } from '../../../runs.ts';
import { openVenue, type Player, SHARE, START, type Venue } from './venue.ts';

const PRICES = [3000, 5000, 5000, 5000, 5000, 5010, 5010, 7000, 5005];
const SIZES = [10_000, 1_000_000, 2_510_000, 7_000_000, 4_000_000, 1_010_000, 15_000, 3_330_000, 30_000_000];
/** Orders that rest are more interesting, and post-only ones rest or are refused. */
const FORCES = ['GTC', 'GTC', 'GTC', 'GTC', 'GTD', 'GTD', 'FOK', 'FAK'] as const;

/** What a player may try; `who` and `which` are taken modulo what there is. */
const action = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.record({
      type: fc.constant('place' as const),
      who: fc.nat(2),
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
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel' as const), who: fc.nat(2), which: fc.nat(50) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('reduce' as const),
      who: fc.nat(2),
      which: fc.nat(50),
      shares: fc.constantFrom(...SIZES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('replace' as const),
      who: fc.nat(2),
      market: fc.nat(1),
      priceBps: fc.constantFrom(...PRICES),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      type: fc.constant('split' as const),
      who: fc.nat(2),
      market: fc.nat(1),
      shares: fc.constantFrom(...SIZES),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      type: fc.constant('merge' as const),
      who: fc.nat(2),
      market: fc.nat(1),
      shares: fc.constantFrom(...SIZES),
    }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('cancelAll' as const), who: fc.nat(2) }) },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('claim' as const), who: fc.nat(2) }) },
);
/** How the first market ends, after half of the rounds. */
const ending = fc.constantFrom('YES' as const, 'NO' as const, 'UNCERTAIN' as const, 'CANCELLED' as const);
type Action = typeof action extends fc.Arbitrary<infer T> ? T : never;

interface Game {
  readonly venue: Venue;
  readonly players: readonly Player[];
  readonly markets: readonly string[];
}

const DEPOSIT = 200;

async function opened(isLate: boolean): Promise<Game> {
  const venue = await openVenue({}, isLate);
  const markets = [await venue.market({ feeRateBps: 200 }), await venue.market()];
  const players = [];
  for (const name of ['alice', 'bob', 'carol']) players.push(await venue.player(name, DEPOSIT));
  for (const player of players) {
    for (const marketId of markets) await venue.got(player, OPERATIONS.splitPosition, { marketId, sets: '20000000' });
  }
  return { venue, players, markets };
}

async function act({ venue, players, markets }: Game, does: Action): Promise<void> {
  const marketId = 'market' in does ? (markets[does.market] ?? '') : '';
  const player = players[does.who];
  if (player === undefined) throw new Error('no player');
  const mine = venue.view.openOrders(player.account);
  const chosen = 'which' in does ? mine[does.which % Math.max(1, mine.length)] : undefined;
  const id =
    chosen === undefined ? `0x${'ee'.repeat(32)}` : (venue.archive.order(chosen.order)?.id ?? `0x${'ee'.repeat(32)}`);
  switch (does.type) {
    case 'place': {
      const { type: _, who: __, market: ___, ...request } = does;
      const expiration = does.timeInForce === 'GTD' ? START + 3_600_000 : 0;
      const { accepted, order, rejection, seq } = await venue.place(player, { ...request, marketId, expiration });
      expect(accepted).toBe(order !== null);
      expect(accepted).toBe(rejection === null);
      expect(Number(seq)).toBeGreaterThanOrEqual(Number(order?.seq ?? 0));
      return;
    }
    case 'cancel':
      await venue.got(player, OPERATIONS.cancelOrder, { id });
      return;
    case 'reduce':
      await venue.got(player, OPERATIONS.reduceOrder, { id, byShares: String(does.shares) });
      return;
    case 'replace': {
      const place = [venue.input(player, { marketId, priceBps: does.priceBps, size: 2, postOnly: true })];
      await venue.got(player, OPERATIONS.replaceOrders, { input: { marketId, cancelAllInMarket: true, place } });
      return;
    }
    case 'split':
      await venue.got(player, OPERATIONS.splitPosition, { marketId, sets: String(does.shares) });
      return;
    case 'merge':
      await venue.got(player, OPERATIONS.mergePosition, { marketId, sets: String(does.shares) });
      return;
    case 'cancelAll':
      await venue.got(player, OPERATIONS.cancelAllOrders, {});
      return;
    case 'claim':
      await venue.got(player, OPERATIONS.claimAllPositions, {});
  }
}

/** Everything that the API says of a player, against the exchange. */
async function check({ venue, players, markets }: Game): Promise<void> {
  const { view } = venue;
  let cash = 0;
  for (const player of players) {
    const { balance } = await venue.got(player, OPERATIONS.balance, {});
    const account = view.account(player.account);
    const [available, reserved] = [Number(balance.availableMicros), Number(balance.reservedMicros)];
    expect({ available, reserved }).toEqual({ available: account?.available, reserved: account?.reserved });
    expect(balance.availableCents).toBe(Math.floor(available / 10_000));
    expect(balance.reservedCents).toBe(Math.ceil(reserved / 10_000));
    expect(balance.totalCents).toBe(Math.floor((available + reserved) / 10_000));
    cash += available + reserved;

    const ledger = await all(async (page) => (await venue.got(player, OPERATIONS.ledger, { input: page })).ledger);
    expect(ledger.reduce((sum, { amountMicros }) => sum + Number(amountMicros), 0)).toBe(available + reserved);
    for (const { amountMicros, amountCents, direction } of ledger) {
      const micros = Number(amountMicros);
      expect([amountCents, direction]).toEqual([Math.floor(Math.abs(micros) / 10_000), Math.sign(micros)]);
    }
    const orders = await all(async (page) => (await venue.got(player, OPERATIONS.orders, { input: page })).orders);
    const open = orders.filter(({ status }) => status === 'LIVE' || status === 'PARTIALLY_FILLED');
    const engine = view.openOrders(player.account).map((each) => ({
      price: each.price,
      outcome: each.outcome,
      side: each.side,
      remaining: each.remaining,
      queue: venue.view.queueAhead(each.order),
      id: venue.archive.order(each.order)?.id,
    }));
    const shown = open.map((each) => ({
      price: each.priceBps,
      outcome: each.outcome,
      side: each.side,
      remaining: micro(each.remainingShares),
      queue: each.queueAheadShares === null ? undefined : micro(each.queueAheadShares),
      id: each.id,
    }));
    expect(shown.toSorted(byId)).toEqual(engine.toSorted(byId));
    const fills = await all(async (page) => (await venue.got(player, OPERATIONS.fills, { input: page })).fills);
    for (const order of orders) {
      const own = fills.filter(({ orderId }) => orderId === order.id);
      expect(own.reduce((sum, { shares }) => sum + micro(shares), 0)).toBe(micro(order.filledShares));
      const isOpen = open.includes(order);
      expect(micro(order.remainingShares)).toBe(isOpen ? micro(order.shares) - micro(order.filledShares) : 0);
      expect(order.feeCents).toBe(Math.ceil(own.reduce((sum, { feeMicros }) => sum + Number(feeMicros), 0) / 10_000));
    }
    const positions = await all(
      async (page) =>
        (await venue.got(player, OPERATIONS.positions, { input: { ...page, openOnly: false } })).positions,
    );
    for (const { marketId, outcome, shares, amountMicros, realizedPnlMicros, reservedShares } of positions) {
      if (outcome === 'CANCELLED') continue;
      const market = view.markets.find(({ id }) => id === marketId);
      const side = view.holding(player.account, market?.no ?? -1)?.[outcome === 'YES' ? 'yes' : 'no'];
      expect([micro(shares), Number(amountMicros), Number(realizedPnlMicros), micro(reservedShares)]).toEqual([
        ...[side?.shares, side?.cost, side?.realized, side?.held],
      ]);
    }
    const { portfolio } = await venue.got(player, OPERATIONS.portfolio, {});
    const sum = positions.reduce((total, { realizedPnlMicros }) => total + Number(realizedPnlMicros), 0);
    expect(Number(portfolio.realizedPnlMicros)).toBe(sum);
    // What came of the deposit is realised, or still at stake: cash + cost of what is held = deposit + realised - refunds due.
    const owed = view.holdingsOf(player.account).reduce((total, holding) => total + holding.owed, 0);
    expect(balance.claimableCents).toBe(Math.floor(owed / 10_000));
  }
  const locked = markets.reduce(
    (sum, id) => sum + view.collateral(view.markets.find((each) => each.id === id)?.no ?? -1),
    0,
  );
  expect(cash + locked + view.fees).toBe(players.length * DEPOSIT * SHARE);
}

const micro = (shares: number): number => Math.round(shares * SHARE);
const byId = (one: { readonly id: string | undefined }, other: { readonly id: string | undefined }): number =>
  (one.id ?? '') < (other.id ?? '') ? -1 : 1;

interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

async function all<Node>(read: (page: { first: number; after?: string }) => Promise<Page<Node> | null | undefined>) {
  const nodes: Node[] = [];
  for (let after: string | undefined; ; ) {
    const page = await read({ first: 100, ...(after === undefined ? {} : { after }) });
    if (page === null || page === undefined) throw new Error('no page');
    nodes.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) return nodes;
    after = page.pageInfo.endCursor ?? undefined;
  }
}

/** What happened over all games: games in which nothing happens prove nothing. */
interface Met {
  trades: number;
  /** Most tasks that waited for a turn. */
  waited: number;
  finals: number;
  claims: number;
}

function watch({ venue: { queue } }: Game, met: Met): void {
  queue.watch({
    onTurnEnd: () => {
      met.waited = Math.max(met.waited, queue.waiting);
    },
    onCommitted: (events) => {
      for (const reported of events) {
        if (reported.type === 'traded') met.trades += 1;
        if (reported.type === 'happened' && reported.event.type === 'claimed') met.claims += 1;
      }
    },
  });
}

describe('random API requests', () => {
  it.each([
    ['answers at once', false],
    ['answers late', true],
  ])('over a journal that %s get answers that match the exchange, and money is conserved', async (_, isLate) => {
    const met: Met = { trades: 0, waited: 0, finals: 0, claims: 0 };
    const rounds = fc.array(fc.array(action, { minLength: 2, maxLength: 8, size: 'max' }), {
      maxLength: 16,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(rounds, ending, async (list, outcome) => {
        const game = await opened(isLate);
        watch(game, met);
        const { venue, markets } = game;
        for (const [round, actions] of list.entries()) {
          await Promise.all(actions.map((does) => act(game, does)));
          if (round === Math.floor(list.length / 2)) await venue.end(markets[0] ?? '', outcome);
        }
        await check(game);
        met.finals += venue.view.markets.filter(({ status }) => isFinal(status)).length;
        expect([venue.stops, venue.logged]).toEqual([[], []]);
        await venue.close();
      }),
      { numRuns: runs(30) },
    );
    // A short run has too few games to be sure of more.
    expect(met.trades).toBeGreaterThan(IS_SHORT ? 0 : 20);
    if (IS_SHORT) return;
    expect(met.finals).toBeGreaterThan(10);
    expect(met.claims).toBeGreaterThan(3);
    expect(met.waited > 2).toBe(isLate);
  });
});
