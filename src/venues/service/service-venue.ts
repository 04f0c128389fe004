/**
 * The venue over GraphQL and WebSocket: public market data and execution of own orders.
 *
 * Order of a start: log in -> report missed own events -> reconcile account and orders -> start books -> report rates, start the
 * heartbeat. So the core knows everything before the first quote. After a loss (of a socket, the own stream, the session, or an
 * order that the venue does not know) the link is down until `AccountMonitor` has compared the account again.
 */
import { Fault, type OrderLifecycle } from '../../domain/index.ts';
import type { SignedRecord, VenueSession, VenueSink } from '../../runtime/index.ts';
import {
  AccountMonitor,
  type Compared,
  closedDuringStart,
  RecoveryRecorder,
  saltSecret,
  Timers,
  TradingVenue,
  VenueRun,
} from '../base/index.ts';
import { Account } from './account/account.ts';
import { Heartbeat } from './account/heartbeat.ts';
import { RateBuckets } from './account/rate-buckets.ts';
import type { VenueTerms } from './market-data/index.ts';
import { ExecutionClient } from './orders/execution-client.ts';
import type { ExecutionDeps, OrderTerms, Trouble } from './orders/execution-deps.ts';
import { OrderSigner } from './orders/order-signer.ts';
import {
  SERVICE_VENUE_DEFAULTS,
  type ServiceVenueOptions,
  type ServiceVenueSettings,
} from './service-venue-options.ts';
import { venueFault } from './transport/answer.ts';

/** Shortest time between two reads of ticks and limits after refusals, ms. */
const TERMS_MS = 1_000;

export class ServiceVenue extends TradingVenue {
  readonly #options: ServiceVenueOptions;
  readonly #settings: ServiceVenueSettings;
  readonly #timers: Timers;
  readonly #account: Account;
  protected readonly execution: ExecutionClient;
  readonly #deps: ExecutionDeps;
  readonly #rates: RateBuckets;
  readonly #recorder: RecoveryRecorder;
  readonly #run: VenueRun;
  protected readonly monitor: AccountMonitor;
  readonly #isFirst: boolean;
  #terms: OrderTerms;
  #heartbeat: Heartbeat | undefined;
  #termsReadAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServiceVenueOptions) {
    super();
    const { transport, signer, messages, key, address, records, view, marketData } = options;
    this.#options = options;
    this.#settings = { ...SERVICE_VENUE_DEFAULTS, ...options.settings };
    this.#timers = new Timers(transport.clock);
    this.#recorder = new RecoveryRecorder(view, () => this.execution.openOrders, options.lastAlive);
    this.#run = new VenueRun(this.#timers, this.#recorder, (error) => options.onFault(venueFault(error)));
    this.#terms = orderTerms(options.terms);
    this.#isFirst = records.cursor === 0;
    const fault = (error: unknown): void => this.#run.fault(error);
    const onDesync = (problem: string): void => this.monitor.onDesync(problem);
    this.#account = new Account({
      transport,
      key,
      address,
      onFault: fault,
      onSessionLost: onDesync,
      onSessionRenewed: () => this.execution.catchUp(),
      credential: options.credential,
      pins: options.login,
    });
    this.#deps = {
      transport,
      records,
      view,
      clock: transport.clock,
      log: transport.log,
      timers: this.#timers,
      orders: marketData.orders,
      settleMs: this.#settings.settleMs,
      signer: new OrderSigner({
        signer,
        key,
        orders: messages.order,
        maker: address,
        saltSecret: saltSecret(signer, key),
        maxFeeBps: options.maxFeeBps,
      }),
      terms: () => this.#terms,
      report: (event, position) => this.#run.report(event, position),
      passed: (position) => this.#run.guard(() => records.reached(position)),
      trouble: (trouble) => this.#trouble(trouble),
    };
    const { silenceMs, auditMs } = this.#settings;
    const restored = ({ market, order }: SignedRecord): OrderLifecycle | undefined =>
      view.market(market).orders.find((each) => each.order === order)?.life;
    this.execution = new ExecutionClient(this.#deps, {
      silenceMs,
      restoredLife: restored,
      onFault: fault,
      onDesync: onDesync,
    });
    this.#rates = new RateBuckets(this.#deps);
    this.monitor = new AccountMonitor(this.#deps, {
      auditMs,
      recorder: this.#recorder,
      compare: () => this.#compare(),
      reportLink: (link, mode, venueTime) =>
        this.#run.report({ type: 'venueChanged', time: transport.clock.now(), venueTime, mode, link }),
      onRecovered: (report) => options.onRecovered?.(report),
    });
  }

  /** @throws Fault LOGIN, LINK, BLOCKED, RECONCILE, HEARTBEAT if the run cannot begin; STOPPED if it was closed meanwhile */
  async connect(sink: VenueSink): Promise<VenueSession> {
    const { records, transport, marketData, markets, unanswered = [], lost } = this.#options;
    this.#run.begin(sink);
    try {
      this.#run.requireOpen();
      this.#recorder.begin(transport.clock.now());
      const { epoch, buckets } = await this.#account.open();
      if (epoch > records.epoch) records.reachedEpoch(epoch);
      await transport.open();
      transport.onLink(({ isUp }) => (isUp ? this.execution.onConnected() : undefined));
      const { leftovers, adopt } = this.#settings;
      const policy = { leftovers, adopt, unanswered, lost, isFirst: this.#isFirst };
      const started = await this.execution.start(policy);
      const report = this.#recorder.end('start', transport.clock.now(), started, started.leftovers);
      this.#options.onRecovered?.(report);
      await marketData.start(markets, {
        rows: sink.rows.bind(sink),
        limitsChanged: (market, limits, venueTime) =>
          this.#run.report({ type: 'limitsChanged', time: transport.clock.now(), venueTime, market, limits }),
        pricesChanged: (market, { yes, no }, venueTime) =>
          this.#run.report({ type: 'pricesUpdated', time: transport.clock.now(), venueTime, market, yes, no }),
        venueChanged: (state, venueTime) => this.monitor.venueChanged(state, venueTime),
        termsChanged: (terms) => {
          this.#terms = orderTerms(terms);
        },
        marketFailed: (market, fault) => this.#options.onMarketFailed(market, fault),
        failed: (error) => this.#run.fail(error),
      });
      this.#rates.start(buckets);
      const read = buckets.find(({ name }) => name === 'read');
      if (read !== undefined) transport.pace(read);
      await this.#startHeartbeat();
      this.#run.requireOpen();
      this.monitor.start();
    } catch (error) {
      // After a close, the error is only its effect.
      const wasClosed = this.#timers.isClosed;
      await this.close();
      throw wasClosed ? closedDuringStart(error) : venueFault(error);
    }
    this.isConnected = true;
    return { send: this.execution.send.bind(this.execution), close: () => this.close() };
  }

  protected async close(): Promise<void> {
    if (this.#timers.isClosed) return;
    const isOver = this.execution.openOrders === 0 && this.execution.isQuiet;
    await this.#heartbeat?.stop(isOver);
    this.execution.end();
    this.#timers.close();
    this.#options.marketData.close();
    await this.#account.close(isOver);
    await this.#options.transport.close();
  }

  async #startHeartbeat(): Promise<void> {
    const { heartbeatMs } = this.#settings;
    if (heartbeatMs === 0) return;
    const { minHeartbeat, maxHeartbeat } = this.#options.terms;
    this.#heartbeat = new Heartbeat(this.#deps, Math.min(maxHeartbeat, Math.max(minHeartbeat, heartbeatMs)));
    await this.#heartbeat.start();
  }

  /** Compares the account. After a loss it first arms the dead-man's switch again. */
  async #compare(): Promise<Compared | undefined> {
    const isArmed = this.monitor.state === 'agrees' || (await this.#heartbeat?.renew()) !== false;
    return isArmed ? this.execution.compare() : undefined;
  }

  #trouble(trouble: Trouble): void {
    switch (trouble.type) {
      case 'blocked':
        this.#run.fault(
          new Fault('BLOCKED', `${trouble.problem}. Check url, headers, and whether this address may trade there`),
        );
        return;
      case 'limited':
        this.#rates.onLimited(trouble.bucket, trouble.retryAfterMs);
        return;
      case 'terms':
        this.#readTerms();
        return;
      case 'epoch':
        void this.#readEpoch();
        return;
      case 'unknownOrder':
        this.monitor.onDesync(`the venue does not know order ${trouble.order}, which it had accepted`);
        return;
      case 'repeated':
        this.#options.onRepeated?.(trouble.command, trouble.problem);
        return;
      case 'stuck':
        this.#options.onStuckCommand?.(trouble);
        return;
      case 'tradeConflict':
        this.monitor.onDesync(trouble.fault.message);
        this.#options.onMarketFailed(trouble.market, trouble.fault);
        return;
      case 'unauthorized':
        void this.#account.loginAgain('the venue rejected the session');
    }
  }

  /** Reads ticks and limits again, at most once per `TERMS_MS`. */
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
}

function orderTerms({ maxPlaces, maxCancels, maxClockSkew }: VenueTerms): OrderTerms {
  return { maxPlaces, maxCancels, maxClockSkewMs: maxClockSkew };
}
