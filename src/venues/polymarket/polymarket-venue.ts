/**
 * The Polymarket implementation of a trading venue: public market data and execution of own orders.
 *
 * A start opens the user channel, reads orders and trades, and reconciles account and orders. It then starts the books,
 * reports the rates and starts the heartbeat. The core therefore knows the whole account before the first quote.
 * The link goes down when the user channel is lost, a heartbeat is missed or the venue pauses trading. It is up again
 * when `AccountMonitor` has compared the account.
 */
import type { Clock, Random } from '../../clock/index.ts';
import { epochMs, Fault, isFinal, type VenueEvent } from '../../domain/index.ts';
import {
  type PolymarketContracts,
  type PolymarketOrderVersion,
  type PolymarketTier,
  polymarketBuckets,
} from '../../protocol/polymarket/index.ts';
import type { SignedRecord, VenueSink } from '../../runtime/index.ts';
import type { AccountState, AccountView, MarketSetup } from '../../state/index.ts';
import {
  type AccountSettings,
  type Log,
  type MarketData,
  MarketStatusTracker,
  RowWriter,
  TradingVenue,
  type TradingVenueOptions,
} from '../base/index.ts';
import type { PolymarketDeps, PolymarketProblem } from './deps.ts';
import { Execution } from './execution.ts';
import { Heartbeat } from './heartbeat.ts';
import type { PolymarketMarketData } from './market-data.ts';
import type { MarketTable } from './market-table.ts';
import type { PolymarketSigner } from './order-signer.ts';
import type { SellableFrom } from './own-event-translator.ts';
import { blockedFault, type PolymarketCredentials, type PolymarketError, type RestClient } from './rest-client.ts';
import { VenuePhase } from './venue-phase.ts';

export interface PolymarketVenueOptions extends TradingVenueOptions {
  readonly rest: RestClient;
  readonly credentials: PolymarketCredentials;
  /** URL of the user channel, which ends in `/ws/user`. */
  readonly userUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly marketData: MarketData & Pick<PolymarketMarketData, 'setMode' | 'ownPrints' | 'readStatus' | 'offset'>;
  readonly table: MarketTable;
  readonly signer: PolymarketSigner;
  /** Reads the order version that the venue accepts now. @throws Fault */
  readonly readVersion: () => Promise<PolymarketOrderVersion>;
  readonly contracts: PolymarketContracts;
  readonly signatureType: number;
  /** The core's state, built from the events that this venue reports. */
  readonly view: Pick<AccountState, 'market' | 'snapshot'> & AccountView;
  readonly settings?: Partial<PolymarketVenueSettings>;
}

/** Times in ms. The inherited `auditMs` has the default 30,000. */
export interface PolymarketVenueSettings extends AccountSettings {
  /** Period before the last poll whose trades each poll reads again, because lists may lag. Default 600,000. */
  readonly overlapMs: number;
  /** Trade status from which bought shares can be sold. Default `confirmed`. */
  readonly sellableFrom: SellableFrom;
  /** Rate limit tier of the account. Default Standard. */
  readonly tier: PolymarketTier;
}

const DEFAULTS: PolymarketVenueSettings = {
  leftovers: 'cancel',
  adopt: false,
  auditMs: 30_000,
  overlapMs: 600_000,
  sellableFrom: 'confirmed',
  tier: 'Standard',
};

export class PolymarketVenue extends TradingVenue<PolymarketVenueOptions> {
  readonly #settings: PolymarketVenueSettings;
  readonly #deps: PolymarketDeps;
  protected readonly execution: Execution;
  readonly #heartbeat: Heartbeat;
  readonly #phase: VenuePhase;
  #version: PolymarketOrderVersion = 2;

  constructor(options: PolymarketVenueOptions) {
    const { clock, log, marketData, records, view } = options;
    const settings = { ...DEFAULTS, ...options.settings };
    super(options, clock, log, settings.auditMs);
    this.#settings = settings;
    const { tier, sellableFrom, overlapMs } = settings;
    this.#deps = {
      rest: options.rest,
      clock,
      log,
      records,
      view,
      timers: this.timers,
      orders: marketData.orders,
      markets: options.table,
      signer: options.signer,
      venueTime: (localTime) => epochMs(Math.round(localTime + marketData.offset.provenOffsetMs)),
      version: () => this.#version,
      maxCancels: polymarketBuckets(tier).cancel.capacity,
      overlapMs,
      report: (event, position) => this.report(event, position),
      onPositionPassed: (position) => this.guard(() => records.advanceStreamPosition(position)),
      onProblem: (reported) => this.onProblem(reported),
    };
    this.execution = new Execution(this.#deps, {
      userUrl: options.userUrl,
      credentials: options.credentials,
      random: options.random,
      sellableFrom,
      signatureType: options.signatureType,
      onDesync: (problem) => this.monitor.onDesync(problem),
      onFault: (error) => this.reportFault(error),
    });
    this.#heartbeat = new Heartbeat(this.#deps, () => this.monitor.onDesync('no heartbeat was accepted'));
    this.#phase = new VenuePhase(this.#deps, (mode, problem) => {
      marketData.setMode(mode);
      this.monitor.onDesync(problem ?? 'the venue accepts orders again');
    });
  }

  /** @throws Fault LOGIN, LINK, BLOCKED, VENUE, RECONCILE if the run cannot begin */
  protected async open(sink: VenueSink): Promise<void> {
    const { marketData, markets, records, readVersion, contracts, table, view } = this.options;
    this.#version = await readVersion();
    await this.execution.account.assertMayOpenPositions();
    const { balances } = this.execution.account;
    const approvalFault = await balances.findApprovalFault(contracts, table.exchanges(this.#version));
    if (approvalFault !== undefined) throw approvalFault;
    const currentMarkets = await reportEndedMarkets(markets, this.#deps, marketData, sink);
    const started = await this.execution.start({
      ...this.#settings,
      isFirst: records.streamPosition === 0,
      journal: this.restoreOrders(),
      unsettled: (view.snapshot().money.unsettled ?? []).map(({ trade }) => trade),
    });
    this.onStarted(started);
    await marketData.start(currentMarkets, this.marketDataSink(sink));
    for (const bucket of ['order', 'cancel'] as const) this.#reportRate(bucket);
    await this.#heartbeat.start();
  }

  /** Compares the account. After a loss of the link, first sends a heartbeat, which the venue must accept. */
  protected async compare() {
    if (this.monitor.state !== 'agrees' && !(await this.#heartbeat.beat())) return undefined;
    const result = await this.execution.compare();
    if (result?.outcome !== 'disagrees') return result;
    // Missing tokens may have been redeemed in a market that has just ended.
    await this.options.marketData.refresh();
    return this.execution.compare();
  }

  protected async close(): Promise<void> {
    if (this.timers.isClosed) return;
    // The venue cancels the remaining orders when the heartbeats end.
    this.execution.close();
    this.timers.close();
    this.options.marketData.close();
    this.options.rest.close();
    await Promise.resolve();
  }

  protected override onProblem(reported: PolymarketProblem): void {
    if (reported.type === 'refused') this.#onRefused(reported.error, reported.bucket);
    else if (reported.type === 'balance') this.#checkApproval(reported.record);
    else super.onProblem(reported);
  }

  /** Stops trading the order's market if the exchange contract has no allowance for the asset that the order pays. */
  #checkApproval(record: SignedRecord): void {
    const { contracts, onMarketFailed, log } = this.options;
    this.execution.account.findApprovalFault(record, contracts).then(
      (fault) => (fault === undefined ? undefined : onMarketFailed(record.market, fault)),
      (error: unknown) => log.warn({ err: error }, 'polymarket: the allowances could not be read'),
    );
  }

  #onRefused(error: PolymarketError, bucket: 'order' | 'cancel'): void {
    const { kind, text } = error;
    if (kind === 'FORBIDDEN') this.reportFault(blockedFault(text));
    else if (kind === 'CLOSED_ONLY') this.reportFault(blockedFault(`${text}: you can only close positions yourself`));
    else if (kind === 'UNAUTHORIZED')
      this.reportFault(new Fault('LOGIN', `Polymarket rejects the API key (${text}). Start again`));
    else if (kind === 'VERSION_MISMATCH') void this.#switchVersion();
    else if (kind === 'RATE_LIMITED') this.#reportRate(bucket, error.retryAfterMs ?? 1_000);
    else this.#phase.onRefused(error);
  }

  /** Switches to the order version that the venue names now, and cancels all orders of the earlier version. */
  async #switchVersion(): Promise<void> {
    const previous = this.#version;
    try {
      const version = await this.options.readVersion();
      if (version === previous) {
        const problem = `Polymarket refuses orders of version ${previous}, although it names that version`;
        this.reportFault(new Fault('VENUE', `${problem}. Try again later`));
        return;
      }
      if (this.#version !== previous) return;
      this.#version = version;
      this.#deps.log.warn({ version }, 'polymarket: the order version changed; cancelling the open orders');
      this.execution.send([{ type: 'cancelAll' }]);
      this.monitor.onDesync('orders have another version');
    } catch (error) {
      this.monitor.onDesync(`the order version could not be read: ${String(error)}`);
    }
  }

  #reportRate(bucket: 'order' | 'cancel', retryAfterMs?: number): void {
    const { capacity, perSecond: refillPerSecond } = polymarketBuckets(this.#settings.tier)[bucket];
    this.reportRate({ bucket, capacity, refillPerSecond, remaining: capacity }, retryAfterMs);
  }

  protected override report(event: VenueEvent, position?: number): void {
    if (event.type === 'orderFilled') this.options.marketData.ownPrints.add(event.market, event);
    super.report(event, position);
  }
}

/**
 * Reports the results of held markets before the account is compared, because a person may have redeemed winnings.
 * @returns the markets with the core's updated states
 */
async function reportEndedMarkets(
  markets: readonly MarketSetup[],
  { clock, log, view }: Pick<PolymarketDeps, 'clock' | 'log' | 'view'>,
  data: Pick<PolymarketMarketData, 'readStatus'>,
  sink: Pick<VenueSink, 'rows'>,
): Promise<readonly MarketSetup[]> {
  const rows = new RowWriter({ rows: (block, from, to) => sink.rows(block, from, to) });
  for (const { info } of markets) {
    const { market, id, slug } = info;
    const { state, position } = view.market(market);
    if (isFinal(state.status) || position.yes + position.no === 0) continue;
    try {
      const tracker = new MarketStatusTracker(market, state);
      const status = await data.readStatus(id);
      if (!isFinal(status)) continue;
      tracker.update({ status, acceptingOrders: false }, clock.now());
      tracker.write(rows);
      rows.end(0, clock.now());
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      log.warn({ market: slug, err: error }, 'polymarket: the state of a market cannot be read');
    }
  }
  return markets.map((each) => ({ ...each, state: view.market(each.info.market).state }));
}
