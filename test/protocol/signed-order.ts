/** A raw signed order with the values of the first test vector. Its signature is 65 arbitrary bytes. */
import type { RawSignedOrder } from '../../src/protocol/generated/schema-types.ts';
import { wrapRaw } from '../../src/protocol/index.ts';

export const SIGNED_ORDER: RawSignedOrder = {
  salt: wrapRaw('15611151594761325644700687149127005802247520632184657645694420805694600995219'),
  maker: wrapRaw('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266'),
  signer: wrapRaw('0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266'),
  marketId: wrapRaw('3F2B8C1E-5a7d-4e90-8b6f-1c2d3e4f5a6b'),
  outcome: 'YES',
  side: 'BUY',
  priceBps: 5250,
  shares: wrapRaw('100000000'),
  timeInForce: 'GTC',
  postOnly: false,
  expiration: wrapRaw('0'),
  timestampMs: wrapRaw('1795176000000'),
  epoch: wrapRaw('0'),
  maxFeeBps: 0,
  replaces: wrapRaw(`0x${'00'.repeat(32)}`),
  signature: wrapRaw(`0x${'5d'.repeat(65)}`),
};
