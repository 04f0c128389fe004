/** Commands about accounts, transfers, pairs, mode and configuration. */
import { type RejectReason, unchecked } from '../../../src/domain/index.ts';
import { changedConfig, configRefusal, isSameConfig } from '../../../src/exchange/config.ts';
import { availableCash, freeShares, LOT, mergePairs, pay, splitPairs } from './accounts.ts';
import type { Configure, Convert, OpenAccount, SetMode, Transfer } from './exchange-types.ts';
import { isFinal } from './market.ts';
import { emit, type World } from './world.ts';

type Answer = RejectReason | undefined;

export function openAccount(world: World, { address, unlimited }: OpenAccount): Answer {
  if (world.accounts.some((account) => account.address === address)) return 'CONFLICT';
  if (world.accounts.length >= world.limits.accounts) return 'ABOVE_MAX';
  const account = world.accounts.length + 1;
  world.accounts.push({ account, address, unlimited, cash: 0, epoch: 0 });
  emit(world, { type: 'accountOpened', account, address, unlimited });
  return undefined;
}

export function transfer(world: World, { account, amount }: Transfer): Answer {
  const owner = world.accounts[account - 1];
  if (owner === undefined) return 'NOT_FOUND';
  if (!Number.isSafeInteger(amount) || amount === 0) return 'INVALID_ORDER';
  if (Math.abs(amount) > 3_000_000_000_000_000) return 'ABOVE_MAX';
  if (amount < 0 && !owner.unlimited && availableCash(world, account) < -amount) return 'INSUFFICIENT_BALANCE';
  pay(world, account, amount);
  world.outside -= amount;
  emit(world, { type: 'transferred', account, amount: unchecked.usd(amount) });
  return undefined;
}

export function convert(world: World, command: Convert): Answer {
  const { account, shares, type } = command;
  const owner = world.accounts[account - 1];
  const market = world.markets[command.market];
  if (owner === undefined || market === undefined) return 'NOT_FOUND';
  const no = market.market;
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  if (type === 'split' && market.status !== 'OPEN') return 'MARKET_NOT_OPEN';
  if (isFinal(market)) return 'MARKET_NOT_OPEN';
  if (!Number.isSafeInteger(shares) || shares <= 0 || shares % LOT !== 0) return 'INVALID_LOT';
  if (type === 'split' && !owner.unlimited && availableCash(world, account) < shares) return 'INSUFFICIENT_BALANCE';
  const pairs = Math.min(freeShares(world, account, no, 'YES'), freeShares(world, account, no, 'NO'));
  if (type === 'merge' && pairs < shares) return 'INSUFFICIENT_SHARES';
  if (type === 'split') splitPairs(world, account, no, shares);
  else mergePairs(world, account, no, shares);
  emit(world, { type: 'converted', conversion: type, account, market: unchecked.market(no), shares });
  return undefined;
}

export function setMode(world: World, { mode }: SetMode): Answer {
  if (world.mode === mode) return undefined;
  world.mode = mode;
  emit(world, { type: 'venueChanged' });
  return undefined;
}

export function configure(world: World, { config }: Configure): Answer {
  const changed = changedConfig(world.config, config);
  if (changed === undefined) return 'NOT_FOUND';
  const refusal = configRefusal(changed);
  if (refusal !== undefined) return refusal.reason;
  if (isSameConfig(changed, world.config)) return undefined;
  world.config = changed;
  emit(world, { type: 'venueChanged' });
  return undefined;
}
