/**
 * Creates, finds, uses and revokes API keys.
 *
 * Invariants: a revoked key is invalid at once, before the disk and the exchange have processed the revocation. Its row
 * stays for at least a day and counts as a key for that time, which limits a loop that creates and revokes keys.
 */
import type { EpochMs } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';
import { newUuid } from '../uuid.ts';
import { type ApiKey, apiKeyCodec } from './api-key-codec.ts';
import type { CredentialNumbers } from './credential-numbers.ts';
import { IpList } from './ip-list.ts';
import type { SecretHash } from './secret-hash.ts';
import { newKeyText } from './token-text.ts';

export interface ApiKeysDeps {
  readonly registry: Registry;
  readonly hash: SecretHash;
  readonly numbers: CredentialNumbers;
}

export type NewApiKey = Pick<ApiKey, 'account' | 'label' | 'scopes' | 'delegate' | 'expiresAt' | 'createdAt'> & {
  readonly ips: IpList;
};

interface Held {
  key: ApiKey;
  readonly ips: IpList;
  /** Time at which its use was last written to the disk. */
  noted: number;
}

/** Interval in which a key's use is written to the disk. The running server shows the exact time. */
const NOTE_MS = 60_000;
const DAY_MS = 86_400_000;

export class ApiKeys {
  readonly #deps: ApiKeysDeps;
  readonly #byId = new Map<string, Held>();
  readonly #byHash = new Map<string, Held>();
  readonly #byAccount = new Map<string, Set<Held>>();

  /** Loads the durable keys. */
  constructor(deps: ApiKeysDeps) {
    this.#deps = deps;
    const kept = deps.registry.load('apiKey').map(({ key: id, value }) => ({ id, ...apiKeyCodec.decode(value) }));
    for (const key of kept.toSorted((a, b) => a.number - b.number)) this.#hold(key, new IpList(key.ipAllowList));
  }

  /** Also one that has expired or was revoked. */
  get(id: string): ApiKey | undefined {
    return this.#byId.get(id)?.key;
  }

  /** Keys of an account that were not revoked, in order of creation; expired ones too. */
  ofAccount(account: string): readonly ApiKey[] {
    return this.#keys(account).filter(({ revokedAt }) => revokedAt === undefined);
  }

  /** Number of keys of an account, including those revoked within a day. */
  countOf(account: string, now: EpochMs): number {
    return this.#keys(account).filter(({ revokedAt }) => revokedAt === undefined || now - revokedAt < DAY_MS).length;
  }

  /** Revoked keys whose rows still exist. */
  revoked(): readonly ApiKey[] {
    return Array.from(this.#byId.values(), ({ key }) => key).filter(({ revokedAt }) => revokedAt !== undefined);
  }

  /** The key of a text, when it is valid and its address is allowed; records the use. @param hash of the text */
  use(hash: string, ip: string, now: EpochMs): ApiKey | undefined {
    const record = this.#byHash.get(hash);
    if (record === undefined || !isLive(record.key, now) || !record.ips.allows(ip)) return undefined;
    record.key = { ...record.key, lastUsedAt: now };
    if (now - record.noted >= NOTE_MS) {
      record.noted = now;
      this.#put(record.key);
    }
    return record.key;
  }

  /** Creates a key. Make it durable before you show it. @returns the key and its text, shown once */
  make({ ips, ...of }: NewApiKey): { readonly key: ApiKey; readonly text: string } {
    const id = newUuid();
    const text = newKeyText(id);
    const number = this.#deps.numbers.next();
    const hash = this.#deps.hash.of('key', text);
    const key = { ...of, id, number, hash, ipAllowList: ips.entries, lastUsedAt: undefined, revokedAt: undefined };
    this.#hold(key, ips);
    this.#put(key);
    return { key, text };
  }

  /** Invalidates a key at once. The caller makes this durable. @returns the key as it is now; undefined for none */
  revoke(id: string, now: EpochMs): ApiKey | undefined {
    const record = this.#byId.get(id);
    if (record === undefined || record.key.revokedAt !== undefined) return record?.key;
    record.key = { ...record.key, revokedAt: now };
    this.#byHash.delete(record.key.hash);
    this.#put(record.key);
    for (const key of this.#keys(record.key.account)) {
      if (key.revokedAt !== undefined && now - key.revokedAt >= DAY_MS) this.#forget(key);
    }
    return record.key;
  }

  /** Whether an address may sign orders of an account by one of its keys. */
  delegates(account: string, signer: string, now: EpochMs): boolean {
    for (const { key } of this.#byAccount.get(account) ?? []) {
      const { delegate } = key;
      if (delegate?.address === signer && now < delegate.expiresAt && isLive(key, now)) return true;
    }
    return false;
  }

  #keys(account: string): readonly ApiKey[] {
    return Array.from(this.#byAccount.get(account) ?? [], ({ key }) => key);
  }

  #hold(key: ApiKey, ips: IpList): void {
    const record = { key, ips, noted: key.lastUsedAt ?? 0 };
    this.#byId.set(key.id, record);
    if (key.revokedAt === undefined) this.#byHash.set(key.hash, record);
    const mine = this.#byAccount.get(key.account);
    if (mine === undefined) this.#byAccount.set(key.account, new Set([record]));
    else mine.add(record);
  }

  #forget({ id, account }: ApiKey): void {
    const record = this.#byId.get(id);
    if (record === undefined) return;
    this.#byId.delete(id);
    this.#byAccount.get(account)?.delete(record);
    this.#deps.registry.put({ table: 'apiKey', key: id, value: undefined });
  }

  #put({ id, ...row }: ApiKey): void {
    this.#deps.registry.put({ table: 'apiKey', key: id, value: apiKeyCodec.encode(row) });
  }
}

/** Neither expired nor revoked. */
export function isLive({ expiresAt, revokedAt }: ApiKey, now: EpochMs): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
