/**
 * The Polymarket dialect: REST and two WebSocket channels under `/polymarket`, over the same exchange as GraphQL
 * (docs/polymarket.md). The exchange does not depend on the dialect.
 */
import { seededRandom } from '../../clock/index.ts';
import { durationMs, InputFault } from '../../domain/index.ts';
import { POLYMARKET_CONTRACTS, type PolymarketExchange, polymarketDomain } from '../../protocol/polymarket/index.ts';
import { polymarketOrders, polymarketSignIns, type Signer } from '../../signing/index.ts';
import type { ChaosSettings } from '../chaos/settings.ts';
import type { ListenSettings } from '../http/options.ts';
import type { PlacingDelays } from '../replay/placing-delays.ts';
import { createAccountRoutes } from './account-routes.ts';
import { PolymarketAccounts } from './accounts.ts';
import { createCancelHandler } from './cancel-handler.ts';
import { Channels } from './channels.ts';
import { PolymarketFaults } from './faults.ts';
import { PolymarketMarkets } from './markets.ts';
import { createMakerPayments } from './payments.ts';
import { PlaceHandler } from './place-handler.ts';
import { createPublicRoutes } from './public-routes.ts';
import { Publisher } from './publisher.ts';
import { createPolymarketRates } from './rates.ts';
import { createPolymarketRecords } from './records.ts';
import { createPolymarketEndpoint } from './routes.ts';
import { POLYMARKET_DEFAULTS, type PolymarketSettings } from './settings.ts';
import { Settlement } from './settlement.ts';
import { ContractApprovals, type PolymarketShared } from './shared.ts';

export interface PolymarketApiDeps
  extends Pick<PolymarketShared, 'clock' | 'queue' | 'archive' | 'registry' | 'ids' | 'access' | 'log'> {
  readonly signer: Signer;
  readonly delays: Pick<PlacingDelays, 'delayOrders' | 'isIdle'>;
  readonly listen: Pick<ListenSettings, 'base' | 'trustedProxies'>;
  readonly settings: Partial<PolymarketSettings>;
  /** Undefined for no random faults. */
  readonly chaos: ChaosSettings | undefined;
}

/** Maximum delay of a reversal while the exchange is busy. */
const MAX_REVERSAL_DELAY_MS = 30_000;

export type PolymarketApi = ReturnType<typeof openPolymarketApi>;

/** Call this before the exchange's first command. @throws InputFault for an unknown chain */
export function openPolymarketApi(deps: PolymarketApiDeps) {
  const { clock, queue, signer, chaos } = deps;
  const settings = { ...POLYMARKET_DEFAULTS, ...deps.settings };
  const { chainId, minedMs } = settings;
  const contracts = POLYMARKET_CONTRACTS[chainId];
  if (contracts === undefined) throw new InputFault('polymarket.chainId', chainId, '137 or 80002');
  const chances = chaos && { settings: chaos.polymarket, random: seededRandom(chaos.seed).fork('polymarket') };
  const shared: PolymarketShared = {
    ...deps,
    settings,
    contracts,
    prefix: `${deps.listen.base}/polymarket`,
    faults: new PolymarketFaults(chances),
    approvals: new ContractApprovals(),
    markets: new PolymarketMarkets(queue.view, settings),
    accounts: new PolymarketAccounts({ ...deps, settings, signIns: polymarketSignIns(signer, chainId) }),
    orderFormat: { version: settings.orderVersion },
  };
  const payments = createMakerPayments(shared);
  const records = createPolymarketRecords({ ...shared, getStatus: (seq, at) => settlement.getStatus(seq, at) });
  const settlement: Settlement = new Settlement({
    ...shared,
    onStatus: (seq, status) => publisher.onTradeStatus(seq, status),
  });
  const channels = new Channels({
    ...shared,
    trustedProxies: deps.listen.trustedProxies,
    onSubscribed: (client, tokens) => publisher.subscribe(client, tokens),
  });
  const publisher: Publisher = new Publisher({ ...shared, records, channels });
  const toVerifier = (exchange: PolymarketExchange) => polymarketOrders(signer, polymarketDomain(chainId, exchange));
  const orders = {
    exchangeV2: toVerifier('exchangeV2'),
    negRiskExchangeV2: toVerifier('negRiskExchangeV2'),
    exchangeV3: toVerifier('exchangeV3'),
  };
  const placeHandler = new PlaceHandler({ ...shared, settlement, delays: deps.delays, orders });
  const cancelHandler = createCancelHandler(shared);
  const handlers = { ...shared, placeHandler, cancelHandler };
  const rates = createPolymarketRates(clock, settings.tier);
  queue.watch(publisher);
  queue.watch(settlement);
  const { faults, approvals, orderFormat } = shared;
  return {
    faults,
    approvals,
    payments,
    channels,
    orderFormat,
    /** Maximum time from a trade to its reversal, ms. */
    reversalWindow: durationMs(2 * minedMs + MAX_REVERSAL_DELAY_MS),
    endpoint: createPolymarketEndpoint({
      ...shared,
      publicRoutes: createPublicRoutes({ ...shared, payments }),
      accountRoutes: createAccountRoutes({ ...handlers, payments, records, settlement, rates, channels }),
    }),
    close(): void {
      placeHandler.close();
      settlement.close();
      channels.close();
    },
  };
}
