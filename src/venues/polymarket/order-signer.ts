/**
 * Signs the orders of one account (docs/spec/polymarket.md#signed-messages). Signing is deterministic: after a crash,
 * the same command, number and time give the same hash, which finds the order at the venue.
 */
import {
  type EpochMs,
  Fault,
  InputFault,
  lotsOf,
  type MicroShares,
  type PlaceOrder,
  sharesOfLots,
} from '../../domain/index.ts';
import {
  type PolymarketExchange,
  type PolymarketOrderVersion,
  polymarketAmounts,
  polymarketDomain,
  polymarketExchange,
  polymarketOrderText,
} from '../../protocol/polymarket/index.ts';
import type { SignedRecord } from '../../runtime/index.ts';
import {
  type Hex,
  type PolymarketOrders,
  polymarketOrders,
  type Signer,
  type SigningKey,
} from '../../signing/index.ts';
import type { MarketTable } from './market-table.ts';

export interface PolymarketSignerOptions {
  readonly signer: Signer;
  readonly key: SigningKey;
  /** 137 (Polygon) or 80002 (Amoy). */
  readonly chainId: number;
  /** Address of the key or of the wallet that holds the money, lower case. */
  readonly maker: Hex;
  /** 0 to 3 (docs/spec/polymarket.md#signed-messages). */
  readonly signatureType: number;
  /** Id of the API key that sends the orders. */
  readonly owner: string;
  /** 32 secret bytes, the same at each start; see the function `saltSecret`. */
  readonly saltSecret: Uint8Array;
  readonly markets: MarketTable;
}

const SECRET_BYTES = 32;
const NUMBER_BYTES = 8;
/** Salts are JSON numbers, which are exact below 2^53. */
const SALT_MASK = (1n << 52n) - 1n;
const ZERO_WORD: Hex = `0x${'0'.repeat(64)}`;
const DEPOSIT_WALLET = 3;
/** The venue ends an order this long before the signed expiration, and refuses expirations within three minutes. */
const EXPIRES_EARLY_S = 60;
/** Steps of the amount that a taking BUY pays or a taking SELL receives, micro-USD (docs/spec/polymarket.md#units). */
const [PAID_STEP, RECEIVED_STEP] = [10_000, 100];

export class PolymarketSigner {
  readonly #options: PolymarketSignerOptions;
  readonly #orders: Readonly<Record<PolymarketExchange, PolymarketOrders>>;
  readonly #saltInput = new Uint8Array(SECRET_BYTES + NUMBER_BYTES);

  /** @throws InputFault if `chainId` is not a chain of the venue */
  constructor(options: PolymarketSignerOptions) {
    this.#options = options;
    const createOrders = (exchange: PolymarketExchange) =>
      polymarketOrders(options.signer, polymarketDomain(options.chainId, exchange));
    this.#orders = {
      exchangeV2: createOrders('exchangeV2'),
      negRiskExchangeV2: createOrders('negRiskExchangeV2'),
      exchangeV3: createOrders('exchangeV3'),
    };
    this.#saltInput.set(options.saltSecret);
  }

  /** Address that owns the orders: of the signing key, or of the wallet that holds the money. */
  get maker(): string {
    return this.#options.maker;
  }

  /**
   * Signs one order. The order's hash is its id at the venue.
   * @param time of the step that decided the order
   * @throws Fault SIGNING for an order that cannot be signed, such as an order whose `signedShares` are 0
   */
  sign(
    command: PlaceOrder,
    version: PolymarketOrderVersion,
    marketId: SignedRecord['marketId'],
    time: EpochMs,
  ): SignedRecord {
    const { key, maker, signatureType, owner, markets } = this.#options;
    const { order: number, market, side, price, timeInForce, postOnly, expiration } = command;
    const shares = signedShares(command);
    const { makerAmount, takerAmount } = polymarketAmounts(side, shares, price);
    const order = {
      salt: this.#computeSalt(number),
      maker,
      signer: signatureType === DEPOSIT_WALLET ? maker : key.address,
      tokenId: BigInt(markets.tokenId(marketId, command.outcome)),
      makerAmount: BigInt(makerAmount),
      takerAmount: BigInt(takerAmount),
      side,
      signatureType,
      timestamp: BigInt(time),
      metadata: ZERO_WORD,
      builder: ZERO_WORD,
    };
    const exchange = polymarketExchange(version, markets.byId(marketId).isNegRisk);
    const { id, signature } = signChecked(this.#orders[exchange], order, key);
    const expires = timeInForce === 'GTD' ? Math.ceil(expiration / 1_000) + EXPIRES_EARLY_S : 0;
    const signedOrder = { ...order, expiration: expires, signature };
    const wire = polymarketOrderText({ deferExec: false, postOnly, order: signedOrder, owner, orderType: timeInForce });
    return { order: number, market, marketId, hash: id, timestampMs: time, epoch: 0, wire, command };
  }

  #computeSalt(order: number): bigint {
    new DataView(this.#saltInput.buffer).setBigUint64(SECRET_BYTES, BigInt(order));
    const word = this.#options.signer.keccak256(this.#saltInput);
    return new DataView(word.buffer, word.byteOffset).getBigUint64(0) & SALT_MASK;
  }
}

/** Returns the size to sign. A taking order's size is rounded **down** to the venue's decimals, possibly to 0. */
export function signedShares({ side, price, shares, timeInForce }: PlaceOrder): MicroShares {
  if (timeInForce === 'GTC' || timeInForce === 'GTD') return shares;
  const step = side === 'BUY' ? PAID_STEP : RECEIVED_STEP;
  // Lots times price, the amount of money, is a multiple of `step` if the lots are a multiple of `lotStep`.
  const lotStep = step / greatestCommonDivisor(step, price);
  return sharesOfLots(lotsOf(shares) - (lotsOf(shares) % lotStep));
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

function signChecked(orders: PolymarketOrders, order: Parameters<PolymarketOrders['sign']>[0], key: SigningKey) {
  try {
    return orders.sign(order, key);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    throw new Fault('SIGNING', `${error.message}; not signed`, { cause: error });
  }
}
