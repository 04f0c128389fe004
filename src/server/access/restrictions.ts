/** What callers are kept from by where they are and by what they have not verified. */
import type { Restriction } from '../../exchange/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Emails } from './emails.ts';
import type { Geo } from './geo.ts';
import type { RestrictedAct } from './settings.ts';

/** What restrictions stand on. */
export interface RestrictionsDeps {
  readonly geo: Geo;
  readonly emails: Emails;
  readonly emailNeededFor: readonly RestrictedAct[];
}

/** Tells restrictions. */
export class Restrictions {
  readonly #deps: RestrictionsDeps;

  constructor(deps: RestrictionsDeps) {
    this.#deps = deps;
  }

  /**
   * What stands in the way of an act. CLOSE_ONLY lets orders through that sell and keeps from new markets; where an address
   * is not verified either, that is told, as it keeps from all orders.
   */
  for(context: OperationContext, act: RestrictedAct): Restriction | undefined {
    const rule = this.#deps.geo.ruleFor(context);
    const isClosedTo = rule === 'BLOCKED' || (rule === 'CLOSE_ONLY' && act === 'CREATE_MARKET');
    if (isClosedTo) return 'GEO_BLOCKED';
    if (this.#lacksEmail(context, act)) return 'EMAIL_NOT_VERIFIED';
    return rule === 'CLOSE_ONLY' && act === 'ORDER' ? 'CLOSE_ONLY' : undefined;
  }

  #lacksEmail({ viewer }: OperationContext, act: RestrictedAct): boolean {
    if (!this.#deps.emailNeededFor.includes(act)) return false;
    return viewer === undefined || !this.#deps.emails.isVerified(viewer.account);
  }
}
