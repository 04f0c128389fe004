/** What a remote venue stands on, and whom it tells. */
import type { Conversion, Fault, MarketNo } from '../../domain/index.ts';
import type { OrderRecords, RecoveryReport } from '../../runtime/index.ts';
import type { Hex, SignedMessages, Signer, SigningKey } from '../../signing/index.ts';
import type { AccountState, AccountView } from '../../state/index.ts';
import type { Credential } from './account/account.ts';
import type { LoginPins } from './account/login.ts';
import type { MarketData, Selected, VenueTerms } from './market-data/index.ts';
import type { StuckCommand } from './orders/orders-of.ts';
import type { LostTime } from './reconcile/lost-orders.ts';
import type { RemoteSettings } from './remote-settings.ts';
import type { Transport } from './transport/index.ts';

export interface RemoteVenueOptions {
  readonly transport: Transport;
  readonly marketData: MarketData;
  /** In the order of their numbers, as the core's state has them. */
  readonly markets: readonly Selected[];
  readonly terms: VenueTerms;
  readonly signer: Signer;
  /** In the pinned domains. */
  readonly messages: SignedMessages;
  /** Signs orders; the account's, or its delegate's. */
  readonly key: SigningKey;
  /** The account, lower case. */
  readonly address: Hex;
  readonly credential: Credential;
  /** What logins have to say. */
  readonly login: LoginPins;
  /** The highest taker fee rate that an order is signed for, `risk.max_fee_bps`; bps. */
  readonly maxFeeBps: number;
  readonly records: OrderRecords;
  /** The core's world, which is folded from what is told here. */
  readonly view: AccountView & Pick<AccountState, 'market'>;
  /** Conversions that an earlier run sent and was not told the end of. */
  readonly unanswered?: readonly Conversion[];
  /** When the records may have lost orders: the machine went down under an earlier run. */
  readonly lost?: LostTime | undefined;
  readonly settings?: Partial<RemoteSettings>;
  /** Something that ends the run: the venue is closed to us, or does not make sense. Told once. */
  readonly fault: (error: Error) => void;
  /** What a start or a recovery found and did. Default: nobody is told. */
  readonly recovered?: (report: RecoveryReport) => void;
  /** A command failed and is sent again. Default: nobody is told. */
  readonly repeated?: (command: string, problem: string) => void;
  /** A command was sent many times and does not get through. Default: nobody is told. */
  readonly stuck?: (command: StuckCommand) => void;
  /**
   * One market cannot go on: no row of it comes any more, its orders are to be withdrawn.
   * @param market undefined where a trade in a market that is not of this run contradicts itself
   */
  readonly marketFailed: (market: MarketNo | undefined, fault: Fault) => void;
}
