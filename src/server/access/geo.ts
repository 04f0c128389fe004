/** Where a caller asks from, and what may be done from there. */
import type { OperationContext } from '../graphql/context.ts';
import type { GeoRule, GeoSettings } from './settings.ts';

/** The answer of `geoCheck`. */
export interface GeoAnswer {
  /** May trade, if only to get out. */
  readonly allowed: boolean;
  /** May only sell, cancel, merge, claim and withdraw. */
  readonly closeOnly: boolean;
  /** Upper case; null where nobody told it. */
  readonly countryCode: string | null;
  readonly reason: string | null;
}

/** What geography stands on. */
export interface GeoDeps {
  /** Undefined: everybody may do everything. */
  readonly settings: GeoSettings | undefined;
  /** Whether a request's headers may be believed. */
  readonly isProxied: (context: OperationContext) => boolean;
}

const COUNTRY = /^[A-Z][A-Z0-9]$/;

/** Looks up callers in the table of countries. */
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
    const told = context.header(settings.countryHeader)?.trim().toUpperCase();
    return told !== undefined && COUNTRY.test(told) ? told : undefined;
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
