/** Wallets, one per account and chain. A wallet is PROVISIONING until the chain reports it ready. */
import { z } from 'zod';
import type { EpochMs } from '../../domain/index.ts';
import { RegistryTable } from '../../exchange/index.ts';
import { badArgument, type HexText, isHexText } from '../../protocol/index.ts';
import { optional, registryCodec, storedTime, syncRegistry } from '../registry-rows.ts';
import { newUuid } from '../wire-ids.ts';
import type { AccessServiceDeps } from './ports.ts';

export const storedHex = z.string().refine(isHexText);
const row = z.strictObject({
  /** UUID. */
  id: z.string(),
  /** Address in lower case. */
  account: z.string(),
  chainId: z.number(),
  address: storedHex,
  /** Undefined while PROVISIONING. */
  depositAddress: optional(storedHex),
  status: z.enum(['PROVISIONING', 'ACTIVE', 'DISABLED']),
  createdAt: storedTime,
});

export type Wallet = Readonly<z.output<typeof row>>;

export class Wallets {
  readonly #deps: AccessServiceDeps;
  readonly #table: RegistryTable<Wallet>;
  readonly #byAccount = new Map<string, readonly string[]>();

  constructor(deps: AccessServiceDeps) {
    this.#deps = deps;
    this.#table = new RegistryTable(deps.registry, 'wallet', registryCodec(row, 'a wallet'));
    const all = Array.from(this.#table.entries(), ([, wallet]) => wallet);
    for (const { id, account } of all.toSorted((a, b) => a.createdAt - b.createdAt)) this.#addToAccount(account, id);
  }

  get(account: string, id: string): Wallet | undefined {
    const wallet = this.#table.get(id);
    return wallet?.account === account ? wallet : undefined;
  }

  /** Returns the account's wallets, oldest first. The oldest is the account's default. */
  ofAccount(account: string): readonly Wallet[] {
    return (this.#byAccount.get(account) ?? []).flatMap((id) => this.#table.get(id) ?? []);
  }

  /**
   * Returns the account's wallet on a chain, or creates a wallet. Resolves when the wallet is durable.
   * @throws WireFault for an unsupported chain
   */
  async provision(account: string, chainId: number, now: EpochMs): Promise<Wallet> {
    const { settings, chain, registry } = this.#deps;
    if (!settings.walletChainIds.includes(chainId))
      throw badArgument('chainId', chainId, `one of ${settings.walletChainIds.join(', ')}`);
    const existing = this.ofAccount(account).find((wallet) => wallet.chainId === chainId);
    if (existing !== undefined) {
      // The wallet may not be durable yet.
      await syncRegistry(registry);
      return this.#table.get(existing.id) ?? existing;
    }
    const id = newUuid();
    const address = chain.computeWalletAddress({ id, chainId });
    const state = { depositAddress: undefined, status: 'PROVISIONING' } as const;
    const wallet: Wallet = { id, account, chainId, address, ...state, createdAt: now };
    this.#table.put(id, wallet);
    this.#addToAccount(account, id);
    await syncRegistry(registry);
    this.#requestProvisioning(wallet);
    return wallet;
  }

  /** Repeats the requests to the chain for wallets that are PROVISIONING. */
  resume(): void {
    for (const [, wallet] of this.#table.entries())
      if (wallet.status === 'PROVISIONING') this.#requestProvisioning(wallet);
  }

  #requestProvisioning({ id, chainId }: Wallet): void {
    this.#deps.chain.provision({ id, chainId }, (depositAddress) => this.#onReady(id, depositAddress));
  }

  #onReady(id: string, depositAddress: HexText): void {
    const wallet = this.#table.get(id);
    if (wallet?.status !== 'PROVISIONING') return;
    this.#table.put(id, { ...wallet, depositAddress, status: 'ACTIVE' });
    syncRegistry(this.#deps.registry).catch((err: unknown) => {
      this.#deps.log.error({ err, wallet: id }, 'a ready wallet could not be stored');
    });
  }

  #addToAccount(account: string, id: string): void {
    this.#byAccount.set(account, [...(this.#byAccount.get(account) ?? []), id]);
  }
}
