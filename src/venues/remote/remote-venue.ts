/**
 * A venue over GraphQL and WebSocket: its public half (books, trades, states, limits) and its private half (own orders) as the
 * one venue that the runtime knows.
 *
 * Order of a start: the account is let in -> own events that were missed are told -> account and orders are reconciled ->
 * books -> rates, heartbeat. So before the first quote the core knows everything, and nothing before it is told that is not so.
 */
import { Fault, type RateBucketName, type VenueEvent } from '../../domain/index.ts';
import type { Venue, VenueSession, VenueSink } from '../../runtime/index.ts';
import { Account, type Bucket } from './account/account.ts';
import { Heartbeat } from './account/heartbeat.ts';
import type { VenueTerms } from './market-data/index.ts';
import { OrderDesk, type StillOpen } from './orders/order-desk.ts';
import { OrderSigner, saltSecret } from './orders/order-signer.ts';
import type { OrdersOf, OrderTerms, Trouble } from './orders/orders-of.ts';
import { Timers } from './orders/timers.ts';
import { REMOTE_DEFAULTS, type RemoteSettings } from './remote-settings.ts';
import type { RemoteVenueOptions } from './remote-venue-options.ts';

/** Least time between two readings of ticks and limits because of refusals, ms. */
const TERMS_MS = 1_000;

export class RemoteVenue implements Venue {
  readonly #options: RemoteVenueOptions;
  readonly #settings: RemoteSettings;
  readonly #timers: Timers;
  readonly #account: Account;
  readonly #desk: OrderDesk;
  readonly #of: OrdersOf;
  readonly #isFirst: boolean;
  #terms: OrderTerms;
  #heartbeat: Heartbeat | undefined;
  #sink: VenueSink | undefined;
  #buckets: readonly Bucket[] = [];
  /** The run takes nothing more. */
  #isDeaf = false;
  #isFaulty = false;
  #isEntering = false;
  #isConnected = false;
  #termsReadAt = Number.NEGATIVE_INFINITY;

  constructor(options: RemoteVenueOptions) {
    const { transport, signer, messages, key, address, records, view, marketData } = options;
    this.#options = options;
    this.#settings = { ...REMOTE_DEFAULTS, ...options.settings };
    this.#timers = new Timers(transport.clock);
    this.#terms = orderTerms(options.terms);
    this.#isFirst = records.cursor === 0;
    const fault = (error: unknown): void => this.#fault(error);
    this.#account = new Account({
      transport,
      key,
      address,
      fault,
      credential: options.credential,
      pins: { logins: messages.login, audience: options.audience, statement: options.statement },
    });
    this.#of = {
      transport,
      records,
      view,
      clock: transport.clock,
      log: transport.log,
      timers: this.#timers,
      own: marketData.own,
      settleMs: this.#settings.settleMs,
      signer: new OrderSigner({
        signer,
        key,
        orders: messages.order,
        maker: address,
        saltSecret: saltSecret(signer, key),
      }),
      terms: () => this.#terms,
      tell: (event) => this.#tell(event),
      trouble: (trouble) => this.#trouble(trouble),
    };
    const { silenceMs, auditMs } = this.#settings;
    this.#desk = new OrderDesk(this.#of, { silenceMs, auditMs, fault });
  }

  /** Own orders that were sent and not told the end of. */
  get openOrders(): number {
    return this.#desk.openOrders;
  }

  /** No cancel and no conversion is on its way, and nobody's end is unknown. */
  get isQuiet(): boolean {
    return this.#desk.isQuiet;
  }

  /** @throws Fault LOGIN, LINK, BLOCKED, RECONCILE, HEARTBEAT: the run cannot begin; STOPPED where it was left meanwhile */
  async connect(sink: VenueSink): Promise<VenueSession> {
    const { records, transport, marketData, markets, unanswered = [], lost } = this.#options;
    if (this.#sink !== undefined) throw new Error('Invariant: a remote venue serves one run');
    this.#sink = sink;
    try {
      this.#demandOpen();
      const { epoch, buckets } = await this.#account.open();
      if (epoch > records.epoch) records.reachedEpoch(epoch);
      await transport.open();
      const { leftovers, adopt } = this.#settings;
      await this.#desk.start({ leftovers, adopt, unanswered, lost, isFirst: this.#isFirst });
      await marketData.start(markets, {
        rows: (block, from, to) => this.#guard(() => sink.rows(block, from, to)),
        limitsChanged: (market, limits, venueTime) =>
          this.#tell({ type: 'limitsChanged', time: transport.clock.now(), venueTime, market, limits }),
        pricesTold: (market, { yes, no }, venueTime) =>
          this.#tell({ type: 'pricesTold', time: transport.clock.now(), venueTime, market, yes, no }),
        venueChanged: ({ mode, link }, venueTime) =>
          this.#tell({ type: 'venueChanged', time: transport.clock.now(), venueTime, mode, link }),
        termsChanged: (terms) => {
          this.#terms = orderTerms(terms);
        },
        marketFailed: (market, fault) => this.#options.marketFailed(market, fault),
        failed: (error) => this.#fault(error),
      });
      this.#tellRates(buckets);
      await this.#startHeartbeat();
      this.#demandOpen();
    } catch (error) {
      // What ends because it was left says many things; why it was, only one.
      const wasLeft = this.#timers.isClosed;
      await this.#close();
      throw wasLeft ? left(error) : error;
    }
    this.#isConnected = true;
    return { send: (commands) => this.#desk.send(commands), close: () => this.#close() };
  }

  async leave(): Promise<void> {
    if (!this.#isConnected) await this.#close();
  }

  /** Compares account and orders with the venue once, as is done from time to time anyway. @throws Fault LINK, VENUE */
  audit(): Promise<void> {
    return this.#desk.audit();
  }

  /** Waits until no own order is open, and asks the venue whether that is so. @throws Fault LINK, VENUE */
  verifyNoneOpen(timeoutMs: number): Promise<StillOpen> {
    return this.#desk.verifyNoneOpen(timeoutMs);
  }

  #demandOpen(): void {
    if (this.#timers.isClosed) throw left();
  }

  async #close(): Promise<void> {
    if (this.#timers.isClosed) return;
    const isOver = this.#desk.openOrders === 0 && this.#desk.isQuiet;
    await this.#heartbeat?.stop(isOver);
    this.#desk.end();
    this.#timers.close();
    this.#options.marketData.close();
    await this.#account.close(isOver);
    await this.#options.transport.close();
  }

  async #startHeartbeat(): Promise<void> {
    const { heartbeatMs } = this.#settings;
    if (heartbeatMs === 0) return;
    const { minHeartbeat, maxHeartbeat } = this.#options.terms;
    this.#heartbeat = new Heartbeat(this.#of, Math.min(maxHeartbeat, Math.max(minHeartbeat, heartbeatMs)));
    await this.#heartbeat.start();
  }

  #tellRates(buckets: readonly Bucket[]): void {
    this.#buckets = buckets;
    for (const name of ['order', 'cancel'] as const) this.#tellRate(name, undefined);
    const read = buckets.find(({ name }) => name === 'read');
    if (read !== undefined) this.#options.transport.pace(read);
  }

  /** @param retryAfterMs undefined where nothing was refused */
  #tellRate(name: RateBucketName, retryAfterMs: number | undefined): void {
    const bucket = this.#buckets.find((each) => each.name === name);
    if (bucket === undefined) return;
    const { capacity, refillPerSecond, remaining } = bucket;
    const time = this.#options.transport.clock.now();
    this.#tell({
      type: 'ratesTold',
      time,
      venueTime: time,
      bucket: name,
      capacity,
      refillPerSecond,
      remaining: retryAfterMs === undefined ? remaining : 0,
      retryAfterMs: retryAfterMs ?? 0,
    });
  }

  #trouble(trouble: Trouble): void {
    switch (trouble.type) {
      case 'blocked':
        this.#fault(
          new Fault('BLOCKED', `${trouble.problem}. Check url, headers, and whether this address may trade there`),
        );
        return;
      case 'limited':
        this.#tellRate(trouble.bucket, trouble.retryAfterMs);
        return;
      case 'terms':
        this.#readTerms();
        return;
      case 'epoch':
        void this.#readEpoch();
        return;
      case 'unauthorized':
        void this.#enterAgain();
    }
  }

  /** Ticks and limits are read again, not once for each refusal of a burst. */
  #readTerms(): void {
    const { marketData, transport } = this.#options;
    const now = transport.clock.now();
    if (now - this.#termsReadAt < TERMS_MS) return;
    this.#termsReadAt = now;
    void marketData.refresh();
  }

  async #readEpoch(): Promise<void> {
    try {
      const { epoch } = await this.#account.read();
      if (epoch > this.#options.records.epoch) this.#options.records.reachedEpoch(epoch);
    } catch (error) {
      this.#options.transport.log.warn({ err: error }, 'the epoch of the account could not be read');
    }
  }

  async #enterAgain(): Promise<void> {
    if (this.#isEntering || this.#timers.isClosed) return;
    this.#isEntering = true;
    try {
      await this.#account.enter();
      this.#options.transport.renew('logged in again');
      this.#desk.catchUp();
    } catch (error) {
      this.#fault(error);
    } finally {
      this.#isEntering = false;
    }
  }

  #tell(event: VenueEvent): void {
    this.#guard(() => this.#sink?.event(event));
  }

  /** A run that has failed takes nothing more; it may still send. */
  #guard(work: () => void): void {
    if (this.#isDeaf) return;
    try {
      work();
    } catch (error) {
      this.#isDeaf = true;
      this.#fault(error);
    }
  }

  #fault(error: unknown): void {
    if (this.#isFaulty || this.#timers.isClosed) return;
    this.#isFaulty = true;
    this.#options.fault(error instanceof Error ? error : new Error(String(error)));
  }
}

function left(cause?: unknown): Fault {
  return new Fault('STOPPED', 'the venue was left while it was being connected to', { cause });
}

function orderTerms({ mostPlaces, mostCancels, maxClockSkew }: VenueTerms): OrderTerms {
  return { mostPlaces, mostCancels, maxClockSkewMs: maxClockSkew };
}
