/** An embedded venue in this process, and traders on it. */
import { chaosSchema } from '../../../src/config/chaos-schema.ts';
import type { ExchangeConfig } from '../../../src/exchange/index.ts';
import { completeAccessSettings, type GivenAccessSettings, type VenueServer } from '../../../src/server/index.ts';
import type { OrderMessage, SigningKey } from '../../../src/signing/index.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import { freePort } from '../../free-port.ts';
import { startPlainServer } from '../../server/plain-server.ts';
import { keyOf, login, openSigningTools, queryVenue, type SigningTools, signOrder } from '../../server/trader.ts';

export const SILENT = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };
export const SHARE = 1_000_000;

export interface VenueArgs {
  readonly access?: GivenAccessSettings;
  readonly config?: Partial<ExchangeConfig>;
  readonly chaos?: object;
  readonly db?: string;
  readonly port?: number;
}

type ServerArgs = VenueArgs & { readonly port: number; readonly renewOperatorToken: boolean };

/** The embedded venue. */
export class Harness {
  readonly tools: SigningTools;
  server: VenueServer;
  readonly url: string;
  readonly token: string;
  readonly #options: VenueArgs & { readonly port: number };
  #traders = 0;
  #markets = 0;
  #salts = 0;

  private constructor(tools: SigningTools, server: VenueServer, options: VenueArgs & { readonly port: number }) {
    this.tools = tools;
    this.server = server;
    this.url = server.url;
    this.token = server.operatorToken ?? '';
    this.#options = options;
  }

  static async open(options: VenueArgs = {}): Promise<Harness> {
    const settled = { ...options, port: options.port ?? (await freePort()) };
    const tools = await openSigningTools();
    return new Harness(tools, await serve(tools, { ...settled, renewOperatorToken: true }), settled);
  }

  /** Restarts the server on the same database. */
  async restart(graceMs = 0): Promise<void> {
    await this.server.close(graceMs);
    this.server = await serve(this.tools, { ...this.#options, renewOperatorToken: false });
  }

  async operate(command: string, args: object = {}): Promise<unknown> {
    const answer = await fetch(`${this.url}/operator`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ ...args, command }),
    });
    const received: { ok: boolean; result?: unknown; error?: unknown } = JSON.parse(await answer.text());
    if (!received.ok) throw new Error(`${command}: ${JSON.stringify(received.error)}`);
    return received.result;
  }

  /** Opens a market. @returns its id */
  async market(number = 1, more: object = {}): Promise<string> {
    const id = `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
    await this.operate('put-category', { slug: 'tests', name: 'Tests' });
    const resolution_date = new Date(Date.now() + 86_400_000).toISOString();
    const details = { question: `Question ${number}?`, rules: 'r', category: 'tests', resolution_date };
    await this.operate('create-market', { id, ...details, ...more });
    await this.operate('open-market', { market: id });
    return id;
  }

  /** Returns the number of a market that was not opened yet. */
  nextMarket(): number {
    this.#markets += 1;
    return this.#markets;
  }

  /** Creates a trader with a new account and play money. */
  async trader(): Promise<Trader> {
    this.#traders += 1;
    const key = keyOf(this.tools, 100 + this.#traders);
    return new Trader(this, key, await login(this.url, this.tools, key));
  }

  nextSalt(): number {
    this.#salts += 1;
    return Date.now() * 1_000 + this.#salts;
  }

  async close(): Promise<void> {
    await this.server.close(0);
  }
}

type OrderOptions = Pick<OrderMessage, 'marketId' | 'outcome' | 'side' | 'priceBps'> & { readonly shares: number };

/** Trades over the API alone, without the service venue. */
export class Trader {
  readonly #harness: Harness;
  readonly key: SigningKey;
  readonly #token: string;

  constructor(harness: Harness, key: SigningKey, token: string) {
    this.#harness = harness;
    this.key = key;
    this.#token = token;
  }

  /** Logs in with a given key. */
  static async of(harness: Harness, key: SigningKey): Promise<Trader> {
    return new Trader(harness, key, await login(harness.url, harness.tools, key));
  }

  query(query: string, variables: object = {}) {
    return queryVenue(this.#harness.url, this.#token, query, variables);
  }

  /** Queries with the token of another session of the account. */
  queryAs(token: string, query: string) {
    return queryVenue(this.#harness.url, token, query, {});
  }

  /** Places a GTC order of whole shares. @returns its id @throws Error when it is refused */
  async place(options: OrderOptions, token = this.#token, epoch = 0): Promise<string> {
    const { tools, url } = this.#harness;
    const orderOptions = { ...options, shares: options.shares * SHARE, timestampMs: Date.now() };
    const ready = signOrder(tools, this.key, orderOptions, this.#harness.nextSalt());
    const { wire, sign } = tools.messages.order;
    const message = { ...ready.message, epoch };
    const order = { ...wire(message), signature: sign(message, this.key).signature };
    const text =
      'mutation ($i: PlaceOrderInput!) { placeOrder(input: $i) { accepted order { id } rejection { reason } } }';
    const { placeOrder } = await queryVenue(url, token, text, { i: { order } });
    if (!placeOrder.accepted) throw new Error(`refused: ${JSON.stringify(placeOrder.rejection)}`);
    return placeOrder.order.id;
  }
}

async function serve(
  tools: SigningTools,
  { access = {}, config = {}, chaos, db = ':memory:', port, renewOperatorToken }: ServerArgs,
): Promise<VenueServer> {
  return startPlainServer({
    store: SqliteStore.open({ file: db, thread: false }),
    log: SILENT,
    messages: tools.messages,
    access: completeAccessSettings({ ...access, audience: `http://127.0.0.1:${port}` }),
    config,
    chaos: chaos === undefined ? undefined : chaosSchema.parse(chaos),
    port,
    renewOperatorToken,
    onStop: () => {},
  });
}
