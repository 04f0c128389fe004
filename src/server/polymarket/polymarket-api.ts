/**
 * The Polymarket dialect: REST and two WebSocket channels under `/polymarket`, over the same exchange as GraphQL. The
 * exchange does not depend on it (docs/polymarket.md).
 */
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Clock, seededRandom } from '../../clock/index.ts';
import { type DurationMs, durationMs, InputFault } from '../../domain/index.ts';
import type { Archive, Registry } from '../../exchange/index.ts';
import {
  POLYMARKET_CONTRACTS,
  type PolymarketExchange,
  type PolymarketOrderVersion,
  polymarketDomain,
} from '../../protocol/polymarket/index.ts';
import { polymarketOrders, polymarketSignIns, type Signer } from '../../signing/index.ts';
import type { Access } from '../access/access.ts';
import type { ChaosSettings } from '../chaos/settings.ts';
import type { CommandQueue } from '../command-queue.ts';
import type { Log } from '../graphql/context.ts';
import type { HttpEndpoint } from '../http/endpoint-request.ts';
import type { PlacingDelays } from '../replay/placing-delays.ts';
import type { WireIds } from '../wire-ids.ts';
import { accountRoutes } from './account-routes.ts';
import { PolymarketAccounts } from './accounts.ts';
import { CancelHandler } from './cancel-handler.ts';
import { type PolymarketChain, SimulatedChain } from './chain.ts';
import { Channels } from './channels.ts';
import { type PolymarketChances, PolymarketFaults } from './faults.ts';
import { PolymarketMarkets } from './markets.ts';
import { MakerPayments } from './payments.ts';
import { PlaceHandler } from './place-handler.ts';
import { publicRoutes } from './public-routes.ts';
import { Publisher } from './publisher.ts';
import { PolymarketRates } from './rates.ts';
import { PolymarketRecords } from './records.ts';
import { polymarketEndpoint } from './routes.ts';
import { POLYMARKET_DEFAULTS, type PolymarketSettings } from './settings.ts';
import { Settlement } from './settlement.ts';

export interface PolymarketApiDeps {
  readonly clock: Clock;
  readonly queue: CommandQueue;
  readonly archive: Archive;
  readonly registry: Registry;
  readonly ids: WireIds;
  readonly access: Access;
  readonly signer: Signer;
  readonly delays: Pick<PlacingDelays, 'delayOrders' | 'isIdle'>;
  readonly log: Log;
  /** Prefix of `/polymarket`. */
  readonly base: string;
  readonly trustedProxies: readonly string[];
  readonly settings?: Partial<PolymarketSettings>;
  /** Injected faults; undefined for none. */
  readonly chaos: ChaosSettings | undefined;
}

const POLYMARKET_PATH = '/polymarket';
/** Tolerated delay of a reversal while the exchange is busy. */
const LATE_MS = 30_000;

export class PolymarketApi {
  readonly faults: PolymarketFaults;
  readonly chain: PolymarketChain;
  readonly markets: PolymarketMarkets;
  readonly payments: MakerPayments;
  readonly endpoint: HttpEndpoint;
  /** Longest time from a trade to its reversal, ms. */
  readonly reversalWindow: DurationMs;
  readonly #channels: Channels;
  readonly #settlement: Settlement;
  readonly #placing: PlaceHandler;
  #version: PolymarketOrderVersion;

  /** Create it before the first command of the exchange. @throws InputFault for an unknown chain */
  constructor(deps: PolymarketApiDeps) {
    const { clock, queue, archive, registry, ids, access, signer, delays, log, base, trustedProxies } = deps;
    const settings = { ...POLYMARKET_DEFAULTS, ...deps.settings };
    const contracts = POLYMARKET_CONTRACTS[settings.chainId];
    if (contracts === undefined) throw new InputFault('polymarket.chainId', settings.chainId, '137 or 80002');
    this.reversalWindow = durationMs(2 * settings.minedMs + LATE_MS);
    const prefix = `${base}${POLYMARKET_PATH}`;
    const faults = new PolymarketFaults(chancesOf(deps.chaos));
    this.faults = faults;
    this.#version = settings.orderVersion;
    const version = (): PolymarketOrderVersion => this.#version;
    const markets = new PolymarketMarkets(queue.view, settings);
    this.markets = markets;
    this.chain = new SimulatedChain(queue);
    const accounts = new PolymarketAccounts({
      registry,
      queue,
      accounts: access.accounts,
      numbers: access.credentialNumbers,
      hash: access.hash,
      signIns: polymarketSignIns(signer, settings.chainId),
      maxClockSkewSeconds: settings.maxClockSkewSeconds,
    });
    const asset = contracts.collateral;
    this.payments = new MakerPayments({ queue, archive, registry, markets, accounts, asset });
    const { payments } = this;
    const records = new PolymarketRecords({
      archive,
      ids,
      markets,
      accounts,
      statusOf: (seq, at) => this.#settlement.statusOf(seq, at),
    });
    const publisher = new Publisher({ queue, archive, markets, records, channels: () => this.#channels });
    const settlement = new Settlement({
      clock,
      view: queue.view,
      settings,
      orderOf(order) {
        if (order === 0) return undefined;
        const row = archive.order(order);
        if (row === undefined) throw new RangeError(`Invariant: order ${order} has no row`);
        return row;
      },
      nextTransaction: () => faults.nextTransaction(),
      isReversed: (seq) => archive.reversalOf(seq) !== undefined,
      async reverse(trade) {
        const events = await queue.execute({ type: 'reverseTrade', time: queue.now, trade });
        const refusal = events.find((event) => event.type === 'refused')?.refusal;
        if (refusal !== undefined)
          log.warn({ trade, ...refusal }, 'polymarket: a trade that failed could not be reversed');
        return refusal === undefined;
      },
      onStatus: (seq, status) => publisher.onTradeStatus(seq, status),
    });
    this.#settlement = settlement;
    this.#channels = new Channels({
      clock,
      accounts,
      faults,
      log,
      prefix,
      trustedProxies,
      onSubscribed: (client, tokens) => publisher.subscribe(client, tokens),
    });
    const ordersOf = (exchange: PolymarketExchange) =>
      polymarketOrders(signer, polymarketDomain(settings.chainId, exchange));
    const placing = new PlaceHandler({
      clock,
      queue,
      ids,
      log,
      markets,
      accounts,
      settlement,
      chain: this.chain,
      faults,
      delays,
      orders: {
        exchangeV2: ordersOf('exchangeV2'),
        negRiskExchangeV2: ordersOf('negRiskExchangeV2'),
        exchangeV3: ordersOf('exchangeV3'),
      },
      version,
    });
    this.#placing = placing;
    const cancelling = new CancelHandler({ queue, ids, markets, faults, heartbeatMs: settings.heartbeatMs });
    queue.watch(publisher);
    queue.watch({
      onCommitted: (events, _command, at) => {
        for (const event of events) {
          if (event.type === 'traded') settlement.onTraded(event, at);
          else if (event.type === 'happened' && event.event.type === 'tradeReversed')
            settlement.onReversed(event.event.trade);
        }
      },
    });
    this.endpoint = polymarketEndpoint({
      queue,
      log,
      access,
      accounts,
      faults,
      prefix,
      publicRoutes: publicRoutes({ queue, archive, markets, payments, version }),
      accountRoutes: accountRoutes({
        queue,
        archive,
        ids,
        accounts,
        markets,
        records,
        settlement,
        placing,
        cancelling,
        chain: this.chain,
        rates: new PolymarketRates(clock, settings.tier),
        faults,
        contracts,
        payments,
      }),
    });
  }

  /** Version of accepted orders. Orders of other versions are refused. */
  set orderVersion(version: PolymarketOrderVersion) {
    this.#version = version;
  }

  isOurs(request: IncomingMessage): boolean {
    return this.#channels.handles(request);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    this.#channels.upgrade(request, socket, head);
  }

  close(): void {
    this.#placing.close();
    this.#settlement.close();
    this.#channels.close();
  }
}

function chancesOf(chaos: ChaosSettings | undefined): PolymarketChances | undefined {
  if (chaos === undefined) return undefined;
  return { settings: chaos.polymarket, random: seededRandom(chaos.seed).fork('polymarket') };
}
