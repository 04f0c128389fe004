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

export class GraphiqlPage {
  readonly #endpoint: string;
  #packed: Promise<Buffer> | undefined;
  /** Shared by all requests, so that a client that does not read its answer does not cost 9 MB. */
  #plain: Promise<Buffer> | undefined;

  /** @param endpoint path of the GraphQL endpoint, for queries and sockets */
  constructor(endpoint: string) {
    this.#endpoint = endpoint;
  }

  /** The page, compressed with gzip if the client accepts it. */
  async body(acceptsGzip: boolean): Promise<Buffer> {
    this.#packed ??= pack(this.#endpoint);
    if (acceptsGzip) return this.#packed;
    this.#plain ??= this.#packed.then((packed) => promisify(gunzip)(packed));
    return this.#plain;
  }
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
