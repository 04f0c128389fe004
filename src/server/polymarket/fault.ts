/** A refusal in Polymarket's form: a status and a body with `error`. */
import { POLYMARKET_ERRORS } from '../../protocol/polymarket/index.ts';

/** Extra members and headers of a refusal. */
interface RefusalDetail {
  readonly code?: string;
  readonly retry_after_seconds?: number;
  readonly heartbeat_id?: string;
}

export class PolymarketRefusal extends Error {
  readonly status: number;
  readonly body: Readonly<Record<string, string | number>>;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    error: string,
    detail: RefusalDetail = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(error);
    this.name = 'PolymarketRefusal';
    this.status = status;
    this.body = { error, ...detail };
    this.headers = headers;
  }
}

export function badRequest(error: string): PolymarketRefusal {
  return new PolymarketRefusal(400, error);
}

export function unauthorized(): PolymarketRefusal {
  return new PolymarketRefusal(401, POLYMARKET_ERRORS.badApiKey);
}

export function noBook(): PolymarketRefusal {
  return new PolymarketRefusal(404, POLYMARKET_ERRORS.noBook);
}
