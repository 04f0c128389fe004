/** What callers are kept from by where they are and by what they have not verified. */
import type { Side } from '../../domain/index.ts';
import type { Restriction } from '../../exchange/index.ts';
import type { OperationContext } from '../graphql/index.ts';
import type { Emails } from './emails.ts';
import type { Geo } from './geo.ts';
import type { EmailNeed } from './settings.ts';

/** What somebody is about to do. */
export type RestrictedAct = Side | 'CREATE_MARKET' | 'WITHDRAWAL';

/** What restrictions stand on. */
export interface RestrictionsOf {
  readonly geo: Geo;
  readonly emails: Emails;
  readonly emailNeededFor: readonly EmailNeed[];
}

/** Tells restrictions. */
export class Restrictions {
  readonly #of: RestrictionsOf;

  constructor(of: RestrictionsOf) {
    this.#of = of;
  }

  /**
   * What stands in the way of an act; where several do, what comes first in the order of `RejectReason`. For a SELL
   * CLOSE_ONLY stands in the way of nothing, so what comes after it is told.
   */
  for(context: OperationContext, act: RestrictedAct): Restriction | undefined {
    const rule = this.#of.geo.ruleFor(context);
    if (rule === 'BLOCKED') return 'GEO_BLOCKED';
    if (rule === 'CLOSE_ONLY' && act === 'CREATE_MARKET') return 'GEO_BLOCKED';
    const isClosing = act === 'SELL' || act === 'WITHDRAWAL';
    if (rule === 'CLOSE_ONLY' && !isClosing) return 'CLOSE_ONLY';
    if (this.#lacksEmail(context, act)) return 'EMAIL_NOT_VERIFIED';
    return rule === 'CLOSE_ONLY' ? 'CLOSE_ONLY' : undefined;
  }

  #lacksEmail({ viewer }: OperationContext, act: RestrictedAct): boolean {
    const need: EmailNeed = act === 'BUY' || act === 'SELL' ? 'ORDER' : act;
    if (!this.#of.emailNeededFor.includes(need)) return false;
    return viewer === undefined || !this.#of.emails.isVerified(viewer.account);
  }
}
