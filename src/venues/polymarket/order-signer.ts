/**
 * Signs the orders of one account (docs/spec/polymarket.md#signed-messages). A command's number and time decide every byte: after a
 * crash the same order is found again by its hash.
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
  /** 137 or 80002. */
  readonly chainId: number;
  /** Who pays, lower case: the key's address, or its wallet. */
  readonly maker: Hex;
  /** 0 to 3 (docs/spec/polymarket.md#signed-messages). */
  readonly signatureType: number;
  /** Id of the API key that sends the orders. */
  readonly owner: string;
  /** 32 secret bytes, the same at each start: `saltSecret`. */
  readonly saltSecret: Uint8Array;
  readonly markets: MarketTable;
}

const SECRET_BYTES = 32;
const NUMBER_BYTES = 8;
/** Salts are JSON numbers: below 2^53. */
const SALT_MASK = (1n << 52n) - 1n;
const NO_WORD: Hex = `0x${'0'.repeat(64)}`;
const DEPOSIT_WALLET = 3;
/** The venue ends an order a minute before the time that is signed, and takes none that ends within three. */
const EXPIRES_EARLY_S = 60;
/** What a taking order gives has two decimals, what it gets has four (docs/spec/polymarket.md#units). In micro-USD. */
const [GIVES_STEP, GETS_STEP] = [10_000, 100];

export class PolymarketSigner {
  readonly #options: PolymarketSignerOptions;
  readonly #orders: Readonly<Record<PolymarketExchange, PolymarketOrders>>;
  readonly #salted = new Uint8Array(SECRET_BYTES + NUMBER_BYTES);

  /** @throws InputFault for another chain than the venue's */
  constructor(options: PolymarketSignerOptions) {
    this.#options = options;
    const ordersOf = (exchange: PolymarketExchange) =>
      polymarketOrders(options.signer, polymarketDomain(options.chainId, exchange));
    this.#orders = {
      exchangeV2: ordersOf('exchangeV2'),
      negRiskExchangeV2: ordersOf('negRiskExchangeV2'),
      exchangeV3: ordersOf('exchangeV3'),
    };
    this.#salted.set(options.saltSecret);
  }

  /** Who the orders are of: the signing key's address, or the wallet that holds the money. */
  get maker(): string {
    return this.#options.maker;
  }

  /**
   * Signs one order. Its hash is the venue's id of it.
   * @param time of the step that decided it
   * @throws Fault SIGNING for what cannot be signed, such as a taking order of which nothing is left (`signedShares`)
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
      salt: this.#saltOf(number),
      maker,
      signer: signatureType === DEPOSIT_WALLET ? maker : key.address,
      tokenId: BigInt(markets.tokenOf(marketId, command.outcome)),
      makerAmount: BigInt(makerAmount),
      takerAmount: BigInt(takerAmount),
      side,
      signatureType,
      timestamp: BigInt(time),
      metadata: NO_WORD,
      builder: NO_WORD,
    };
    const { id, signature } = signed(
      this.#orders[polymarketExchange(version, markets.byId(marketId).isNegRisk)],
      order,
      key,
    );
    const expires = timeInForce === 'GTD' ? Math.ceil(expiration / 1_000) + EXPIRES_EARLY_S : 0;
    const body = {
      deferExec: false,
      postOnly,
      order: { ...order, expiration: expires, signature },
      owner,
      orderType: timeInForce,
    };
    return {
      order: number,
      market,
      marketId,
      hash: id,
      timestampMs: time,
      epoch: 0,
      wire: polymarketOrderText(body),
      command,
    };
  }

  #saltOf(order: number): bigint {
    new DataView(this.#salted.buffer).setBigUint64(SECRET_BYTES, BigInt(order));
    const word = this.#options.signer.keccak256(this.#salted);
    return new DataView(word.buffer, word.byteOffset).getBigUint64(0) & SALT_MASK;
  }
}

/**
 * The size that is signed: the venue takes orders that fill at once only with two and four decimals, so of these some lots may be
 * left out. 0 when nothing is left.
 */
export function signedShares({ side, price, shares, timeInForce }: PlaceOrder): MicroShares {
  if (timeInForce === 'GTC' || timeInForce === 'GTD') return shares;
  const step = side === 'BUY' ? GIVES_STEP : GETS_STEP;
  // Lots times price is the money: it is a multiple of the step when the lots are one of this.
  const lots = step / greatestDivisor(step, price);
  return sharesOfLots(lotsOf(shares) - (lotsOf(shares) % lots));
}

function greatestDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestDivisor(b, a % b);
}

function signed(orders: PolymarketOrders, order: Parameters<PolymarketOrders['sign']>[0], key: SigningKey) {
  try {
    return orders.sign(order, key);
  } catch (error) {
    if (!(error instanceof InputFault)) throw error;
    throw new Fault('SIGNING', `${error.message}; not signed`, { cause: error });
  }
}
