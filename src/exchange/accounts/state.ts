/**
 * The accounts' state in canonical order, for its hash and for snapshots.
 *
 * HOT: a snapshot hashes a million holdings in 170 ms (bench/exchange.ts).
 *
 * The format. Addresses are texts, all other values are numbers:
 * 1. number of accounts; for each, by number: address, unlimited (0, 1), available, reserved, order epoch;
 * 2. `outside` and `fees` of `CollateralLedger`;
 * 3. number of markets that are not blank; for each, by number: number, collateral, supply, `ending`;
 * 4. number of holdings that are not blank; for each, by account, then market: account, market, for YES then NO
 *    (shares, reserved shares, cost, realized), reserved cash, net paid, fees, refund, claimed (0, 1).
 *
 * A blank market has neither supply nor ending. A blank holding has only zeros.
 */
import { InputFault } from '../../domain/index.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';
import { checkClearing, computeTurnover } from './check.ts';
import type { Clearing } from './clearing.ts';
import { type CollateralLedger, ENDING } from './collateral-ledger.ts';
import { AMOUNTS, rowStart } from './holding-amounts.ts';
import type { Holdings } from './holdings.ts';

/** Highest valid market number. Bounds the memory that a damaged snapshot can take. */
const MAX_MARKET = (1 << 26) - 1;

export function writeClearing({ accounts, holdings, collateralLedger }: Clearing, writer: StateWriter): void {
  writer.number(accounts.count);
  for (let account = 1; account <= accounts.count; account++) {
    writer.text(accounts.address(account));
    writer.number(accounts.unlimited[account]!);
    writer.number(accounts.available[account]!);
    writer.number(accounts.reserved[account]!);
    writer.number(accounts.epoch[account]!);
  }
  writer.number(collateralLedger.outside);
  writer.number(collateralLedger.fees);
  writeMarkets(collateralLedger, writer);
  let count = 0;
  for (let holding = 1; holding <= holdings.count; holding++) if (!isBlank(holdings, holding)) count++;
  writer.number(count);
  for (let account = 1; account <= accounts.count; account++) {
    for (const holding of holdings.ofAccount(account)) {
      if (!isBlank(holdings, holding)) writeHolding(holdings, holding, writer);
    }
  }
}

/** Reads the output of `writeClearing`. @throws InputFault for invalid numbers, RangeError for a broken invariant */
export function restoreClearing(clearing: Clearing, reader: StateReader): void {
  const { accounts, collateralLedger } = clearing;
  if (accounts.count !== 0) throw new InputFault('accounts', accounts.count, 'none before a restore');
  const accountCount = reader.number();
  for (let account = 1; account <= accountCount; account++) {
    accounts.open(reader.text(), reader.number() === 1);
    accounts.credit(account, reader.number());
    accounts.reserved[account] = reader.number();
    accounts.epoch[account] = reader.number();
  }
  collateralLedger.outside = reader.number();
  collateralLedger.fees = reader.number();
  for (let left = reader.number(); left > 0; left--) restoreMarket(collateralLedger, reader);
  for (let left = reader.number(); left > 0; left--) restoreHolding(clearing, reader);
  collateralLedger.turnoverBound = computeTurnover(clearing);
  checkClearing(clearing);
}

function writeMarkets(collateralLedger: CollateralLedger, writer: StateWriter): void {
  const { collateral, supply, ending } = collateralLedger;
  const used: number[] = [];
  for (let market = 0; market < collateralLedger.markets; market++) {
    if (supply[market] !== 0 || ending[market] !== ENDING.none) used.push(market);
  }
  writer.number(used.length);
  for (const market of used) {
    writer.number(market);
    writer.number(collateral[market]!);
    writer.number(supply[market]!);
    writer.number(ending[market]!);
  }
}

function restoreMarket(collateralLedger: CollateralLedger, reader: StateReader): void {
  const market = checkedInteger('market number', reader.number(), 0, MAX_MARKET);
  collateralLedger.open(market);
  collateralLedger.collateral[market] = reader.number();
  collateralLedger.supply[market] = reader.number();
  collateralLedger.ending[market] = reader.number();
}

function isBlank({ amounts }: Holdings, holding: number): boolean {
  const row = rowStart(holding);
  for (let at = row; at < row + AMOUNTS; at++) if (amounts[at] !== 0) return false;
  return true;
}

function writeHolding(holdings: Holdings, holding: number, writer: StateWriter): void {
  const row = rowStart(holding);
  writer.number(holdings.accountOf(holding));
  writer.number(holdings.marketOf(holding));
  for (let at = row; at < row + AMOUNTS; at++) writer.number(holdings.amounts[at]!);
  writer.number(holdings.claimed[holding]!);
}

function restoreHolding(clearing: Clearing, reader: StateReader): void {
  const { holdings } = clearing;
  const account = checkedInteger('account number', reader.number(), 1, clearing.accounts.count);
  const holding = clearing.open(account, checkedInteger('market number', reader.number(), 0, MAX_MARKET));
  const row = rowStart(holding);
  for (let at = row; at < row + AMOUNTS; at++) holdings.amounts[at] = reader.number();
  holdings.claimed[holding] = reader.number();
}

function checkedInteger(name: string, value: number, min: number, max: number): number {
  if (!Number.isInteger(value) || value < min || value > max) {
    throw new InputFault(name, value, `an integer from ${min} to ${max}; the snapshot is damaged`);
  }
  return value;
}
