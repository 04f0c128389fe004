import { buildSchema, isObjectType } from 'graphql';
import { describe, expect, it } from 'vitest';
import { ACCESS, type Access, isRootField, SCHEMA_SDL } from '../../src/protocol/index.ts';

const schema = buildSchema(SCHEMA_SDL);

function rootFields(root: string): readonly string[] {
  const type = schema.getType(root);
  return isObjectType(type) ? Object.keys(type.getFields()) : [];
}

function having(access: Access, root: string): readonly string[] {
  return rootFields(root).filter((field) => isRootField(field) && ACCESS[field] === access);
}

describe('ACCESS', () => {
  it('knows every root field, and no other', () => {
    const all = ['Query', 'Mutation', 'Subscription'].flatMap(rootFields);
    expect(all).toHaveLength(72);
    expect(Object.keys(ACCESS)).toEqual(all);
  });

  it('opens queries up to authChallenge to everybody, and asks for READ from there on', () => {
    const queries = rootFields('Query');
    const last = queries.indexOf('authChallenge');
    expect(having('PUBLIC', 'Query')).toEqual(queries.slice(0, last + 1));
    expect(having('READ', 'Query')).toEqual(queries.slice(last + 1));
  });

  it('opens the first six subscriptions to everybody, and asks for READ for the last three', () => {
    const subscriptions = rootFields('Subscription');
    expect(having('PUBLIC', 'Subscription')).toEqual(subscriptions.slice(0, 6));
    expect(having('READ', 'Subscription')).toEqual(subscriptions.slice(6));
  });

  it('opens no mutation to everybody: the two logins prove themselves in their argument', () => {
    expect(having('PUBLIC', 'Mutation')).toEqual([]);
    expect(having('ARGUMENT', 'Mutation')).toEqual(['createSession', 'refreshSession']);
  });

  it('lets no key make keys, end sessions or touch the e-mail address', () => {
    expect(having('SESSION', 'Mutation')).toEqual(
      'revokeSession createApiKey revokeApiKey requestEmailVerification verifyEmail'.split(' '),
    );
  });

  it('asks for the scope that each mutation falls under', () => {
    expect(having('CREATE_MARKET', 'Mutation')).toEqual(['createMarket', 'cancelMarket', 'disputeResolution']);
    expect(having('WITHDRAW', 'Mutation')).toEqual(['provisionWallet', 'executeWithdrawal']);
    expect(having('READ', 'Mutation')).toEqual([]);
    expect(having('TRADE', 'Mutation')).toHaveLength(30 - 2 - 5 - 3 - 2);
  });
});

describe('isRootField', () => {
  it('knows what introspection adds from what the contract has', () => {
    expect(['me', '__schema', '__typename', 'toString', 'hasOwnProperty'].filter(isRootField)).toEqual(['me']);
  });
});
