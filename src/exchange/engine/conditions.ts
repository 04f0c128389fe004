import { column, type EpochMs, type VenueMode } from '../../domain/index.ts';
import { AS_FLOAT } from '../accounts/columns.ts';
import { DEFAULT_CONFIG, type ExchangeConfig } from '../config.ts';
import type { QuotePolicyName } from '../quotes/retail-quote.ts';

/** Time, mode and configuration, for all checks. */
export class Conditions {
  /** Time of the current command or deadline; between commands, of the last event. */
  now: EpochMs = column.time(AS_FLOAT);
  isNormal = true;
  #mode: VenueMode = 'NORMAL';
  declare config: ExchangeConfig;
  declare quotePolicy: QuotePolicyName;

  constructor(config: ExchangeConfig = DEFAULT_CONFIG, quotePolicy: QuotePolicyName = 'additive') {
    this.now = column.time(0);
    this.config = Object.freeze({ ...config });
    this.quotePolicy = quotePolicy;
  }

  get mode(): VenueMode {
    return this.#mode;
  }

  set mode(mode: VenueMode) {
    this.#mode = mode;
    this.isNormal = mode === 'NORMAL';
  }
}
