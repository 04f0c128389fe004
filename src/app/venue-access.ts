/** Access to a configured venue: URL, signing domains, secrets. */
import { dirname, resolve } from 'node:path';
import process from 'node:process';
import { secureBytes, steadyClock } from '../clock/index.ts';
import type { LiveConfiguration } from '../config/live-file.ts';
import type { LiveFile } from '../config/live-schema.ts';
import { InputFault } from '../domain/index.ts';
import {
  AccountClient,
  type Log,
  logIn,
  logOut,
  type OrderCanceller,
  type PreflightInput,
  type Redactor,
  VenueHttp,
} from '../ops/index.ts';
import {
  createSigner,
  exchangeDomain,
  LOCAL_CONTRACT,
  loadPrimitives,
  loginDomain,
  lowerAddress,
  type Signer,
  signedMessages,
} from '../signing/index.ts';
import { openKey, readOperationTexts, readSecret } from '../venues/service/index.ts';

const BLINDING_BYTES = 32;
const GRAPHQL_VENUE = 'a venue with a GraphQL API. `record polymarket` records Polymarket';

export type VenueAccess = Readonly<Awaited<ReturnType<typeof openVenue>>>;
export type Owner = Pick<PreflightInput, 'credentials' | 'key' | 'address'>;

/** Opens access; sends nothing. @throws InputFault for Polymarket or a missing secret, FileFault for unusable files */
export async function openVenue(live: LiveConfiguration, redactor: Redactor) {
  const { configuration, file } = live;
  const { venue } = file;
  if (venue.polymarket !== undefined)
    throw configuration.locateFault(new InputFault('venue.polymarket', 'Polymarket', GRAPHQL_VENUE));
  const clock = steadyClock();
  const signer = await openSigner();
  const contract = lowerAddress(venue.contract ?? LOCAL_CONTRACT) ?? LOCAL_CONTRACT;
  const headers = createSecretReader(live, redactor).readHeaders(venue.headers, 'venue.headers');
  const folder = venue.operations && resolve(dirname(configuration.path), venue.operations);
  const operations = readOperationTexts(folder);
  const domains = { exchange: exchangeDomain(venue.chain_id, contract), login: loginDomain(venue.chain_id) };
  const http = new VenueHttp({
    url: venue.url,
    headers,
    clock,
    timeoutMs: venue.timeout_ms,
    getText: (operation) => operations.textOf(operation),
  });
  const messages = signedMessages(signer, domains);
  const audience = (venue.audience ?? http.baseUrl).replace(/\/$/, '');
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
  return createSigner(await loadPrimitives({ blinding: secureBytes(BLINDING_BYTES) }));
}

/** Cancels every order. Logs a failure. */
export async function tryCancelAll(client: Pick<OrderCanceller, 'cancelAll'>, log: Log): Promise<void> {
  try {
    await client.cancelAll();
  } catch (error) {
    log.error({ err: error }, 'the orders could not be cancelled');
  }
}

/** Reads the secrets, and registers them with the redactor. @throws as `openKey`, and InputFault */
export function openOwner(live: LiveConfiguration, signer: Signer, redactor: Redactor): Owner {
  const { key: source, api_key: apiKeySource, address: given } = live.file.account;
  const apiKey = apiKeySource && createSecretReader(live, redactor).read(apiKeySource, 'account.api_key');
  const key = source && readKey(source, live, signer, redactor);
  const address = given === undefined ? key?.address : lowerAddress(given);
  return { key, address, credentials: { apiKey, key, address } };
}

/** Like `openOwner`, but throws InputFault without a key or an address. @param given replaces the configuration */
export function openAccount(live: LiveConfiguration, signer: Signer, redactor: Redactor, given?: Owner) {
  const { key, address, credentials } = given ?? openOwner(live, signer, redactor);
  if (key === undefined || address === undefined) throw live.configuration.locateFault(missingKeyFault());
  return { key, address, credentials };
}

export function missingKeyFault(): InputFault {
  return new InputFault('account', undefined, 'a key that signs orders: key: { env: HALFSPREAD_KEY }');
}

/** Logs in. @throws Fault as `logIn` */
export async function logInAndRedact({ http, login }: VenueAccess, owner: Owner, redactor: Redactor): Promise<string> {
  const token = await logIn(http, owner.credentials, login);
  redactor.addSecret(token);
  return token;
}

export interface AccountOptions {
  readonly live: LiveConfiguration;
  readonly redactor: Redactor;
  /** Receives warnings without secrets. */
  readonly warn: (text: string) => void;
}

/**
 * Logs in, does the work, and logs out. Warns if the logout fails.
 * @throws InputFault for a missing secret; Fault LOGIN, LINK, BLOCKED
 */
export async function withAccount<T>(
  { live, redactor, warn }: AccountOptions,
  work: (client: AccountClient, session: { readonly account: Owner['address']; readonly url: string }) => Promise<T>,
): Promise<T> {
  const access = await openVenue(live, redactor);
  const owner = openOwner(live, access.signer, redactor);
  const token = await logInAndRedact(access, owner, redactor);
  try {
    return await work(new AccountClient(access.http), { account: owner.address, url: access.http.baseUrl });
  } finally {
    const problem = await logOut(access.http, owner.credentials, token);
    if (problem !== undefined) warn(redactor.text(`the session could not be ended and will expire: ${problem}`));
  }
}

/** Returns functions that read secrets of a configuration and register them with the redactor. */
export function createSecretReader({ configuration }: LiveConfiguration, redactor: Redactor) {
  /** @throws InputFault for a missing secret, FileFault for a file that cannot be used */
  const read = (source: NonNullable<LiveFile['account']['api_key']>, field: string): string => {
    const secret =
      'env' in source
        ? fromEnvironment(source.env, field)
        : readSecret(resolve(dirname(configuration.path), source.file));
    redactor.addSecret(secret);
    return secret;
  };
  return {
    read,
    /** Returns headers with their secrets filled in. @throws as `read` */
    readHeaders: (headers: LiveFile['venue']['headers'], field: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [
          name,
          typeof value === 'string' ? value : read(value, `${field}.${name}`),
        ]),
      ),
  };
}

type KeySetting = NonNullable<LiveFile['account']['key']>;

function readKey(source: KeySetting, { configuration }: LiveConfiguration, signer: Signer, redactor: Redactor) {
  const folder = dirname(configuration.path);
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
  const text = Object.hasOwn(process.env, name) ? process.env[name] : undefined;
  if (text === undefined || text.trim() === '') {
    const remedy = 'export it in the shell that starts this command';
    throw new InputFault(field, undefined, `a secret in the environment variable ${name} (${remedy})`);
  }
  return text.trim();
}
