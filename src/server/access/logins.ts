/** Login by a signed challenge, refresh and logout. Every invalid login is UNAUTHORIZED, without a reason. */
import { type EpochMs, Fault, unchecked } from '../../domain/index.ts';
import type { ExchangeEvent } from '../../exchange/index.ts';
import {
  BYTES,
  type Raw,
  type RawCreateSessionInput,
  readHex,
  readSafeUint,
  textOf,
  unauthorized,
} from '../../protocol/index.ts';
import type { LoginMessage } from '../../signing/index.ts';
import type { Viewer } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import type { Accounts } from './accounts.ts';
import type { Challenge, LoginChallenges } from './login-challenges.ts';
import type { AccessDeps } from './ports.ts';
import type { FreshSession, Sessions } from './sessions.ts';
import type { AccessSettings } from './settings.ts';

export interface LoginsDeps extends Pick<AccessDeps, 'clock' | 'queue' | 'messages'> {
  readonly challenges: LoginChallenges;
  readonly sessions: Sessions;
  readonly accounts: Accounts;
  readonly settings: Pick<AccessSettings, 'audience' | 'statement'>;
}

export class Logins {
  readonly #deps: LoginsDeps;

  constructor(deps: LoginsDeps) {
    this.#deps = deps;
  }

  /** @throws WireFault for an invalid address */
  challenge(address: Raw<'Hex'>, now: EpochMs): Model<'AuthChallenge'> {
    const { challenges, messages } = this.#deps;
    const challenge = challenges.issue(readHex('address', address, BYTES.address), now);
    const { nonce, expiresAt } = challenge;
    return { nonce, typedData: messages.login.typedData(this.#message(challenge)), expiresAt };
  }

  /**
   * Opens a session for a signed challenge. A verified signature uses up the nonce.
   * @throws WireFault UNAUTHORIZED for an invalid login; `invalid argument` for a malformed one
   */
  async login(input: RawCreateSessionInput, now: EpochMs): Promise<FreshSession> {
    const { challenges, messages, accounts, sessions } = this.#deps;
    const challenge: Challenge = {
      address: readHex('address', input.address, BYTES.address),
      nonce: readHex('nonce', input.nonce, BYTES.nonce),
      issuedAt: unchecked.time(readSafeUint('issuedAt', input.issuedAt)),
      expiresAt: unchecked.time(readSafeUint('expiresAt', input.expiresAt)),
    };
    // Check the nonce first: a hash is some forty times cheaper than a signature.
    if (!challenges.isValid(challenge, now)) throw unauthorized();
    if (!messages.login.verify(this.#message(challenge), textOf(input.signature)).ok) throw unauthorized();
    challenges.use(challenge, now);
    await accounts.open(challenge.address);
    return sessions.open(challenge.address, now);
  }

  /** @throws WireFault UNAUTHORIZED */
  async refresh(refreshToken: string, now: EpochMs): Promise<FreshSession> {
    const fresh = await this.#deps.sessions.refresh(refreshToken, now);
    if (fresh === undefined) throw unauthorized();
    return fresh;
  }

  /**
   * Ends the caller's session. Its orders stay. Disarms its dead-man's switch, which no later heartbeat could renew.
   * @throws Fault when the exchange refuses to disarm: the session has ended, but its switch is still armed
   */
  async logOut({ account, credential }: Viewer): Promise<void> {
    const { sessions, queue, clock } = this.#deps;
    const number = sessions.get(credential)?.number;
    await sessions.end(credential);
    if (number === undefined) return;
    await queue.run({
      command: () => {
        if (queue.view.switchOf(number) === undefined) return undefined;
        const fields = { time: clock.now(), account: unchecked.account(queue.view.accountOf(account)) };
        return { type: 'disarmHeartbeat', ...fields, credential: number };
      },
      answer: (events: readonly ExchangeEvent[]) => {
        const refused = events.find((event) => event.type === 'refused');
        if (refused !== undefined) throw new Fault('DISARM_REFUSED', `the exchange refused: ${refused.refusal.reason}`);
      },
    });
  }

  #message({ address, nonce, issuedAt, expiresAt }: Challenge): LoginMessage {
    const { audience, statement } = this.#deps.settings;
    return { account: address, statement, audience, nonce, issuedAt, expiresAt };
  }
}
