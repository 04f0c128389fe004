/**
 * Turns a command into the order that is signed and sent.
 *
 * Never blind: the text that is to be sent is read back, compared field by field with the command and the account, and what
 * was read is what is signed, in the pinned domain. A command and its time determine the bytes: the salt is the keccak of a
 * secret, the bot, the order's number and the time, so that nobody else can guess it and the same command again is the same
 * order.
 *
 * HOT: in the way of every order. The text is put together by hand and read back once.
 */
import { Fault, InputFault, type MarketId, type PlaceOrder } from '../../../domain/index.ts';
import type { SignedRecord } from '../../../runtime/index.ts';
import {
  type Hex,
  hexBytes,
  NO_HASH,
  type OrderMessage,
  type SignedMessage,
  type Signer,
  type SigningKey,
  toHex,
} from '../../../signing/index.ts';

/** Who signs for whom. */
export interface OrderSignerOptions {
  readonly signer: Signer;
  /** Orders in the pinned domain. */
  readonly orders: SignedMessage<OrderMessage>;
  /** The account's, or its delegate's. */
  readonly key: SigningKey;
  /** The account, lower case. */
  readonly maker: Hex;
  /** 32 bytes that nobody else knows, the same at each start: `saltSecret`. */
  readonly saltSecret: Uint8Array;
}

/** What is signed beside the command. */
export interface OrderTime {
  /** ms; the time of the step that decided the order. */
  readonly timestampMs: number;
  /** The account's epoch. */
  readonly epoch: number;
  /** The highest taker fee rate that is accepted, bps. */
  readonly maxFeeBps: number;
}

const SECRET_BYTES = 32;
const WORD = 8;

/** Signs the orders of one account. */
export class OrderSigner {
  readonly #options: OrderSignerOptions;
  readonly #salted = new Uint8Array(SECRET_BYTES + 3 * WORD);
  readonly #view = new DataView(this.#salted.buffer);
  /** Members of the wire's text that are the same for each order of a market. */
  readonly #heads = new Map<MarketId, string>();

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
   * @throws InputFault on what cannot be signed; Fault `SIGNING` when what would be signed is not what was meant
   */
  sign(command: PlaceOrder, marketId: MarketId, time: OrderTime): SignedRecord {
    const { timestampMs, epoch, maxFeeBps } = time;
    const salt = this.#saltOf(command, timestampMs);
    const body =
      `${this.#headOf(marketId)}"salt":"${salt}","outcome":"${command.outcome}","side":"${command.side}",` +
      `"priceBps":${command.price},"shares":"${command.shares}","timeInForce":"${command.timeInForce}",` +
      `"postOnly":${command.postOnly},"expiration":"${command.expiration}","timestampMs":"${timestampMs}",` +
      `"epoch":"${epoch}","maxFeeBps":${maxFeeBps}`;
    const { orders, key } = this.#options;
    const message = this.#read(`${body}}`);
    this.#compare(message, command, marketId, time);
    const { hash, signature } = orders.sign(message, key);
    const wire = `${body},"signature":"${signature}"}`;
    return { order: command.order, market: command.market, marketId, hash, timestampMs, epoch, wire, command };
  }

  #saltOf({ bot, order }: PlaceOrder, timestampMs: number): bigint {
    this.#view.setBigUint64(SECRET_BYTES, BigInt(bot));
    this.#view.setBigUint64(SECRET_BYTES + WORD, BigInt(order));
    this.#view.setBigUint64(SECRET_BYTES + 2 * WORD, BigInt(timestampMs));
    return BigInt(toHex(this.#options.signer.keccak256(this.#salted)));
  }

  /** As the venue will read it. */
  #read(text: string): OrderMessage {
    const read = this.#options.orders.read(JSON.parse(text));
    if (read.ok) return read.message;
    throw new Fault('SIGNING', `order.${read.message}; not signed`);
  }

  /** What is about to be signed against where each of its fields comes from; the salt is whatever was drawn. */
  #compare(message: OrderMessage, command: PlaceOrder, marketId: MarketId, time: OrderTime): void {
    const { maker, key } = this.#options;
    same('maker', message.maker, maker);
    same('signer', message.signer, key.address);
    same('marketId', message.marketId, marketId);
    same('outcome', message.outcome, command.outcome);
    same('side', message.side, command.side);
    same('priceBps', message.priceBps, command.price);
    same('shares', message.shares, command.shares);
    same('timeInForce', message.timeInForce, command.timeInForce);
    same('postOnly', message.postOnly, command.postOnly);
    same('expiration', message.expiration, command.expiration);
    same('timestampMs', message.timestampMs, time.timestampMs);
    same('epoch', message.epoch, time.epoch);
    same('maxFeeBps', message.maxFeeBps, time.maxFeeBps);
    same('replaces', message.replaces, NO_HASH);
  }

  #headOf(marketId: MarketId): string {
    const known = this.#heads.get(marketId);
    if (known !== undefined) return known;
    const { maker, key } = this.#options;
    const head = `{"maker":"${maker}","signer":"${key.address}","marketId":"${marketId}","replaces":"${NO_HASH}",`;
    this.#heads.set(marketId, head);
    return head;
  }
}

/**
 * The secret that salts are made with, from the signing key alone: the keccak of a signature that is shown to nobody. The
 * same key gives the same secret, so orders that were decided before a restart are found again by their bytes.
 */
export function saltSecret(signer: Signer, key: SigningKey): Uint8Array {
  const digest = signer.keccak256(new TextEncoder().encode('halfspread: secret of order salts, version 1'));
  const signature = hexBytes(signer.sign(digest, key));
  if (signature === undefined) throw new Error('Invariant: a signature is hex');
  return signer.keccak256(signature);
}

function same(field: string, found: unknown, meant: unknown): void {
  if (found === meant) return;
  throw new Fault(
    'SIGNING',
    `order.${field} to be signed is ${String(found)}, but ${String(meant)} was meant; not signed`,
  );
}
