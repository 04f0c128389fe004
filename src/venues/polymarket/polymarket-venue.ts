/**
 * Polymarket as the runtime knows a venue: its public half (books, trades, states) and its private half (own orders).
 *
 * Order of a start: the user channel is open -> orders and trades are read -> account and orders are reconciled -> books ->
 * rates, heartbeat. So the core knows everything before the first quote. After any loss (a channel, a heartbeat, a phase of the
 * venue) the link is reported as down until orders, trades and balances were read and compared again (`AccountMonitor`).
 */

import type { Clock, Random } from '../../clock/index.ts';
import { Fault, type MarketNo, type OrderLifecycle, type VenueEvent, type VenueMode } from '../../domain/index.ts';
import {
  type PolymarketOrderVersion,
  type PolymarketTier,
  polymarketBuckets,
} from '../../protocol/polymarket/index.ts';
import type {
  OrderRecords,
  RecoveryReport,
  SignedRecord,
  Venue,
  VenueSession,
  VenueSink,
} from '../../runtime/index.ts';
import type { AccountState, AccountView } from '../../state/index.ts';
import {
  AccountMonitor,
  type Agreement,
  type Log,
  type MarketData,
  RecoveryRecorder,
  type Selected,
  type StuckCommand,
  Timers,
} from '../base/index.ts';
import type { PolymarketDeps, PolymarketTrouble } from './deps.ts';
import { Execution, type StillOpen } from './execution.ts';
import { Heartbeat } from './heartbeat.ts';
import type { MarketTable } from './market-table.ts';
import type { PolymarketSigner } from './order-signer.ts';
import type { SellableFrom } from './own-facts.ts';
import { blocked, type PolymarketCredentials, type PolymarketError, type RestClient } from './rest-client.ts';
import { VenuePhase } from './venue-phase.ts';

export interface PolymarketVenueOptions {
  /** With the credentials of the account. */
  readonly rest: RestClient;
  readonly credentials: PolymarketCredentials;
  /** `wss://…/ws/user` */
  readonly userUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly marketData: MarketData & { setMode(mode: VenueMode, problem?: string): void };
  /** In the order of their numbers, as the core's state has them. */
  readonly markets: readonly Selected[];
  readonly table: MarketTable;
  readonly signer: PolymarketSigner;
  /** The version of orders that the venue names now, and the contract that they are signed for. @throws Fault */
  readonly readVersion: () => Promise<PolymarketOrderVersion>;
  readonly spenderOf: (version: PolymarketOrderVersion) => string;
  readonly signatureType: number;
  readonly records: OrderRecords;
  /** The core's state, which is folded from what is reported here. */
  readonly view: Pick<AccountState, 'market'> & AccountView;
  /** When the last process of this bot was last alive, epoch ms; undefined if unknown. */
  readonly lastAlive?: number | undefined;
  readonly settings?: Partial<PolymarketVenueSettings>;
  /** Something that ends the run: the venue is closed to us, or does not make sense. Called once. */
  readonly fault: (error: Error) => void;
  /** What a start or a recovery found and did. Default: ignored. */
  readonly recovered?: (report: RecoveryReport) => void;
  /** A command failed and is sent again. Default: ignored. */
  readonly repeated?: (command: string, problem: string) => void;
  /** A command was sent many times and does not get through. Default: ignored. */
  readonly stuck?: (command: StuckCommand) => void;
  /** One market cannot go on. @param market undefined where it is outside of this run */
  readonly marketFailed: (market: MarketNo | undefined, fault: Fault) => void;
}

/** Times in ms. */
export interface PolymarketVenueSettings {
  /** Own orders that an earlier run left standing. Default `cancel`. */
  readonly leftovers: 'cancel' | 'adopt';
  /** At the start, takes the venue's account where nothing explains what differs. Default false. */
  readonly adopt: boolean;
  /** Whether the venue cancels the orders when this bot falls silent. Default true. */
  readonly heartbeat: boolean;
  /** Between two comparisons with the venue; 0 for never. Default 30,000. */
  readonly auditMs: number;
  /** From which status of its trade on what was bought can be sold. Default `confirmed`. */
  readonly sellableFrom: SellableFrom;
  /** Rate limits of the account. Default Standard. */
  readonly tier: PolymarketTier;
}

export const POLYMARKET_VENUE_DEFAULTS: PolymarketVenueSettings = {
  leftovers: 'cancel',
  adopt: false,
  heartbeat: true,
  auditMs: 30_000,
  sellableFrom: 'confirmed',
  tier: 'Standard',
};

export class PolymarketVenue implements Venue {
  readonly #options: PolymarketVenueOptions;
  readonly #settings: PolymarketVenueSettings;
  readonly #timers: Timers;
  readonly #deps: PolymarketDeps;
  readonly #execution: Execution;
  readonly #heartbeat: Heartbeat;
  readonly #phase: VenuePhase;
  readonly #recorder: RecoveryRecorder;
  readonly #monitor: AccountMonitor;
  #version: PolymarketOrderVersion = 2;
  #sink: VenueSink | undefined;
  #hasRunFailed = false;
  #isFaulty = false;
  #isConnected = false;

  constructor(options: PolymarketVenueOptions) {
    const { clock, log, marketData, records, view } = options;
    this.#options = options;
    this.#settings = { ...POLYMARKET_VENUE_DEFAULTS, ...options.settings };
    this.#timers = new Timers(clock);
    const { tier, sellableFrom, auditMs } = this.#settings;
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
      version: () => this.#version,
      mostCancels: polymarketBuckets(tier).cancel.capacity,
      report: (event, position) => this.#report(event, position),
      passed: (position) => this.#guard(() => records.reached(position)),
      trouble: (trouble) => this.#trouble(trouble),
    };
    const restored = ({ market, order }: SignedRecord): OrderLifecycle | undefined =>
      view.market(market).orders.find((each) => each.order === order)?.life;
    this.#execution = new Execution(this.#deps, {
      userUrl: options.userUrl,
      credentials: options.credentials,
      random: options.random,
      sellableFrom,
      signatureType: options.signatureType,
      restored,
      lost: (problem) => this.#monitor.lost(problem),
      fault: (error) => this.#fault(error),
    });
    this.#heartbeat = new Heartbeat(this.#deps, () => this.#monitor.lost('no heartbeat was taken'));
    this.#phase = new VenuePhase(this.#deps, {
      changed: (mode, problem) => {
        marketData.setMode(mode, problem);
        this.#monitor.lost(problem ?? 'the venue takes orders again');
      },
    });
    this.#recorder = new RecoveryRecorder(view, () => this.#execution.openOrders, options.lastAlive);
    this.#monitor = new AccountMonitor(this.#deps, {
      auditMs,
      recorder: this.#recorder,
      compare: () => this.#compare(),
      report: (link, mode, venueTime) =>
        this.#report({ type: 'venueChanged', time: clock.now(), venueTime, mode, link }),
      recovered: (report) => options.recovered?.(report),
    });
  }

  /** Whether the account is the venue's, as far as was compared. */
  get agreement(): Agreement {
    return this.#monitor.state;
  }

  get openOrders(): number {
    return this.#execution.openOrders;
  }

  get isQuiet(): boolean {
    return this.#execution.isQuiet;
  }

  /** @throws Fault LOGIN, LINK, BLOCKED, VENUE, RECONCILE: the run cannot begin; STOPPED where it was left meanwhile */
  async connect(sink: VenueSink): Promise<VenueSession> {
    const { clock, marketData, markets, readVersion, spenderOf } = this.#options;
    if (this.#sink !== undefined) throw new Error('Invariant: a venue serves one run');
    this.#sink = sink;
    try {
      this.#recorder.begin(clock.now());
      this.#version = await readVersion();
      await this.#execution.account.demandAllowance(spenderOf(this.#version));
      const { leftovers, adopt } = this.#settings;
      const started = await this.#execution.start({ leftovers, adopt, isFirst: this.#deps.records.cursor === 0 });
      this.#options.recovered?.(this.#recorder.end('start', clock.now(), started, started.leftovers));
      await marketData.start(markets, {
        rows: sink.rows.bind(sink),
        limitsChanged: (market, limits, venueTime) =>
          this.#report({ type: 'limitsChanged', time: clock.now(), venueTime, market, limits }),
        venueChanged: (state, venueTime) => this.#monitor.venueChanged(state, venueTime),
        marketFailed: (market, fault) => this.#options.marketFailed(market, fault),
        failed: (error) => {
          this.#hasRunFailed = true;
          this.#fault(error);
        },
      });
      this.#reportRates();
      if (this.#settings.heartbeat) await this.#startHeartbeat();
      if (this.#timers.isClosed) throw left();
      this.#monitor.start();
    } catch (error) {
      const wasLeft = this.#timers.isClosed;
      await this.#close();
      throw wasLeft ? left(error) : error;
    }
    this.#isConnected = true;
    return { send: (commands) => this.#execution.send(commands), close: () => this.#close() };
  }

  async leave(): Promise<void> {
    if (!this.#isConnected) await this.#close();
  }

  /** Compares account and orders with the venue once, as is done from time to time anyway. @throws Fault LINK, VENUE */
  audit(): Promise<void> {
    return this.#monitor.audit();
  }

  /** Compares again after a comparison that disagreed. @throws Fault RECONCILE naming what still differs; LINK, VENUE */
  recheck(): Promise<void> {
    return this.#monitor.recheck();
  }

  /** Waits until no own order is open, and compares that with the venue. @throws Fault LINK, VENUE */
  verifyNoneOpen(timeoutMs: number): Promise<StillOpen> {
    return this.#execution.verifyNoneOpen(timeoutMs);
  }

  async #startHeartbeat(): Promise<void> {
    if (!(await this.#heartbeat.beat()) && !(await this.#heartbeat.beat()))
      throw new Fault('HEARTBEAT', 'Polymarket does not take a heartbeat. Try again, or set heartbeat_ms: none');
    this.#heartbeat.start();
  }

  /** Before the first quote after a loss the dead-man's switch has to be armed again, too. */
  async #compare() {
    const isArmed = this.#monitor.state === 'agrees' || !this.#settings.heartbeat || (await this.#heartbeat.beat());
    return isArmed ? this.#execution.compare() : undefined;
  }

  async #close(): Promise<void> {
    if (this.#timers.isClosed) return;
    // The venue cancels what is left when the heartbeats end.
    this.#execution.close();
    this.#timers.close();
    this.#options.marketData.close();
    this.#options.rest.close();
    await Promise.resolve();
  }

  #trouble(trouble: PolymarketTrouble): void {
    const { repeated, stuck, marketFailed, marketData } = this.#options;
    switch (trouble.type) {
      case 'refused':
        this.#refused(trouble.error, trouble.bucket);
        return;
      case 'repeated':
        repeated?.(trouble.command, trouble.problem);
        return;
      case 'stuck':
        stuck?.(trouble);
        return;
      case 'unknownOrder':
        this.#monitor.lost(`the venue does not know order ${trouble.order}, which it had accepted`);
        return;
      case 'tradeConflict':
        this.#monitor.lost(trouble.fault.message);
        marketFailed(trouble.market, trouble.fault);
        return;
      case 'terms':
        void marketData.refresh();
    }
  }

  #refused(error: PolymarketError, bucket: 'order' | 'cancel'): void {
    switch (error.kind) {
      case 'FORBIDDEN':
        this.#fault(blocked(error.text));
        return;
      case 'CLOSED_ONLY':
        this.#fault(blocked(`${error.text}: only positions may be closed, by hand`));
        return;
      case 'UNAUTHORIZED':
        this.#fault(new Fault('LOGIN', `Polymarket does not take the API key any more (${error.text}). Start again`));
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

  /** Orders are refused for their version: those that stand are cancelled, and later ones are signed in the new domain. */
  async #readVersion(): Promise<void> {
    const before = this.#version;
    try {
      const version = await this.#options.readVersion();
      if (version === before) {
        this.#fault(
          new Fault(
            'VENUE',
            `Polymarket refuses orders of version ${before}, and says that it takes them. Try again later`,
          ),
        );
        return;
      }
      if (this.#version !== before) return;
      this.#version = version;
      this.#deps.log.warn({ version }, 'polymarket: orders have another version: those that stand are cancelled');
      this.#execution.send([{ type: 'cancelAll' }]);
      this.#monitor.lost('orders have another version');
    } catch (error) {
      this.#monitor.lost(`the version of orders could not be read: ${String(error)}`);
    }
  }

  #reportRates(): void {
    for (const bucket of ['order', 'cancel'] as const) this.#reportRate(bucket, undefined);
  }

  #reportRate(bucket: 'order' | 'cancel', retryAfterMs: number | undefined): void {
    const { capacity, perSecond: refillPerSecond } = polymarketBuckets(this.#settings.tier)[bucket];
    const time = this.#options.clock.now();
    const remaining = retryAfterMs === undefined ? capacity : 0;
    const rates = { bucket, capacity, refillPerSecond, remaining, retryAfterMs: retryAfterMs ?? 0 };
    this.#report({ type: 'rateLimitUpdated', time, venueTime: time, ...rates });
  }

  #report(event: VenueEvent, position?: number): void {
    const shown = event.type === 'orderFilled' ? this.#recorder.filled(event) : event;
    this.#guard(() => this.#sink?.event(shown, position));
  }

  /** A run that has failed takes nothing more; it may still send. */
  #guard(work: () => void): void {
    if (this.#hasRunFailed) return;
    try {
      work();
    } catch (error) {
      this.#hasRunFailed = true;
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
