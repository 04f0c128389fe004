/** Creates and revokes API keys. Checks arguments and delegate grants, and revokes credentials at the exchange. */
import { type EpochMs, epochMs, unchecked } from '../../domain/index.ts';
import type { Registry } from '../../exchange/index.ts';
import {
  type ApiScope,
  BYTE_LENGTHS,
  badArgument,
  forbidden,
  invalidArgument,
  invalidId,
  type Raw,
  type RawCreateApiKeyInput,
  type RawDelegateGrant,
  readHex,
  readSafeUint,
  readTime,
  readUint,
  readUuid,
  timeText,
  unwrapRaw,
} from '../../protocol/index.ts';
import { assertAccepted } from '../command-queue-types.ts';
import type { Viewer } from '../graphql/context.ts';
import { syncRegistry } from '../registry-rows.ts';
import type { ApiKey, ApiKeys, Delegate } from './api-keys.ts';
import { IpList } from './ip-list.ts';
import type { AccessServiceDeps } from './ports.ts';

export interface ApiKeyServiceDeps extends AccessServiceDeps {
  readonly keys: ApiKeys;
  readonly onRevoked: (key: string) => void;
}

const MAX_LABEL_LENGTH = 64;

export class ApiKeyService {
  readonly #deps: ApiKeyServiceDeps;
  readonly #usedGrants: UsedDigests;

  constructor(deps: ApiKeyServiceDeps) {
    this.#deps = deps;
    this.#usedGrants = new UsedDigests(deps.registry, deps.clock.now());
  }

  /** Creates a durable key. @returns the key and its token @throws WireFault for an invalid argument or grant */
  async create({ account, scopes: callerScopes }: Viewer, input: RawCreateApiKeyInput, now: EpochMs) {
    const { keys, registry, settings } = this.#deps;
    const label = input.label.trim();
    if (label === '' || label.length > MAX_LABEL_LENGTH)
      throw badArgument('label', input.label, `1 to ${MAX_LABEL_LENGTH} characters`);
    const scopes = readScopes(input.scopes, callerScopes);
    const ips = new IpList(input.ipAllowList ?? []);
    const expiresAt = input.expiresAt ? readTime('expiresAt', input.expiresAt) : undefined;
    if (expiresAt !== undefined && expiresAt <= now)
      throw badArgument('expiresAt', timeText(expiresAt), 'a time in the future');
    if (keys.countKeys(account, now) >= settings.maxKeys) {
      const problem = `the account has ${settings.maxKeys} keys, the maximum`;
      throw invalidArgument(`${problem}: a revoked key still counts for a day`);
    }
    const grant = input.delegate ? this.#readGrant(account, input.delegate, now) : undefined;
    const created = keys.create({ account, label, scopes, ips, expiresAt, delegate: grant?.delegate, createdAt: now });
    if (grant !== undefined) await this.#usedGrants.markUsed(grant.digest, grant.delegate.expiresAt);
    else await syncRegistry(registry);
    return created;
  }

  /**
   * Revokes a key and cancels the orders placed with it. Resolves when both are durable. A repeated call changes
   * nothing.
   * @throws WireFault when the id is not one of the account's keys
   */
  async revoke(account: string, raw: Raw<'ID'>, now: EpochMs): Promise<string> {
    const id = readUuid('key', raw);
    const { keys, onRevoked } = this.#deps;
    if (keys.get(id)?.account !== account) throw invalidId('key', 'the account has no such key');
    const key = keys.revoke(id, now);
    onRevoked(id);
    if (key !== undefined) await this.#revokeAtExchange(key);
    await syncRegistry(this.#deps.registry);
    return id;
  }

  /** Repeats all revocations, because a crash may have interrupted some of them. Call this once, after the start. */
  async resume(): Promise<void> {
    for (const key of this.#deps.keys.listRevoked()) {
      try {
        await this.#revokeAtExchange(key);
      } catch (err) {
        this.#deps.log.error({ err, key: key.id }, 'a revoked key has orders that could not be cancelled');
      }
    }
  }

  /**
   * Revokes the credential and cancels its orders. Skips a key that cannot have placed orders, because the exchange
   * stores each revoked credential forever.
   * @throws Fault when the exchange refuses. The key is then invalid, but its orders stay open.
   */
  async #revokeAtExchange({ account, number, scopes, lastUsedAt }: ApiKey): Promise<void> {
    const { queue, clock } = this.#deps;
    // `lastUsedAt` is stored before any effect of the first use.
    if (lastUsedAt === undefined || !(scopes.includes('TRADE') || scopes.includes('CREATE_MARKET'))) return;
    await queue.run({
      command: () => {
        if (queue.view.credentialState(number)?.revoked === true) return undefined;
        const fields = { time: clock.now(), account: unchecked.account(queue.view.accountOf(account)) };
        return { type: 'revokeCredential', ...fields, credential: number };
      },
      answer: (events) =>
        assertAccepted(events, 'REVOCATION_REFUSED', `credential ${number} could not be revoked at the exchange`),
    });
  }

  #readGrant(account: string, grant: RawDelegateGrant, now: EpochMs): { delegate: Delegate; digest: string } {
    const address = readHex('delegate.address', grant.address, BYTE_LENGTHS.address);
    const nonce = readUint('delegate.nonce', grant.nonce);
    const expiresAt = readSafeUint('delegate.expiresAt', grant.expiresAt);
    const wire = { account, delegate: address, nonce, expiresAt };
    const verified = this.#deps.messages.delegate.verify(wire, unwrapRaw(grant.signature));
    if (!verified.ok) throw invalidArgument(`delegate.${verified.message}`);
    if (now >= expiresAt) throw badArgument('delegate.expiresAt', String(expiresAt), 'a time in the future');
    if (this.#usedGrants.has(verified.hash)) throw invalidArgument('delegate.nonce: this grant was used before');
    return { delegate: { address, expiresAt: epochMs(expiresAt) }, digest: verified.hash };
  }
}

/** Removes duplicates, and sorts scopes like the schema. @throws WireFault for a scope that the caller lacks */
function readScopes(scopes: readonly ApiScope[], callerScopes: readonly ApiScope[]): readonly ApiScope[] {
  if (scopes.length === 0) throw badArgument('scopes', scopes, 'at least one scope');
  for (const scope of scopes) if (!callerScopes.includes(scope)) throw forbidden(scope);
  return callerScopes.filter((scope) => scopes.includes(scope));
}

/** Digests of signed messages that may be used once. The registry stores each digest until the message expires. */
class UsedDigests {
  readonly #registry: Registry;
  readonly #notYetDurable = new Set<string>();

  constructor(registry: Registry, now: EpochMs) {
    this.#registry = registry;
    for (const { key, value } of registry.load('usedDigest')) {
      if (typeof value === 'number' && value <= now) registry.put({ table: 'usedDigest', key, value: undefined });
    }
  }

  has(digest: string): boolean {
    return this.#notYetDurable.has(digest) || this.#registry.find('usedDigest', digest) !== undefined;
  }

  /** Resolves when this digest and all earlier digests are durable. */
  async markUsed(digest: string, expiresAt: EpochMs): Promise<void> {
    this.#notYetDurable.add(digest);
    this.#registry.put({ table: 'usedDigest', key: digest, value: expiresAt });
    await syncRegistry(this.#registry);
    this.#notYetDurable.delete(digest);
  }
}
