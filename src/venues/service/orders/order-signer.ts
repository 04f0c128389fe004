/**
 * Turns a command into the order that is signed and sent.
 *
 * Never blind: what is hashed is compared, word by word, with what the command and the account say, packed here a
 * second time and by other means (`#mean`), and signed in the pinned domain. The text that is sent beside it is made
 * from the same command; if it said anything else, the signature would not hold at the venue. A command and its time
 * determine the bytes: the salt is the keccak of a secret and the order's number, which no other order of the account's
 * file has, so that it cannot be guessed and the same command again is the same order.
 *
 * HOT: in the way of every order. Text and words are put together by hand.
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

/** The signer and the account that it signs for. */
export interface OrderSignerOptions {
  readonly signer: Signer;
  /** Orders in the pinned domain. */
  readonly orders: SignedMessage<OrderMessage>;
  /** The account's, or its delegate's. */
  readonly key: SigningKey;
  /** The account, lower case. */
  readonly maker: Hex;
  /** 32 secret bytes, the same at each start: `saltSecret`. */
  readonly saltSecret: Uint8Array;
  /** The highest `maxFeeBps` that is ever signed, `risk.max_fee_bps`; bps. */
  readonly maxFeeBps: number;
}

/** Signed fields beside those of the command. */
export interface OrderTime {
  /** ms; the time of the step that decided the order. */
  readonly timestampMs: number;
  /** The account's epoch. */
  readonly epoch: number;
  /** The highest taker fee rate that is accepted, bps. */
  readonly maxFeeBps: number;
}

const SECRET_BYTES = 32;
/** Salts that are drawn ahead: a requote of both sides takes two. */
const AHEAD = 2;
/** Numbers that were never signed are forgotten then. */
const MOST_AHEAD = 16;
const NUMBER = 8;
/** Bytes of a hashed EIP-712 word. */
const WORD = 32;
/**
 * Words of an order, in their order: salt, what is the same in a market, the rest (docs/spec/venue.md#signed-messages).
 */
const [HEAD, REST, WORDS] = [1, 4, 15];
const TWO_TO_32 = 4_294_967_296;
/** Signing method. */
const FORCES = { GTC: 0, GTD: 1, FOK: 2, FAK: 3 } as const;

/** Fields that make an order unique. */
interface Salt {
  /** 32 bytes. */
  readonly word: Uint8Array;
  readonly value: bigint;
  /** Decimal. */
  readonly text: string;
}

/** Fields that all orders of a market share. */
interface Head {
  /** The first members of the wire's text. */
  readonly text: string;
  /** Values of maker, signer and market. */
  readonly words: Uint8Array;
}

/** Signs the orders of one account. */
export class OrderSigner {
  readonly #options: OrderSignerOptions;
  readonly #salted = new Uint8Array(SECRET_BYTES + NUMBER);
  readonly #view = new DataView(this.#salted.buffer);
  /** Contents of the order to sign. The last word is always zero, because it replaces no order. */
  readonly #meant = new Uint8Array(WORDS * WORD);
  readonly #meantView = new DataView(this.#meant.buffer);
  /** Of the next orders. */
  readonly #ahead = new Map<number, Salt>();
  readonly #heads = new Map<MarketId, Head>();

  /** @throws InputFault unless the secret has 32 bytes */
  constructor(options: OrderSignerOptions) {
    if (options.saltSecret.length !== SECRET_BYTES) {
      throw new InputFault('saltSecret', `${options.saltSecret.length} bytes`, '32 secret bytes');
    }
    this.#options = options;
    this.#salted.set(options.saltSecret);
  }

  /** The account that orders are of. */
  get maker(): Hex {
    return this.#options.maker;
  }

  /**
   * Signs one order.
   * @throws InputFault on what cannot be signed; Fault `SIGNING` when what would be signed is not what was meant, or
   * its fee is above `maxFeeBps`
   */
  sign(command: PlaceOrder, marketId: MarketId, time: OrderTime): SignedRecord {
    const { timestampMs, epoch, maxFeeBps } = time;
    const { outcome, side, price, shares, timeInForce, postOnly, expiration } = command;
    const { maker, key, maxFeeBps: most } = this.#options;
    // Risk has refused it before: this is the last place.
    if (!(maxFeeBps >= 0 && maxFeeBps <= most)) {
      throw new Fault('SIGNING', `Order.maxFeeBps would be ${maxFeeBps}, but 0 to ${most} may be signed; not signed`);
    }
    const salt = this.#saltOf(command.order);
    const head = this.#headOf(marketId);
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
    this.#meant.set(salt.word);
    this.#meant.set(head.words, HEAD * WORD);
    this.#mean(command, time);
    const { hash, signature } = this.#signed(message);
    const wire =
      `${head.text}"salt":"${salt.text}","outcome":"${outcome}","side":"${side}",` +
      `"priceBps":${price},"shares":"${shares}","timeInForce":"${timeInForce}",` +
      `"postOnly":${postOnly},"expiration":"${expiration}","timestampMs":"${timestampMs}",` +
      `"epoch":"${epoch}","maxFeeBps":${maxFeeBps},"signature":"${signature}"}`;
    // Hex, digits and words: a byte a unit. What is made of the text here is what log and request copy.
    const wireBytes = Buffer.from(wire, 'latin1');
    return {
      order: command.order,
      market: command.market,
      marketId,
      hash,
      timestampMs,
      epoch,
      wire,
      wireBytes,
      command,
    };
  }

  /** Draws the salts of the orders after this one ahead of time: it is a tenth of the time that signing takes. */
  drawAhead(last: OrderNo): void {
    if (this.#ahead.size > MOST_AHEAD) this.#ahead.clear();
    for (let order = last + 1; order <= last + AHEAD; order += 1) {
      if (!this.#ahead.has(order)) this.#ahead.set(order, this.#draw(order));
    }
  }

  #saltOf(order: OrderNo): Salt {
    const ahead = this.#ahead.get(order);
    if (ahead === undefined) return this.#draw(order);
    this.#ahead.delete(order);
    return ahead;
  }

  #draw(order: number): Salt {
    this.#view.setBigUint64(SECRET_BYTES, BigInt(order));
    const word = this.#options.signer.keccak256(this.#salted).slice();
    const value = BigInt(toHex(word));
    return { word, value, text: flat(String(value)) };
  }

  /**
   * The words behind the market's: what the command and its time say. Numbers are of 64 bits, on the right of their
   * word.
   */
  #mean(command: PlaceOrder, { timestampMs, epoch, maxFeeBps }: OrderTime): void {
    let at = REST * WORD - NUMBER;
    const put = (value: number): void => {
      at += WORD;
      this.#meantView.setUint32(at, value / TWO_TO_32);
      this.#meantView.setUint32(at + 4, value);
    };
    put(command.outcome === 'YES' ? 0 : 1);
    put(command.side === 'BUY' ? 0 : 1);
    put(command.price);
    put(command.shares);
    put(FORCES[command.timeInForce]);
    put(command.postOnly ? 1 : 0);
    put(command.expiration);
    put(timestampMs);
    put(epoch);
    put(maxFeeBps);
  }

  /** Only what `#meant` says. */
  #signed(message: OrderMessage): Signed {
    const { orders, key } = this.#options;
    try {
      return orders.sign(message, key, this.#meant);
    } catch (error) {
      if (!(error instanceof InputFault)) throw error;
      throw new Fault('SIGNING', `${error.message}; not signed`, { cause: error });
    }
  }

  #headOf(marketId: MarketId): Head {
    const known = this.#heads.get(marketId);
    if (known !== undefined) return known;
    const { maker, key } = this.#options;
    const market = marketId.replaceAll('-', '');
    const head = {
      text: flat(`{"maker":"${maker}","signer":"${key.address}","marketId":"${marketId}","replaces":"${NO_HASH}",`),
      words: Buffer.from(addressWord(maker) + addressWord(key.address) + market.padEnd(2 * WORD, '0'), 'hex'),
    };
    this.#heads.set(marketId, head);
    return head;
  }
}

function addressWord(address: Hex): string {
  return address.slice(2).padStart(2 * WORD, '0');
}

/** The same text in one piece: V8 keeps a sum of texts as a tree, and walks it each time it is read. */
function flat(text: string): string {
  return Buffer.from(text).toString();
}
