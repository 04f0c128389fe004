/** Balances and allowances of an account at the venue (docs/spec/polymarket.md#balances). */
import { z } from 'zod';
import { Fault } from '../../domain/index.ts';
import type { PolymarketContracts, PolymarketExchange } from '../../protocol/polymarket/index.ts';
import type { RestClient } from './rest-client.ts';

/** Amounts are whole micro-units as text, below a billion units. */
const BALANCE = z.object({
  balance: z
    .string()
    .regex(/^\d{1,15}$/)
    .transform(Number),
  allowances: z.record(z.string().max(100), z.string().regex(/^\d{1,78}$/)).nullish(),
});

/** Without `token`, methods read cash. @throws Fault as `RestClient.read`, or VENUE for an unreadable answer */
export class Balances {
  readonly #rest: Pick<RestClient, 'read' | 'sendPrivate'>;
  readonly #signatureType: number;

  constructor(rest: Pick<RestClient, 'read' | 'sendPrivate'>, signatureType: number) {
    this.#rest = rest;
    this.#signatureType = signatureType;
  }

  /** Reads the balance in micro-USD or micro-shares, without proceeds of unconfirmed trades. */
  async readBalance(token?: string): Promise<number> {
    return (await this.#read(token)).balance;
  }

  /** Refreshes the venue's cache, which redemptions and approvals do not update, and reads the balance. */
  async refreshAndRead(token?: string): Promise<number> {
    await this.#rest.sendPrivate({ path: '/balance-allowance/update', query: this.#query(token) });
    return this.readBalance(token);
  }

  /** Returns the contracts whose listed allowance is 0. A contract that the venue does not list counts as approved. */
  async readUnapproved(contracts: readonly string[], token?: string): Promise<readonly string[]> {
    const { allowances } = await this.#read(token);
    const none = Object.entries(allowances ?? {}).filter(([, amount]) => /^0*$/.test(amount));
    return contracts.filter((contract) => none.some(([address]) => address.toLowerCase() === contract));
  }

  /** Returns a fault that names the first exchange without an allowance; undefined if all exchanges are approved. */
  async findApprovalFault(
    contracts: PolymarketContracts,
    exchanges: Iterable<PolymarketExchange>,
    token?: string,
  ): Promise<Fault | undefined> {
    const names = [...exchanges];
    const addresses = names.map((name) => contracts[name]);
    const [refused] = await this.readUnapproved(addresses, token);
    if (refused === undefined) return undefined;
    const name = names.find((each) => contracts[each] === refused);
    const asset = token === undefined ? 'pUSD' : 'outcome tokens';
    const problem = `the exchange contract ${refused} (${name}) has no allowance for the account's ${asset}`;
    return new Fault('VENUE', `${problem}. Approve it once with the wallet that holds the money, then start again`);
  }

  #query(token: string | undefined): Readonly<Record<string, string>> {
    const asset = token === undefined ? { asset_type: 'COLLATERAL' } : { asset_type: 'CONDITIONAL', token_id: token };
    return { ...asset, signature_type: String(this.#signatureType) };
  }

  async #read(token: string | undefined): Promise<z.output<typeof BALANCE>> {
    const json = await this.#rest.read({ path: '/balance-allowance', query: this.#query(token) });
    const { data } = BALANCE.safeParse(json);
    if (data !== undefined) return data;
    throw new Fault('VENUE', 'a balance from Polymarket cannot be read', { retryable: true });
  }
}
