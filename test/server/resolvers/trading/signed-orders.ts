import type { Clock } from '../../../../src/clock/index.ts';
import type { ExchangeView } from '../../../../src/exchange/index.ts';
import type { SignedOrder } from '../../../../src/protocol/generated/schema-types.ts';
import {
  NO_HASH,
  type OrderMessage,
  type SignedMessages,
  type Signer,
  type SigningKey,
} from '../../../../src/signing/index.ts';
import type { Trader } from './venue.ts';

export const SHARE = 1_000_000;

/** The fields of an order that a test sets. `size` is in whole shares, `shares` in micro-shares. */
export interface OrderRequest extends Partial<Omit<OrderMessage, 'shares'>> {
  readonly size?: number;
  readonly shares?: number;
  readonly signedBy?: SigningKey;
  readonly signature?: string;
  readonly clientOrderId?: string;
  readonly groupId?: string;
  readonly selfTradePrevention?: 'CANCEL_TAKER' | 'CANCEL_MAKER' | 'CANCEL_BOTH';
}

/** Returns a function that signs orders, each with a new salt. */
export function orderSigner({
  messages,
  clock,
  view,
}: {
  readonly messages: SignedMessages & { readonly signer: Signer };
  readonly clock: Pick<Clock, 'now'>;
  readonly view: ExchangeView;
}) {
  let salt = 0;
  return (trader: Trader, request: OrderRequest): SignedOrder => {
    const {
      size = 10,
      signedBy = trader.key,
      signature,
      clientOrderId: _,
      groupId: __,
      selfTradePrevention: ___,
      ...fields
    } = request;
    salt += 1;
    const message: OrderMessage = {
      salt,
      maker: trader.address,
      signer: trader.address,
      marketId: '',
      outcome: 'YES',
      side: 'BUY',
      priceBps: 5000,
      shares: size * SHARE,
      timeInForce: 'GTC',
      postOnly: false,
      expiration: 0,
      timestampMs: clock.now(),
      epoch: view.account(trader.account)?.epoch ?? 0,
      maxFeeBps: 1000,
      replaces: NO_HASH,
      ...fields,
    };
    return wireOf(message, signature ?? messages.signer.sign(messages.order.digest(message), signedBy));
  };
}

/** Formats a signed order as clients send it, with integers as decimal strings. */
function wireOf(message: OrderMessage, signature: string): SignedOrder {
  const { salt, shares, expiration, timestampMs, epoch, ...rest } = message;
  return {
    ...rest,
    salt: `${salt}`,
    shares: `${shares}`,
    expiration: `${expiration}`,
    timestampMs: `${timestampMs}`,
    epoch: `${epoch}`,
    signature,
  };
}
