import { Fault } from '../domain/index.ts';
import { NETWORK_LIMITS } from './limits.ts';

/** A page of a GraphQL connection. */
interface Page<Node> {
  readonly edges: readonly { readonly node: Node }[];
  readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
}

/**
 * Reads at most `max` entries of a venue's list, page by page.
 * @param read reads the first entries after a cursor, which is null for the first page
 * @throws Fault VENUE for too many pages, a repeated or missing cursor or an oversized page; any error of `read`
 */
export async function readPages<Node>(
  field: string,
  read: (input: { readonly first: number; readonly after: string | null }) => Promise<Page<Node>>,
  max: number = Number.POSITIVE_INFINITY,
): Promise<readonly Node[]> {
  const { pages, pageNodes } = NETWORK_LIMITS;
  const nodes: Node[] = [];
  let after: string | null = null;
  for (let count = 0; count < pages; count += 1) {
    const first = Math.min(pageNodes, max - nodes.length);
    const { edges, pageInfo }: Page<Node> = await read({ first, after });
    if (edges.length > first) throw listFault(field, `a page of ${edges.length} entries instead of at most ${first}`);
    for (const { node } of edges) nodes.push(node);
    if (!pageInfo.hasNextPage || nodes.length >= max) return nodes;
    if (pageInfo.endCursor === null) throw listFault(field, 'a next page without a cursor');
    if (pageInfo.endCursor === after) throw listFault(field, 'a next page with the same cursor');
    after = pageInfo.endCursor;
  }
  throw listFault(field, `no end after ${pages} pages`);
}

function listFault(field: string, problem: string): Fault {
  return new Fault('VENUE', `the venue's list ${field} has ${problem}. Ask the venue's operator`);
}
