/**
 * The Polymarket dialect: REST and two WebSocket channels under `/polymarket`, over the same exchange as GraphQL. The
 * exchange does not depend on it (docs/polymarket.md).
 */
import { seededRandom } from '../../clock/index.ts';
import { type DurationMs, durationMs, InputFault } from '../../domain/index.ts';
import {
  POLYMARKET_CONTRACTS,
  type PolymarketExchange,
  type PolymarketOrderVersion,
  polymarketDomain,
} from '../../protocol/polymarket/index.ts';
import { polymarketOrders, polymarketSignIns, type Signer } from '../../signing/index.ts';
import type { ChaosSettings } from '../chaos/settings.ts';
import type { HttpEndpoint } from '../http/endpoint-request.ts';
import type { ListenSettings } from '../http/options.ts';
import type { PlacingDelays } from '../replay/placing-delays.ts';
import { accountRoutes } from './account-routes.ts';
import { PolymarketAccounts } from './accounts.ts';
import { CancelHandler } from './cancel-handler.ts';
import { Channels } from './channels.ts';
import { PolymarketFaults } from './faults.ts';
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
import { ContractApprovals, type PolymarketShared } from './shared.ts';

export interface PolymarketApiDeps
  extends Pick<PolymarketShared, 'clock' | 'queue' | 'archive' | 'registry' | 'ids' | 'access' | 'log'> {
  readonly signer: Signer;
  readonly delays: Pick<PlacingDelays, 'delayOrders' | 'isIdle'>;
  readonly listen: Pick<ListenSettings, 'base' | 'trustedProxies'>;
  readonly settings: Partial<PolymarketSettings>;
  /** Injected faults; undefined for none. */
  readonly chaos: ChaosSettings | undefined;
}

const POLYMARKET_PATH = '/polymarket';
/** Tolerated delay of a reversal while the exchange is busy. */
const LATE_MS = 30_000;

export class PolymarketApi {
  readonly faults: PolymarketFaults;
  readonly approvals = new ContractApprovals();
  readonly payments: MakerPayments;
  readonly endpoint: HttpEndpoint;
  /** Longest time from a trade to its reversal, ms. */
  readonly reversalWindow: DurationMs;
  readonly channels: Channels;
  /** Version of accepted orders. Orders of other versions are refused. */
  orderVersion: PolymarketOrderVersion;
  readonly #settlement: Settlement;
  readonly #placing: PlaceHandler;

  /** Create it before the first command of the exchange. @throws InputFault for an unknown chain */
  constructor(deps: PolymarketApiDeps) {
    const { clock, queue, signer, chaos } = deps;
    const settings = { ...POLYMARKET_DEFAULTS, ...deps.settings };
    const { chainId, minedMs } = settings;
    const contracts = POLYMARKET_CONTRACTS[chainId];
    if (contracts === undefined) throw new InputFault('polymarket.chainId', chainId, '137 or 80002');
    this.reversalWindow = durationMs(2 * minedMs + LATE_MS);
    this.faults = new PolymarketFaults(
      chaos && { settings: chaos.polymarket, random: seededRandom(chaos.seed).fork('polymarket') },
    );
    this.orderVersion = settings.orderVersion;
    const shared: PolymarketShared = {
      ...deps,
      settings,
      contracts,
      prefix: `${deps.listen.base}${POLYMARKET_PATH}`,
      faults: this.faults,
      approvals: this.approvals,
      markets: new PolymarketMarkets(queue.view, settings),
      accounts: new PolymarketAccounts({ ...deps, settings, signIns: polymarketSignIns(signer, chainId) }),
      version: () => this.orderVersion,
    };
    this.payments = new MakerPayments(shared);
    const records = new PolymarketRecords({
      ...shared,
      statusOf: (seq, at) => settlement.statusOf(seq, at),
    });
    const settlement = new Settlement({
      ...shared,
      onStatus: (seq, status) => publisher.onTradeStatus(seq, status),
    });
    this.#settlement = settlement;
    this.channels = new Channels({
      ...shared,
      trustedProxies: deps.listen.trustedProxies,
      onSubscribed: (client, tokens) => publisher.subscribe(client, tokens),
    });
    const publisher: Publisher = new Publisher({ ...shared, records, channels: this.channels });
    const ordersOf = (exchange: PolymarketExchange) => polymarketOrders(signer, polymarketDomain(chainId, exchange));
    const orders = {
      exchangeV2: ordersOf('exchangeV2'),
      negRiskExchangeV2: ordersOf('negRiskExchangeV2'),
      exchangeV3: ordersOf('exchangeV3'),
    };
    const placing = new PlaceHandler({ ...shared, settlement, delays: deps.delays, orders });
    this.#placing = placing;
    queue.watch(publisher);
    queue.watch(settlement);
    const withPayments = { ...shared, payments: this.payments };
    const cancelling = new CancelHandler(shared);
    const rates = new PolymarketRates(clock, settings.tier);
    this.endpoint = polymarketEndpoint({
      ...withPayments,
      publicRoutes: publicRoutes(withPayments),
      accountRoutes: accountRoutes({ ...withPayments, records, settlement, placing, cancelling, rates }),
    });
  }

  close(): void {
    this.#placing.close();
    this.#settlement.close();
    this.channels.close();
  }
}
