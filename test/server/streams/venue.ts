/** A complete venue on a free port with a simulated clock. */
import { SimClock } from '../../../src/clock/index.ts';
import {
  type AccountNo,
  epochMs,
  type MarketId,
  type MarketNo,
  marketId,
  type Outcome,
  type Side,
  unchecked,
} from '../../../src/domain/index.ts';
import type { ExchangeCommand, ExchangeEvent, OrderTerms } from '../../../src/exchange/index.ts';
import { venueSchema } from '../../../src/protocol/index.ts';
import { type Engine, openEngine } from '../../../src/server/engine.ts';
import type { Viewer } from '../../../src/server/graphql/context.ts';
import type { RequestQuota } from '../../../src/server/graphql/gate.ts';
import type { RootResolver } from '../../../src/server/graphql/resolvers.ts';
import { GraphqlService } from '../../../src/server/graphql/service.ts';
import { type HttpServer, startHttp } from '../../../src/server/http/http-server.ts';
import { HTTP_LIMITS } from '../../../src/server/http/options.ts';
import { MarketViewCache } from '../../../src/server/presenters/market-presenter.ts';
import { STREAM_LIMITS, type StreamLimits } from '../../../src/server/streams/options.ts';
import { StreamServer } from '../../../src/server/streams/stream-server.ts';
import type { Announcement } from '../../../src/server/venue-announcement.ts';
import { SqliteStore } from '../../../src/store/index.ts';
import { ALL_SCOPES, stubResolvers } from '../graphql/stub-venue.ts';
import { creationCommand, DAY } from '../resolvers/public/commands.ts';

const START = 1_700_000_000_000;
export const DOLLAR = 1_000_000;
export const SHARE = 1_000_000;

export interface OrderRequest {
  readonly market?: number;
  readonly outcome?: Outcome;
  readonly side?: Side;
  readonly price: number;
  /** Whole shares. */
  readonly size: number;
  readonly expiration?: number;
  readonly timeInForce?: OrderTerms['timeInForce'];
}

export interface VenueOptions {
  readonly origins?: readonly string[];
  /** Query resolvers that replace stubs. */
  readonly query?: Readonly<Record<string, RootResolver>>;
  /** Default: no limits. */
  readonly quota?: RequestQuota;
}

const NO_QUOTA: RequestQuota = { consume: () => 0, charge: () => undefined };

export class Venue {
  readonly clock = new SimClock(epochMs(START));
  readonly store = SqliteStore.open({ file: ':memory:' });
  readonly engine: Engine;
  readonly streams: StreamServer;
  readonly errors: object[] = [];
  http!: HttpServer;
  announcement: () => Announcement | undefined = () => undefined;
  /** Functions that end the subscriptions of a credential. */
  readonly ends = new Map<string, Set<() => void>>();
  readonly betPresets: number[] = [100];

  private constructor(limits: Partial<StreamLimits>, { query, origins, quota = NO_QUOTA }: VenueOptions) {
    const { clock, store } = this;
    const log = {
      info: () => undefined,
      warn: () => undefined,
      error: (fields: object) => void this.errors.push(fields),
    };
    this.engine = openEngine({
      store,
      clock,
      log,
      quotePolicy: undefined,
      onStop: (cause) => void this.errors.push({ cause }),
    });
    const { queue, ids, view } = this.engine;
    const schema = venueSchema();
    const stub = stubResolvers(schema, 1);
    const graphql = new GraphqlService({
      schema,
      resolvers: { ...stub, Query: { ...stub.Query, ...query } },
      quota,
      log,
    });
    const credentials = {
      identify: ({ authorization }: { readonly authorization: string | undefined }) => this.#viewer(authorization),
      onEnd: (credential: string, ended: () => void) => {
        const set = this.ends.get(credential) ?? new Set();
        this.ends.set(credential, set.add(ended));
        return () => void set.delete(ended);
      },
    };
    const marketViews = new MarketViewCache(view);
    queue.watch(marketViews);
    const listen = { host: '127.0.0.1', port: 0, base: '', trustedProxies: [], origins };
    const common = { graphql, clock, log, runId: 'test', listen };
    this.streams = new StreamServer({
      ...common,
      queue,
      archive: store.archive,
      ids,
      marketViews,
      betPresets: this.betPresets,
      announcement: () => this.announcement(),
      credentials,
      limits: { ...STREAM_LIMITS, ...limits },
    });
    this.#starting = startHttp({
      ...common,
      identify: credentials.identify,
      health: () => ({
        status: 'OK',
        mode: 'NORMAL',
        version: '0',
        serverTime: '',
        engineSeq: String(view.seq),
        uptimeSeconds: 0,
      }),
      version: '0',
      limits: HTTP_LIMITS,
      proxyHeader: undefined,
      metrics: undefined,
      intercept: undefined,
      endpoints: [],
      routes: () => undefined,
      upgrade: this.streams.upgrade,
    });
  }

  readonly #starting: Promise<HttpServer>;

  static async open(limits: Partial<StreamLimits> = {}, options: VenueOptions = {}): Promise<Venue> {
    const venue = new Venue(limits, options);
    venue.http = await venue.#starting;
    return venue;
  }

  get view() {
    return this.engine.view;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.http.port}/graphql`;
  }

  async close(): Promise<void> {
    const closing = this.streams.close(1000);
    const served = this.http.close(1000);
    // Advances the clock so that clients that do not answer are disconnected.
    this.advance(1000);
    await closing;
    this.advance(1000);
    await served;
    await this.engine.queue.close();
    await this.store.close();
  }

  execute(command: object): Promise<readonly ExchangeEvent[]> {
    const complete: unknown = { time: this.clock.now(), account: 0, credential: 0, note: '', ...command };
    return this.engine.queue.execute(complete as ExchangeCommand);
  }

  /** Advances the clock and runs due timers. */
  advance(ms: number): void {
    const end = this.clock.now() + ms;
    while (this.clock.nextTime() <= end) this.clock.runNext();
    this.clock.advanceTo(end);
  }

  async account(dollars = 10_000): Promise<AccountNo> {
    const account = unchecked.account(this.view.accountCount + 1);
    await this.execute({ type: 'openAccount', address: addressOf(account), unlimited: false });
    await this.execute({ type: 'transfer', account, amount: dollars * DOLLAR });
    return account;
  }

  async market(number = this.view.markets.length): Promise<MarketNo> {
    const text = { question: `Question ${number}?`, rules: 'r', categorySlug: 'c', topicSlugs: [] };
    const resolutionDate = epochMs(this.clock.now() + 30 * DAY);
    await this.execute(creationCommand(this, unchecked.account(1), { id: idOf(number), ...text, resolutionDate }));
    const market = unchecked.market(this.view.markets.length - 1);
    await this.execute({ type: 'chainConfirmed', market, step: 'DEPLOY', attempt: 1, transactionHash: '0x1' });
    return market;
  }

  terms({ market = 0, price, size, expiration = 0, ...rest }: OrderRequest): object {
    return {
      outcome: 'YES',
      side: 'BUY',
      timeInForce: expiration === 0 ? 'GTC' : 'GTD',
      postOnly: false,
      timestampMs: this.clock.now(),
      epoch: 0,
      maxFeeBps: 1000,
      selfTrade: 'CANCEL_TAKER',
      group: 0,
      restriction: undefined,
      hash: undefined,
      clientOrderId: undefined,
      replaces: 0,
      ...rest,
      market,
      price,
      shares: unchecked.shares(size * SHARE),
      expiration,
    };
  }

  place(account: number, order: OrderRequest): Promise<readonly ExchangeEvent[]> {
    return this.execute({ ...this.terms(order), type: 'place', account });
  }

  #viewer(authorization: string | undefined): Viewer | undefined {
    const account = /^Bearer (\d+)$/.exec(authorization ?? '')?.[1];
    if (account === undefined) return undefined;
    return { account: addressOf(Number(account)), credential: `c${account}`, kind: 'session', scopes: ALL_SCOPES };
  }
}

function addressOf(account: number): string {
  return `0x${String(account).padStart(40, '0')}`;
}

export function idOf(market: number): MarketId {
  return marketId(`00000000-0000-4000-8000-${String(market).padStart(12, '0')}`);
}

/** The authorization header of an account. */
export function bearer(account: number): { readonly Authorization: string } {
  return { Authorization: `Bearer ${account}` };
}
