/** Access control: credentials, rate limits, restrictions, wallets and withdrawals. */

import { type CredentialNo, timeAfter } from '../../domain/index.ts';
import type { NameTransfer, Restriction } from '../../exchange/index.ts';
import { BYTES, parseHex, type RawWithdrawalIntent, unauthorized } from '../../protocol/index.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import { syncRegistry } from '../registry-rows.ts';
import { Accounts } from './accounts.ts';
import { ApiKeyService } from './api-key-service.ts';
import { ApiKeys } from './api-keys.ts';
import { Buckets } from './buckets.ts';
import { CredentialNumbers } from './credential-numbers.ts';
import { Credentials } from './credentials.ts';
import { Emails } from './emails.ts';
import { Geo } from './geo.ts';
import { LoginChallenges } from './login-challenges.ts';
import { Logins } from './logins.ts';
import { OrphanedSwitches } from './orphaned-switches.ts';
import { Payouts } from './payouts.ts';
import type { AccessDeps } from './ports.ts';
import { SecretHash } from './secret-hash.ts';
import { type Session, Sessions } from './sessions.ts';
import type { AccessSettings, RestrictedAct } from './settings.ts';
import { UsedDigests } from './used-digests.ts';
import { Wallets } from './wallets.ts';
import { offerWithdrawal } from './withdrawal-message.ts';
import { WithdrawalService } from './withdrawal-service.ts';
import { type Withdrawal, Withdrawals } from './withdrawals.ts';

/** The interface of access control for the rest of the server. */
export class Access {
  readonly deps: AccessDeps;
  readonly settings: AccessSettings;
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
  readonly nameTransfer: NameTransfer;
  readonly accounts: Accounts;
  readonly hash: SecretHash;
  readonly credentialNumbers: CredentialNumbers;
  readonly #payouts: Payouts;

  /** Loads all durable rows. Starts no work before `resume`. */
  constructor(deps: AccessDeps, settings: AccessSettings) {
    const now = deps.clock.now();
    this.deps = deps;
    this.settings = settings;
    this.hash = new SecretHash(deps.registry);
    this.credentialNumbers = new CredentialNumbers(deps.registry);
    const shared = { ...deps, settings, hash: this.hash, numbers: this.credentialNumbers };
    const ended = (credential: string): void => {
      this.buckets.remove(credential);
      this.credentials.ended(credential);
    };
    const sessionEnded = (session: Session): void => {
      this.switches.ended(session);
      ended(session.id);
    };
    this.buckets = new Buckets(deps.clock, settings);
    this.switches = new OrphanedSwitches(deps);
    const sessions = new Sessions({ ...shared, ended: sessionEnded }, now);
    this.sessions = sessions;
    this.keys = new ApiKeys(shared);
    this.credentials = new Credentials({ ...shared, sessions, keys: this.keys });
    const digests = new UsedDigests(deps.registry, now);
    this.apiKeyService = new ApiKeyService({ ...shared, keys: this.keys, digests, ended });
    this.accounts = new Accounts(shared);
    const challenges = new LoginChallenges(settings.challengeMs);
    this.logins = new Logins({ ...shared, challenges, sessions, accounts: this.accounts });
    this.geo = new Geo(settings.geo);
    this.emails = new Emails(shared);
    this.wallets = new Wallets(shared);
    const withdrawals = new Withdrawals(deps.registry);
    this.withdrawals = withdrawals;
    const payouts = new Payouts({ ...deps, withdrawals });
    this.#payouts = payouts;
    this.nameTransfer = payouts.nameTransfer;
    const onAccepted = (withdrawal: Withdrawal): void => payouts.start(withdrawal);
    this.withdrawalService = new WithdrawalService({ ...shared, wallets: this.wallets, withdrawals, onAccepted });
  }

  /**
   * The caller's restriction for an act; undefined for none. CLOSE_ONLY allows orders that sell, but no new markets.
   * EMAIL_NOT_VERIFIED takes precedence over CLOSE_ONLY, because it forbids all orders.
   */
  restrictionOf(context: OperationContext, act: RestrictedAct = 'ORDER'): Restriction | undefined {
    const rule = this.geo.ruleFor(context);
    if (rule === 'BLOCKED' || (rule === 'CLOSE_ONLY' && act === 'CREATE_MARKET')) return 'GEO_BLOCKED';
    const { viewer } = context;
    const needsEmail = this.settings.emailNeededFor.includes(act);
    if (needsEmail && (viewer === undefined || !this.emails.isVerified(viewer.account))) return 'EMAIL_NOT_VERIFIED';
    return rule === 'CLOSE_ONLY' && act === 'ORDER' ? 'CLOSE_ONLY' : undefined;
  }

  creationRestrictionOf(context: OperationContext): Restriction | undefined {
    return this.restrictionOf(context, 'CREATE_MARKET');
  }

  /** Returns whether a valid key of the account names the address as its delegate. Both in lower case. */
  isDelegate(account: string, signer: string): boolean {
    return this.keys.delegates(account, signer, this.deps.clock.now());
  }

  /** The exchange's number of a caller's credential. @throws WireFault UNAUTHORIZED if it has ended */
  credentialNo({ credential }: Viewer): CredentialNo {
    const number = this.credentials.numberOf(credential);
    if (number === undefined) throw unauthorized();
    return number;
  }

  /** The answer of `signingParams` for a withdrawal. @throws WireFault for an invalid withdrawal */
  offerWithdrawal({ account }: Viewer, intent: RawWithdrawalIntent): Model<'SigningParams'> {
    const address = parseHex('account', account, BYTES.address);
    const expiresAt = timeAfter(this.deps.clock.now(), this.settings.withdrawalMs);
    return offerWithdrawal(this.deps.messages, address, intent, expiresAt);
  }

  /** Continues work that the last run left unfinished. Call it once, when the queue accepts commands. */
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
    await this.#payouts.settled();
  }
}
