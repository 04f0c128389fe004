/** The naive twin of the whole exchange: the same commands, the same sink, the same state hash, none of the speed. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { configure, convert, openAccount, setMode, transfer } from './administration.ts';
import { cancel, cancelAllOrders, cancelMarketOrders, reduce } from './cancelling.ts';
import { createMarket } from './creating.ts';
import { pass, settleBooks } from './due.ts';
import { callerRefusal } from './heartbeats.ts';
import { isFinal } from './market.ts';
import { place, placeBatch } from './placing.ts';
import { replace } from './replacing.ts';
import { live } from './resolution.ts';
import { allowReversals, reverseTrade } from './reversing.ts';
import { safety } from './safety.ts';
import { claim } from './settling.ts';
import { stateHash } from './state.ts';
import type { Claim, ExchangeCommand, ExchangeConfig } from './words.ts';
import { type Call, type NaiveLimits, newWorld, positionOf, refuse, type World } from './world.ts';

export class NaiveExchange {
  readonly world: World;

  constructor(config: ExchangeConfig, limits: NaiveLimits) {
    this.world = newWorld(config, limits);
  }

  stateHash(): string {
    return stateHash(this.world);
  }

  /** @returns the calls of a sink */
  run(command: ExchangeCommand): readonly Call[] {
    const { world } = this;
    world.calls = [];
    pass(world, command.time);
    const stranger = 'credential' in command && asksAtOnce(command) ? callerRefusal(world, command) : undefined;
    const reason = stranger ?? carryOut(world, command);
    if (reason !== undefined) refuse(world, isList(command) ? -1 : 0, { reason });
    settleBooks(world);
    return world.calls;
  }
}

/** Known bytes and inputs come before all else; and a cancel requires ownership only. */
function asksAtOnce({ type }: ExchangeCommand): boolean {
  return !/^(place|placeBatch|replace|createMarket|reduce|cancel.*)$/.test(type);
}

/** Commands with entries are refused as a whole, apart from them. */
function isList({ type }: ExchangeCommand): boolean {
  return ['placeBatch', 'cancel', 'replace', 'cancelMarketOrders', 'cancelAllOrders'].includes(type);
}

/** Carries one command out. @returns why it is refused, where it is refused as a whole and not by entries */
function carryOut(world: World, command: ExchangeCommand): RejectReason | undefined {
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
      throw new Error('the twin knows no tapes: test/replay has one that does');
    case 'createMarket':
      return createMarket(world, command);
    default:
      return live(world, command);
  }
}

function claimAll(world: World, { account, market }: Claim): RejectReason | undefined {
  if (world.accounts[account - 1] === undefined) return 'NOT_FOUND';
  if (market !== undefined && world.markets[market] === undefined) return 'NOT_FOUND';
  const markets = world.markets.filter((one) => one.market === (market ?? one.market));
  if (market !== undefined && markets.some((one) => !isFinal(one))) return 'CONFLICT';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  for (const one of markets) if (isFinal(one)) claim(world, positionOf(world, account, one.market), one);
  return undefined;
}
