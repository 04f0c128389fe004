/** Two accounts that trade with a bot. One quotes around a random mid, one takes. They continue after outages. */
import type { Random } from '../../src/clock/index.ts';
import type { SigningKey } from '../../src/signing/index.ts';
import { keyOf, login, queryVenue, type SigningTools, signOrder } from '../server/trader.ts';

export interface OtherTradersOptions {
  readonly url: string;
  readonly tools: SigningTools;
  /** UUIDs of the markets. */
  readonly markets: readonly string[];
  readonly random: Random;
}

const SHARE = 1_000_000;
const DEPTH = 200;
const FAR = 300;
const PAUSE_MS = 120;
const PLACE = 'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted } }';
const CLEAR = 'mutation ($m: ID!) { cancelMarketOrders(marketId: $m) { seq } }';

type Outcome = 'YES' | 'NO';

export class OtherTraders {
  readonly #options: OtherTradersOptions;
  readonly #tokens = new Map<SigningKey, string>();
  readonly #mids = new Map<string, number>();
  #salts = 0;
  #isOn = false;
  #isOver = false;
  #turn: Promise<void> = Promise.resolve();

  constructor(options: OtherTradersOptions) {
    this.#options = options;
  }

  /** Starts or resumes trading. */
  start(): void {
    if (this.#isOn || this.#isOver) return;
    this.#isOn = true;
    this.#turn = this.#trade();
  }

  /** Stops trading and waits for the running requests. Quotes stay open. */
  async pause(): Promise<void> {
    this.#isOn = false;
    await this.#turn;
  }

  end(): void {
    this.#isOver = true;
    this.#isOn = false;
  }

  async #trade(): Promise<void> {
    const { tools, markets, random } = this.#options;
    const [maker, taker] = [keyOf(tools, 2), keyOf(tools, 3)];
    while (this.#isOn) {
      const market = markets[random.int(markets.length)] ?? '';
      try {
        if (random.int(3) === 0 || !this.#mids.has(market)) await this.#quote(maker, market);
        else await this.#take(taker, market);
      } catch {
        // The venue may be down, so the next round tries again.
        this.#tokens.clear();
      }
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  }

  async #quote(key: SigningKey, market: string): Promise<void> {
    const { random } = this.#options;
    const mid = Math.min(6_500, Math.max(3_500, (this.#mids.get(market) ?? 5_000) + 10 * (random.int(41) - 20)));
    await this.#query(key, CLEAR, { m: market });
    await this.#place(key, market, 'YES', mid - FAR, DEPTH);
    await this.#place(key, market, 'NO', 10_000 - mid - FAR, DEPTH);
    this.#mids.set(market, mid);
  }

  async #take(key: SigningKey, market: string): Promise<void> {
    const { random } = this.#options;
    const mid = this.#mids.get(market) ?? 5_000;
    const outcome = random.int(2) === 0 ? 'YES' : 'NO';
    await this.#place(key, market, outcome, (outcome === 'YES' ? mid : 10_000 - mid) + 200, 1 + random.int(7));
    await this.#query(key, CLEAR, { m: market });
  }

  async #place(key: SigningKey, marketId: string, outcome: Outcome, priceBps: number, shares: number): Promise<void> {
    this.#salts += 1;
    const order = {
      marketId,
      outcome,
      side: 'BUY',
      priceBps,
      shares: shares * SHARE,
      timestampMs: Date.now(),
    } as const;
    const { input } = signOrder(this.#options.tools, key, order, Date.now() * 1_000 + (this.#salts % 1_000));
    await this.#query(key, PLACE, { i: input });
  }

  async #query(key: SigningKey, text: string, variables: object): Promise<void> {
    const { url, tools } = this.#options;
    const token = this.#tokens.get(key) ?? (await login(url, tools, key));
    this.#tokens.set(key, token);
    await queryVenue(url, token, text, variables);
  }
}
