/** Access to a configured venue: URL, signing domains, secrets. */
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { secureBytes, steadyClock } from '../clock/index.ts';
import type { LiveConfiguration } from '../config/live-file.ts';
import type { LiveFile } from '../config/live-schema.ts';
import { InputFault } from '../domain/index.ts';
import {
  type Log,
  type OrderCanceller,
  type PreflightInput,
  type Redactor,
  signIn,
  signOut,
  VenueHttp,
} from '../ops/index.ts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  loginDomain,
  lowerAddress,
  openPrimitives,
  type Signer,
  type SigningDomains,
  type SigningKey,
  signedMessages,
} from '../signing/index.ts';
import { openKey, readOperationTexts, readSecret } from '../venues/service/index.ts';

const BLINDING_BYTES = 32;
const NO_GRAPHQL = 'a venue with a GraphQL API. `record polymarket` records Polymarket';

/** Access to a venue, before the first request. */
export interface VenueAccess
  extends Pick<PreflightInput, 'clock' | 'signer' | 'messages' | 'http' | 'headers' | 'operations' | 'login'> {
  readonly domains: SigningDomains;
}

export type Owner = Pick<PreflightInput, 'credentials' | 'key' | 'address'>;

/** @throws InputFault for a missing secret of a header, FileFault for unusable operation files */
export async function openVenue({ configuration, file }: LiveConfiguration, redactor: Redactor): Promise<VenueAccess> {
  const { venue } = file;
  if (venue.polymarket !== undefined)
    throw configuration.locateFault(new InputFault('venue.polymarket', 'Polymarket', NO_GRAPHQL));
  const clock = steadyClock();
  const signer = await openSigner();
  const contract = lowerAddress(venue.contract ?? LOCAL_CONTRACT) ?? LOCAL_CONTRACT;
  const folder = dirname(configuration.path);
  const headers = secretHeaders(venue.headers, 'venue.headers', folder, redactor);
  const operations = readOperationTexts(venue.operations === undefined ? undefined : resolve(folder, venue.operations));
  const domains = { exchange: exchangeDomain(venue.chain_id, contract), login: loginDomain(venue.chain_id) };
  const http = new VenueHttp({
    url: venue.url,
    headers,
    clock,
    timeoutMs: venue.timeout_ms,
    textOf: (operation) => operations.textOf(operation),
  });
  const messages = signedMessages(signer, domains);
  const audience = (venue.audience ?? http.base).replace(/\/$/, '');
  return {
    clock,
    signer,
    http,
    headers,
    operations,
    login: { logins: messages.login, audience, statement: venue.login_statement },
    messages,
    domains,
  };
}

export async function openSigner(): Promise<Signer> {
  return createSigner(await openPrimitives({ blinding: secureBytes(BLINDING_BYTES) }));
}

/** Cancels every order, and logs a failure. Never rejects. */
export async function cancelQuietly(client: Pick<OrderCanceller, 'cancelAll'>, log: Log): Promise<void> {
  try {
    await client.cancelAll();
  } catch (error) {
    log.error({ err: error }, 'the last cancel failed');
  }
}

/** Reads the secrets, and registers them with the redactor. @throws as `openKey`, and InputFault */
export function openOwner({ configuration, file }: LiveConfiguration, signer: Signer, redactor: Redactor): Owner {
  const folder = dirname(configuration.path);
  const { key: source, api_key: apiKeySource, address: given } = file.account;
  const apiKey = apiKeySource === undefined ? undefined : secretOf(apiKeySource, 'account.api_key', folder, redactor);
  const key = source === undefined ? undefined : keyOf(source, folder, signer, redactor);
  const address = given === undefined ? key?.address : lowerAddress(given);
  return {
    key,
    address,
    credentials: { apiKey, key, address },
  };
}

/** Logs in. @throws Fault as `signIn` */
export async function logIn({ http, login }: VenueAccess, owner: Owner, redactor: Redactor): Promise<string> {
  const token = await signIn(http, owner.credentials, login);
  redactor.addSecret(token);
  return token;
}

/** Ends the session. Never rejects: a session that cannot be ended expires. */
export async function logOut({ http }: VenueAccess, owner: Pick<Owner, 'credentials'>, token: string): Promise<void> {
  await signOut(http, owner.credentials, token);
}

/** Headers with their secrets filled in. @throws InputFault for a missing secret */
export function secretHeaders(
  headers: LiveFile['venue']['headers'],
  field: string,
  folder: string,
  redactor: Redactor,
): Readonly<Record<string, string>> {
  const filled = Object.entries(headers).map(([name, value]) => [
    name,
    typeof value === 'string' ? value : secretOf(value, `${field}.${name}`, folder, redactor),
  ]);
  return Object.fromEntries(filled);
}

type SecretSource = NonNullable<LiveFile['account']['api_key']>;
type KeySetting = NonNullable<LiveFile['account']['key']>;

/** @throws InputFault for a missing secret, FileFault for a file that cannot be used */
export function secretOf(source: SecretSource, field: string, folder: string, redactor: Redactor): string {
  const secret = 'env' in source ? fromEnvironment(source.env, field) : readSecret(resolve(folder, source.file));
  redactor.addSecret(secret);
  return secret;
}

function keyOf(source: KeySetting, folder: string, signer: Signer, redactor: Redactor): SigningKey {
  if ('env' in source) {
    const text = fromEnvironment(source.env, 'account.key');
    redactor.addSecret(text);
    return openKey({ type: 'text', text, from: `environment variable ${source.env}` }, signer);
  }
  if ('file' in source) {
    const path = resolve(folder, source.file);
    redactor.addSecret(readSecret(path));
    return openKey({ type: 'file', path }, signer);
  }
  const password =
    'password_env' in source
      ? fromEnvironment(source.password_env, 'account.key.password_env')
      : readSecret(resolve(folder, source.password_file));
  redactor.addSecret(password);
  return openKey({ type: 'keystore', path: resolve(folder, source.keystore), password }, signer);
}

function fromEnvironment(name: string, field: string): string {
  const text = process.env[name];
  if (text === undefined || text.trim() === '') {
    throw new InputFault(
      field,
      undefined,
      `a secret in the environment variable ${name} (export it in the shell that starts this command)`,
    );
  }
  return text.trim();
}
