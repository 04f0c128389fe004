/** Restrictions of callers by country. */
import type { OperationContext } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import type { GeoRule, GeoSettings } from './settings.ts';

const COUNTRY = /^[A-Z][A-Z0-9]$/;

export class Geo {
  readonly #settings: GeoSettings | undefined;
  readonly #isProxied: (context: OperationContext) => boolean;

  /**
   * @param settings undefined for no restrictions
   * @param isProxied returns whether a request's headers can be trusted
   */
  constructor(settings: GeoSettings | undefined, isProxied: (context: OperationContext) => boolean) {
    this.#settings = settings;
    this.#isProxied = isProxied;
  }

  check(context: OperationContext): Model<'GeoCheck'> {
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
    const settings = this.#settings;
    if (settings === undefined || !this.#isProxied(context)) return undefined;
    const code = context.header(settings.countryHeader)?.trim().toUpperCase();
    return code !== undefined && COUNTRY.test(code) ? code : undefined;
  }

  #rule(country: string | undefined): GeoRule {
    const settings = this.#settings;
    if (settings === undefined) return 'ALLOWED';
    if (country === undefined) return settings.unknown;
    return Object.hasOwn(settings.rules, country) ? (settings.rules[country] ?? 'ALLOWED') : 'ALLOWED';
  }
}

function reasonOf(rule: GeoRule, country: string | undefined): string {
  const from = country === undefined ? 'where the country is not known' : `from ${country}`;
  return rule === 'BLOCKED' ? `no trading ${from}` : `${from} positions can only be closed`;
}
