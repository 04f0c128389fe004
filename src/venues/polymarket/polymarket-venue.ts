/**
 * The Polymarket implementation of a trading venue: public market data and execution of own orders.
 *
 * Order of a start: open the user channel -> read orders and trades -> reconcile account and orders -> start books -> report
 * rates, start the heartbeat. So the core knows everything before the first quote. After a loss (of the user channel, of a
 * heartbeat, or by a phase of the venue) the link is down until `AccountMonitor` has compared orders, trades and balances again.
 */

import { epochMs, Fault, type OrderLifecycle, type VenueEvent } from '../../domain/index.ts';
import { type PolymarketOrderVersion, polymarketBuckets } from '../../protocol/polymarket/index.ts';
import type { SignedRecord, VenueSession, VenueSink } from '../../runtime/index.ts';
import { AccountMonitor, closedDuringStart, RecoveryRecorder, Timers, TradingVenue, VenueRun } from '../base/index.ts';
import type { PolymarketDeps, PolymarketTrouble } from './deps.ts';
import { reportEnded } from './ended-markets.ts';
import { Execution } from './execution.ts';
import { Heartbeat } from './heartbeat.ts';
import {
  POLYMARKET_VENUE_DEFAULTS,
  type PolymarketVenueOptions,
  type PolymarketVenueSettings,
} from './polymarket-venue-options.ts';
import { blocked, type PolymarketError } from './rest-client.ts';
import { VenuePhase } from './venue-phase.ts';

export class PolymarketVenue extends TradingVenue {
  readonly #options: PolymarketVenueOptions;
  readonly #settings: PolymarketVenueSettings;
  readonly #timers: Timers;
  readonly #deps: PolymarketDeps;
  protected readonly execution: Execution;
  readonly #heartbeat: Heartbeat;
  readonly #phase: VenuePhase;
  readonly #recorder: RecoveryRecorder;
  readonly #run: VenueRun;
  protected readonly monitor: AccountMonitor;
  #version: PolymarketOrderVersion = 2;

  constructor(options: PolymarketVenueOptions) {
    super();
    const { clock, log, marketData, records, view } = options;
    this.#options = options;
    this.#settings = { ...POLYMARKET_VENUE_DEFAULTS, ...options.settings };
    this.#timers = new Timers(clock);
    this.#recorder = new RecoveryRecorder(view, () => this.execution.openOrders, options.lastAlive);
    this.#run = new VenueRun(this.#timers, this.#recorder, (error) =>
      options.onFault(error instanceof Error ? error : new Error(String(error))),
    );
    const { tier, sellableFrom, auditMs, overlapMs } = this.#settings;
    this.#deps = {
      rest: options.rest,
      clock,
      log,
      records,
      view,
      timers: this.#timers,
      orders: marketData.orders,
      markets: options.table,
      signer: options.signer,
      venueTime: (ours) => epochMs(Math.round(ours + marketData.offset.provenMs)),
      version: () => this.#version,
      maxCancels: polymarketBuckets(tier).cancel.capacity,
      overlapMs,
      report: (event, position) => this.#report(event, position),
      passed: (position) => this.#run.guard(() => records.reached(position)),
      trouble: (trouble) => this.#trouble(trouble),
    };
    const restored = ({ market, order }: SignedRecord): OrderLifecycle | undefined =>
      view.market(market).orders.find((each) => each.order === order)?.life;
    this.execution = new Execution(this.#deps, {
      userUrl: options.userUrl,
      credentials: options.credentials,
      random: options.random,
      sellableFrom,
      signatureType: options.signatureType,
      restoredLife: restored,
      unsettled: () => (view.snapshot().money.unsettled ?? []).map(({ trade }) => trade),
      onDesync: (problem) => this.monitor.onDesync(problem),
      onFault: (error) => this.#run.fault(error),
    });
    this.#heartbeat = new Heartbeat(this.#deps, () => this.monitor.onDesync('no heartbeat was accepted'));
    this.#phase = new VenuePhase(this.#deps, {
      changed: (mode, problem) => {
        marketData.setMode(mode);
        this.monitor.onDesync(problem ?? 'the venue accepts orders again');
      },
    });
    this.monitor = new AccountMonitor(this.#deps, {
      auditMs,
      recorder: this.#recorder,
      compare: () => this.#compare(),
      reportLink: (link, mode, venueTime) =>
        this.#report({ type: 'venueChanged', time: clock.now(), venueTime, mode, link }),
      onRecovered: (report) => options.onRecovered?.(report),
    });
  }

  /** @throws Fault LOGIN, LINK, BLOCKED, VENUE, RECONCILE if the run cannot begin; STOPPED if it was closed meanwhile */
  async connect(sink: VenueSink): Promise<VenueSession> {
    const { clock, marketData, markets, readVersion, contracts, table } = this.#options;
    this.#run.begin(sink);
    try {
      this.#recorder.begin(clock.now());
      this.#version = await readVersion();
      await this.execution.account.assertOpen();
      const { balances } = this.execution.account;
      const unapproved = await balances.approvalFault(contracts, table.exchanges(this.#version));
      if (unapproved !== undefined) throw unapproved;
      const known = await reportEnded(markets, this.#deps, marketData, sink);
      const started = await this.execution.start({ ...this.#settings, isFirst: this.#deps.records.cursor === 0 });
      this.#options.onRecovered?.(this.#recorder.end('start', clock.now(), started, started.leftovers));
      await marketData.start(known, {
        rows: sink.rows.bind(sink),
        limitsChanged: (market, limits, venueTime) =>
          this.#report({ type: 'limitsChanged', time: clock.now(), venueTime, market, limits }),
        venueChanged: (state, venueTime) => this.monitor.venueChanged(state, venueTime),
        marketFailed: (market, fault) => this.#options.onMarketFailed(market, fault),
        failed: (error) => this.#run.fail(error),
      });
      for (const bucket of ['order', 'cancel'] as const) this.#reportRate(bucket, undefined);
      await this.#heartbeat.start();
      this.#run.requireOpen();
      this.monitor.start();
    } catch (error) {
      const wasClosed = this.#timers.isClosed;
      await this.close();
      throw wasClosed ? closedDuringStart(error) : error;
    }
    this.isConnected = true;
    return { send: (commands) => this.execution.send(commands), close: () => this.close() };
  }

  /** Compares the account. After a loss it first arms the dead-man's switch again. */
  async #compare() {
    if (this.monitor.state !== 'agrees' && !(await this.#heartbeat.beat())) return undefined;
    const compared = await this.execution.compare();
    if (compared?.outcome !== 'disagrees') return compared;
    // Missing tokens may have been redeemed in a market that has just ended.
    await this.#options.marketData.refresh();
    return this.execution.compare();
  }

  protected async close(): Promise<void> {
    if (this.#timers.isClosed) return;
    // The venue cancels the remaining orders when the heartbeats end.
    this.execution.close();
    this.#timers.close();
    this.#options.marketData.close();
    this.#options.rest.close();
    await Promise.resolve();
  }

  #trouble(trouble: PolymarketTrouble): void {
    const { onRepeated, onStuckCommand, onMarketFailed, marketData } = this.#options;
    switch (trouble.type) {
      case 'refused':
        this.#refused(trouble.error, trouble.bucket);
        return;
      case 'repeated':
        onRepeated?.(trouble.command, trouble.problem);
        return;
      case 'stuck':
        onStuckCommand?.(trouble);
        return;
      case 'tradeConflict':
        this.monitor.onDesync(trouble.fault.message);
        onMarketFailed(trouble.market, trouble.fault);
        return;
      case 'balance':
        this.#checkApproval(trouble.record);
        return;
      case 'terms':
        void marketData.refresh();
    }
  }

  /** Stops trading a market whose contract has no allowance for what an order pays with. */
  #checkApproval(record: SignedRecord): void {
    const { contracts, onMarketFailed, log } = this.#options;
    this.execution.account.approvalFaultOf(record, contracts).then(
      (fault) => (fault === undefined ? undefined : onMarketFailed(record.market, fault)),
      (error: unknown) => log.warn({ err: error }, 'polymarket: the allowances could not be read'),
    );
  }

  #refused(error: PolymarketError, bucket: 'order' | 'cancel'): void {
    switch (error.kind) {
      case 'FORBIDDEN':
        this.#run.fault(blocked(error.text));
        return;
      case 'CLOSED_ONLY':
        this.#run.fault(blocked(`${error.text}: only positions may be closed, by hand`));
        return;
      case 'UNAUTHORIZED':
        this.#run.fault(new Fault('LOGIN', `Polymarket rejects the API key (${error.text}). Start again`));
        return;
      case 'VERSION_MISMATCH':
        void this.#readVersion();
        return;
      case 'RATE_LIMITED':
        this.#reportRate(bucket, error.retryAfterMs ?? 1_000);
        return;
      default:
        this.#phase.refused(error);
    }
  }

  /** Switches to the order version that the venue names now, and cancels all orders of the earlier one. */
  async #readVersion(): Promise<void> {
    const before = this.#version;
    try {
      const version = await this.#options.readVersion();
      if (version === before) {
        this.#run.fault(
          new Fault(
            'VENUE',
            `Polymarket refuses orders of version ${before}, although it names that version. Try again later`,
          ),
        );
        return;
      }
      if (this.#version !== before) return;
      this.#version = version;
      this.#deps.log.warn({ version }, 'polymarket: the order version changed; cancelling the open orders');
      this.execution.send([{ type: 'cancelAll' }]);
      this.monitor.onDesync('orders have another version');
    } catch (error) {
      this.monitor.onDesync(`the version of orders could not be read: ${String(error)}`);
    }
  }

  #reportRate(bucket: 'order' | 'cancel', retryAfterMs: number | undefined): void {
    const { capacity, perSecond: refillPerSecond } = polymarketBuckets(this.#settings.tier)[bucket];
    const time = this.#options.clock.now();
    const remaining = retryAfterMs === undefined ? capacity : 0;
    const rates = { bucket, capacity, refillPerSecond, remaining, retryAfterMs: retryAfterMs ?? 0 };
    this.#report({ type: 'rateLimitUpdated', time, venueTime: time, ...rates });
  }

  #report(event: VenueEvent, position?: number): void {
    if (event.type === 'orderFilled') this.#options.marketData.ownPrints.add(event.market, event);
    this.#run.report(event, position);
  }
}
