/** Measures signed orders through a whole server on a database file. */
import { seededRandom, wallClock } from '../../src/clock/index.ts';
import { keyOf, login, openSigningTools, type SigningTools, signOrder } from '../../test/server/trader.ts';
import { type OrderLoad, placeOverHttp, placeOverSockets } from './order-load.ts';
import { bindToOneCore } from './own-core.ts';
import { type OrderRate, VenueProcess } from './venue-process.ts';

/** How orders are sent. */
type SendMethod = 'http' | 'sockets' | 'batches';
/** `oneCore`: over HTTP, all threads of the server on one core, the load on another. */
const SETTINGS = ['http', 'sockets', 'batches', 'oneCore'] as const;
export type Setting = (typeof SETTINGS)[number];

const PAYLOAD = 'accepted duplicate seq order { id status filledShares remainingShares } rejection { reason message }';
const ONE = `mutation Place($input: PlaceOrderInput!) { placeOrder(input: $input) { ${PAYLOAD} } }`;
const MANY = `mutation PlaceMany($input: PlaceOrdersInput!) { placeOrders(input: $input) { results { ${PAYLOAD} } } }`;
export const BATCH = 20;
export const CONNECTIONS = 32;
/** Requests in flight on each connection; 2 for batches. */
export const AHEAD = 8;
/** Number of traders of one run. They trade with each other. */
export const TRADERS = 4;

/** Orders per turn. */
export const ORDERS = 8_000;
/** Unmeasured turns: V8 recompiles code until about 60,000 orders are placed. */
const WARM_UP = 8;

/** Measures each setting in turns of `ORDERS` on a new server. `oneCore` is empty without core binding. */
export async function placeOrders(rounds: number): Promise<Readonly<Record<Setting, readonly OrderRate[]>>> {
  const rates: Record<Setting, OrderRate[]> = { http: [], sockets: [], batches: [], oneCore: [] };
  for (const setting of SETTINGS) {
    const harness = await OrderHarness.open();
    const unbind = setting === 'oneCore' ? bindToOneCore(harness.pid) : undefined;
    try {
      for (let round = -WARM_UP; round < rounds && (setting !== 'oneCore' || unbind !== undefined); round += 1) {
        const rate = await harness.run(setting === 'oneCore' ? 'http' : setting, ORDERS);
        if (round >= 0) rates[setting].push(rate);
      }
    } finally {
      unbind?.();
      await harness.close();
    }
  }
  return rates;
}

/** A server with one open market. */
class OrderHarness {
  readonly #venue: VenueProcess;
  readonly #tools: SigningTools;
  readonly #marketId: string;
  readonly #random = seededRandom(1);
  #salt = 0;

  private constructor(venue: VenueProcess, tools: SigningTools, marketId: string) {
    this.#venue = venue;
    this.#tools = tools;
    this.#marketId = marketId;
  }

  static async open(): Promise<OrderHarness> {
    const venue = await VenueProcess.open();
    const [marketId = ''] = await venue.openMarkets(1);
    return new OrderHarness(venue, await openSigningTools(), marketId);
  }

  /** Process id of the server. */
  get pid(): number | undefined {
    return this.#venue.pid;
  }

  /** Signs and sends orders, and waits for all responses. */
  async run(method: SendMethod, orders: number): Promise<OrderRate> {
    const { port } = this.#venue;
    const loads: OrderLoad[] = [];
    for (let trader = 0; trader < TRADERS; trader += 1) {
      loads.push({
        ...(await this.#signed(orders / TRADERS, method)),
        port,
        connections: CONNECTIONS / TRADERS,
        ...(method === 'batches' ? { ordersEach: BATCH, ahead: 2 } : { ordersEach: 1, ahead: AHEAD }),
      });
    }
    const send = method === 'sockets' ? placeOverSockets : placeOverHttp;
    return this.#venue.measureRate(orders, () => Promise.all(loads.map(send)));
  }

  close(): Promise<void> {
    return this.#venue.close();
  }

  /** Signs orders of a new trader. They buy YES and NO, so that some rest and some match. */
  async #signed(
    orders: number,
    method: SendMethod,
  ): Promise<{ readonly bodies: readonly string[]; readonly token: string }> {
    const key = keyOf(this.#tools, this.#salt + 1);
    const token = await login(this.#venue.url, this.#tools, key);
    const clock = wallClock();
    const inputs = Array.from({ length: orders }, () => {
      this.#salt += 1;
      const request = {
        ...({ marketId: this.#marketId, outcome: this.#random.int(2) === 0 ? 'YES' : 'NO', side: 'BUY' } as const),
        priceBps: 100 * (30 + this.#random.int(30)),
        shares: 10_000 * (500 + this.#random.int(500)),
        timestampMs: clock.now(),
      };
      return signOrder(this.#tools, key, request, this.#salt).input;
    });
    if (method !== 'batches') {
      return { token, bodies: inputs.map((input) => JSON.stringify({ query: ONE, variables: { input } })) };
    }
    const batches = Array.from({ length: orders / BATCH }, (_, at) => inputs.slice(at * BATCH, (at + 1) * BATCH));
    const bodies = batches.map((batch) => JSON.stringify({ query: MANY, variables: { input: { orders: batch } } }));
    return { token, bodies };
  }
}
