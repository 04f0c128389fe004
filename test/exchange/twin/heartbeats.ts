/** Dead-man's switches and revoked credentials. */
import { column, type RejectReason } from '../../../src/domain/index.ts';
import { closeAll } from './matching.ts';
import type { AccountCommand } from './words.ts';
import { emit, type NaiveCredential, openOrders, type World } from './world.ts';

export function credentialOf(world: World, credential: number): NaiveCredential | undefined {
  return world.credentials.find((one) => one.credential === credential);
}

/** Who asks: a credential that is revoked or another account's, an account that is not there. */
export function callerRefusal(world: World, { account, credential }: AccountCommand): RejectReason | undefined {
  const known = credentialOf(world, credential);
  if (known?.revoked === true) return 'SIGNER_NOT_ALLOWED';
  if (!Number.isInteger(credential) || credential < 0) return 'NOT_FOUND';
  if (known !== undefined && known.account !== account) return 'NOT_FOUND';
  return world.accounts[account - 1] === undefined ? 'NOT_FOUND' : undefined;
}

export function arm(world: World, account: number, credential: number, timeout: number): void {
  const deadline = world.now + timeout;
  forget(world, credential);
  world.credentials.push({ credential, account, timeout, deadline, lapsed: false, revoked: false });
  emit(world, { type: 'heartbeatArmed', account, credential, deadline: column.time(deadline) });
}

export function disarm(world: World, account: number, credential: number): void {
  forget(world, credential);
  emit(world, { type: 'heartbeatDisarmed', account, credential });
}

/** The switch fires: orders placed with the credential go, and none come in until the next heartbeat or disarm. */
export function lapse(world: World, { account, credential }: NaiveCredential): void {
  forget(world, credential);
  world.credentials.push({ credential, account, timeout: 0, deadline: 0, lapsed: true, revoked: false });
  emit(world, { type: 'heartbeatLapsed', account, credential });
  closeAll(world, placedWith(world, account, credential), 'HEARTBEAT_LAPSED');
}

/** The credential is no more. */
export function revoke(world: World, account: number, credential: number): void {
  forget(world, credential);
  world.credentials.push({ credential, account, timeout: 0, deadline: 0, lapsed: false, revoked: true });
  emit(world, { type: 'credentialRevoked', account, credential });
  closeAll(world, placedWith(world, account, credential), 'KEY_REVOKED');
}

function placedWith(world: World, account: number, credential: number) {
  return openOrders(world, (order) => order.account === account && order.credential === credential);
}

function forget(world: World, credential: number): void {
  world.credentials = world.credentials.filter((one) => one.credential !== credential);
}
