/**
 * Checks all invariants of the accounts. Each move in `Clearing` checks only the invariants that it can break.
 *
 * HOT: takes 350 ms of each snapshot with a million holdings (bench/exchange.ts).
 */
import type { Clearing } from './clearing.ts';
import { ENDING } from './collateral-ledger.ts';
import { AMOUNTS } from './holding-amounts.ts';
import { MAX_MONEY, MAX_TURNOVER } from './overflow-guard.ts';

const OUTCOMES = ['YES', 'NO'] as const;

/** A sum up to this limit stays exact after one more summand up to the same limit. */
const CARRY_AT = 4_000_000_000_000_000;

class ExactSum {
  #carried = 0n;
  #sum = 0;

  add(value: number): void {
    this.#sum += value;
    if (this.#sum > CARRY_AT || this.#sum < -CARRY_AT) {
      this.#carried += BigInt(this.#sum);
      this.#sum = 0;
    }
  }

  get total(): bigint {
    return this.#carried + BigInt(this.#sum);
  }
}

/** @throws RangeError that names the first broken invariant */
export function checkClearing(clearing: Clearing): void {
  checkNumberZero(clearing);
  checkCash(clearing);
  for (let market = 0; market < clearing.collateralLedger.markets; market++) checkMarket(clearing, market);
  for (let holding = 1; holding <= clearing.holdings.count; holding++) checkHolding(clearing, holding);
  const { turnoverBound } = clearing.collateralLedger;
  const isUpperBound = turnoverBound > MAX_TURNOVER || turnoverBound >= computeTurnover(clearing);
  assertInvariant(isUpperBound, () => `${turnoverBound} micro-USD is less than the turnover`);
}

/** Returns the least valid `CollateralLedger.turnoverBound` in micro-USD: all reserves plus the largest bounded sum. */
export function computeTurnover({ accounts, holdings }: Clearing): number {
  let reserves = 0;
  let largest = 0;
  for (let account = 1; account <= accounts.count; account++) reserves += accounts.reserved[account]!;
  for (let holding = 1; holding <= holdings.count; holding++) {
    largest = Math.max(largest, Math.abs(holdings.netPaid(holding)));
    for (const outcome of OUTCOMES) {
      reserves += holdings.reservedShares(holding, outcome);
      largest = Math.max(largest, Math.abs(holdings.realized(holding, outcome)));
    }
  }
  return reserves + largest;
}

function checkNumberZero({ accounts, holdings }: Clearing): void {
  const isBlank = holdings.amounts.subarray(0, AMOUNTS).every((amount) => amount === 0);
  const isWithoutCash = accounts.available[0] === 0 && accounts.reserved[0] === 0;
  assertInvariant(isBlank && isWithoutCash, () => 'account 0 has money or shares');
}

function checkCash({ accounts, holdings, collateralLedger }: Clearing): void {
  const ledger = new ExactSum();
  let debt = 0;
  for (let account = 1; account <= accounts.count; account++) {
    const available = accounts.available[account]!;
    const reserved = accounts.reserved[account]!;
    let needed = 0;
    for (let at = holdings.firstOfAccount(account); at !== 0; at = holdings.nextOfAccount[at]!) {
      needed += holdings.reservedCash(at);
    }
    assertInvariant(
      needed === reserved,
      () => `account ${account} has ${reserved} micro-USD reserved, its orders need ${needed}`,
    );
    const mayOwe = accounts.unlimited[account] === 1;
    assertInvariant(available >= 0 || mayOwe, () => `account ${account} has ${available} micro-USD to spend`);
    debt += Math.max(0, -available);
    ledger.add(available);
    ledger.add(reserved);
  }
  for (let market = 0; market < collateralLedger.markets; market++) ledger.add(collateralLedger.collateral[market]!);
  ledger.add(collateralLedger.fees);
  ledger.add(collateralLedger.outside);
  assertInvariant(ledger.total === 0n, () => `the ledger sums to ${ledger.total} micro-USD`);
  assertInvariant(debt === accounts.debt, () => `accounts owe ${debt} micro-USD and not ${accounts.debt}`);
  const moneyInPlay = debt + Math.max(0, -collateralLedger.outside);
  assertInvariant(moneyInPlay <= MAX_MONEY, () => `${moneyInPlay} micro-USD in play are more than ${MAX_MONEY}`);
}

function checkMarket({ holdings, collateralLedger, settlement }: Clearing, market: number): void {
  const yes = new ExactSum();
  const no = new ExactSum();
  const paid = new ExactSum();
  const owed = new ExactSum();
  for (let at = holdings.firstOfMarket(market); at !== 0; at = holdings.nextOfMarket[at]!) {
    yes.add(holdings.shares(at, 'YES'));
    no.add(holdings.shares(at, 'NO'));
    paid.add(holdings.netPaid(at));
    owed.add(settlement.owed(at));
  }
  const supply = BigInt(collateralLedger.supply[market]!);
  const collateral = BigInt(collateralLedger.collateral[market]!);
  const where = () => `market ${market} with ${collateral} micro-USD of collateral`;
  const areEqual = supply === collateral && paid.total === collateral;
  if (collateralLedger.isFinal(market))
    assertInvariant(owed.total === collateral, () => `${where()} owes ${owed.total}`);
  else assertInvariant(areEqual, () => `${where()} has ${supply} pairs, ${paid.total} paid in`);
  if (collateralLedger.ending[market] !== ENDING.cancelled) {
    assertInvariant(
      yes.total === supply && no.total === supply,
      () => `${where()} has ${yes.total} YES and ${no.total} NO`,
    );
  }
}

function checkHolding({ holdings, collateralLedger, settlement }: Clearing, holding: number): void {
  const isFinal = collateralLedger.isFinal(holdings.marketOf(holding));
  const where = () => `account ${holdings.accountOf(holding)} in market ${holdings.marketOf(holding)}`;
  let cost = 0;
  let gained = 0;
  for (const outcome of OUTCOMES) {
    const shares = holdings.shares(holding, outcome);
    const reserved = holdings.reservedShares(holding, outcome);
    const paid = holdings.cost(holding, outcome);
    assertInvariant(reserved >= 0 && reserved <= shares, () => `${where()} sells ${reserved} of ${shares} ${outcome}`);
    assertInvariant(
      paid >= 0 && (isFinal || paid <= shares),
      () => `${where()} has ${shares} ${outcome} that cost ${paid}`,
    );
    cost += paid;
    gained += holdings.realized(holding, outcome);
  }
  const allReserved =
    holdings.reservedCash(holding) + holdings.reservedShares(holding, 'YES') + holdings.reservedShares(holding, 'NO');
  assertInvariant(!isFinal || allReserved === 0, () => `${where()} has open orders after its end`);
  const fees = holdings.fees(holding);
  assertInvariant(holdings.reservedCash(holding) >= 0 && fees >= 0, () => `${where()} has a negative reserve or fee`);
  const value = holdings.claimed[holding] === 1 ? settlement.paid(holding) : cost;
  const expected = value - holdings.netPaid(holding) - fees;
  assertInvariant(
    gained === expected,
    () => `${where()} has realized ${gained} micro-USD, but cash and cost give ${expected}`,
  );
}

/** `problem` is a function, so that a check that holds builds no text. */
function assertInvariant(condition: boolean, problem: () => string): void {
  if (!condition) throw new RangeError(`Invariant: ${problem()}`);
}
