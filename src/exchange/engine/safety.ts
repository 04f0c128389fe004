/**
 * Safety features of accounts: dead-man's switches, revocations of credentials, groups with a fill limit
 * (docs/spec/venue.md#dead-mans-switch, docs/spec/venue.md#order-groups).
 */
import { column, MAX_ORDER_SHARES } from '../../domain/index.ts';
import type { Accounts } from '../accounts/accounts.ts';
import type {
  CreateGroup,
  DeleteGroup,
  DisarmHeartbeat,
  Heartbeat,
  RevokeCredential,
  UpdateGroup,
} from '../command.ts';
import type { ExchangeConfig } from '../config.ts';
import { CLOSE } from '../matching/codes.ts';
import type { OrderSlots } from '../matching/order-slots.ts';
import type { AccountCommand } from '../order-terms.ts';
import { type LimitUnit, type Refusal, refused } from '../refusal.ts';
import type { Conditions } from './conditions.ts';
import { type Credentials, callerRefusal } from './credentials.ts';
import { type Deadlines, RANK } from './deadlines.ts';
import type { EventSequencer } from './event-sequencer.ts';
import { type ExchangeLimits, fullRefusal } from './limits.ts';
import type { OrderCloser } from './order-closer.ts';
import type { OrderGroups } from './order-groups.ts';

export interface SafetyDeps {
  readonly accounts: Accounts;
  readonly conditions: Conditions;
  readonly credentials: Credentials;
  readonly groups: OrderGroups;
  readonly slots: OrderSlots;
  readonly closing: OrderCloser;
  readonly deadlines: Deadlines;
  readonly limits: ExchangeLimits;
  readonly sequencer: EventSequencer;
}

export class Safety {
  readonly #context: SafetyDeps;

  constructor(context: SafetyDeps) {
    this.#context = context;
  }

  /** Allowed in every mode; lets a lapsed credential place orders again. */
  heartbeat(command: Heartbeat): void {
    const { conditions, credentials, deadlines, sequencer } = this.#context;
    const { account, credential, timeout } = command;
    const { minHeartbeat, maxHeartbeat } = conditions.config;
    const refusal =
      this.#credentialRefusal(command) ??
      rangeRefusal('timeoutMs', timeout, { min: minHeartbeat, max: maxHeartbeat, unit: 'MILLISECONDS' }) ??
      this.#switchRefusal(credential);
    if (refusal !== undefined) {
      sequencer.refused(0, refusal);
      return;
    }
    const deadline = conditions.now + timeout;
    credentials.arm(credential, account, timeout, deadline);
    deadlines.add(deadline, RANK.heartbeat, credential);
    sequencer.happened({ type: 'heartbeatArmed', account, credential, deadline: column.time(deadline) });
  }

  /** Allowed in every mode; has no event if no switch is armed or lapsed. */
  disarmHeartbeat(command: DisarmHeartbeat): void {
    const { credentials, sequencer } = this.#context;
    const { account, credential } = command;
    const refusal = this.#credentialRefusal(command);
    if (refusal !== undefined) sequencer.refused(0, refusal);
    else if (credentials.find(credential) !== undefined) {
      credentials.disarm(credential);
      sequencer.happened({ type: 'heartbeatDisarmed', account, credential });
    }
  }

  /** Fires the switch of a credential. */
  lapse(credential: number): void {
    const { credentials, sequencer } = this.#context;
    const account = credentials.find(credential)?.account ?? 0;
    credentials.lapse(credential, account);
    sequencer.happened({ type: 'heartbeatLapsed', account, credential });
    this.#closeAllOf(account, credential, CLOSE.heartbeatLapsed);
  }

  /** Allowed in every mode. */
  revokeCredential(command: RevokeCredential): void {
    const { credentials, limits, sequencer } = this.#context;
    const { account, credential } = command;
    const refusal = this.#credentialRefusal(command) ?? fullRefusal(limits, 'revocations', credentials.revocations);
    if (refusal !== undefined) {
      sequencer.refused(0, refusal);
      return;
    }
    credentials.revoke(credential, account);
    sequencer.happened({ type: 'credentialRevoked', account, credential });
    this.#closeAllOf(account, credential, CLOSE.keyRevoked);
  }

  createGroup(command: CreateGroup): void {
    const { conditions, groups, limits, sequencer } = this.#context;
    const { account, maxFilled, window } = command;
    const refusal =
      this.#clientRefusal(command) ??
      limitRefusal(maxFilled) ??
      windowRefusal(window, conditions.config) ??
      fullRefusal(limits, 'orderGroups', groups.size);
    if (refusal !== undefined) sequencer.refused(0, refusal);
    else {
      const group = groups.create(account, maxFilled, window);
      sequencer.happened({ type: 'groupChanged', account, group, tripped: false });
    }
  }

  updateGroup(command: UpdateGroup): void {
    const { groups, conditions, sequencer } = this.#context;
    const { account, group, maxFilled, window, reset } = command;
    const found = groups.find(group, account);
    const refusal =
      this.#groupRefusal(command, group) ??
      (maxFilled === undefined ? undefined : limitRefusal(maxFilled)) ??
      (window === undefined ? undefined : windowRefusal(window, conditions.config));
    if (refusal !== undefined || found === undefined) {
      if (refusal !== undefined) sequencer.refused(0, refusal);
      return;
    }
    groups.update(group, maxFilled ?? found.maxFilled, window ?? found.window, reset, conditions.now);
    sequencer.happened({ type: 'groupChanged', account, group, tripped: groups.isTripped(group) });
  }

  /** Its orders stay open, without a group. */
  deleteGroup(command: DeleteGroup): void {
    const { groups, closing, slots, sequencer } = this.#context;
    const { account, group } = command;
    const refusal = this.#groupRefusal(command, group);
    if (refusal !== undefined) {
      sequencer.refused(0, refusal);
      return;
    }
    groups.delete(group);
    for (const order of closing.ordersOf(account)) {
      const slot = slots.find(order);
      if (slots.group(slot) !== group) continue;
      slots.note(slot, slots.credential(slot), 0, slots.expiration(slot), slots.lastFill(slot));
    }
    sequencer.happened({ type: 'groupDeleted', account, group });
  }

  /** Cancels the orders of a group that exceeded its limit. */
  closeGroup(group: number, account: number): void {
    const { closing, slots, sequencer } = this.#context;
    sequencer.happened({ type: 'groupChanged', account, group, tripped: true });
    closing.ofAccount(account, CLOSE.orderGroupLimit, (slot) => slots.group(slot) === group);
  }

  #closeAllOf(account: number, credential: number, reason: number): void {
    const { closing, slots } = this.#context;
    closing.ofAccount(account, reason, (slot) => slots.credential(slot) === credential);
  }

  #credentialRefusal(command: AccountCommand): Refusal | undefined {
    const { account, credential } = command;
    const isNone = credential === 0 || this.#context.credentials.isForeign(credential, account);
    return callerRefusal(command, this.#context) ?? (isNone ? refused('NOT_FOUND', 'credential') : undefined);
  }

  /** Refuses a new switch beyond the limit. */
  #switchRefusal(credential: number): Refusal | undefined {
    const { credentials, limits } = this.#context;
    return credentials.find(credential) === undefined
      ? fullRefusal(limits, 'credentials', credentials.switches)
      : undefined;
  }

  #clientRefusal(command: AccountCommand): Refusal | undefined {
    return (
      callerRefusal(command, this.#context) ??
      (this.#context.conditions.mode === 'HALTED' ? refused('VENUE_MODE') : undefined)
    );
  }

  #groupRefusal(command: AccountCommand, group: number): Refusal | undefined {
    const unknown = this.#context.groups.find(group, command.account) === undefined;
    return (
      callerRefusal(command, this.#context) ?? (unknown ? refused('NOT_FOUND', 'id') : this.#clientRefusal(command))
    );
  }
}

function limitRefusal(maxFilled: number): Refusal | undefined {
  return rangeRefusal('maxFilledShares', maxFilled, { min: 1, max: MAX_ORDER_SHARES, unit: 'MICRO_SHARES' });
}

function windowRefusal(window: number, { maxGroupWindow }: ExchangeConfig): Refusal | undefined {
  return rangeRefusal('windowSeconds', window, { min: 1, max: maxGroupWindow, unit: 'MILLISECONDS' });
}

function rangeRefusal(
  field: string,
  value: number,
  { min, max, unit }: { readonly min: number; readonly max: number; readonly unit: LimitUnit },
): Refusal | undefined {
  if (!Number.isSafeInteger(value)) return refused('INVALID_ORDER', field);
  if (value < min) return refused('BELOW_MIN', field, min, value, unit);
  return value > max ? refused('ABOVE_MAX', field, max, value, unit) : undefined;
}
