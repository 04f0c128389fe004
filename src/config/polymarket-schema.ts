/** Schemas of the Polymarket dialect of a local venue (`serve --config`), and of a bot that trades on Polymarket. */
import { z } from 'zod';
import { POLYMARKET_TIERS } from '../protocol/polymarket/index.ts';
import { whole } from '../strategy/index.ts';
import { names, text } from './shared-parts.ts';

const TIERS = ['Standard', ...names(POLYMARKET_TIERS).filter((tier) => tier !== 'Standard')] as const;

export const DIALECTS = ['service', 'polymarket'] as const;

export const dialects = z
  .array(z.enum(DIALECTS))
  .default(['service'])
  .describe(
    'Interfaces: `service` is GraphQL and always on; `polymarket` adds REST and WebSockets below /polymarket. Default service.',
  );

export const polymarket = z
  .strictObject({
    chain_id: z.literal([137, 80_002]).default(137).describe('Chain of signatures, 137 or 80002. Default 137.'),
    order_version: z.literal([2, 3]).default(2).describe('Order version that the venue accepts, 2 or 3. Default 2.'),
    tier: z
      .enum([...TIERS, 'none'])
      .default('Standard')
      .describe('Tier of the rate limits of each signer; none for no limits. Default Standard.'),
    max_clock_skew_s: whole(1, 86_400, 60, 'Largest difference between a signed time and the clock, seconds.'),
    mined_ms: whole(0, 300_000, 2_000, 'Time from a match to its transaction, ms.'),
    confirmed_ms: whole(0, 300_000, 3_000, 'Time from a transaction to its confirmation, ms.'),
    rebate_bps: whole(0, 10_000, 0, 'Share of a taker fee that is shown to the maker as a rebate, bps; 2500 is 25 %.'),
    neg_risk_events: z
      .array(text)
      .max(1_000)
      .default(['next-rate-decision'])
      .describe(
        "Ids of events with neg-risk markets: at most one market of the event resolves to YES. Default next-rate-decision, the examples' event.",
      ),
    heartbeat_ms: whole(
      1_000,
      300_000,
      10_000,
      'The orders of an API key that sends heartbeats are cancelled after this time without a heartbeat, ms.',
    ),
  })
  .prefault({})
  .describe('The Polymarket dialect.');

/** How an account holds its money (docs/spec/polymarket.md#signed-messages). */
export const WALLETS = { eoa: 0, proxy: 1, safe: 2, deposit: 3 } as const;

export const polymarketVenue = z
  .strictObject({
    gamma_url: text
      .default('https://gamma-api.polymarket.com')
      .describe('URL of Gamma, which lists the markets. Default https://gamma-api.polymarket.com.'),
    wallet: z
      .enum(['eoa', 'proxy', 'safe', 'deposit'])
      .default('eoa')
      .describe(
        "Holder of the money: `eoa` is the key's own address; `proxy`, `safe` and `deposit` are wallets at `account.address`. Default eoa.",
      ),
    tier: z.enum(TIERS).default('Standard').describe('Tier of the rate limits of the account. Default Standard.'),
    sellable_from: z
      .enum(['matched', 'mined', 'confirmed'])
      .default('confirmed')
      .describe('Status of a trade at which its bought shares can be sold. Default confirmed.'),
  })
  .optional()
  .describe('The venue is Polymarket, and `url` is its CLOB. Default: a venue with GraphQL.');

/** Requires chain, socket URL and wallet address. Refuses an API key, which the bot derives from `account.key`. */
export function refuseIncompletePolymarket({
  value: { venue, account },
  issues,
}: z.core.ParsePayload<{
  readonly venue: {
    readonly chain_id: number;
    readonly ws_url?: string | undefined;
    readonly polymarket?: z.output<typeof polymarketVenue>;
  };
  readonly account: { readonly address?: string | undefined; readonly api_key?: unknown };
}>): void {
  if (venue.polymarket === undefined) return;
  const refuse = (path: string[], input: unknown, message: string): void =>
    void issues.push({ code: 'custom', message, path, input });
  if (venue.chain_id !== 137 && venue.chain_id !== 80_002)
    refuse(['venue', 'chain_id'], venue.chain_id, '137 (Polygon) or 80002 (its test chain) with venue.polymarket');
  const example = 'wss://ws-subscriptions-clob.polymarket.com/ws';
  if (venue.ws_url === undefined)
    refuse(['venue', 'ws_url'], undefined, `the URL of the channels with venue.polymarket, such as ${example}`);
  if (venue.polymarket.wallet !== 'eoa' && account.address === undefined)
    refuse(['account', 'address'], undefined, `the address of the ${venue.polymarket.wallet} wallet, in quotes`);
  const noKey = 'no value with venue.polymarket: the API key derives from account.key';
  if (account.api_key !== undefined) refuse(['account', 'api_key'], '(not shown)', noKey);
}
