/** Access control: credentials, rate limits, restrictions, wallets and withdrawals. */
import { type CredentialNo, timeAfter } from '../../domain/index.ts';
import type { Restriction } from '../../exchange/index.ts';
import { BYTE_LENGTHS, parseHex, type RawWithdrawalIntent, unauthorized } from '../../protocol/index.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import { syncRegistry } from '../registry-rows.ts';
import { ApiKeyService } from './api-key-service.ts';
import { ApiKeys } from './api-keys.ts';
import { Buckets } from './buckets.ts';
import { Credentials } from './credentials.ts';
import { Emails } from './emails.ts';
import { Logins } from './logins.ts';
import { OrphanedSwitches } from './orphaned-switches.ts';
import { Payouts } from './payouts.ts';
import type { AccessDeps, AccessServiceDeps } from './ports.ts';
import { CredentialNumbers, SecretHash } from './secrets.ts';
import { Sessions } from './sessions.ts';
import { type AccessSettings, COUNTRY_CODE, type GeoRule, type GeoSettings, type RestrictedAct } from './settings.ts';
import { Wallets } from './wallets.ts';
import { prepareWithdrawal } from './withdrawal-message.ts';
import { WithdrawalService } from './withdrawal-service.ts';
import { Withdrawals } from './withdrawals.ts';

export class Access {
  readonly deps: AccessServiceDeps;
  readonly buckets: Buckets;
  readonly credentials: Credentials;
  readonly geo: Geo;
  readonly emails: Emails;
  readonly logins: Logins;
  readonly sessions: Sessions;
  readonly switches: OrphanedSwitches;
  readonly keys: ApiKeys;
  readonly apiKeyService: ApiKeyService;
  readonly wallets: Wallets;
  readonly withdrawals: Withdrawals;
  readonly withdrawalService: WithdrawalService;
  readonly #payouts: Payouts;

  /** Loads all durable rows. `resume` continues unfinished work. */
  constructor(deps: AccessDeps, settings: AccessSettings) {
    const { registry } = deps;
    const serviceDeps = { ...deps, settings, hash: new SecretHash(registry), numbers: new CredentialNumbers(registry) };
    this.deps = serviceDeps;
    const onCredentialEnd = (credential: string): void => {
      this.buckets.remove(credential);
      this.credentials.notifyEnded(credential);
    };
    this.buckets = new Buckets(deps.clock, settings);
    this.switches = new OrphanedSwitches(deps);
    this.sessions = new Sessions({
      ...serviceDeps,
      onEnd: (session) => {
        this.switches.onSessionEnded(session);
        onCredentialEnd(session.id);
      },
    });
    this.keys = new ApiKeys(serviceDeps);
    this.credentials = new Credentials({ ...serviceDeps, sessions: this.sessions, keys: this.keys });
    this.apiKeyService = new ApiKeyService({ ...serviceDeps, keys: this.keys, onRevoked: onCredentialEnd });
    this.logins = new Logins({ ...serviceDeps, sessions: this.sessions });
    this.geo = new Geo(settings.geo);
    this.emails = new Emails(serviceDeps);
    this.wallets = new Wallets(serviceDeps);
    this.withdrawals = new Withdrawals(registry);
    this.#payouts = new Payouts({ ...deps, withdrawals: this.withdrawals });
    const { wallets, withdrawals } = this;
    this.withdrawalService = new WithdrawalService({ ...serviceDeps, wallets, withdrawals, payouts: this.#payouts });
  }

  /**
   * Returns the caller's restriction for an act; undefined for none. CLOSE_ONLY allows sell orders, but no new markets.
   * EMAIL_NOT_VERIFIED takes precedence over CLOSE_ONLY, because it forbids all orders.
   */
  getRestriction(context: OperationContext, act: RestrictedAct = 'ORDER'): Restriction | undefined {
    const rule = this.geo.getRule(context);
    if (rule === 'BLOCKED' || (rule === 'CLOSE_ONLY' && act === 'CREATE_MARKET')) return 'GEO_BLOCKED';
    const { viewer } = context;
    const needsEmail = this.deps.settings.emailNeededFor.includes(act);
    if (needsEmail && (viewer === undefined || !this.emails.isVerified(viewer.account))) return 'EMAIL_NOT_VERIFIED';
    return rule === 'CLOSE_ONLY' && act === 'ORDER' ? 'CLOSE_ONLY' : undefined;
  }

  /** Returns whether a valid key of the account names the signer as its delegate. Both addresses are in lower case. */
  isDelegate(account: string, signer: string): boolean {
    return this.keys.isDelegate(account, signer, this.deps.clock.now());
  }

  /** Returns the exchange's number of a credential. @throws WireFault UNAUTHORIZED if the credential has ended */
  credentialNo({ credential }: Viewer): CredentialNo {
    const number = this.credentials.getNumber(credential);
    if (number === undefined) throw unauthorized();
    return number;
  }

  /** @throws WireFault for an invalid withdrawal */
  prepareWithdrawal({ account }: Viewer, intent: RawWithdrawalIntent): Model<'SigningParams'> {
    const address = parseHex('account', account, BYTE_LENGTHS.address);
    const expiresAt = timeAfter(this.deps.clock.now(), this.deps.settings.withdrawalMs);
    return prepareWithdrawal(this.deps.messages, address, intent, expiresAt);
  }

  /** Continues work that the previous run left unfinished. Call this once, when the queue accepts commands. */
  async resume(): Promise<void> {
    await this.apiKeyService.resume();
    this.switches.resume();
    await syncRegistry(this.deps.registry);
    this.wallets.resume();
    this.#payouts.resume();
  }

  /** Cancels all timers, and waits until received payout updates are written. */
  async close(): Promise<void> {
    this.credentials.close();
    this.switches.close();
    await this.#payouts.waitForWrites();
  }
}

/** Restricts callers by country. The HTTP server must remove `countryHeader` unless a trusted proxy sent it. */
class Geo {
  readonly #settings: GeoSettings | undefined;

  constructor(settings: GeoSettings | undefined) {
    this.#settings = settings;
  }

  check(context: OperationContext): Model<'GeoCheck'> {
    const country = this.#country(context);
    const rule = this.#rule(country);
    return {
      allowed: rule !== 'BLOCKED',
      closeOnly: rule === 'CLOSE_ONLY',
      countryCode: country ?? null,
      reason: rule === 'ALLOWED' ? null : describeRule(rule, country),
    };
  }

  getRule(context: OperationContext): GeoRule {
    return this.#rule(this.#country(context));
  }

  #country(context: OperationContext): string | undefined {
    if (this.#settings === undefined) return undefined;
    const code = context.header(this.#settings.countryHeader)?.trim().toUpperCase();
    return code !== undefined && COUNTRY_CODE.test(code) ? code : undefined;
  }

  #rule(country: string | undefined): GeoRule {
    const settings = this.#settings;
    if (settings === undefined) return 'ALLOWED';
    if (country === undefined) return settings.unknown;
    return settings.rules[country] ?? 'ALLOWED';
  }
}

function describeRule(rule: GeoRule, country: string | undefined): string {
  const from = country === undefined ? 'where the country is not known' : `from ${country}`;
  return rule === 'BLOCKED' ? `no trading ${from}` : `${from} positions can only be closed`;
}
