/** Executes all commands except the frequent ones. */
import { VENUE_MODES } from '../../domain/index.ts';
import type { Configure, OpenAccount, SetMode } from '../command.ts';
import { changedConfig, configRefusal, isSameConfig } from '../config.ts';
import type { MarketCommand } from '../market-command.ts';
import { type Refusal, refused } from '../refusal.ts';
import { claim, convert, transfer } from './conversions.ts';
import { callerRefusal } from './credentials.ts';
import { WHOLE_COMMAND } from './event-sequencer.ts';
import type { ExchangeContext } from './exchange-context.ts';
import type { ExchangeState } from './exchange-state.ts';
import { findInvalidField, type RareCommand, type RareCommandOf, type RareType } from './invalid-field.ts';
import { createGroup, deleteGroup, disarmHeartbeat, heartbeat, revokeCredential, updateGroup } from './safety.ts';

type Commands = { readonly [T in RareType]: RareCommandOf<T> };
type Handlers = {
  readonly [T in RareType]: (context: ExchangeContext, command: Commands[T]) => Refusal | undefined;
};

const HANDLERS: Handlers = {
  cancelMarketOrders: ({ cancelHandler }, command) => cancelHandler.cancelMarketOrders(command),
  cancelAllOrders: ({ cancelHandler }, command) => cancelHandler.cancelAllOrders(command),
  heartbeat,
  disarmHeartbeat,
  revokeCredential,
  createGroup,
  updateGroup,
  deleteGroup,
  split: convert,
  merge: convert,
  claim,
  openAccount,
  transfer,
  allowReversals: ({ reversals }, command) => reversals.allow(command),
  reverseTrade: ({ reversals }, command) => reversals.reverse(command),
  setMode,
  configure,
  tick: () => undefined,
  followTape: ({ recordings }, command) => recordings.follow(command),
  playTape: ({ recordings }, command) => recordings.play(command),
  createMarket: (context, command) => {
    const isKnown = context.lifecycle.isKnown(command);
    return (isKnown ? undefined : callerRefusal(command, context)) ?? applyToMarket(context, command);
  },
  voidByCreator: (context, command) => callerRefusal(command, context) ?? applyToMarket(context, command),
  dispute: (context, command) => callerRefusal(command, context) ?? applyToMarket(context, command),
  halt: applyToMarket,
  resume: applyToMarket,
  voidMarket: applyToMarket,
  closeEarly: applyToMarket,
  moveDate: applyToMarket,
  changeTick: applyToMarket,
  changeMinOrder: applyToMarket,
  castVote: applyToMarket,
  decideManually: applyToMarket,
  upholdDispute: applyToMarket,
  retryResolution: applyToMarket,
  chainConfirmed: applyToMarket,
  chainFailed: applyToMarket,
};

/** Executes or refuses a command with members of any type. */
export function executeRare(context: ExchangeContext, command: RareCommand): void {
  const { sequencer } = context;
  const member = findInvalidField(command);
  if (member !== undefined) {
    sequencer.sink.refused(WHOLE_COMMAND, refused('INVALID_ORDER', member));
    return;
  }
  const refusal = handle(context, command.type, command);
  const isMassCancel = command.type === 'cancelMarketOrders' || command.type === 'cancelAllOrders';
  if (refusal !== undefined) sequencer.sink.refused(isMassCancel ? WHOLE_COMMAND : 0, refusal);
}

function handle<T extends RareType>(context: ExchangeContext, type: T, command: Commands[T]): Refusal | undefined {
  return HANDLERS[type](context, command);
}

function applyToMarket({ lifecycle, sequencer }: ExchangeContext, command: MarketCommand): Refusal | undefined {
  const result = lifecycle.apply(command);
  if (result === undefined || !('duplicate' in result)) return result;
  sequencer.sink.duplicate(0, result.order);
  return undefined;
}

function openAccount(state: ExchangeState, { address, unlimited }: OpenAccount): Refusal | undefined {
  const { accounts, sequencer } = state;
  if (accounts.find(address) !== 0) return refused('CONFLICT', 'address');
  if (address === '' || address !== address.toLowerCase()) return refused('INVALID_ORDER', 'address');
  const full = state.capacityRefusal('accounts', accounts.count);
  if (full !== undefined) return full;
  const account = accounts.open(address, unlimited);
  sequencer.emit({ type: 'accountOpened', account, address, unlimited });
  return undefined;
}

/** Emits no event if the mode is already set. */
function setMode({ conditions, sequencer }: ExchangeState, { mode }: SetMode): Refusal | undefined {
  if (!VENUE_MODES.includes(mode)) return refused('INVALID_ORDER', 'mode');
  if (mode === conditions.mode) return undefined;
  conditions.mode = mode;
  sequencer.emit({ type: 'venueChanged' });
  return undefined;
}

/** Emits no event if nothing changes. */
function configure({ conditions, sequencer }: ExchangeState, command: Configure): Refusal | undefined {
  const config = changedConfig(conditions.config, command.config);
  if (config === undefined) return refused('INVALID_ORDER', 'config');
  const refusal = configRefusal(config);
  if (refusal !== undefined || isSameConfig(config, conditions.config)) return refusal;
  conditions.config = config;
  sequencer.emit({ type: 'venueChanged' });
  return undefined;
}
