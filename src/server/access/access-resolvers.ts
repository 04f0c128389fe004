/** Resolvers of logins, keys, e-mail, geography, the calling account, wallets and withdrawals. */
import { unauthorized } from '../../protocol/index.ts';
import type { OperationContext, Viewer } from '../graphql/context.ts';
import type { TypedResolvers } from '../graphql/resolvers.ts';
import { compareSortKeys } from '../paging/cursors.ts';
import { createConnection, type PageArguments, readPage, reverseRows, sortedPage } from '../paging/pages.ts';
import type { Model, ServerModels } from '../presenters/models.ts';
import { presentRejection, refusalFault } from '../rejection.ts';
import type { Access } from './access.ts';
import type { ApiKey } from './api-keys.ts';
import { ALL_SCOPES } from './credentials.ts';
import type { FreshSession } from './sessions.ts';
import type { Wallet } from './wallets.ts';
import { readWithdrawal } from './withdrawal-message.ts';
import type { Withdrawal } from './withdrawals.ts';

type Resolvers = TypedResolvers<ServerModels>;

export function accessResolvers(access: Access) {
  const { logins, apiKeyService, emails, geo, wallets, withdrawalService, deps } = access;
  const presentSession = async ({ session, accessToken, refreshToken }: FreshSession, context: OperationContext) => {
    const viewer: Viewer = { account: session.account, credential: session.id, kind: 'session', scopes: ALL_SCOPES };
    const account = await presentAccount(access, { viewer, ip: context.ip });
    return { accessToken, refreshToken, tokenType: 'Bearer', expiresAt: session.access.endsAt, account };
  };
  return {
    Query: {
      authChallenge: ({ address }, { now }) => logins.createChallenge(address, now),
      geoCheck: (_args, context) => geo.check(context),
      me: (_args, context) => presentAccount(access, { viewer: requireViewer(context), ip: context.ip }),
      wallets: (_args, context) => {
        const accountWallets = wallets.ofAccount(requireViewer(context).account);
        return accountWallets.map((wallet, index) => presentWallet(wallet, index === 0));
      },
      withdrawals: (args, context) => listWithdrawals(access, requireViewer(context).account, args),
    },
    Mutation: {
      createSession: async ({ input }, context) => presentSession(await logins.logIn(input, context.now), context),
      refreshSession: async ({ refreshToken }, context) =>
        presentSession(await logins.refresh(refreshToken, context.now), context),
      revokeSession: async (_args, context) => {
        await logins.logOut(requireViewer(context));
        return { revoked: true };
      },
      createApiKey: async ({ input }, context) => {
        assertNotHalted(access);
        const { key, token } = await apiKeyService.create(requireViewer(context), input, context.now);
        return { apiKey: presentApiKey(key), secret: token };
      },
      revokeApiKey: async ({ id }, context) => {
        const revokedId = await apiKeyService.revoke(requireViewer(context).account, id, context.now);
        return { revokedId };
      },
      requestEmailVerification: ({ email }, context) => {
        assertNotHalted(access);
        return emails.request(requireViewer(context).account, email, context.now);
      },
      verifyEmail: ({ email, code }, context) => {
        assertNotHalted(access);
        return emails.verify(requireViewer(context).account, email, code, context.now);
      },
      provisionWallet: async ({ chainId }, context) => {
        assertNotHalted(access);
        const { account } = requireViewer(context);
        const wallet = await wallets.provision(account, chainId, context.now);
        return { wallet: presentWallet(wallet, wallets.ofAccount(account)[0]?.id === wallet.id) };
      },
      executeWithdrawal: async ({ input }, context) => {
        const { account } = requireViewer(context);
        const request = readWithdrawal(deps.messages, account, input);
        const restriction = access.getRestriction(context, 'WITHDRAWAL');
        const { withdrawal, duplicate, rejection } = await withdrawalService.execute(account, request, restriction);
        return {
          duplicate,
          withdrawal: withdrawal && presentWithdrawal(withdrawal),
          rejection: rejection && presentRejection(rejection),
        };
      },
    },
  } satisfies { Query: Partial<Resolvers['Query']>; Mutation: Partial<Resolvers['Mutation']> };
}

function presentAccount(
  access: Access,
  { viewer, ip }: { viewer: Viewer; ip: string },
): Model<'Account'> | Promise<Model<'Account'>> {
  const { deps, emails, keys, buckets } = access;
  const { account: address, scopes } = viewer;
  return deps.queue.read(() => {
    const { view } = deps.queue;
    const account = view.accountOf(address);
    const [state, archived] = [view.account(account), deps.archive.account(account)];
    if (state === undefined || archived === undefined)
      throw new Error(`Invariant: ${address} has a credential and no account`);
    const { email, isVerified } = emails.getEmail(address);
    return {
      id: address,
      address,
      email,
      emailVerified: isVerified,
      scopes,
      apiKeys: keys.ofAccount(address).map(presentApiKey),
      orderEpoch: state.epoch,
      rateBuckets: buckets.present({ viewer, ip }),
      createdAt: archived.openedAt,
    };
  });
}

function listWithdrawals(
  { withdrawals, deps: { cursors } }: Access,
  account: string,
  args: PageArguments,
): Model<'WithdrawalConnection'> {
  // Sort by number, because creation times may be equal or decrease.
  const getSortKey = ({ number }: Withdrawal) => ({ value: number, id: number });
  const list = { list: `withdrawals ${account}`, sort: 'CREATED_AT_DESC', getSortKey };
  const request = readPage(args, (cursor) => cursors.open(list, cursor));
  const page = sortedPage(reverseRows(withdrawals.ofAccount(account)), request, (row, sortKey) =>
    compareSortKeys(getSortKey(row), sortKey, 'descending'),
  );
  return createConnection(cursors, list, page, presentWithdrawal);
}

/**
 * Call this for operations other than reads, logins, heartbeats, logouts and revocations of keys.
 * @throws WireFault VENUE_MODE, because the callers' payloads have no `rejection`
 */
function assertNotHalted({ deps }: Access): void {
  if (deps.queue.view.mode === 'HALTED') throw refusalFault({ reason: 'VENUE_MODE' });
}

/** The access check (graphql/gate.ts) has already refused callers without credentials. */
function requireViewer({ viewer }: OperationContext): Viewer {
  if (viewer === undefined) throw unauthorized();
  return viewer;
}

function presentApiKey(key: ApiKey): Model<'ApiKey'> {
  const { id, label, scopes, ipAllowList, createdAt, delegate, lastUsedAt = null, expiresAt = null } = key;
  const delegateAddress = delegate?.address ?? null;
  return { id, label, scopes, ipAllowList, createdAt, delegateAddress, lastUsedAt, expiresAt };
}

/** @param isDefault true for the account's first wallet */
function presentWallet({ account: _, ...wallet }: Wallet, isDefault: boolean): Model<'Wallet'> {
  return { ...wallet, isDefault, depositAddress: wallet.depositAddress ?? null };
}

function presentWithdrawal(withdrawal: Withdrawal): Model<'Withdrawal'> {
  const { id, walletId, toAddress, amountCents, status, transactionHash = null, createdAt, updatedAt } = withdrawal;
  return { id, walletId, toAddress, amountCents, feeCents: 0, status, transactionHash, createdAt, updatedAt };
}
