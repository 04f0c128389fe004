/** Reads that have to succeed: what stands in the way is a fault that says what to do. */
import { Fault } from '../../../domain/index.ts';
import type { Operation } from '../../../protocol/index.ts';
import type { OrdersOf } from './orders-of.ts';
import { outcomeOf } from './outcome.ts';

type AskOf = Pick<OrdersOf, 'transport' | 'trouble'>;

/** A page of a list. */
interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

const MOST_PAGES = 1_000;
const PAGE = 100;

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
  if (answer.type === 'errors' || answer.type === 'data') {
    throw new Fault('VENUE', `the venue cannot answer ${operation.field}: ${outcome.problem}`, { retryable: true });
  }
  throw new Fault('LINK', `no answer to ${operation.field}: ${outcome.problem}. Check the URL and the network`, {
    retryable: true,
  });
}

/** All nodes of a list, page by page. @throws Fault as `ask` */
export async function askAll<Data, Variables, Node>(
  of: AskOf,
  operation: Operation<Data, Variables>,
  variablesOf: (page: { readonly first: number; readonly after: string | null }) => Variables,
  pageOf: (data: Data) => Page<Node> | null,
): Promise<readonly Node[]> {
  const nodes: Node[] = [];
  let after: string | null = null;
  for (let count = 0; count < MOST_PAGES; count += 1) {
    const page: Page<Node> = await ask(of, operation, variablesOf({ first: PAGE, after }), pageOf);
    nodes.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage || page.pageInfo.endCursor === null) return nodes;
    after = page.pageInfo.endCursor;
  }
  throw new Fault('VENUE', `${operation.field} does not end after ${MOST_PAGES} pages`);
}
