/** Dead-man switches and revoked credentials. */
import { type RejectReason, unchecked } from '../../../src/domain/index.ts';
import type { AccountCommand } from './exchange-types.ts';
import { closeAll } from './matching.ts';
import { emit, type NaiveCredential, openOrders, type World } from './world.ts';

export function credentialOf(world: World, credential: number): NaiveCredential | undefined {
  return world.credentials.find((existing) => existing.credential === credential);
}

/** Refuses a revoked credential, the credential of another account, and an unknown account. */
export function callerRefusal(world: World, { account, credential }: AccountCommand): RejectReason | undefined {
  const known = credentialOf(world, credential);
  if (known?.revoked === true) return 'SIGNER_NOT_ALLOWED';
  if (!Number.isInteger(credential) || credential < 0) return 'NOT_FOUND';
  if (known !== undefined && known.account !== account) return 'NOT_FOUND';
  return world.accounts[account - 1] === undefined ? 'NOT_FOUND' : undefined;
}

export function arm(world: World, account: number, credential: number, timeout: number): void {
  const deadline = world.now + timeout;
  removeCredential(world, credential);
  world.credentials.push({ credential, account, timeout, deadline, lapsed: false, revoked: false });
  emit(world, { type: 'heartbeatArmed', account, credential, deadline: unchecked.time(deadline) });
}

export function disarm(world: World, account: number, credential: number): void {
  removeCredential(world, credential);
  emit(world, { type: 'heartbeatDisarmed', account, credential });
}

/** Closes the orders of the credential, which cannot place orders until the next heartbeat or disarm. */
export function lapse(world: World, { account, credential }: NaiveCredential): void {
  removeCredential(world, credential);
  world.credentials.push({ credential, account, timeout: 0, deadline: 0, lapsed: true, revoked: false });
  emit(world, { type: 'heartbeatLapsed', account, credential });
  closeAll(world, placedWith(world, account, credential), 'HEARTBEAT_LAPSED');
}

export function revoke(world: World, account: number, credential: number): void {
  removeCredential(world, credential);
  world.credentials.push({ credential, account, timeout: 0, deadline: 0, lapsed: false, revoked: true });
  emit(world, { type: 'credentialRevoked', account, credential });
  closeAll(world, placedWith(world, account, credential), 'KEY_REVOKED');
}

function placedWith(world: World, account: number, credential: number) {
  return openOrders(world, (order) => order.account === account && order.credential === credential);
}

function removeCredential(world: World, credential: number): void {
  world.credentials = world.credentials.filter((existing) => existing.credential !== credential);
}
