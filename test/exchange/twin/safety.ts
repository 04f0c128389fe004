/** Commands about heartbeats, credentials and order groups. */
import type { RejectReason } from '../../../src/domain/index.ts';
import { LOT } from './accounts.ts';
import type {
  CreateGroup,
  DeleteGroup,
  DisarmHeartbeat,
  Heartbeat,
  RevokeCredential,
  UpdateGroup,
} from './exchange-types.ts';
import { createGroup, deleteGroup, groupOf, updateGroup } from './groups.ts';
import { arm, credentialOf, disarm, revoke } from './heartbeats.ts';
import type { World } from './world.ts';

type SafetyCommand = Heartbeat | DisarmHeartbeat | RevokeCredential | CreateGroup | UpdateGroup | DeleteGroup;
type Answer = RejectReason | undefined;

export function safety(world: World, command: SafetyCommand): Answer {
  if (command.type === 'createGroup') return create(world, command);
  if (command.type === 'updateGroup' || command.type === 'deleteGroup') return change(world, command);
  return credentialCommand(world, command);
}

function credentialCommand(world: World, command: Heartbeat | DisarmHeartbeat | RevokeCredential): Answer {
  const { account, credential } = command;
  const known = credentialOf(world, credential);
  if (!Number.isSafeInteger(credential) || credential < 1) return 'NOT_FOUND';
  if (known !== undefined && known.account !== account) return 'NOT_FOUND';
  if (known?.revoked === true) return 'CONFLICT';
  if (command.type === 'heartbeat') {
    const { timeout } = command;
    if (!Number.isSafeInteger(timeout)) return 'INVALID_ORDER';
    if (timeout < world.config.minHeartbeat) return 'BELOW_MIN';
    if (timeout > world.config.maxHeartbeat) return 'ABOVE_MAX';
    const switches = world.credentials.filter(({ revoked }) => !revoked).length;
    if (known === undefined && switches >= world.limits.credentials) return 'ABOVE_MAX';
    arm(world, account, credential, timeout);
  } else if (command.type === 'disarmHeartbeat') {
    if (known === undefined) return undefined;
    disarm(world, account, credential);
  } else if (world.credentials.filter(({ revoked }) => revoked).length >= world.limits.revocations) return 'ABOVE_MAX';
  else revoke(world, account, credential);
  return undefined;
}

function create(world: World, { account, maxFilled, window }: CreateGroup): Answer {
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  const refusal = groupRefusal(world, maxFilled, window);
  if (refusal !== undefined) return refusal;
  if (world.groups.filter(({ deleted }) => !deleted).length >= world.limits.orderGroups) return 'ABOVE_MAX';
  createGroup(world, account, maxFilled, window);
  return undefined;
}

function change(world: World, command: UpdateGroup | DeleteGroup): Answer {
  const group = groupOf(world, command.account, command.group);
  if (group === undefined) return 'NOT_FOUND';
  if (world.mode === 'HALTED') return 'VENUE_MODE';
  if (command.type === 'deleteGroup') {
    deleteGroup(world, group);
    return undefined;
  }
  const refusal = groupRefusal(world, command.maxFilled ?? group.maxFilled, command.window ?? group.window);
  if (refusal === undefined) updateGroup(world, group, command);
  return refusal;
}

function groupRefusal(world: World, maxFilled: number, window: number): Answer {
  if (!Number.isSafeInteger(window)) return 'INVALID_ORDER';
  if (!Number.isSafeInteger(maxFilled) || maxFilled % LOT !== 0) return 'INVALID_LOT';
  if (maxFilled <= 0 || window <= 0) return 'BELOW_MIN';
  if (window > world.config.maxGroupWindow) return 'ABOVE_MAX';
  return undefined;
}
