import { buildSchema, introspectionFromSchema } from 'graphql';
import { describe, expect, it } from 'vitest';
import { introspectionDifferences, SCHEMA_SDL, schemaDifferences, venueSchema } from '../../../src/protocol/index.ts';

const NONE = { breaking: [], dangerous: [], other: [] };

/** The contract after a change of its text, which has to be there once. */
function changed(from: string, to: string) {
  expect(SCHEMA_SDL.split(from)).toHaveLength(2);
  return schemaDifferences(buildSchema(SCHEMA_SDL.replace(from, to)));
}

describe('differences of a served schema', () => {
  it('are none when the contract itself is served', () => {
    expect(introspectionDifferences(introspectionFromSchema(venueSchema()))).toEqual(NONE);
  });

  it('are breaking where something is lacking', () => {
    const { breaking, other } = changed(
      '  "Final positions and refunds that are not claimed yet."\n  claimablePositions: [Position!]!\n',
      '',
    );
    expect(breaking).toEqual(['Query.claimablePositions was removed.']);
    expect(other).toContain('-   claimablePositions: [Position!]!');
  });

  it('are breaking where a type or the need of an argument changed', () => {
    expect(changed('createdMarkets(first: Int,', 'createdMarkets(first: Int!,').breaking).toEqual([
      'Query.createdMarkets arg first has changed type from Int to Int!.',
    ]);
  });

  it('are dangerous where an answer may have new values', () => {
    const { breaking, dangerous } = changed(
      'enum HealthStatus { OK DEGRADED DOWN }',
      'enum HealthStatus { OK DEGRADED DOWN AWAY }',
    );
    expect(breaking).toEqual([]);
    expect(dangerous).toEqual(['AWAY was added to enum type HealthStatus.']);
  });

  it('are told where a client need not care', () => {
    expect(
      changed(
        'type RevokeSessionPayload { revoked: Boolean! }',
        'type RevokeSessionPayload { revoked: Boolean! why: String }',
      ),
    ).toEqual({
      ...NONE,
      other: ['+   why: String'],
    });
  });
});
