/** Test vectors of docs/spec/polymarket.md. viem, ethers and the official client give the same signatures and ids. */

import type { Hex } from '../../../src/signing/index.ts';
import type { PolymarketDomain, PolymarketOrderMessage } from '../../../src/signing/polymarket.ts';

export const KEY: Hex = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
export const ADDRESS: Hex = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
export const WALLET: Hex = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
export const YES = 47611377983922317250784812980376557454107008393253041408495181648663352997953n;
const NO = 61116252166340166638556508508422695381755023581062707779965880428856132284483n;
export const ZERO: Hex = `0x${'00'.repeat(32)}`;

const V2: PolymarketDomain = {
  chainId: 137,
  version: '2',
  verifyingContract: '0xe111180000d2663c0091e4f400237545b87b996b',
};
const NEG_RISK: PolymarketDomain = { ...V2, verifyingContract: '0xe2222d279d744050d28e00520010520000310f59' };
const V3: PolymarketDomain = {
  chainId: 137,
  version: '3',
  verifyingContract: '0xe3333700ca9d93003f00f0f71f8515005f6c00aa',
};

const A: PolymarketOrderMessage = {
  salt: 479249096354,
  maker: ADDRESS,
  signer: ADDRESS,
  tokenId: YES,
  makerAmount: 5_200_000,
  takerAmount: 10_000_000,
  side: 'BUY',
  signatureType: 0,
  timestamp: 1_700_000_000_000,
  metadata: ZERO,
  builder: ZERO,
};

const A_DOMAIN = '0x3264e159346253e26a64e00b69032db0e7d32f94628de3e6eecb50304d7af3d2';
const D_STRUCT = '0xf6744f1db1edd3dc399a844db63982db6e52953266f5cab9da25199985e68743';
const ORDER_TYPE =
  'Order(uint256 salt,address maker,address signer,uint256 tokenId,uint256 makerAmount,uint256 takerAmount,uint8 side,uint8 signatureType,uint256 timestamp,bytes32 metadata,bytes32 builder)';

export interface OrderVector {
  readonly name: string;
  readonly domain: PolymarketDomain;
  readonly order: PolymarketOrderMessage;
  readonly id: string;
  readonly signature: string;
}

export const ORDERS: readonly OrderVector[] = [
  {
    name: 'a plain order',
    domain: V2,
    order: A,
    id: '0x071c0f24c17130b0c9bf16647c464de287fa3508281c9ab424a16be744449d30',
    signature:
      '0x06badbb62477a122ffcb78a98d946161cb73c09a8ac64061b171a1e4dd454a1a77579df9afd8076c91feb0ec27bc04fbd660998bdf3221669deb52f76da01cad1c',
  },
  {
    name: 'an order of a neg-risk market',
    domain: NEG_RISK,
    order: {
      ...A,
      salt: 479249096355,
      tokenId: NO,
      makerAmount: 25_000_000,
      takerAmount: 325_000,
      side: 'SELL',
      timestamp: 1_700_000_000_001,
    },
    id: '0x11b88b94a897b091ab1819097ea5da31321abcc80f2ffa38ba520b40c56e75f5',
    signature:
      '0x5d3ec77f9016a980eb2a98ed2e9d8010da1be2e35e713bf7a511c9a591aef8ea60a4bb618e574efa8fbbbfe9eaf21a773012be96f27ba59a6badadbefa87a7dc1b',
  },
  {
    name: 'an order of version 3',
    domain: V3,
    order: { ...A, tokenId: 1 },
    id: '0x9e9c05c92451121b6408811e73719ffc98cf5b2820e23d98317aade109f874da',
    signature:
      '0x7bc57cb730b1f057e7f9da754ff54d472b73bef6fcfa09f5413430787aa41d182efafddf948f78a68d62a2a91eb21bfdd019ec18417d7c8a3dbb7ca442ecf9551b',
  },
  {
    name: 'an order of a wallet that checks signatures itself',
    domain: V2,
    order: { ...A, maker: WALLET, signer: WALLET, signatureType: 3 },
    id: '0xf4e6fc38d0226277033349030e22f9cf2831a042c2de4f39f769eb672696982f',
    signature: [
      '0x26189aaa495b71f485cdb2e23bab166077d180589f1c6efb6b5eeac56b8350c7305fa5b0043153ef7a9e77e5ec100dc83faefdcd5602a4e26d07de1f675589a11b',
      A_DOMAIN.slice(2),
      D_STRUCT.slice(2),
      Buffer.from(ORDER_TYPE).toString('hex'),
      '00ba',
    ].join(''),
  },
];
