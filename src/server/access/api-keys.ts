/**
 * Creates, finds, checks and revokes API keys.
 *
 * Invariants: a revoked key is invalid immediately, before the revocation is durable or reaches the exchange. Its row
 * stays for at least a day and counts towards the limit of keys, which slows a loop that creates and revokes keys.
 */
import { z } from 'zod';
import { credentialNo, DAY_MS, type EpochMs } from '../../domain/index.ts';
import { optional, registryCodec, storedTime } from '../registry-rows.ts';
import { newUuid } from '../wire-ids.ts';
import { IpList } from './ip-list.ts';
import type { AccessServiceDeps } from './ports.ts';
import { newToken } from './secrets.ts';

/** Another address, in lower case, that may sign the account's orders while the key is valid. */
const delegateRow = z.strictObject({ address: z.string(), expiresAt: storedTime });
export type Delegate = Readonly<z.output<typeof delegateRow>>;

const row = z.strictObject({
  /** Address in lower case. */
  account: z.string(),
  number: z.number().transform(credentialNo),
  hash: z.string(),
  label: z.string(),
  scopes: z.array(z.enum(['READ', 'TRADE', 'WITHDRAW', 'CREATE_MARKET'])).readonly(),
  ipAllowList: z.array(z.string()).readonly(),
  delegate: optional(delegateRow),
  /** Undefined for never. */
  expiresAt: optional(storedTime),
  createdAt: storedTime,
  lastUsedAt: optional(storedTime),
  revokedAt: optional(storedTime),
});

/** An API key with the hash of its secret. The id is a UUID. */
export type ApiKey = Readonly<z.output<typeof row>> & { readonly id: string };

const apiKeyCodec = registryCodec(row, 'an API key');

export type NewApiKey = Pick<ApiKey, 'account' | 'label' | 'scopes' | 'delegate' | 'expiresAt' | 'createdAt'> & {
  readonly ips: IpList;
};

interface KeyRecord {
  key: ApiKey;
  readonly ips: IpList;
  /** The value of `lastUsedAt` in the registry; 0 for none. */
  storedUseAt: number;
}

/** Shortest interval between writes of `lastUsedAt`. Until a restart, clients see the exact time. */
const MIN_STORE_INTERVAL_MS = 60_000;

export class ApiKeys {
  readonly #deps: AccessServiceDeps;
  readonly #byId = new Map<string, KeyRecord>();
  readonly #byHash = new Map<string, KeyRecord>();
  readonly #byAccount = new Map<string, Set<KeyRecord>>();

  constructor(deps: AccessServiceDeps) {
    this.#deps = deps;
    const stored = deps.registry.load('apiKey').map(({ key: id, value }) => ({ id, ...apiKeyCodec.decode(value) }));
    for (const key of stored.toSorted((a, b) => a.number - b.number)) this.#add(key, new IpList(key.ipAllowList));
  }

  /** Finds expired and revoked keys, too. */
  get(id: string): ApiKey | undefined {
    return this.#byId.get(id)?.key;
  }

  /** Returns the account's keys in order of creation. Includes expired keys, but no revoked keys. */
  ofAccount(account: string): readonly ApiKey[] {
    return this.#keys(account).filter(({ revokedAt }) => revokedAt === undefined);
  }

  /** Counts the account's keys, including keys that were revoked within a day. */
  countKeys(account: string, now: EpochMs): number {
    return this.#keys(account).filter(({ revokedAt }) => revokedAt === undefined || now - revokedAt < DAY_MS).length;
  }

  /** Returns the revoked keys whose rows still exist. */
  listRevoked(): readonly ApiKey[] {
    return Array.from(this.#byId.values(), ({ key }) => key).filter(({ revokedAt }) => revokedAt !== undefined);
  }

  /** Returns the valid key with this hash if it allows the address. Updates `lastUsedAt`. */
  authenticate(hash: string, ip: string, now: EpochMs): ApiKey | undefined {
    const record = this.#byHash.get(hash);
    if (record === undefined || !isValid(record.key, now) || !record.ips.allows(ip)) return undefined;
    record.key = { ...record.key, lastUsedAt: now };
    if (now - record.storedUseAt >= MIN_STORE_INTERVAL_MS) {
      record.storedUseAt = now;
      this.#put(record.key);
    }
    return record.key;
  }

  /** Creates a key and its token. The caller makes the key durable before the client sees the token. */
  create({ ips, ...fields }: NewApiKey): { readonly key: ApiKey; readonly token: string } {
    const id = newUuid();
    const token = newToken(`pmk_${id}`);
    const number = this.#deps.numbers.next();
    const hash = this.#deps.hash.compute('key', token);
    const key = { ...fields, id, number, hash, ipAllowList: ips.entries, lastUsedAt: undefined, revokedAt: undefined };
    this.#add(key, ips);
    this.#put(key);
    return { key, token };
  }

  /** Invalidates a key. The caller makes this durable. @returns the revoked key; undefined for an unknown id */
  revoke(id: string, now: EpochMs): ApiKey | undefined {
    const record = this.#byId.get(id);
    if (record === undefined || record.key.revokedAt !== undefined) return record?.key;
    record.key = { ...record.key, revokedAt: now };
    this.#byHash.delete(record.key.hash);
    this.#put(record.key);
    for (const key of this.#keys(record.key.account))
      if (key.revokedAt !== undefined && now - key.revokedAt >= DAY_MS) this.#remove(key);
    return record.key;
  }

  isDelegate(account: string, signer: string, now: EpochMs): boolean {
    for (const { key } of this.#byAccount.get(account) ?? []) {
      const { delegate } = key;
      if (delegate?.address === signer && now < delegate.expiresAt && isValid(key, now)) return true;
    }
    return false;
  }

  #keys(account: string): readonly ApiKey[] {
    return Array.from(this.#byAccount.get(account) ?? [], ({ key }) => key);
  }

  #add(key: ApiKey, ips: IpList): void {
    const record = { key, ips, storedUseAt: key.lastUsedAt ?? 0 };
    this.#byId.set(key.id, record);
    if (key.revokedAt === undefined) this.#byHash.set(key.hash, record);
    this.#byAccount.set(key.account, (this.#byAccount.get(key.account) ?? new Set()).add(record));
  }

  #remove({ id, account }: ApiKey): void {
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

function isValid({ expiresAt, revokedAt }: ApiKey, now: EpochMs): boolean {
  return revokedAt === undefined && (expiresAt === undefined || now < expiresAt);
}
