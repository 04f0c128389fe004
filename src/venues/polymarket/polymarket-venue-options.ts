/** Dependencies and callbacks of a Polymarket venue. */
import type { Clock, Random } from '../../clock/index.ts';
import type { Fault, MarketNo } from '../../domain/index.ts';
import type { PolymarketContracts, PolymarketOrderVersion, PolymarketTier } from '../../protocol/polymarket/index.ts';
import type { OrderRecords, RecoveryReport } from '../../runtime/index.ts';
import type { AccountState, AccountView } from '../../state/index.ts';
import type { Log, MarketData, Selected, StuckCommand } from '../base/index.ts';
import type { PolymarketMarketData } from './market-data.ts';
import type { MarketTable } from './market-table.ts';
import type { PolymarketSigner } from './order-signer.ts';
import type { SellableFrom } from './own-facts.ts';
import type { PolymarketCredentials, RestClient } from './rest-client.ts';

export interface PolymarketVenueOptions {
  /** With the credentials of the account. */
  readonly rest: RestClient;
  readonly credentials: PolymarketCredentials;
  /** `wss://…/ws/user` */
  readonly userUrl: string;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly marketData: MarketData & Pick<PolymarketMarketData, 'setMode' | 'ownPrints' | 'statusOf'>;
  /** In the order of their numbers, as the core's state has them. */
  readonly markets: readonly Selected[];
  readonly table: MarketTable;
  readonly signer: PolymarketSigner;
  /** The version of orders that the venue names now. @throws Fault */
  readonly readVersion: () => Promise<PolymarketOrderVersion>;
  /** The exchange contracts among others. */
  readonly contracts: PolymarketContracts;
  readonly signatureType: number;
  readonly records: OrderRecords;
  /** The core's state, which is folded from what is reported here. */
  readonly view: Pick<AccountState, 'market' | 'snapshot'> & AccountView;
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
  /** Between two comparisons with the venue; 0 for never. Default 30,000. */
  readonly auditMs: number;
  /** Trades are read again from so long before the last time, as they may be listed late. Default 600,000. */
  readonly overlapMs: number;
  /** From which status of its trade on what was bought can be sold. Default `confirmed`. */
  readonly sellableFrom: SellableFrom;
  /** Rate limits of the account. Default Standard. */
  readonly tier: PolymarketTier;
}

export const POLYMARKET_VENUE_DEFAULTS: PolymarketVenueSettings = {
  leftovers: 'cancel',
  adopt: false,
  auditMs: 30_000,
  overlapMs: 600_000,
  sellableFrom: 'confirmed',
  tier: 'Standard',
};
