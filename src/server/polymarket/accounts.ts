/**
 * API keys and wallets of the Polymarket dialect.
 *
 * A key belongs to the address that signed for the key. Each address has one account of the exchange. A wallet
 * (signature types 1 to 3) is another name of an account. The first address whose order names a wallet owns the wallet
 * permanently. A key's secret derives from its id and the database's secret. So `derive-api-key` can return the secret,
 * although the database does not store it.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import {
  type AccountNo,
  type CredentialNo,
  credentialNo,
  type EpochMs,
  InputFault,
  unchecked,
} from '../../domain/index.ts';
import { type Registry, RegistryTable } from '../../exchange/index.ts';
import {
  type L2Request,
  l2SecretBytes,
  l2Signature,
  POLYMARKET_ERRORS,
  readL1Headers,
  readL2Headers,
} from '../../protocol/polymarket/index.ts';
import type { PolymarketSignIns } from '../../signing/index.ts';
import type { Access } from '../access/access.ts';
import { isSameHash } from '../access/secrets.ts';
import type { CommandQueue } from '../command-queue.ts';
import { assertAccepted } from '../command-queue-types.ts';
import { registryCodec, syncRegistry } from '../registry-rows.ts';
import { newUuid } from '../wire-ids.ts';
import { badRequest, PolymarketRefusal, unauthorized } from './request.ts';
import type { PolymarketSettings } from './settings.ts';

export interface PolymarketAccountsDeps {
  readonly queue: CommandQueue;
  readonly registry: Registry;
  readonly access: Access;
  readonly settings: PolymarketSettings;
  readonly signIns: PolymarketSignIns;
}

export interface PolymarketKey {
  readonly id: string;
  /** The address, in lower case, that signed for the key. */
  readonly address: `0x${string}`;
  readonly nonce: string;
  readonly number: CredentialNo;
}

export interface PolymarketCaller {
  readonly key: PolymarketKey;
  readonly account: AccountNo;
}

/** The texts with which a client signs its requests. */
interface PolymarketCredentials {
  readonly apiKey: string;
  /** Base64url with padding. */
  readonly secret: string;
  readonly passphrase: string;
}

/** Data derived from a key's id. */
interface DerivedKey {
  /** Undefined for an unknown id. */
  readonly key: PolymarketKey | undefined;
  readonly credentials: PolymarketCredentials;
  /** A key object, because an HMAC with bytes takes six times as long. */
  readonly hmacKey: KeyObject;
}

type Headers = Parameters<typeof readL2Headers>[0];

const MAX_KEYS_PER_ADDRESS = 100;
const MAX_WALLETS_PER_ADDRESS = 10;
const keyRow = z.strictObject({
  address: z.templateLiteral(['0x', z.string()]),
  nonce: z.string(),
  number: z.number().transform(credentialNo),
});

export class PolymarketAccounts {
  readonly #deps: PolymarketAccountsDeps;
  readonly #keys: RegistryTable<Omit<PolymarketKey, 'id'>>;
  readonly #wallets: RegistryTable<string>;
  /** Oldest first. */
  readonly #keysByAddress: Map<string, readonly PolymarketKey[]>;
  /** Cache of keys that were used since the start. */
  readonly #derived = new Map<string, DerivedKey>();
  /** Oldest first. */
  readonly #walletsByAddress = new Map<string, readonly string[]>();

  constructor(deps: PolymarketAccountsDeps) {
    this.#deps = deps;
    this.#keys = new RegistryTable(deps.registry, 'polymarketKey', registryCodec(keyRow, 'an API key of Polymarket'));
    const walletCodec = registryCodec(z.string(), 'a wallet of Polymarket');
    this.#wallets = new RegistryTable(deps.registry, 'polymarketWallet', walletCodec);
    const keys = Array.from(this.#keys.entries(), ([id, key]) => ({ id, ...key }));
    this.#keysByAddress = Map.groupBy(keys, ({ address }) => address);
    for (const [wallet, address] of this.#wallets.entries())
      this.#walletsByAddress.set(address, [...(this.#walletsByAddress.get(address) ?? []), wallet]);
  }

  /** Creates a key for the address that signed the headers, and opens that account. @throws PolymarketRefusal */
  async create(headers: Headers, now: EpochMs): Promise<PolymarketCredentials> {
    const { address, nonce } = this.#verifySignIn(headers, now);
    const { access, registry } = this.#deps;
    await access.logins.openAccount(address);
    const keys = this.listKeys(address);
    if (keys.some((key) => key.nonce === nonce)) throw badRequest('Could not create api key');
    if (keys.length >= MAX_KEYS_PER_ADDRESS)
      throw badRequest(`Could not create api key: an address has at most ${MAX_KEYS_PER_ADDRESS}`);
    const id = newUuid();
    const key = { address, nonce, number: access.deps.numbers.next() };
    this.#keysByAddress.set(address, [...keys, { id, ...key }]);
    this.#keys.put(id, key);
    await syncRegistry(registry);
    return this.#derive(id).credentials;
  }

  /** Returns the key of the signer of the headers. @throws PolymarketRefusal */
  derive(headers: Headers, now: EpochMs): PolymarketCredentials {
    const { address, nonce } = this.#verifySignIn(headers, now);
    const key = this.listKeys(address).find((candidate) => candidate.nonce === nonce);
    if (key === undefined) throw badRequest('Could not derive api key!');
    return this.#derive(key.id).credentials;
  }

  /** Returns the caller of a signed private request. @throws PolymarketRefusal 401 */
  authenticate(headers: Headers, request: Omit<L2Request, 'timestamp'>, now: EpochMs): PolymarketCaller {
    const { address, apiKey, passphrase, signature, timestamp } = readOr401(() => readL2Headers(headers));
    const derived = this.#derive(apiKey);
    const caller = this.#toCaller(derived, passphrase);
    const expected = l2Signature({ ...request, timestamp }, (text) =>
      createHmac('sha256', derived.hmacKey).update(text).digest('base64'),
    );
    const isTimely = this.#isTimely(timestamp, now);
    if (caller?.key.address !== address || !isTimely || !isSameHash(signature, expected)) throw unauthorized();
    return caller;
  }

  findCaller({ apiKey, passphrase, secret }: PolymarketCredentials): PolymarketCaller | undefined {
    const derived = this.#derive(apiKey);
    return isSameHash(derived.credentials.secret, secret) ? this.#toCaller(derived, passphrase) : undefined;
  }

  /** Oldest first. */
  listKeys(address: string): readonly PolymarketKey[] {
    return this.#keysByAddress.get(address) ?? [];
  }

  /** Returns the id that orders and trades of the address show as `owner`; empty without a key. */
  newestKeyId(address: string): string {
    return this.listKeys(address).at(-1)?.id ?? '';
  }

  /**
   * Revokes a key and cancels its orders, both or neither.
   * @throws WireFault RATE_LIMITED for a full queue; Fault when the exchange refuses. The key then stays valid.
   */
  async revoke({ key, account }: PolymarketCaller): Promise<void> {
    const { queue } = this.#deps;
    const credential = key.number;
    await queue.run({
      command: () => {
        if (queue.view.credentialState(credential)?.revoked === true) return undefined;
        return { type: 'revokeCredential', time: queue.now, account, credential };
      },
      onApplied: () => {
        this.#keys.delete(key.id);
        this.#derived.delete(key.id);
        const others = this.listKeys(key.address).filter(({ id }) => id !== key.id);
        this.#keysByAddress.set(key.address, others);
      },
      answer: (events) => assertAccepted(events, 'REVOCATION_REFUSED', `API key ${key.id} could not be revoked`),
    });
  }

  /** Binds an unbound wallet to the address. @returns whether `maker` is the address or one of its wallets */
  bindMaker(address: string, maker: string): boolean {
    if (maker === address) return true;
    const owner = this.#wallets.get(maker);
    if (owner !== undefined) return owner === address;
    if (this.#keysByAddress.has(maker) || this.#deps.queue.view.accountOf(maker) !== 0) return false;
    const wallets = this.#walletsByAddress.get(address) ?? [];
    if (wallets.length >= MAX_WALLETS_PER_ADDRESS) return false;
    this.#wallets.put(maker, address);
    this.#walletsByAddress.set(address, [...wallets, maker]);
    return true;
  }

  /** Returns the owner of a wallet. Returns any other address unchanged. */
  ownerAddress(maker: string): string {
    return this.#wallets.get(maker) ?? maker;
  }

  /** Returns the maker address that orders show: the address's newest wallet, or else the address itself. */
  shownMaker(address: string): string {
    return this.#walletsByAddress.get(address)?.at(-1) ?? address;
  }

  #verifySignIn(headers: Headers, now: EpochMs): { readonly address: `0x${string}`; readonly nonce: string } {
    const signIn = readOr401(() => readL1Headers(headers), POLYMARKET_ERRORS.badL1Headers);
    if (!this.#isTimely(signIn.timestamp, now) || !this.#deps.signIns.isSigned(signIn, signIn.signature))
      throw new PolymarketRefusal(401, POLYMARKET_ERRORS.badL1Headers);
    return { address: signIn.address, nonce: String(signIn.nonce) };
  }

  #isTimely(seconds: string, now: EpochMs): boolean {
    return Math.abs(Number(seconds) * 1_000 - now) <= this.#deps.settings.maxClockSkewSeconds * 1_000;
  }

  #toCaller({ key, credentials }: DerivedKey, passphrase: string): PolymarketCaller | undefined {
    if (!isSameHash(credentials.passphrase, passphrase) || key === undefined) return undefined;
    return { key, account: unchecked.account(this.#deps.queue.view.accountOf(key.address)) };
  }

  #derive(id: string): DerivedKey {
    const cached = this.#derived.get(id);
    if (cached !== undefined) return cached;
    const { hash } = this.#deps.access.deps;
    const digest = Buffer.from(hash.compute('polymarket', `secret ${id}`), 'hex');
    const secret = digest.toString('base64').replaceAll('+', '-').replaceAll('/', '_');
    const credentials = { apiKey: id, secret, passphrase: hash.compute('polymarket', `passphrase ${id}`) };
    const row = this.#keys.get(id);
    const key = row === undefined ? undefined : { id, ...row };
    const derived = { key, credentials, hmacKey: createSecretKey(l2SecretBytes(secret)) };
    // Do not cache unknown ids, because anybody may send any number of them.
    if (key !== undefined) this.#derived.set(id, derived);
    return derived;
  }
}

function readOr401<Value>(read: () => Value, error: string = POLYMARKET_ERRORS.badApiKey): Value {
  try {
    return read();
  } catch (fault) {
    throw fault instanceof InputFault ? new PolymarketRefusal(401, error) : fault;
  }
}
