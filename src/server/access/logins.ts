/**
 * Login by a signed challenge, refresh and logout. The error of an invalid login is always UNAUTHORIZED, without a
 * reason. The first login of an address opens its account and credits its play money.
 */
import { type EpochMs, unchecked } from '../../domain/index.ts';
import type { ExchangeCommand } from '../../exchange/index.ts';
import {
  BYTE_LENGTHS,
  type Raw,
  type RawCreateSessionInput,
  readCents,
  readHex,
  readSafeUint,
  unauthorized,
  unwrapRaw,
} from '../../protocol/index.ts';
import type { LoginMessage } from '../../signing/index.ts';
import { assertAccepted } from '../command-queue-types.ts';
import type { Viewer } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import { type Challenge, LoginChallenges } from './login-challenges.ts';
import type { AccessServiceDeps } from './ports.ts';
import type { FreshSession, Sessions } from './sessions.ts';

export interface LoginsDeps extends AccessServiceDeps {
  readonly sessions: Sessions;
}

export class Logins {
  readonly #deps: LoginsDeps;
  readonly #challenges: LoginChallenges;
  /** Running calls of `openAccount`, by address. */
  readonly #opening = new Map<string, Promise<void>>();

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
    this.#challenges = new LoginChallenges(deps.settings.challengeMs);
  }

  /** @throws WireFault for an invalid address */
  createChallenge(address: Raw<'Hex'>, now: EpochMs): Model<'AuthChallenge'> {
    const challenge = this.#challenges.issue(readHex('address', address, BYTE_LENGTHS.address), now);
    const { nonce, expiresAt } = challenge;
    return { nonce, typedData: this.#deps.messages.login.typedData(this.#message(challenge)), expiresAt };
  }

  /**
   * Opens a session for a signed challenge. A verified signature uses up the nonce.
   * @throws WireFault UNAUTHORIZED for an invalid login; `invalid argument` for a malformed field
   */
  async logIn(input: RawCreateSessionInput, now: EpochMs): Promise<FreshSession> {
    const { messages, sessions } = this.#deps;
    const challenge: Challenge = {
      address: readHex('address', input.address, BYTE_LENGTHS.address),
      nonce: readHex('nonce', input.nonce, BYTE_LENGTHS.nonce),
      issuedAt: unchecked.time(readSafeUint('issuedAt', input.issuedAt)),
      expiresAt: unchecked.time(readSafeUint('expiresAt', input.expiresAt)),
    };
    // Check the nonce first, because a hash is about 40 times faster than a signature check.
    if (!this.#challenges.isValid(challenge, now)) throw unauthorized();
    if (!messages.login.verify(this.#message(challenge), unwrapRaw(input.signature)).ok) throw unauthorized();
    this.#challenges.markUsed(challenge, now);
    await this.openAccount(challenge.address);
    return sessions.open(challenge.address, now);
  }

  /** @throws WireFault UNAUTHORIZED */
  async refresh(refreshToken: string, now: EpochMs): Promise<FreshSession> {
    const fresh = await this.#deps.sessions.refresh(refreshToken, now);
    if (fresh === undefined) throw unauthorized();
    return fresh;
  }

  /**
   * Ends the caller's session and keeps its orders. Disarms the session's dead-man's switch, because no later heartbeat
   * could renew the switch.
   * @throws Fault when the exchange refuses to disarm. The session has then ended, but its switch is still armed.
   */
  async logOut({ account, credential }: Viewer): Promise<void> {
    const { sessions, queue, clock } = this.#deps;
    const number = sessions.get(credential)?.number;
    await sessions.end(credential);
    if (number === undefined) return;
    await queue.run({
      command: () => {
        if (queue.view.credentialState(number) === undefined) return undefined;
        const fields = { time: clock.now(), account: unchecked.account(queue.view.accountOf(account)) };
        return { type: 'disarmHeartbeat', ...fields, credential: number };
      },
      answer: (events) =>
        assertAccepted(events, 'DISARM_REFUSED', "the session's dead-man's switch cannot be disarmed"),
    });
  }

  /**
   * Opens the account of an address if none exists, then credits the account if its ledger is empty. After a crash
   * between these steps, the next login completes the credit. Concurrent calls for one address share one promise.
   * @throws Fault when the venue accepts no more accounts
   */
  openAccount(address: string): Promise<void> {
    const running = this.#opening.get(address);
    if (running !== undefined) return running;
    const opening = this.#openAndCredit(address).finally(() => this.#opening.delete(address));
    this.#opening.set(address, opening);
    return opening;
  }

  async #openAndCredit(address: string): Promise<void> {
    const { clock, queue, archive, settings } = this.#deps;
    const { creditCents } = settings;
    await this.#runAccountCommand(() => {
      if (queue.view.accountOf(address) !== 0) return undefined;
      return { type: 'openAccount', time: clock.now(), address, unlimited: false };
    });
    if (creditCents === 0) return;
    const account = unchecked.account(queue.view.accountOf(address));
    const isLedgerEmpty = await queue.read(() => archive.account(account)?.entries === 0);
    const amount = readCents('creditCents', creditCents);
    if (isLedgerEmpty) await this.#runAccountCommand(() => ({ type: 'transfer', time: clock.now(), account, amount }));
  }

  async #runAccountCommand(command: () => ExchangeCommand | undefined): Promise<void> {
    await this.#deps.queue.run({
      command,
      answer: (events) => assertAccepted(events, 'ACCOUNT_REFUSED', 'an account could not be opened'),
    });
  }

  #message({ address, nonce, issuedAt, expiresAt }: Challenge): LoginMessage {
    const { audience, statement } = this.#deps.settings;
    return { account: address, statement, audience, nonce, issuedAt, expiresAt };
  }
}
