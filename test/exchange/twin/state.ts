/** Writes the naive exchange's state in the canonical order of src/exchange/engine/state.ts. */
import { CONFIG_KEYS } from '../../../src/exchange/config.ts';
import { IdentityDigest } from '../../../src/exchange/engine/identities.ts';
import { STATE_VERSION } from '../../../src/exchange/engine/state.ts';
import { availableCash, freeShares, reservedCash } from './accounts.ts';
import { orderKind, StateHash, type StateWriter, VENUE_MODES } from './exchange-types.ts';
import { inWindow } from './groups.ts';
import { writeMarket } from './market-state.ts';
import { byPrice, yesPriceOf } from './matching.ts';
import { reversible } from './reversing.ts';
import { collateralOf, supplyAtEnd } from './settling.ts';
import { type NaivePosition, openOrders, type World } from './world.ts';

export function stateHash(world: World): string {
  const hash = new StateHash();
  writeState(world, hash);
  return hash.digest();
}

function writeState(world: World, writer: StateWriter): void {
  numbers(
    writer,
    STATE_VERSION + (world.reversalWindow > 0 ? 2 : 0),
    world.lastEventAt,
    world.seq,
    VENUE_MODES.indexOf(world.mode),
  );
  writer.text('additive');
  for (const key of CONFIG_KEYS) writer.number(world.config[key]);
  writeAccounts(world, writer);
  writeMarkets(world, writer);
  writeOrders(world, writer);
  writeGroups(world, writer);
  writeCredentials(world, writer);
  writeIdentities(world, writer);
  if (world.reversalWindow > 0) writeTrades(world, writer);
}

function writeTrades(world: World, writer: StateWriter): void {
  const trades = reversible(world, world.lastEventAt);
  numbers(writer, world.reversalWindow, trades.length);
  for (const { seq, time, market, yesPrice, shares, fee, maker, taker, makerCost, takerCost } of trades) {
    numbers(writer, seq, time, market, yesPrice, shares, fee);
    for (const [{ order, account, terms }, cost] of [
      [maker, makerCost],
      [taker, takerCost],
    ] as const) {
      numbers(writer, order, account, orderKind(terms.outcome, terms.side), cost);
    }
  }
}

function writeAccounts(world: World, writer: StateWriter): void {
  writer.number(world.accounts.length);
  for (const { account, address, unlimited, epoch } of world.accounts) {
    writer.text(address);
    numbers(writer, Number(unlimited), availableCash(world, account), reservedCash(world, account), epoch);
  }
  numbers(writer, world.outside, world.fees);
  const used = world.markets.map((market) => ({
    market,
    collateral: collateralOf(world, market),
    supply: supplyAtEnd(world, market),
    ending: endingOf(market.status, market.yesPayoutBps),
  }));
  const written = used.filter(({ collateral, supply, ending }) => collateral !== 0 || supply !== 0 || ending !== -1);
  writer.number(written.length);
  for (const { market, collateral, supply, ending } of written) {
    numbers(writer, market.market, collateral, supply, ending);
  }
  writePositions(world, writer);
}

function endingOf(status: string, yesPayoutBps: number | undefined): number {
  if (status === 'CANCELLED') return -2;
  return status.startsWith('RESOLVED_') ? (yesPayoutBps ?? -1) : -1;
}

function writePositions(world: World, writer: StateWriter): void {
  const written = world.positions
    .map((position) => ({ position, numbers: numbersOf(world, position) }))
    .filter((entry) => entry.numbers.some((value) => value !== 0))
    .sort((a, b) => a.position.account - b.position.account || a.position.market - b.position.market);
  writer.number(written.length);
  for (const entry of written) numbers(writer, entry.position.account, entry.position.market, ...entry.numbers);
}

function numbersOf(world: World, position: NaivePosition): readonly number[] {
  const { account, market, yes, no, yesCost, noCost, yesRealized, noRealized, netPaid, fees } = position;
  const held = {
    yes: yes - freeShares(world, account, market, 'YES'),
    no: no - freeShares(world, account, market, 'NO'),
  };
  const sides = [yes, held.yes, yesCost, yesRealized, no, held.no, noCost, noRealized];
  return [...sides, reservedCash(world, account, market), netPaid, fees, position.refund, Number(position.claimed)];
}

function writeMarkets(world: World, writer: StateWriter): void {
  writer.number(world.markets.length);
  for (const market of world.markets) writeMarket(writer, market);
  for (const { bookSeq, lastTrade, volume } of world.markets) numbers(writer, bookSeq, lastTrade, volume);
}

function writeOrders(world: World, writer: StateWriter): void {
  writer.number(world.orders.length);
  for (const { account } of world.orders) writer.number(account);
  writer.number(openOrders(world, () => true).length);
  for (const { market } of world.markets) {
    for (const order of byPrice(world, market)) {
      const { terms, credential, group, lastFill } = order;
      const kind = orderKind(terms.outcome, terms.side);
      numbers(writer, market, yesPriceOf(terms), order.order, order.account, kind, order.remaining);
      numbers(writer, terms.expiration, credential, group, lastFill);
    }
  }
}

function writeGroups(world: World, writer: StateWriter): void {
  const living = world.groups.filter(({ deleted }) => !deleted);
  numbers(writer, world.groups.length, living.length);
  for (const group of living) {
    const times = new Map<number, number>();
    for (const { time, shares } of inWindow(group, world.lastEventAt)) times.set(time, (times.get(time) ?? 0) + shares);
    numbers(writer, group.group, group.account, group.maxFilled, group.window, Number(group.tripped), times.size);
    for (const [time, shares] of times) numbers(writer, time, shares);
  }
}

function writeCredentials(world: World, writer: StateWriter): void {
  const sorted = [...world.credentials].sort((a, b) => a.credential - b.credential);
  writer.number(sorted.length);
  for (const { credential, account, timeout, deadline, lapsed, revoked } of sorted) {
    numbers(writer, credential, account, timeout, deadline, Number(lapsed), Number(revoked));
  }
}

function writeIdentities(world: World, writer: StateWriter): void {
  const digest = new IdentityDigest();
  for (const { order, account, terms } of world.orders) {
    if (terms.hash !== undefined || terms.clientOrderId !== undefined) {
      digest.add(order, account, terms.hash, terms.clientOrderId);
    }
  }
  digest.writeState(writer);
}

function numbers(writer: StateWriter, ...values: readonly number[]): void {
  for (const value of values) writer.number(value);
}
