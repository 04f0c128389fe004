/** Access control: credentials, rate limits, restrictions, wallets and withdrawals. */

import type { CredentialNo } from '../../domain/index.ts';
import type { NameTransfer, Restriction } from '../../exchange/index.ts';
import { BYTES, type HexText, parseHex, type RawWithdrawalIntent, unauthorized } from '../../protocol/index.ts';

import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { RequestQuota } from '../graphql/gate.ts';
import { syncRegistry } from '../registry-rows.ts';
import { Accounts } from './accounts.ts';
import { ApiKeyService } from './api-key-service.ts';
import { ApiKeys } from './api-keys.ts';
import { Buckets, requestQuota } from './buckets.ts';
import { CredentialNumbers } from './credential-numbers.ts';
import { Credentials } from './credentials.ts';
import { Emails } from './emails.ts';
import { LoginChallenges } from './login-challenges.ts';
import { Logins } from './logins.ts';
import { OrphanedSwitches } from './orphaned-switches.ts';
import { Payouts } from './payouts.ts';
import type { AccessDeps } from './ports.ts';
import { Geo, Restrictions } from './restrictions.ts';
import { SecretHash } from './secret-hash.ts';
import { Sessions, type SessionsDeps } from './sessions.ts';
import type { AccessSettings, RestrictedAct } from './settings.ts';
import { UsedDigests } from './used-digests.ts';
import { Wallets } from './wallets.ts';
import { offerWithdrawal, type WithdrawalSigningParams } from './withdrawal-message.ts';
import { WithdrawalService } from './withdrawal-service.ts';
import { Withdrawals } from './withdrawals.ts';

/** The interface of access control for the rest of the server. */
export class Access {
  readonly deps: AccessDeps;
  readonly settings: AccessSettings;
  readonly buckets: Buckets;
  readonly quota: RequestQuota;
  readonly credentials: Credentials;
  readonly geo: Geo;
  readonly emails: Emails;
  readonly logins: Logins;
  readonly sessions: Sessions;
  /** Dead-man's switches of ended sessions. */
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
  readonly #restrictions: Restrictions;

  /** Loads all durable rows. Starts no work before `resume`. */
  constructor(deps: AccessDeps, settings: AccessSettings) {
    const { clock, registry, queue, archive, messages, outbox, chain, log } = deps;
    this.deps = deps;
    this.settings = settings;
    const hash = new SecretHash(registry);
    const credentialNumbers = new CredentialNumbers(registry);
    this.hash = hash;
    this.credentialNumbers = credentialNumbers;
    const onEnded = (credential: string): void => {
      this.buckets.remove(credential);
      this.credentials.ended(credential);
    };
    this.buckets = new Buckets({ clock, sizes: settings.buckets, maxAnonymousCallers: settings.maxAnonymousCallers });
    this.quota = requestQuota(this.buckets);
    this.switches = new OrphanedSwitches({ registry, queue, log, now: () => clock.now() });
    const ended: SessionsDeps['ended'] = (session) => {
      this.switches.ended(session);
      onEnded(session.id);
    };
    this.sessions = new Sessions({ registry, hash, numbers: credentialNumbers, settings, ended }, clock.now());
    this.keys = new ApiKeys({ registry, hash, numbers: credentialNumbers });
    this.credentials = new Credentials({ clock, hash, sessions: this.sessions, keys: this.keys });
    const digests = new UsedDigests(registry, clock.now());
    this.apiKeyService = new ApiKeyService({
      clock,
      registry,
      queue,
      keys: this.keys,
      digests,
      messages,
      settings,
      ended: onEnded,
      log,
    });
    const accounts = new Accounts({ clock, queue, archive, creditCents: settings.creditCents });
    this.accounts = accounts;
    const challenges = new LoginChallenges(settings.challengeMs);
    this.logins = new Logins({ challenges, sessions: this.sessions, accounts, messages, settings, clock, queue });
    this.geo = new Geo({ settings: settings.geo, isProxied: deps.isProxied ?? (() => false) });
    this.emails = new Emails({ registry, hash, outbox, settings });
    this.#restrictions = new Restrictions({
      geo: this.geo,
      emails: this.emails,
      emailNeededFor: settings.emailNeededFor,
    });
    this.wallets = new Wallets({ registry, chain, chainIds: settings.walletChainIds, log });
    this.withdrawals = new Withdrawals(registry);
    const payouts = new Payouts({ clock, registry, queue, chain, withdrawals: this.withdrawals, log });
    this.#payouts = payouts;
    this.nameTransfer = payouts.nameTransfer;
    this.withdrawalService = new WithdrawalService({
      clock,
      queue,
      settings,
      wallets: this.wallets,
      withdrawals: this.withdrawals,
      onAccepted: (withdrawal) => payouts.start(withdrawal),
    });
  }

  /** The caller's restriction for an act; undefined for none. */
  restrictionOf(context: OperationContext, act: RestrictedAct = 'ORDER'): Restriction | undefined {
    return this.#restrictions.restrictionOf(context, act);
  }

  /** The caller's restriction for new markets. */
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
  offerWithdrawal(viewer: Viewer, intent: RawWithdrawalIntent): WithdrawalSigningParams {
    const times = { now: this.deps.clock.now(), lifeMs: this.settings.withdrawalMs };
    return offerWithdrawal(this.deps.messages, addressOf(viewer), intent, times);
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

function addressOf({ account }: Viewer): HexText {
  return parseHex('account', account, BYTES.address);
}
