/**
 * The adapter, a stranger and a venue full of faults, all from one seed. In the end everything heals, and bot and venue have to
 * agree to the micro-unit: orders, shares and cash, trades that were taken back included. On the way no order may come to the venue
 * that was not stored first, and none may be signed twice.
 */
import { type Random, seededRandom, wallClock } from '../../../src/clock/index.ts';
import { counted, microShares, type PlaceOrder, priceBps, SHARE } from '../../../src/domain/index.ts';
import type { VenueSession } from '../../../src/runtime/index.ts';
import type { RestClient, RestOutcome } from '../../../src/venues/polymarket/rest-client.ts';
import { until } from '../service/real-venue.ts';
import { adapter, type BotParts, openScene, type PolymarketStage, recorder, type Scene } from './stage.ts';

const MARKET = counted.market(0);

/** What it came to. */
export interface ChaosTally {
  readonly differences: readonly string[];
  readonly faults: readonly string[];
  readonly fills: number;
  readonly reversed: number;
  readonly uncertain: number;
  readonly crashes: number;
}

interface Life {
  readonly parts: BotParts;
  readonly session: VenueSession;
  /** Breaks this part of the answers. */
  rate: number;
}

export async function chaosRun(stage: PolymarketStage, seed: number, steps: number): Promise<ChaosTally> {
  const random = seededRandom(seed);
  const scene = await openScene(stage, `Chaos ${seed}?`);
  const no = 50_000 + seed;
  const other = await stage.venue.person(60_000 + seed);
  const seen = { fills: 0, reversed: 0, uncertain: 0, crashes: 0 };
  const faults: string[] = [];
  let next = 1;
  let life = await start(stage, { no, scene, random });
  const { state } = life.parts;
  const count = (type: string): void => {
    if (type === 'orderFilled') seen.fills += 1;
    else if (type === 'fillReversed') seen.reversed += 1;
    else if (type === 'orderUncertain') seen.uncertain += 1;
  };
  const restart = async (): Promise<void> => {
    seen.crashes += 1;
    const { records } = life.parts;
    faults.push(...life.parts.faults.map(String));
    // The process is gone: what comes of it is not recorded any more.
    await life.session.close();
    const leftovers = random.int(2) === 0 ? 'adopt' : 'cancel';
    life = await start(stage, { no, scene, random, before: { records: records.afterCrash(), state, leftovers } });
  };
  for (let step = 0; step < steps; step += 1) {
    const what = random.int(100);
    if (what < 35) {
      const places = Array.from({ length: 1 + random.int(3) }, () => orderOf(next++, random));
      for (const place of places) state.sent(place, wallClock().now());
      life.session.send(places);
    } else if (what < 50) {
      const open = state.market(MARKET).orders;
      const one = open[random.int(Math.max(1, open.length))];
      if (one !== undefined) {
        const cancel = { type: 'cancel', order: one.order, market: MARKET } as const;
        state.sent(cancel, wallClock().now());
        life.session.send([cancel]);
      }
    } else if (what < 53)
      life.session.send([random.int(2) === 0 ? { type: 'cancelAll' } : { type: 'cancelAll', everyone: true }]);
    else if (what < 75) await strangerTrades(other, scene, random);
    else if (what < 90) await fault(stage, random);
    else if (what < 94) life.rate = random.int(2) === 0 ? 0 : 0.2;
    else await restart();
    await pause(random.int(30));
  }
  life.rate = 0;
  for (const name of ['restart', 'post-only', 'delay', 'silence', 'double']) await last(stage, name, 0);
  for (const name of ['lose-answer', 'retry', 'fail', 'wrong-beat']) await times(stage, name, 0);
  const differences: string[] = [];
  await healed(life, differences, 'at the end');
  life.session.send([{ type: 'cancelAll', everyone: true }]);
  await until(() => state.openOrders === 0 && life.parts.venue.isQuiet, 'no own order left');
  await healed(life, differences, 'after the last cancel');
  for (const { event } of life.parts.records.steps) if (event !== undefined) count(event.type);
  if (state.unexplained > 0) differences.push(`${state.unexplained} events contradict the holdings`);
  const numbers = life.parts.records.rows.map(({ order }) => order);
  if (new Set(numbers).size < numbers.length) differences.push('an order was signed twice');
  faults.push(...life.parts.faults.map(String));
  await life.session.close();
  return { ...seen, differences, faults };
}

/** Waits for agreement, and compares orders, shares and cash with the venue's own figures. */
async function healed({ parts }: Life, differences: string[], when: string): Promise<void> {
  const { venue, state, rest, records, orders } = parts;
  const balance = async (query: Readonly<Record<string, string>>): Promise<number> =>
    Number(Reflect.get(Object(await rest.read({ path: '/balance-allowance', query })), 'balance'));
  const compare = async (): Promise<readonly string[]> => {
    await venue.audit().catch(() => undefined);
    const found: string[] = [];
    const { yes, no } = state.market(MARKET).position;
    const token = (outcome: 'YES' | 'NO') => parts.token(outcome);
    const [venueYes, venueNo, cash] = await Promise.all([
      balance({ asset_type: 'CONDITIONAL', token_id: token('YES') }),
      balance({ asset_type: 'CONDITIONAL', token_id: token('NO') }),
      balance({ asset_type: 'COLLATERAL' }),
    ]);
    if (yes !== venueYes) found.push(`${when}: ${yes} YES, ${venueYes} at the venue`);
    if (no !== venueNo) found.push(`${when}: ${no} NO, ${venueNo} at the venue`);
    if (state.cash !== cash) found.push(`${when}: cash ${state.cash}, ${cash} at the venue`);
    const atVenue = await rest.read({ path: '/data/orders' });
    const ids: readonly string[] = Object(atVenue).data.map(({ id }: { readonly id: string }) => id);
    if (ids.length !== state.openOrders) found.push(`${when}: ${state.openOrders} orders, ${ids.length} at the venue`);
    for (const id of ids) if (records.find(id) === undefined) found.push(`${when}: order ${id} was never stored`);
    for (const id of ids) if (orders.byHash(id) === undefined) found.push(`${when}: order ${id} is not followed`);
    if (venue.agreement !== 'agrees') found.push(`${when}: the account is ${venue.agreement}`);
    return found;
  };
  let left: readonly string[] = [];
  for (let tries = 0; tries < 60; tries += 1) {
    await until(() => venue.isQuiet, 'quiet');
    left = await compare();
    if (left.length === 0) return;
    await pause(500);
  }
  differences.push(...left);
}

interface Start {
  readonly no: number;
  readonly scene: Scene;
  readonly random: Random;
  readonly before?: Pick<BotParts, 'records' | 'state'> & { readonly leftovers: 'adopt' | 'cancel' };
}

async function start(stage: PolymarketStage, { no, scene, random, before }: Start): Promise<Life> {
  const settings = { auditMs: 1_000, leftovers: before?.leftovers ?? 'cancel' } as const;
  const given = before === undefined ? {} : { records: before.records, state: before.state };
  const parts = await adapter(stage, { no, scene, timeoutMs: 400, settings, ...given });
  const record = recorder(parts.records);
  const life = { parts, rate: 0 };
  breakAnswers(parts.rest, random, () => life.rate);
  const session = await parts.venue.connect({
    rows: () => {},
    event(event, position) {
      parts.state.fold(event);
      record(event, position);
    },
  });
  return Object.assign(life, { session });
}

/** Requests that do not arrive, and answers that do not come back. */
function breakAnswers(rest: RestClient, random: Random, rate: () => number): void {
  const ask = rest.askPrivate.bind(rest);
  const cut = { type: 'unknown', problem: 'cut', sent: true } as const satisfies RestOutcome;
  rest.askPrivate = async (request) => {
    const drawn = random.uniform();
    if (drawn < rate() / 2) return cut;
    const outcome = await ask(request);
    return drawn < rate() ? cut : outcome;
  };
}

function orderOf(number: number, random: Random): PlaceOrder {
  const isBid = random.int(2) === 0;
  const taking = random.int(6) === 0;
  const price = isBid ? 4_400 + 100 * random.int(5) : 5_600 - 100 * random.int(5);
  return {
    type: 'place',
    order: counted.order(number),
    bot: counted.bot(0),
    market: MARKET,
    outcome: isBid ? 'YES' : 'NO',
    side: 'BUY',
    price: priceBps(isBid ? price : 10_000 - price),
    shares: microShares((1 + random.int(6)) * SHARE),
    timeInForce: taking ? 'FAK' : 'GTC',
    postOnly: !taking && random.int(2) === 0,
    expiration: 0,
  };
}

/** Somebody takes what he can. Refusals are no matter here. */
async function strangerTrades(
  other: Awaited<ReturnType<PolymarketStage['venue']['person']>>,
  scene: Scene,
  random: Random,
): Promise<void> {
  const isBid = random.int(2) === 0;
  const price = isBid ? 5_000 + 100 * random.int(6) : 5_000 - 100 * random.int(6);
  const bet = { outcome: isBid ? 'YES' : 'NO', side: 'BUY', priceBps: isBid ? price : 10_000 - price } as const;
  await other.place({ ...bet, size: 1 + random.int(8) }, scene.id);
  if (random.int(3) > 0)
    await other.ask('mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }', { m: scene.id });
}

async function fault(stage: PolymarketStage, random: Random): Promise<void> {
  const lasting = ['restart', 'post-only', 'delay', 'silence', 'double'];
  const counts = ['lose-answer', 'retry', 'fail', 'fail', 'wrong-beat'];
  if (random.int(2) === 0) await last(stage, lasting[random.int(lasting.length)] ?? 'double', 50 + random.int(400));
  else await times(stage, counts[random.int(counts.length)] ?? 'fail', 1 + random.int(2));
}

const last = (stage: PolymarketStage, name: string, ms: number): Promise<unknown> =>
  stage.venue.server.operate('polymarket-fault', { fault: name, for_ms: ms });
const times = (stage: PolymarketStage, name: string, count: number): Promise<unknown> =>
  stage.venue.server.operate('polymarket-fault', { fault: name, times: count });
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));
