/** Restrictions of callers by country or unverified email address. */
import type { Restriction } from '../../exchange/index.ts';
import type { OperationContext } from '../graphql/context.ts';
import type { Emails } from './emails.ts';
import type { GeoRule, GeoSettings, RestrictedAct } from './settings.ts';

interface RestrictionsDeps {
  readonly geo: Geo;
  readonly emails: Emails;
  readonly emailNeededFor: readonly RestrictedAct[];
}

export class Restrictions {
  readonly #deps: RestrictionsDeps;

  constructor(deps: RestrictionsDeps) {
    this.#deps = deps;
  }

  /**
   * The restriction of an act; undefined for none. CLOSE_ONLY allows orders that sell, but no new markets. EMAIL_NOT_VERIFIED takes
   * precedence over CLOSE_ONLY, because it forbids all orders.
   */
  restrictionOf(context: OperationContext, act: RestrictedAct): Restriction | undefined {
    const rule = this.#deps.geo.ruleFor(context);
    const isGeoBlocked = rule === 'BLOCKED' || (rule === 'CLOSE_ONLY' && act === 'CREATE_MARKET');
    if (isGeoBlocked) return 'GEO_BLOCKED';
    if (this.#lacksEmail(context, act)) return 'EMAIL_NOT_VERIFIED';
    return rule === 'CLOSE_ONLY' && act === 'ORDER' ? 'CLOSE_ONLY' : undefined;
  }

  #lacksEmail({ viewer }: OperationContext, act: RestrictedAct): boolean {
    if (!this.#deps.emailNeededFor.includes(act)) return false;
    return viewer === undefined || !this.#deps.emails.isVerified(viewer.account);
  }
}

/** The answer of `geoCheck`. */
export interface GeoAnswer {
  /** Whether the caller may trade, at least to close positions. */
  readonly allowed: boolean;
  /** Whether the caller may only sell, cancel, merge, claim and withdraw. */
  readonly closeOnly: boolean;
  /** Upper case; null for unknown. */
  readonly countryCode: string | null;
  readonly reason: string | null;
}

interface GeoDeps {
  /** Undefined for no restrictions. */
  readonly settings: GeoSettings | undefined;
  /** Whether a request's headers can be trusted. */
  readonly isProxied: (context: OperationContext) => boolean;
}

const COUNTRY = /^[A-Z][A-Z0-9]$/;

/** Looks up the rule for the caller's country. */
export class Geo {
  readonly #deps: GeoDeps;

  constructor(deps: GeoDeps) {
    this.#deps = deps;
  }

  check(context: OperationContext): GeoAnswer {
    const country = this.#country(context);
    const rule = this.#rule(country);
    return {
      allowed: rule !== 'BLOCKED',
      closeOnly: rule === 'CLOSE_ONLY',
      countryCode: country ?? null,
      reason: rule === 'ALLOWED' ? null : reasonOf(rule, country),
    };
  }

  ruleFor(context: OperationContext): GeoRule {
    return this.#rule(this.#country(context));
  }

  #country(context: OperationContext): string | undefined {
    const { settings, isProxied } = this.#deps;
    if (settings === undefined || !isProxied(context)) return undefined;
    const code = context.header(settings.countryHeader)?.trim().toUpperCase();
    return code !== undefined && COUNTRY.test(code) ? code : undefined;
  }

  #rule(country: string | undefined): GeoRule {
    const { settings } = this.#deps;
    if (settings === undefined) return 'ALLOWED';
    if (country === undefined) return settings.unknown;
    return Object.hasOwn(settings.rules, country) ? (settings.rules[country] ?? 'ALLOWED') : 'ALLOWED';
  }
}

function reasonOf(rule: GeoRule, country: string | undefined): string {
  const from = country === undefined ? 'where the country is not known' : `from ${country}`;
  return rule === 'BLOCKED' ? `no trading ${from}` : `${from} positions can only be closed`;
}
