import { buildSchema, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ACCESS, type Access, isRootField, SCHEMA_SDL } from '../../src/protocol/index.ts';

const schema = buildSchema(SCHEMA_SDL);

function rootFields(root: string): readonly string[] {
  const type = schema.getType(root);
  return isObjectType(type) ? Object.keys(type.getFields()) : [];
}

function fieldsWith(access: Access, root: string): readonly string[] {
  return rootFields(root).filter((field) => isRootField(field) && ACCESS[field] === access);
}

describe('ACCESS', () => {
  it('has exactly the root fields of the schema', () => {
    const all = ['Query', 'Mutation', 'Subscription'].flatMap(rootFields);
    expect(all).toHaveLength(72);
    expect(Object.keys(ACCESS)).toEqual(all);
  });

  it('makes the queries that the schema lists up to authChallenge public, and requires READ for the later ones', () => {
    const queries = rootFields('Query');
    const last = queries.indexOf('authChallenge');
    expect(fieldsWith('PUBLIC', 'Query')).toEqual(queries.slice(0, last + 1));
    expect(fieldsWith('READ', 'Query')).toEqual(queries.slice(last + 1));
  });

  it('makes the first six subscriptions of the schema public, and requires READ for the last three', () => {
    const subscriptions = rootFields('Subscription');
    expect(fieldsWith('PUBLIC', 'Subscription')).toEqual(subscriptions.slice(0, 6));
    expect(fieldsWith('READ', 'Subscription')).toEqual(subscriptions.slice(6));
  });

  it('makes no mutation public, and authorizes the two logins by their argument', () => {
    expect(fieldsWith('PUBLIC', 'Mutation')).toEqual([]);
    expect(fieldsWith('ARGUMENT', 'Mutation')).toEqual(['createSession', 'refreshSession']);
  });

  it('requires a session to create and revoke keys, end sessions and change the email address', () => {
    expect(fieldsWith('SESSION', 'Mutation')).toEqual(
      'revokeSession createApiKey revokeApiKey requestEmailVerification verifyEmail'.split(' '),
    );
  });

  it('requires CREATE_MARKET, WITHDRAW or TRADE for the other mutations', () => {
    expect(fieldsWith('CREATE_MARKET', 'Mutation')).toEqual(['createMarket', 'cancelMarket', 'disputeResolution']);
    expect(fieldsWith('WITHDRAW', 'Mutation')).toEqual(['provisionWallet', 'executeWithdrawal']);
    expect(fieldsWith('READ', 'Mutation')).toEqual([]);
    expect(fieldsWith('TRADE', 'Mutation')).toHaveLength(30 - 2 - 5 - 3 - 2);
  });
});

describe('isRootField', () => {
  it('is true for fields of the schema and false for introspection fields', () => {
    expect(['me', '__schema', '__typename', 'toString', 'hasOwnProperty'].filter(isRootField)).toEqual(['me']);
  });
});
