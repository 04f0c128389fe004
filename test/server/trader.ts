/** A client that signs logins and orders itself and needs only the server's URL. */

import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  LOGIN_STATEMENT,
  loadPrimitives,
  loginDomain,
  NO_HASH,
  type OrderMessage,
  type SignedMessages,
  type Signer,
  type SigningKey,
  signedMessages,
} from '../../src/signing/index.ts';
import { LOCAL_CHAIN_ID } from '../../src/signing/messages.ts';
import type { LoginPins } from '../../src/venues/service/index.ts';

/** The signer and messages that all traders share. */
export interface SigningTools {
  readonly signer: Signer;
  readonly messages: SignedMessages;
}

/** The values that a login message of this venue must have. */
export function pinsOf({ messages }: Pick<SigningTools, 'messages'>, audience: string): LoginPins {
  return { logins: messages.login, audience, statement: LOGIN_STATEMENT };
}

/** A signed order and its digest. */
export interface SignedOrder {
  readonly hash: string;
  readonly message: OrderMessage;
  /** `PlaceOrderInput`. */
  readonly input: { readonly order: Readonly<Record<string, string | number | boolean>> };
}

/** The terms that a trader chooses. `signOrder` adds the other fields. */
export type TradeTerms = Pick<OrderMessage, 'marketId' | 'outcome' | 'side' | 'priceBps' | 'shares' | 'timestampMs'>;

/** Signing domains of the local venue. */
export const DOMAINS = { exchange: exchangeDomain(LOCAL_CHAIN_ID, LOCAL_CONTRACT), login: loginDomain(LOCAL_CHAIN_ID) };

/** Opens a signer for the local venue's domains. */
export async function openSigningTools(): Promise<SigningTools> {
  const signer = createSigner(await loadPrimitives({ blinding: new Uint8Array(32).fill(1) }));
  return { signer, messages: signedMessages(signer, DOMAINS) };
}

/** The key of trader `no`, counted from 1. */
export function keyOf({ signer }: SigningTools, no: number): SigningKey {
  return signer.key(`0x${no.toString(16).padStart(64, '7')}`);
}

/** Signs a GTC order for the key's own account. @param salt unique among the orders of this trader */
export function signOrder({ messages }: SigningTools, key: SigningKey, request: TradeTerms, salt: number): SignedOrder {
  const message: OrderMessage = {
    ...request,
    salt,
    maker: key.address,
    signer: key.address,
    timeInForce: 'GTC',
    postOnly: false,
    expiration: 0,
    epoch: 0,
    maxFeeBps: 1_000,
    replaces: NO_HASH,
  };
  const { hash, signature } = messages.order.sign(message, key);
  return { hash, message, input: { order: { ...messages.order.wire(message), signature } } };
}

/** Sends a GraphQL request. @returns `data` @throws Error without a connection, for another status or GraphQL errors */
export async function queryVenue(url: string, token: string | undefined, query: string, variables: object) {
  const answer = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const text = await answer.text();
  const { data, errors } = JSON.parse(text);
  if (answer.status !== 200 || errors !== undefined || data === undefined)
    throw new Refusal(`${answer.status} ${text}`);
  return data;
}

/** The server responded with an error. */
export class Refusal extends Error {}

/** Signs the venue's challenge. @returns the access token */
export async function login(url: string, { messages }: SigningTools, key: SigningKey): Promise<string> {
  const { authChallenge: challenge } = await queryVenue(
    url,
    undefined,
    'query ($a: Hex!) { authChallenge(address: $a) { nonce typedData } }',
    { a: key.address },
  );
  const offered = messages.login.compare(challenge.typedData, { account: key.address });
  if (!offered.ok) throw new Refusal(JSON.stringify(offered));
  const { nonce, issuedAt, expiresAt } = messages.login.wire(offered.message);
  const { signature } = messages.login.sign(offered.message, key);
  const { createSession } = await queryVenue(
    url,
    undefined,
    'mutation ($i: CreateSessionInput!) { createSession(input: $i) { accessToken } }',
    { i: { address: key.address, nonce, issuedAt, expiresAt, signature } },
  );
  return createSession.accessToken;
}
