/** GraphiQL as one self-contained page. It has 9 MB, so it is built at the first request. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';

/** Initial text of the editor. */
const FIRST_QUERY = `# Markets of this venue. Ctrl-Enter runs; Ctrl-Space completes; the book on the left has every operation.
# Fields that need an account require a header (below): { "authorization": "Bearer <token>" }

{
  markets(input: { first: 5 }) {
    edges {
      node {
        id
        slug
        question
        status
        yesPriceBps
        noPriceBps
        bestBidBps
        bestAskBps
      }
    }
  }
}
`;

/** Returns the page, compressed with gzip if the client accepts it. */
export type GraphiqlPage = (acceptsGzip: boolean) => Promise<Buffer>;

/** @param endpoint path of the GraphQL endpoint, for queries and sockets */
export function graphiqlPage(endpoint: string): GraphiqlPage {
  let packed: Promise<Buffer> | undefined;
  /** Shared by all requests, so that a client that does not read its answer does not cost 9 MB. */
  let plain: Promise<Buffer> | undefined;
  return (acceptsGzip) => {
    packed ??= pack(endpoint);
    if (acceptsGzip) return packed;
    plain ??= packed.then((page) => promisify(gunzip)(page));
    return plain;
  };
}

async function pack(endpoint: string): Promise<Buffer> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL({
    endpoint,
    title: 'halfspread',
    subscriptionsProtocol: 'WS',
    defaultQuery: FIRST_QUERY,
  });
  return promisify(gzip)(page);
}
