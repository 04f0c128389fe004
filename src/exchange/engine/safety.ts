/** Commands on credentials (docs/spec/venue.md#dead-mans-switch) and order groups (docs/spec/venue.md#order-groups). */
import { MAX_ORDER_SHARES, unchecked } from '../../domain/index.ts';
import type { CreateGroup, DeleteGroup, Heartbeat, UpdateGroup } from '../command.ts';
import { CLOSE } from '../matching/codes.ts';
import type { AccountCommand } from '../order-terms.ts';
import { outOfRange, type Refusal, refused } from '../refusal.ts';
import { callerRefusal } from './credentials.ts';
import { DEADLINE_RANK } from './deadlines.ts';
import type { ExchangeState } from './exchange-state.ts';

/** Arms or renews a switch, in any venue mode. A lapsed credential can then place orders again. */
export function heartbeat(state: ExchangeState, command: Heartbeat): Refusal | undefined {
  const { conditions, credentials, deadlines, sequencer } = state;
  const { account, credential, timeout } = command;
  const { minHeartbeat: min, maxHeartbeat: max } = conditions.config;
  const isNew = credentials.find(credential) === undefined;
  const refusal =
    credentialRefusal(state, command) ??
    outOfRange('timeoutMs', timeout, { min, max, unit: 'MILLISECONDS' }) ??
    (isNew ? state.capacityRefusal('credentials', credentials.switchCount) : undefined);
  if (refusal !== undefined) return refusal;
  const deadline = conditions.now + timeout;
  credentials.arm(credential, account, timeout, deadline);
  deadlines.add(deadline, DEADLINE_RANK.heartbeat, credential);
  sequencer.emit({ type: 'heartbeatArmed', account, credential, deadline: unchecked.time(deadline) });
  return undefined;
}

/** Disarms a switch, in any venue mode. Emits no event if no switch is armed or lapsed. */
export function disarmHeartbeat(state: ExchangeState, command: AccountCommand): Refusal | undefined {
  const { account, credential } = command;
  const refusal = credentialRefusal(state, command);
  if (refusal !== undefined || state.credentials.find(credential) === undefined) return refusal;
  state.credentials.disarm(credential);
  state.sequencer.emit({ type: 'heartbeatDisarmed', account, credential });
  return undefined;
}

/** Fires the switch of a credential. */
export function lapseCredential(state: ExchangeState, credential: number): void {
  const { credentials, orderCloser, sequencer, slots } = state;
  const account = credentials.find(credential)?.account ?? 0;
  credentials.lapse(credential, account);
  sequencer.emit({ type: 'heartbeatLapsed', account, credential });
  orderCloser.closeAccountOrders(account, CLOSE.heartbeatLapsed, (slot) => slots.credential(slot) === credential);
}

/** Revokes a credential, in any venue mode. */
export function revokeCredential(state: ExchangeState, command: AccountCommand): Refusal | undefined {
  const { credentials, orderCloser, sequencer, slots } = state;
  const { account, credential } = command;
  const refusal =
    credentialRefusal(state, command) ?? state.capacityRefusal('revocations', credentials.revocationCount);
  if (refusal !== undefined) return refusal;
  credentials.revoke(credential, account);
  sequencer.emit({ type: 'credentialRevoked', account, credential });
  orderCloser.closeAccountOrders(account, CLOSE.keyRevoked, (slot) => slots.credential(slot) === credential);
  return undefined;
}

export function createGroup(state: ExchangeState, command: CreateGroup): Refusal | undefined {
  const { groups, sequencer } = state;
  const { account, maxFilled, window } = command;
  const refusal =
    callerOrModeRefusal(state, command) ??
    maxFilledRefusal(maxFilled) ??
    windowRefusal(state, window) ??
    state.capacityRefusal('orderGroups', groups.size);
  if (refusal !== undefined) return refusal;
  const group = groups.create(account, maxFilled, window);
  sequencer.emit({ type: 'groupChanged', account, group, tripped: false });
  return undefined;
}

export function updateGroup(state: ExchangeState, command: UpdateGroup): Refusal | undefined {
  const { groups, conditions, sequencer } = state;
  const { account, group, maxFilled, window, reset } = command;
  const found = groups.find(group, account);
  const refusal =
    groupRefusal(state, command) ??
    (maxFilled === undefined ? undefined : maxFilledRefusal(maxFilled)) ??
    (window === undefined ? undefined : windowRefusal(state, window));
  if (refusal !== undefined || found === undefined) return refusal;
  const { now } = conditions;
  groups.update(group, { maxFilled: maxFilled ?? found.maxFilled, window: window ?? found.window, reset, now });
  sequencer.emit({ type: 'groupChanged', account, group, tripped: groups.isTripped(group) });
  return undefined;
}

/** Deletes a group. Its orders stay open without a group. */
export function deleteGroup(state: ExchangeState, command: DeleteGroup): Refusal | undefined {
  const { groups, orderCloser, slots, sequencer } = state;
  const { account, group } = command;
  const refusal = groupRefusal(state, command);
  if (refusal !== undefined) return refusal;
  groups.delete(group);
  for (const order of orderCloser.ordersOf(account)) {
    const slot = slots.find(order);
    if (slots.group(slot) !== group) continue;
    slots.setDetails(slot, slots.credential(slot), 0, slots.expiration(slot), slots.lastFill(slot));
  }
  sequencer.emit({ type: 'groupDeleted', account, group });
  return undefined;
}

/** Cancels the orders of a group that exceeded its limit. */
export function cancelGroupOrders(
  { orderCloser, slots, sequencer }: ExchangeState,
  group: number,
  account: number,
): void {
  sequencer.emit({ type: 'groupChanged', account, group, tripped: true });
  orderCloser.closeAccountOrders(account, CLOSE.orderGroupLimit, (slot) => slots.group(slot) === group);
}

function credentialRefusal(state: ExchangeState, command: AccountCommand): Refusal | undefined {
  const { account, credential } = command;
  const isUnknown = credential === 0 || state.credentials.isForeign(credential, account);
  return callerRefusal(command, state) ?? (isUnknown ? refused('NOT_FOUND', 'credential') : undefined);
}

function callerOrModeRefusal(state: ExchangeState, command: AccountCommand): Refusal | undefined {
  return callerRefusal(command, state) ?? (state.conditions.mode === 'HALTED' ? refused('VENUE_MODE') : undefined);
}

function groupRefusal(state: ExchangeState, command: UpdateGroup | DeleteGroup): Refusal | undefined {
  const isUnknown = state.groups.find(command.group, command.account) === undefined;
  return (
    callerRefusal(command, state) ?? (isUnknown ? refused('NOT_FOUND', 'id') : callerOrModeRefusal(state, command))
  );
}

function maxFilledRefusal(maxFilled: number): Refusal | undefined {
  return outOfRange('maxFilledShares', maxFilled, { min: 1, max: MAX_ORDER_SHARES, unit: 'MICRO_SHARES' });
}

function windowRefusal({ conditions }: ExchangeState, window: number): Refusal | undefined {
  return outOfRange('windowSeconds', window, { min: 1, max: conditions.config.maxGroupWindow, unit: 'MILLISECONDS' });
}
