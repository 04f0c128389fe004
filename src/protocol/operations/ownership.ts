/** Markets that the account makes, wallets and withdrawals. */
export const OWNERSHIP = /* GraphQL */ `
  fragment WalletFields on Wallet { id address chainId status isDefault depositAddress createdAt }
  fragment WithdrawalFields on Withdrawal {
    id walletId toAddress amountCents feeCents status transactionHash createdAt updatedAt
  }

  query Wallets { wallets { ...WalletFields } }
  query Withdrawals($first: Int, $after: Cursor) {
    withdrawals(first: $first, after: $after) {
      edges { cursor node { ...WithdrawalFields } }
      pageInfo { ...PageInfoFields }
      totalCount
    }
  }

  mutation CreateMarket($input: CreateMarketInput!) {
    createMarket(input: $input) {
      market { ...MarketFields }
      initialOrder { ...OrderFields }
      duplicate
      rejection { ...RejectionFields }
    }
  }
  mutation CancelMarket($marketId: ID!) {
    cancelMarket(marketId: $marketId) {
      market { ...MarketFields }
      rejection { ...RejectionFields }
    }
  }
  mutation ProvisionWallet($chainId: Int!) { provisionWallet(chainId: $chainId) { wallet { ...WalletFields } } }
  mutation ExecuteWithdrawal($input: ExecuteWithdrawalInput!) {
    executeWithdrawal(input: $input) {
      withdrawal { ...WithdrawalFields }
      duplicate
      rejection { ...RejectionFields }
    }
  }
`;
