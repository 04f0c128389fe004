/** Random moves in three mixtures of kinds. */
import fc from 'fast-check';
import { KINDS, type Kind, type Move } from './kinds.ts';

/** Relative frequency of each kind of move. */
type Weights = { readonly [K in Kind]: number };

/** All kinds, mostly trading. */
const EVERYTHING: Weights = {
  place: 480,
  placeBatch: 40,
  cancel: 60,
  reduce: 40,
  replace: 80,
  cancelMarketOrders: 8,
  cancelAllOrders: 4,
  heartbeat: 12,
  disarmHeartbeat: 12,
  revokeCredential: 2,
  createGroup: 12,
  updateGroup: 16,
  deleteGroup: 3,
  convert: 30,
  claim: 16,
  openAccount: 3,
  transfer: 16,
  allowReversals: 10,
  reverseTrade: 30,
  setMode: 20,
  configure: 8,
  tick: 10,
  createMarket: 20,
  deployed: 24,
  halt: 10,
  changeTick: 4,
  changeMinOrder: 4,
  moveDate: 4,
  end: 5,
  voidByCreator: 3,
  dispute: 8,
  operator: 4,
  decide: 4,
  vote: 24,
  chain: 10,
};

const NOTHING = Object.fromEntries(Object.keys(EVERYTHING).map((kind) => [kind, 0]));

/** Two markets that stay open, with matching orders and tripping groups. */
const TRADING: Weights = {
  ...EVERYTHING,
  ...NOTHING,
  place: 560,
  placeBatch: 60,
  cancel: 60,
  reduce: 40,
  replace: 140,
  cancelMarketOrders: 6,
  cancelAllOrders: 3,
  heartbeat: 10,
  disarmHeartbeat: 10,
  createGroup: 20,
  updateGroup: 40,
  deleteGroup: 4,
  convert: 30,
  transfer: 16,
  allowReversals: 10,
  reverseTrade: 60,
  tick: 10,
};

/** Markets that open and end, with holdings. */
const LIFECYCLES: Weights = {
  ...EVERYTHING,
  place: 300,
  createMarket: 80,
  deployed: 90,
  chain: 50,
  vote: 50,
  end: 14,
  dispute: 30,
  operator: 16,
  decide: 16,
  moveDate: 8,
  voidByCreator: 4,
  claim: 60,
  setMode: 8,
};

/** Milliseconds between moves: mostly few, sometimes enough for windows, heartbeats and resolution dates to pass. */
const wait = fc.oneof(
  { weight: 10, arbitrary: fc.constant(0) },
  { weight: 30, arbitrary: fc.nat({ max: 40 }) },
  { weight: 2, arbitrary: fc.nat({ max: 3000 }) },
  { weight: 1, arbitrary: fc.nat({ max: 25_000 }) },
);

/** Milliseconds between moves, long enough for windows and time-outs of markets. */
const longWait = fc.oneof(
  { weight: 8, arbitrary: fc.nat({ max: 100 }) },
  { weight: 1, arbitrary: fc.nat({ max: 30_000 }) },
);

function isKind(kind: string): kind is Kind {
  return Object.hasOwn(KINDS, kind);
}

function mixture(weights: Weights, waits: fc.Arbitrary<number>): fc.Arbitrary<Move> {
  const kinds = Object.keys(KINDS)
    .filter(isKind)
    .filter((kind) => weights[kind] > 0);
  return fc.oneof(
    ...kinds.map((kind) => ({
      weight: weights[kind],
      arbitrary: fc.record({ kind: fc.constant(kind), wait: waits, details: KINDS[kind] }) as fc.Arbitrary<Move>,
    })),
  );
}

export const MOVES: readonly fc.Arbitrary<Move>[] = [
  mixture(EVERYTHING, wait),
  mixture(TRADING, wait),
  mixture(LIFECYCLES, longWait),
];

/** A move of any mixture. */
export const move: fc.Arbitrary<Move> = fc.oneof(...MOVES);
