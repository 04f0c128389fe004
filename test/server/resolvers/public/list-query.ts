/** The query of a list of markets. */

export const LIST = `query ($input: MarketsInput) { markets(input: $input) {
  edges { cursor node { id createdAt volumeCents resolutionDate } }
  pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`;

export interface Node {
  readonly id: string;
  readonly createdAt: string;
  readonly volumeCents: number;
  readonly resolutionDate: string;
}
export interface Page {
  readonly edges: readonly { readonly cursor: string; readonly node: Node }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
  readonly totalCount: number;
}

export const ids = (page: Page): readonly string[] => page.edges.map(({ node }) => node.id);
