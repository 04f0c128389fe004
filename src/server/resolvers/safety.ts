/** Safety features: a credential's dead-man's switch, and order groups. */
import { column, counted, durationMs, type EpochMs } from '../../domain/index.ts';
import type { ExchangeEvent, Refusal } from '../../exchange/index.ts';
import {
  asArgument,
  badArgument,
  type Raw,
  type RawCreateOrderGroupInput,
  type RawUpdateOrderGroupInput,
  readShares,
  readUuid,
  sharesFloat,
} from '../../protocol/index.ts';

import { isGiven, type OperationContext } from '../graphql/context.ts';

import type { Model, RootResolvers } from '../presenters/models.ts';
import { type Refused, refusalFault } from '../rejection.ts';
import { newUuid } from '../uuid.ts';
import { callerFields, callerOf } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { groupOf } from './signed-place.ts';

type Names = 'heartbeat' | 'disarmHeartbeat' | 'createOrderGroup' | 'updateOrderGroup' | 'deleteOrderGroup';

const MAX_LABEL = 100;

export function safetyResolvers(deps: ResolverDeps): RootResolvers<'Mutation', Names> {
  return {
    heartbeat: ({ timeoutMs }, context) => heartbeat(timeoutMs, context, deps),
    disarmHeartbeat: (_, context) => disarm(context, deps),
    createOrderGroup: ({ input }, context) => createGroup(input, context, deps),
    updateOrderGroup: ({ input }, context) => updateGroup(input, context, deps),
    deleteOrderGroup: ({ id }, context) => deleteGroup(id, context, deps),
  };
}

export function safetyQueries(deps: ResolverDeps): RootResolvers<'Query', 'tradingSafety'> {
  const { queue, callers } = deps;
  return {
    tradingSafety: (_, context) => {
      const { account, viewer } = callerOf(context, deps);
      return queue.read((view) => {
        const found = view.switchOf(callers.credentialNo(viewer));
        const armed = found !== undefined && found.deadline !== 0 ? found : undefined;
        return {
          heartbeatArmed: armed !== undefined,
          heartbeatTimeoutMs: armed?.timeout ?? null,
          heartbeatDeadline: armed === undefined ? null : column.time(armed.deadline),
          orderEpoch: view.account(account)?.epoch ?? 0,
          openOrderCount: view.openOrders(account).length,
          groups: view.groupsOf(account).map((group) => presentGroup(group, account, deps)),
          mode: view.mode,
        };
      });
    },
  };
}

function presentGroup(group: number, account: number, { queue, ids }: ResolverDeps): Model<'OrderGroup'> {
  const id = ids.groups.idOf(group);
  const found = queue.view.group(group, account);
  const name = id === undefined ? undefined : ids.groups.find(id);
  if (found === undefined || name === undefined || id === undefined) {
    throw new RangeError(`Invariant: order group ${group} of account ${account} has no name`);
  }
  return {
    id,
    label: name.label,
    maxFilledShares: sharesFloat(column.shares(found.maxFilled)),
    windowSeconds: found.window / 1000,
    filledInWindow: sharesFloat(column.shares(queue.view.filledInWindow(group, queue.now))),
    tripped: found.tripped,
  };
}

type Heartbeat = Model<'HeartbeatPayload'>;

function heartbeat(timeoutMs: number, context: OperationContext, deps: ResolverDeps): Heartbeat | Promise<Heartbeat> {
  const caller = callerOf(context, deps);
  const timeout = asArgument(() => durationMs(timeoutMs));
  const { queue } = deps;
  return queue.run({
    command: () => ({ type: 'heartbeat', ...callerFields(caller, deps), timeout }),
    answer: (events) => {
      throwRefusal(events);
      return { armed: true, deadline: armedUntil(events), serverTime: queue.now };
    },
  });
}

function armedUntil(events: readonly ExchangeEvent[]): EpochMs | null {
  for (const entry of events) {
    if (entry.type === 'happened' && entry.event.type === 'heartbeatArmed') return entry.event.deadline;
  }
  return null;
}

function disarm(context: OperationContext, deps: ResolverDeps): Heartbeat | Promise<Heartbeat> {
  const caller = callerOf(context, deps);
  const { queue } = deps;
  return queue.run({
    command: () => ({ type: 'disarmHeartbeat', ...callerFields(caller, deps) }),
    answer: (events) => {
      throwRefusal(events);
      return { armed: false, deadline: null, serverTime: queue.now };
    },
  });
}

type GroupPayload = Model<'OrderGroupPayload'>;

function createGroup(
  { label, maxFilledShares, windowSeconds }: RawCreateOrderGroupInput,
  context: OperationContext,
  deps: ResolverDeps,
): GroupPayload | Promise<GroupPayload> {
  const caller = callerOf(context, deps);
  const { queue, ids } = deps;
  const name = label.trim();
  if (name === '' || name.length > MAX_LABEL) throw badArgument('label', label, `1 to ${MAX_LABEL} characters`);
  const maxFilled = readShares('maxFilledShares', maxFilledShares);
  const window = readWindow(windowSeconds);
  const newest = (): number => queue.view.groupsOf(caller.account).at(-1) ?? 0;
  let created = 0;
  return queue.run({
    command: () => ({ type: 'createGroup', ...callerFields(caller, deps), maxFilled, window }),
    onApplied: () => {
      created = newest();
      ids.groups.put(newUuid(deps.secretBytes), { group: counted.group(created), label: name });
    },
    answer: (events) => {
      throwRefusal(events);
      return { group: presentGroup(created, caller.account, deps) };
    },
  });
}

function updateGroup(
  { id, maxFilledShares, windowSeconds, reset }: RawUpdateOrderGroupInput,
  context: OperationContext,
  deps: ResolverDeps,
): GroupPayload | Promise<GroupPayload> {
  const caller = callerOf(context, deps);
  const { queue, ids } = deps;
  const uuid = readUuid('group', id);
  const maxFilled = isGiven(maxFilledShares) ? readShares('maxFilledShares', maxFilledShares) : undefined;
  const window = isGiven(windowSeconds) ? readWindow(windowSeconds) : undefined;
  return queue.run({
    command: () => ({
      type: 'updateGroup',
      ...callerFields(caller, deps),
      group: groupOf(uuid, ids),
      maxFilled,
      window,
      reset: reset ?? false,
    }),
    answer: (events) => {
      throwRefusal(events);
      return { group: presentGroup(groupOf(uuid, ids), caller.account, deps) };
    },
  });
}

function deleteGroup(
  id: Raw<'ID'>,
  context: OperationContext,
  deps: ResolverDeps,
): Model<'DeletePayload'> | Promise<Model<'DeletePayload'>> {
  const caller = callerOf(context, deps);
  const { queue, ids } = deps;
  const uuid = readUuid('group', id);
  return queue.run({
    command: () => ({ type: 'deleteGroup', ...callerFields(caller, deps), group: groupOf(uuid, ids) }),
    onApplied: () => ids.groups.delete(uuid),
    answer: (events) => {
      throwRefusal(events);
      return { deletedId: uuid };
    },
  });
}

/** Throws a refusal, because these payloads have no `rejection`. */
function throwRefusal(events: readonly ExchangeEvent[]): void {
  for (const event of events) if (event.type === 'refused') throw refusalFault(inSeconds(event.refusal));
}

/** Converts a refusal of a window from the exchange's milliseconds to the API's seconds. */
function inSeconds(refusal: Refusal): Refused {
  const { field, limit, value, unit, ...rest } = refusal;
  if (field !== 'windowSeconds' || limit === undefined || value === undefined) return refusal;
  const expected = rest.reason === 'BELOW_MIN' ? `at least ${Math.ceil(limit / 1000)}` : `at most ${limit / 1000}`;
  return { ...rest, field, because: `expected ${expected} seconds, got ${value / 1000}` };
}

function readWindow(seconds: number): ReturnType<typeof durationMs> {
  return asArgument(() => durationMs(seconds * 1000));
}
