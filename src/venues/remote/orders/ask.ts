/** Reads that have to succeed: what stands in the way is a fault that says what to do. */
import { Fault } from '../../../domain/index.ts';
import { type Page, type PageInput, readPages } from '../../../network/index.ts';
import type { Operation } from '../../../protocol/index.ts';
import type { OrdersOf } from './orders-of.ts';
import { outcomeOf } from './outcome.ts';

type AskOf = Pick<OrdersOf, 'transport' | 'trouble'>;

/** @throws Fault `LINK` when no answer comes, `VENUE` when the venue refuses */
export async function ask<Data, Variables, Payload>(
  of: AskOf,
  operation: Operation<Data, Variables>,
  variables: Variables,
  payloadOf: (data: Data) => Payload | null,
): Promise<Payload> {
  const answer = await of.transport.query(operation, variables);
  const outcome = outcomeOf(answer, payloadOf, of);
  if (outcome.type === 'done') return outcome.payload;
  if (outcome.type === 'refused') {
    throw new Fault('VENUE', `the venue refuses ${operation.field}: ${outcome.problem}`, {
      retryable: outcome.reason === 'RATE_LIMITED',
    });
  }
  if (answer.type === 'malformed') {
    throw new Fault('VENUE', `the venue's answer is not as the contract has it: ${outcome.problem}`, {
      retryable: true,
    });
  }
  if (answer.type === 'errors' || answer.type === 'data') {
    throw new Fault('VENUE', `the venue cannot answer ${operation.field}: ${outcome.problem}`, { retryable: true });
  }
  throw new Fault('LINK', `no answer to ${operation.field}: ${outcome.problem}. Check the URL and the network`, {
    retryable: true,
  });
}

/** All nodes of a list, page by page. @throws Fault as `ask` and `readPages` */
export function askAll<Data, Variables, Node>(
  of: AskOf,
  operation: Operation<Data, Variables>,
  variablesOf: (page: PageInput) => Variables,
  pageOf: (data: Data) => Page<Node> | null,
): Promise<readonly Node[]> {
  return readPages(operation.field, (page) => ask(of, operation, variablesOf(page), pageOf));
}
