/** Safety features: a credential's dead-man's switch, and order groups. */
import { durationMs, unchecked } from '../../domain/index.ts';
import type { ExchangeCommand, ExchangeEvent, Refusal } from '../../exchange/index.ts';
import { badArgument, parseArgument, readShares, readUuid, sharesFloat } from '../../protocol/index.ts';
import { isGiven } from '../graphql/context.ts';
import type { Model, RootResolvers } from '../presenters/models.ts';
import { type ApiRefusal, refusalFault } from '../rejection.ts';
import { newUuid } from '../wire-ids.ts';
import { callerFields, requireCaller } from './caller.ts';
import type { ResolverDeps } from './deps.ts';
import { findGroupNo } from './place-request.ts';

type Names = 'heartbeat' | 'disarmHeartbeat' | 'createOrderGroup' | 'updateOrderGroup' | 'deleteOrderGroup';

const MAX_LABEL_LENGTH = 100;

export function safetyResolvers(deps: ResolverDeps): RootResolvers<'Mutation', Names> {
  const { queue, ids } = deps;
  return {
    heartbeat: ({ timeoutMs }, context) => {
      const caller = requireCaller(context, deps);
      const timeout = parseArgument(() => durationMs(timeoutMs));
      return runOrThrow(
        () => ({ type: 'heartbeat', ...callerFields(caller, deps), timeout }),
        (events) => {
          const happened = events.flatMap((entry) => (entry.type === 'rareEvent' ? [entry.event] : []));
          const deadline = happened.find((event) => event.type === 'heartbeatArmed')?.deadline ?? null;
          return { armed: true, deadline, serverTime: queue.now };
        },
      );
    },
    disarmHeartbeat: (_, context) => {
      const caller = requireCaller(context, deps);
      return runOrThrow(
        () => ({ type: 'disarmHeartbeat', ...callerFields(caller, deps) }),
        () => ({ armed: false, deadline: null, serverTime: queue.now }),
      );
    },
    createOrderGroup: ({ input }, context) => {
      const caller = requireCaller(context, deps);
      const label = input.label.trim();
      if (label === '' || label.length > MAX_LABEL_LENGTH)
        throw badArgument('label', input.label, `1 to ${MAX_LABEL_LENGTH} characters`);
      const maxFilled = readShares('maxFilledShares', input.maxFilledShares);
      const window = readWindow(input.windowSeconds);
      let group = unchecked.group(0);
      return runOrThrow(
        () => ({ type: 'createGroup', ...callerFields(caller, deps), maxFilled, window }),
        () => ({ group: presentGroup(group, caller.account, deps) }),
        () => {
          group = unchecked.group(queue.view.groupsOf(caller.account).at(-1) ?? 0);
          ids.groups.put(newUuid(deps.secretBytes), { group, label });
        },
      );
    },
    updateOrderGroup: ({ input: { id, maxFilledShares, windowSeconds, reset } }, context) => {
      const caller = requireCaller(context, deps);
      const uuid = readUuid('group', id);
      const maxFilled = isGiven(maxFilledShares) ? readShares('maxFilledShares', maxFilledShares) : undefined;
      const window = isGiven(windowSeconds) ? readWindow(windowSeconds) : undefined;
      const changes = { maxFilled, window, reset: reset ?? false };
      return runOrThrow(
        () => ({ type: 'updateGroup', ...callerFields(caller, deps), group: findGroupNo(uuid, ids), ...changes }),
        () => ({ group: presentGroup(findGroupNo(uuid, ids), caller.account, deps) }),
      );
    },
    deleteOrderGroup: ({ id }, context) => {
      const caller = requireCaller(context, deps);
      const uuid = readUuid('group', id);
      return runOrThrow(
        () => ({ type: 'deleteGroup', ...callerFields(caller, deps), group: findGroupNo(uuid, ids) }),
        () => ({ deletedId: uuid }),
        () => ids.groups.delete(uuid),
      );
    },
  };

  /** Throws a refusal, because these payloads have no `rejection`. */
  function runOrThrow<Payload>(
    command: () => ExchangeCommand,
    present: (events: readonly ExchangeEvent[]) => Payload,
    onApplied = (): void => {},
  ): Payload | Promise<Payload> {
    const answer = (events: readonly ExchangeEvent[]): Payload => {
      for (const event of events) if (event.type === 'refused') throw refusalFault(toWindowSeconds(event.refusal));
      return present(events);
    };
    return queue.run({ command, onApplied, answer });
  }
}

export function safetyQueries(deps: ResolverDeps): RootResolvers<'Query', 'tradingSafety'> {
  const { queue, access } = deps;
  return {
    tradingSafety: (_, context) => {
      const { account, viewer } = requireCaller(context, deps);
      return queue.read((view) => {
        const deadManSwitch = view.credentialState(access.credentialNo(viewer));
        const armed = deadManSwitch?.deadline === 0 ? undefined : deadManSwitch;
        return {
          heartbeatArmed: armed !== undefined,
          heartbeatTimeoutMs: armed?.timeout ?? null,
          heartbeatDeadline: armed === undefined ? null : unchecked.time(armed.deadline),
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
  const id = ids.groups.findId(group);
  const groupView = queue.view.group(group, account);
  const row = id === undefined ? undefined : ids.groups.find(id);
  if (groupView === undefined || row === undefined || id === undefined)
    throw new RangeError(`Invariant: order group ${group} of account ${account} has no label`);
  return {
    id,
    label: row.label,
    maxFilledShares: sharesFloat(unchecked.shares(groupView.maxFilled)),
    windowSeconds: groupView.window / 1000,
    filledInWindow: sharesFloat(unchecked.shares(queue.view.filledInWindow(group, queue.now))),
    tripped: groupView.tripped,
  };
}

/** Converts a refusal of a window from the exchange's milliseconds to the API's seconds. */
function toWindowSeconds(refusal: Refusal): ApiRefusal {
  const { field, limit, value, unit, ...rest } = refusal;
  if (field !== 'windowSeconds' || limit === undefined || value === undefined) return refusal;
  const expected = rest.reason === 'BELOW_MIN' ? `at least ${Math.ceil(limit / 1000)}` : `at most ${limit / 1000}`;
  return { ...rest, field, explanation: `expected ${expected} seconds, got ${value / 1000}` };
}

function readWindow(seconds: number): ReturnType<typeof durationMs> {
  return parseArgument(() => durationMs(seconds * 1000));
}
