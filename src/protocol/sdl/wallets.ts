/** Wallets and withdrawals. */
export const WALLETS_SDL = `# ======== Wallets ========

"State of a wallet."
enum WalletStatus { PROVISIONING ACTIVE DISABLED }
"A wallet of the account on one chain."
type Wallet {
  "UUID" id: ID!
  address: Hex! chainId: Int! status: WalletStatus! isDefault: Boolean! depositAddress: Hex createdAt: Time!
}
"State of a withdrawal; FAILED returns the money."
enum WithdrawalStatus { PENDING BROADCAST CONFIRMED FAILED }
"A withdrawal."
type Withdrawal {
  id: ID! walletId: ID! toAddress: Hex! amountCents: Int! feeCents: Int! status: WithdrawalStatus! transactionHash: Hex createdAt: Time! updatedAt: Time!
}
"A withdrawal in a list."
type WithdrawalEdge { cursor: Cursor! node: Withdrawal! }
"A page of withdrawals, newest first."
type WithdrawalConnection { edges: [WithdrawalEdge!]! pageInfo: PageInfo! totalCount: Int! }
"The signed EIP-712 Withdrawal."
input ExecuteWithdrawalInput {
  walletId: ID! toAddress: Hex! amountCents: Int!
  "random, single use" nonce: UintString!
  "milliseconds since the epoch" deadline: UintString!
  signature: Hex!
  "the same id and message return the same withdrawal" clientWithdrawalId: String!
}
"Result of executeWithdrawal."
type WithdrawalPayload { withdrawal: Withdrawal duplicate: Boolean! rejection: Rejection }
"Result of provisionWallet."
type WalletPayload { wallet: Wallet! }

`;
