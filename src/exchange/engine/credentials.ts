/** Armed and lapsed dead-man's switches, and revoked credentials (docs/spec/venue.md#dead-mans-switch). */
import type { Accounts } from '../accounts/accounts.ts';
import type { AccountCommand } from '../order-terms.ts';
import { type Refusal, refused } from '../refusal.ts';
import type { StateReader, StateWriter } from '../state-writer.ts';

/** State of a credential whose dead-man's switch is armed or has lapsed, or which is revoked. */
export interface CredentialState {
  readonly account: number;
  /** Milliseconds without a heartbeat after which the switch fires; 0 unless armed. */
  readonly timeout: number;
  /** Epoch ms at which the switch fires; 0 unless armed. */
  readonly deadline: number;
  readonly lapsed: boolean;
  readonly revoked: boolean;
}

export class Credentials {
  readonly #states = new Map<number, CredentialState>();
  /** Number of lapsed or revoked credentials. While this number is 0, orders need no look-up. */
  #blockedCount = 0;
  #revokedCount = 0;

  /** Number of armed or lapsed credentials. */
  get switchCount(): number {
    return this.#states.size - this.#revokedCount;
  }

  get revocationCount(): number {
    return this.#revokedCount;
  }

  find(credential: number): CredentialState | undefined {
    return this.#states.get(credential);
  }

  /** Returns whether the credential belongs to another account. False for a credential without a state. */
  isForeign(credential: number, account: number): boolean {
    const found = this.#states.get(credential);
    return found !== undefined && found.account !== account;
  }

  get hasBlocked(): boolean {
    return this.#blockedCount > 0;
  }

  isRevoked(credential: number): boolean {
    return this.#blockedCount > 0 && this.#states.get(credential)?.revoked === true;
  }

  hasLapsed(credential: number): boolean {
    return this.#blockedCount > 0 && this.#states.get(credential)?.lapsed === true;
  }

  firesAt(credential: number, time: number): boolean {
    return this.#states.get(credential)?.deadline === time;
  }

  arm(credential: number, account: number, timeout: number, deadline: number): void {
    this.disarm(credential);
    this.#states.set(credential, { account, timeout, deadline, lapsed: false, revoked: false });
  }

  disarm(credential: number): void {
    const found = this.#states.get(credential);
    if (found?.lapsed === true || found?.revoked === true) this.#blockedCount--;
    if (found?.revoked === true) this.#revokedCount--;
    this.#states.delete(credential);
  }

  lapse(credential: number, account: number): void {
    this.#block(credential, { account, timeout: 0, deadline: 0, lapsed: true, revoked: false });
  }

  revoke(credential: number, account: number): void {
    this.#block(credential, { account, timeout: 0, deadline: 0, lapsed: false, revoked: true });
  }

  forEachDeadline(visit: (credential: number, deadline: number) => void): void {
    for (const [credential, { deadline }] of this.#states) if (deadline !== 0) visit(credential, deadline);
  }

  /** Writes part 10 of the format in engine/state.ts. */
  writeState(writer: StateWriter): void {
    writer.number(this.#states.size);
    for (const [credential, state] of [...this.#states].sort(([a], [b]) => a - b)) {
      const { account, timeout, deadline, lapsed, revoked } = state;
      for (const value of [credential, account, timeout, deadline]) writer.number(value);
      writer.number(lapsed ? 1 : 0);
      writer.number(revoked ? 1 : 0);
    }
  }

  /** Reads the output of `writeState` into an empty instance. */
  readState(reader: StateReader): void {
    for (let left = reader.number(); left > 0; left--) {
      const credential = reader.number();
      const [account, timeout, deadline] = [reader.number(), reader.number(), reader.number()];
      const [lapsed, revoked] = [reader.number() === 1, reader.number() === 1];
      this.#states.set(credential, { account, timeout, deadline, lapsed, revoked });
      if (lapsed || revoked) this.#blockedCount++;
      if (revoked) this.#revokedCount++;
    }
  }

  #block(credential: number, state: CredentialState): void {
    this.disarm(credential);
    this.#states.set(credential, state);
    this.#blockedCount++;
    if (state.revoked) this.#revokedCount++;
  }
}

export function isAccount(accounts: Accounts, account: number): boolean {
  return typeof account === 'number' && account >= 1 && account <= accounts.count && (account | 0) === account;
}

export function callerRefusal(
  { account, credential }: AccountCommand,
  { accounts, credentials }: { readonly accounts: Accounts; readonly credentials: Credentials },
): Refusal | undefined {
  if (credentials.isRevoked(credential)) return refused('SIGNER_NOT_ALLOWED');
  if (typeof credential !== 'number' || credential < 0 || (credential | 0) !== credential)
    return refused('NOT_FOUND', 'credential');
  return isAccount(accounts, account) ? undefined : refused('NOT_FOUND', 'account');
}
