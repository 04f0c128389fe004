import { Fault } from '../../domain/index.ts';
import type { Refusal } from '../../exchange/index.ts';

/** Why an operator's command was not carried out. The message names the field and what would do. */
export class OperatorFault extends Fault {
  /** HTTP status of the answer. */
  readonly status: number;
  readonly refusal: Refusal | undefined;

  constructor(status: number, code: string, message: string, refusal?: Refusal) {
    super(code, message);
    this.name = 'OperatorFault';
    this.status = status;
    this.refusal = refusal;
  }
}

/** The exchange refuses. */
export function refusedByExchange(refusal: Refusal): OperatorFault {
  const { reason, field, limit, value, unit } = refusal;
  const about = field === undefined ? '' : `, ${field}`;
  const isState = reason === 'CONFLICT' && field === 'marketId';
  const compared =
    limit === undefined
      ? isState
        ? ': the market is in no state in which this can be done'
        : ''
      : `: ${value} against ${limit} ${(unit ?? '').toLowerCase()}`;
  return new OperatorFault(409, reason, `the exchange refuses (${reason}${about})${compared}`, refusal);
}
