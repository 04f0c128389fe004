/**
 * Signs a command's order, and encodes the order for the wire.
 *
 * `sign` encodes each order twice, independently, and signs it only if the encodings are equal (`#packExpected`). The
 * configuration fixes the EIP-712 domain. The wire text comes from the same command. If the text differed, the venue
 * would refuse the signature.
 *
 * Equal command, time, epoch and fee limit give equal bytes. The salt is the keccak of a secret and the order's number.
 * Nobody else can guess the secret. The number is unique in the account's file.
 *
 * HOT: every order passes here, so text and words are assembled without a general encoder.
 */
import { Fault, InputFault, type MarketId, type OrderNo, type PlaceOrder } from '../../../domain/index.ts';
import type { SignedRecord } from '../../../runtime/index.ts';
import {
  type Hex,
  NO_HASH,
  type OrderMessage,
  type Signed,
  type SignedMessage,
  type Signer,
  type SigningKey,
  toHex,
} from '../../../signing/index.ts';

export interface OrderSignerOptions {
  readonly signer: Signer;
  readonly orders: SignedMessage<OrderMessage>;
  /** Key of the account or of its delegate. */
  readonly key: SigningKey;
  /** The account, lower case. */
  readonly maker: Hex;
  /** 32 secret bytes, the same at each start; see `saltSecret`. */
  readonly saltSecret: Uint8Array;
  /** The highest `maxFeeBps` that may be signed: `risk.max_fee_bps`, bps. */
  readonly maxFeeBps: number;
}

/** Signed fields that are not part of the command. */
export interface SigningContext {
  /** Time of the step that decided the order, epoch ms. */
  readonly timestampMs: number;
  readonly epoch: number;
  /** The highest taker fee rate that is accepted, bps. */
  readonly maxFeeBps: number;
}

const SECRET_BYTES = 32;
/** Number of salts that are computed in advance. A requote of both sides uses two. */
const PRECOMPUTED_COUNT = 2;
/** Number of unused salts above which all salts are dropped. The salt of an order that is never signed stays unused. */
const MAX_PRECOMPUTED = 16;
const NUMBER_BYTES = 8;
const WORD_BYTES = 32;
/** The salt is word 0, `Head` has words 1 to 3, and the other fields have words 4 to 14. */
const [HEAD_AT, REST_AT, WORD_COUNT] = [1, 4, 15];
const TWO_TO_32 = 4_294_967_296;
const TIME_IN_FORCE_CODES = { GTC: 0, GTD: 1, FOK: 2, FAK: 3 } as const;

interface Salt {
  /** 32 bytes. */
  readonly word: Uint8Array;
  readonly value: bigint;
  /** Decimal. */
  readonly text: string;
}

/** Values that all orders of this account in a market share. */
interface Head {
  /** First members of the wire's text. */
  readonly text: string;
  /** Values of maker, signer and market. */
  readonly words: Uint8Array;
}

export class OrderSigner {
  readonly #options: OrderSignerOptions;
  readonly #saltInput = new Uint8Array(SECRET_BYTES + NUMBER_BYTES);
  readonly #saltInputView = new DataView(this.#saltInput.buffer);
  /** Expected words of the order. The last word, `replaces`, stays zero, because these orders replace no order. */
  readonly #expectedWords = new Uint8Array(WORD_COUNT * WORD_BYTES);
  readonly #expectedView = new DataView(this.#expectedWords.buffer);
  readonly #precomputed = new Map<number, Salt>();
  readonly #heads = new Map<MarketId, Head>();

  /** @throws InputFault unless the secret has 32 bytes */
  constructor(options: OrderSignerOptions) {
    if (options.saltSecret.length !== SECRET_BYTES)
      throw new InputFault('saltSecret', `${options.saltSecret.length} bytes`, '32 secret bytes');
    this.#options = options;
    this.#saltInput.set(options.saltSecret);
  }

  /**
   * Signs one order.
   * @throws InputFault for invalid fields; Fault `SIGNING` if the hashed words differ from the expected ones, or the
   *   fee is above `maxFeeBps`
   */
  sign(command: PlaceOrder, marketId: MarketId, context: SigningContext): SignedRecord {
    const { timestampMs, epoch, maxFeeBps } = context;
    const { outcome, side, price, shares, timeInForce, postOnly, expiration } = command;
    const { maker, key, maxFeeBps: limitBps } = this.#options;
    // Risk refuses such orders earlier. This is the last check before the signature.
    if (!(maxFeeBps >= 0 && maxFeeBps <= limitBps)) {
      const problem = `Order.maxFeeBps would be ${maxFeeBps}, but 0 to ${limitBps} may be signed`;
      throw new Fault('SIGNING', `${problem}; not signed`);
    }
    const salt = this.#takeSalt(command.order);
    const head = this.#getHead(marketId);
    const message = {
      salt: salt.value,
      maker,
      signer: key.address,
      marketId,
      outcome,
      side,
      priceBps: price,
      shares,
      timeInForce,
      postOnly,
      expiration,
      timestampMs,
      epoch,
      maxFeeBps,
      replaces: NO_HASH,
    };
    this.#expectedWords.set(salt.word);
    this.#expectedWords.set(head.words, HEAD_AT * WORD_BYTES);
    this.#packExpected(command, context);
    const { hash, signature } = this.#signChecked(message);
    const wire =
      `${head.text}"salt":"${salt.text}","outcome":"${outcome}","side":"${side}",` +
      `"priceBps":${price},"shares":"${shares}","timeInForce":"${timeInForce}",` +
      `"postOnly":${postOnly},"expiration":"${expiration}","timestampMs":"${timestampMs}",` +
      `"epoch":"${epoch}","maxFeeBps":${maxFeeBps},"signature":"${signature}"}`;
    // The text is ASCII, so latin1 encodes one byte a character. The intent log and the request copy these bytes.
    const wireBytes = Buffer.from(wire, 'latin1');
    const { order, market } = command;
    return { order, market, marketId, hash, timestampMs, epoch, wire, wireBytes, command };
  }

  /** Computes the salts of the next orders in advance, which saves a tenth of the time of signing. */
  precomputeSalts(last: OrderNo): void {
    if (this.#precomputed.size > MAX_PRECOMPUTED) this.#precomputed.clear();
    for (let order = last + 1; order <= last + PRECOMPUTED_COUNT; order += 1) {
      if (!this.#precomputed.has(order)) this.#precomputed.set(order, this.#computeSalt(order));
    }
  }

  #takeSalt(order: OrderNo): Salt {
    const salt = this.#precomputed.get(order);
    if (salt === undefined) return this.#computeSalt(order);
    this.#precomputed.delete(order);
    return salt;
  }

  #computeSalt(order: number): Salt {
    this.#saltInputView.setBigUint64(SECRET_BYTES, BigInt(order));
    const word = this.#options.signer.keccak256(this.#saltInput).slice();
    const value = BigInt(toHex(word));
    return { word, value, text: flatten(String(value)) };
  }

  /** Packs the expected words from `REST_AT` on. Each word ends with a 64-bit number. */
  #packExpected(command: PlaceOrder, { timestampMs, epoch, maxFeeBps }: SigningContext): void {
    let offset = REST_AT * WORD_BYTES - NUMBER_BYTES;
    const putWord = (value: number): void => {
      offset += WORD_BYTES;
      this.#expectedView.setUint32(offset, value / TWO_TO_32);
      this.#expectedView.setUint32(offset + 4, value);
    };
    putWord(command.outcome === 'YES' ? 0 : 1);
    putWord(command.side === 'BUY' ? 0 : 1);
    putWord(command.price);
    putWord(command.shares);
    putWord(TIME_IN_FORCE_CODES[command.timeInForce]);
    putWord(command.postOnly ? 1 : 0);
    putWord(command.expiration);
    putWord(timestampMs);
    putWord(epoch);
    putWord(maxFeeBps);
  }

  #signChecked(message: OrderMessage): Signed {
    const { orders, key } = this.#options;
    try {
      return orders.sign(message, key, this.#expectedWords);
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      throw new Fault('SIGNING', `${error.message}; not signed`, { cause: error });
    }
  }

  #getHead(marketId: MarketId): Head {
    const known = this.#heads.get(marketId);
    if (known !== undefined) return known;
    const { maker, key } = this.#options;
    const market = marketId.replaceAll('-', '');
    const head = {
      text: flatten(`{"maker":"${maker}","signer":"${key.address}","marketId":"${marketId}","replaces":"${NO_HASH}",`),
      words: Buffer.from(addressWord(maker) + addressWord(key.address) + market.padEnd(2 * WORD_BYTES, '0'), 'hex'),
    };
    this.#heads.set(marketId, head);
    return head;
  }
}

function addressWord(address: Hex): string {
  return address.slice(2).padStart(2 * WORD_BYTES, '0');
}

/** Returns the text as one flat string. V8 keeps a concatenation as a tree, and walks it on each read. */
function flatten(text: string): string {
  return Buffer.from(text).toString();
}
