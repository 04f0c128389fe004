/**
 * The venue over GraphQL and WebSocket: public market data and execution of own orders.
 *
 * A start logs in, reports missed own events, and reconciles account and orders. It then starts the books, reports the
 * rate limits and starts the heartbeat. The core therefore knows the whole account before the first quote.
 * The link is down after the loss of a socket, the stream of own events or the session, or if the venue does not know
 * an order that it accepted. It is up again when `AccountMonitor` has compared the account.
 */
import { type Conversion, Fault } from '../../domain/index.ts';
import type { VenueSink } from '../../runtime/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import {
  type AccountSettings,
  type ComparisonResult,
  type MarketData,
  saltSecret,
  TradingVenue,
  type TradingVenueOptions,
  type UnrecordedPeriod,
} from '../base/index.ts';
import { Account, type Bucket, type Credential } from './account/account.ts';
import { Heartbeat } from './account/heartbeat.ts';
import type { LoginPins } from './account/login.ts';
import { venueResetFault } from './account/order-epoch.ts';
import type { ServiceMarketData } from './market-data/index.ts';
import { ExecutionClient } from './orders/execution-client.ts';
import type { ClientDeps, ServiceProblem } from './orders/execution-deps.ts';
import { OrderSigner } from './orders/order-signer.ts';
import { venueFault } from './transport/answer.ts';
import type { Transport } from './transport/index.ts';

export interface ServiceVenueOptions extends TradingVenueOptions {
  readonly transport: Transport;
  readonly marketData: Pick<ServiceMarketData, keyof MarketData | 'terms'>;
  readonly signer: Signer;
  /** Encodes messages in the EIP-712 domains that the configuration pins. */
  readonly messages: SignedMessages;
  /** Key of the account or of its delegate, which signs orders. */
  readonly key: SigningKey;
  /** The account's address, lower case. */
  readonly address: Hex;
  readonly credential: Credential;
  readonly login: LoginPins;
  /** The highest taker fee rate that may be signed: `risk.max_fee_bps`, bps. */
  readonly maxFeeBps: number;
  /** Conversions of earlier runs without a reported end. */
  readonly unansweredConversions?: readonly Conversion[];
  /** Period whose orders the records may lack, because the machine went down during an earlier run. */
  readonly unrecorded?: UnrecordedPeriod | undefined;
  readonly settings?: Partial<ServiceVenueSettings>;
}

/** Times in ms. Default of `auditMs`: 15,000. */
export interface ServiceVenueSettings extends AccountSettings {
  /** The venue cancels own orders after this long without a heartbeat; 0 for no heartbeat. Default 10,000. */
  readonly heartbeatMs: number;
  /** Silence on the stream of own events after which its socket counts as dead. Default 12,000. */
  readonly silenceMs: number;
  /** Time after which the venue no longer executes a split, merge or reduce whose answer was lost. Default 5,000. */
  readonly settleMs: number;
}

const DEFAULTS: ServiceVenueSettings = {
  heartbeatMs: 10_000,
  leftovers: 'cancel',
  adopt: false,
  silenceMs: 12_000,
  auditMs: 15_000,
  settleMs: 5_000,
};

/** Shortest time between two reads of ticks and limits after refusals, ms. */
const MIN_TERMS_INTERVAL_MS = 1_000;

export class ServiceVenue extends TradingVenue<ServiceVenueOptions> {
  readonly #settings: ServiceVenueSettings;
  readonly #account: Account;
  protected readonly execution: ExecutionClient;
  readonly #deps: ClientDeps;
  #buckets: readonly Bucket[] = [];
  #heartbeat: Heartbeat | undefined;
  #termsReadAt = Number.NEGATIVE_INFINITY;

  constructor(options: ServiceVenueOptions) {
    const { transport, signer, messages, key, address, records, view, marketData } = options;
    const { clock, log } = transport;
    const settings = { ...DEFAULTS, ...options.settings };
    super(options, clock, log, settings.auditMs);
    this.#settings = settings;
    const onFault = (error: unknown): void => this.reportFault(error);
    const onDesync = (problem: string): void => this.monitor.onDesync(problem);
    this.#account = new Account({
      transport,
      key,
      address,
      onFault,
      onSessionLost: onDesync,
      onSessionRenewed: () => this.execution.stream.catchUp(),
      credential: options.credential,
      pins: options.login,
    });
    this.#deps = {
      transport,
      records,
      view,
      clock,
      log,
      timers: this.timers,
      orders: marketData.orders,
      settleMs: settings.settleMs,
      signer: new OrderSigner({
        signer,
        key,
        orders: messages.order,
        maker: address,
        saltSecret: saltSecret(signer, key),
        maxFeeBps: options.maxFeeBps,
      }),
      terms: () => marketData.terms,
      report: (event, position) => this.report(event, position),
      onPositionPassed: (position) => this.guard(() => records.advanceStreamPosition(position)),
      onProblem: (reported) => this.onProblem(reported),
    };
    this.execution = new ExecutionClient(this.#deps, { silenceMs: settings.silenceMs, onFault, onDesync });
  }

  /** @throws Fault LOGIN, LINK, BLOCKED, RECONCILE, HEARTBEAT if the run cannot begin */
  protected async open(sink: VenueSink): Promise<void> {
    const { records, transport, marketData, markets, unansweredConversions = [], unrecorded } = this.options;
    const { epoch, buckets } = await this.#account.open();
    if (epoch < records.epoch) throw venueResetFault(records.epoch, epoch);
    if (epoch > records.epoch) records.setEpoch(epoch);
    await transport.open();
    transport.onLink(({ isUp }) => (isUp ? this.execution.cancels.onConnected() : undefined));
    const policy = {
      unansweredConversions,
      unrecorded,
      isFirst: records.streamPosition === 0,
      journal: this.restoreOrders(),
    };
    this.onStarted(await this.execution.start({ ...this.#settings, ...policy }));
    await marketData.start(markets, this.marketDataSink(sink));
    this.#buckets = buckets;
    for (const name of ['order', 'cancel'] as const) this.#reportRate(name);
    const read = buckets.find(({ name }) => name === 'read');
    if (read !== undefined) transport.pace(read);
    await this.#startHeartbeat();
  }

  protected async close(): Promise<void> {
    if (this.timers.isClosed) return;
    const mayHaveOpenOrders = this.openOrderCount > 0 || !this.execution.isQuiet;
    await this.#heartbeat?.stop({ mayHaveOpenOrders });
    this.execution.stream.end();
    this.timers.close();
    this.options.marketData.close();
    await this.#account.close({ mayHaveOpenOrders });
    await this.options.transport.close();
  }

  async #startHeartbeat(): Promise<void> {
    const { heartbeatMs } = this.#settings;
    if (heartbeatMs === 0) return;
    const { minHeartbeat, maxHeartbeat } = this.options.marketData.terms;
    this.#heartbeat = new Heartbeat(this.#deps, Math.min(maxHeartbeat, Math.max(minHeartbeat, heartbeatMs)));
    await this.#heartbeat.start();
  }

  /** Compares the account. After a loss of the link, first arms the dead-man's switch again. */
  protected async compare(): Promise<ComparisonResult | undefined> {
    const isArmed = this.monitor.state === 'agrees' || (await this.#heartbeat?.renew()) !== false;
    return isArmed ? this.execution.comparison.compare() : undefined;
  }

  protected override onProblem(reported: ServiceProblem): void {
    const { type } = reported;
    if (type === 'blocked') {
      const remedy = 'Check url, headers, and whether this address may trade there';
      this.reportFault(new Fault('BLOCKED', `${reported.problem}. ${remedy}`));
    } else if (type === 'limited') this.#reportRate(reported.bucket, reported.retryAfterMs);
    else if (type === 'termsChanged') this.#readTerms();
    else if (type === 'epoch') void this.#readEpoch();
    else if (type === 'unknownOrder')
      this.monitor.onDesync(`the venue does not know order ${reported.order}, which it had accepted`);
    else if (type === 'unauthorized') void this.#account.loginAgain('the venue rejected the session');
    else super.onProblem(reported);
  }

  protected override toError(error: unknown): Error {
    return venueFault(error);
  }

  #reportRate(name: Extract<ServiceProblem, { type: 'limited' }>['bucket'], retryAfterMs?: number): void {
    const bucket = this.#buckets.find((each) => each.name === name);
    if (bucket === undefined) return;
    const { capacity, refillPerSecond, remaining } = bucket;
    this.reportRate({ bucket: name, capacity, refillPerSecond, remaining }, retryAfterMs);
  }

  #readTerms(): void {
    const { marketData, transport } = this.options;
    const now = transport.clock.now();
    if (now - this.#termsReadAt < MIN_TERMS_INTERVAL_MS) return;
    this.#termsReadAt = now;
    void marketData.refresh();
  }

  async #readEpoch(): Promise<void> {
    try {
      const { epoch } = await this.#account.read();
      if (epoch > this.options.records.epoch) this.options.records.setEpoch(epoch);
    } catch (error) {
      this.options.transport.log.warn({ err: error }, 'the epoch of the account could not be read');
    }
  }
}
