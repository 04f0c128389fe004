/** Restrictions of callers by country. */
import type { OperationContext } from '../graphql/context.ts';
import type { Model } from '../presenters/models.ts';
import type { GeoRule, GeoSettings } from './settings.ts';

const COUNTRY = /^[A-Z][A-Z0-9]$/;

export class Geo {
  readonly #settings: GeoSettings | undefined;

  /** @param settings undefined for no restrictions. The HTTP server must remove their header unless a trusted proxy sent it. */
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
      reason: rule === 'ALLOWED' ? null : reasonOf(rule, country),
    };
  }

  ruleFor(context: OperationContext): GeoRule {
    return this.#rule(this.#country(context));
  }

  #country(context: OperationContext): string | undefined {
    if (this.#settings === undefined) return undefined;
    const code = context.header(this.#settings.countryHeader)?.trim().toUpperCase();
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
