/** The naive twin of the exchange: the same commands, events and state hash from simple, slow code. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { configure, convert, openAccount, setMode, transfer } from './administration.ts';
import { cancel, cancelAllOrders, cancelMarketOrders, reduce } from './cancelling.ts';
import { createMarket } from './creating.ts';
import { advance, updateBookSeqs } from './deadlines.ts';
import type { Claim, ExchangeCommand, ExchangeConfig } from './exchange-types.ts';
import { callerRefusal } from './heartbeats.ts';
import { isFinal } from './market.ts';
import { place, placeBatch } from './placing.ts';
import { replace } from './replacing.ts';
import { marketCommand } from './resolution.ts';
import { allowReversals, reverseTrade } from './reversing.ts';
import { safety } from './safety.ts';
import { claim } from './settling.ts';
import { stateHash } from './state.ts';
import { type Call, type NaiveLimits, newWorld, positionOf, refuse, type World } from './world.ts';

export class NaiveExchange {
  readonly world: World;

  constructor(config: ExchangeConfig, limits: NaiveLimits) {
    this.world = newWorld(config, limits);
  }

  stateHash(): string {
    return stateHash(this.world);
  }

  /** @returns the calls that a sink would receive */
  run(command: ExchangeCommand): readonly Call[] {
    const { world } = this;
    world.calls = [];
    advance(world, command.time);
    const callerReason =
      'credential' in command && checksCallerFirst(command) ? callerRefusal(world, command) : undefined;
    const reason = callerReason ?? execute(world, command);
    if (reason !== undefined) refuse(world, isList(command) ? -1 : 0, { reason });
    updateBookSeqs(world);
    return world.calls;
  }
}

/** Repeated orders and markets are recognised before the check of the caller, and a cancel requires ownership only. */
function checksCallerFirst({ type }: ExchangeCommand): boolean {
  return !/^(place|placeBatch|replace|createMarket|reduce|cancel.*)$/.test(type);
}

/** Commands with entries are refused with entry -1. */
function isList({ type }: ExchangeCommand): boolean {
  return ['placeBatch', 'cancel', 'replace', 'cancelMarketOrders', 'cancelAllOrders'].includes(type);
}

/** Executes a command. @returns the reason when it is refused as a whole */
function execute(world: World, command: ExchangeCommand): RejectReason | undefined {
  switch (command.type) {
    case 'place':
      return place(world, command);
    case 'placeBatch':
      return placeBatch(world, command);
    case 'cancel':
      return cancel(world, command);
    case 'reduce':
      return reduce(world, command);
    case 'replace':
      return replace(world, command);
    case 'cancelMarketOrders':
      return cancelMarketOrders(world, command);
    case 'cancelAllOrders':
      return cancelAllOrders(world, command);
    case 'heartbeat':
    case 'disarmHeartbeat':
    case 'revokeCredential':
    case 'createGroup':
    case 'updateGroup':
    case 'deleteGroup':
      return safety(world, command);
    case 'split':
    case 'merge':
      return convert(world, command);
    case 'claim':
      return claimAll(world, command);
    case 'openAccount':
      return openAccount(world, command);
    case 'transfer':
      return transfer(world, command);
    case 'allowReversals':
      return allowReversals(world, command);
    case 'reverseTrade':
      return reverseTrade(world, command);
    case 'setMode':
      return setMode(world, command);
    case 'configure':
      return configure(world, command);
    case 'tick':
      return undefined;
    case 'followTape':
    case 'playTape':
      throw new Error('the twin does not support tapes: test/replay covers them');
    case 'createMarket':
      return createMarket(world, command);
    default:
      return marketCommand(world, command);
  }
}

function claimAll(world: World, { account, market }: Claim): RejectReason | undefined {
  if (world.accounts[account - 1] === undefined) return 'NOT_FOUND';
  if (market !== undefined && world.markets[market] === undefined) return 'NOT_FOUND';
  const claimed = world.markets.filter((entry) => entry.market === (market ?? entry.market));
  if (market !== undefined && claimed.some((entry) => !isFinal(entry))) return 'CONFLICT';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  for (const entry of claimed) if (isFinal(entry)) claim(world, positionOf(world, account, entry.market), entry);
  return undefined;
}
