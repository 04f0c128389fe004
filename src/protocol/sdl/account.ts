/** Logins, keys, scopes, rate buckets. */
export const ACCOUNT_SDL = `# ======== Account and keys ========

"A permission of a credential. Sessions have all."
enum ApiScope {
  "protected queries and subscriptions" READ
  "orders, safety, split, merge, claim" TRADE
  "wallets, withdrawals" WITHDRAW
  "create, cancel and dispute markets" CREATE_MARKET
}
"A login nonce and the message to sign."
type AuthChallenge {
  "single use" nonce: Hex!
  "Login message" typedData: TypedData!
  expiresAt: Time!
}
"A key for bots; the secret is shown once, at creation."
type ApiKey {
  id: ID! label: String! scopes: [ApiScope!]!
  "address that may sign orders for the account while the key is valid" delegateAddress: Hex
  "empty: any address" ipAllowList: [String!]!
  lastUsedAt: Time expiresAt: Time createdAt: Time!
}
"A token bucket of the calling credential."
type RateBucket {
  "read, order or cancel" name: String!
  capacity: Int! refillPerSecond: Float! remaining: Float!
}
"The calling account."
type Account {
  id: ID! address: Hex! email: String emailVerified: Boolean!
  "of the calling credential" scopes: [ApiScope!]!
  apiKeys: [ApiKey!]!
  "the \`epoch\` that new orders must sign" orderEpoch: UintString!
  rateBuckets: [RateBucket!]! createdAt: Time!
}
"The signed login; nonce, issuedAt and expiresAt as in the challenge (milliseconds)."
input CreateSessionInput { address: Hex! nonce: Hex! issuedAt: UintString! expiresAt: UintString! signature: Hex! }
"The account's signed permission for another address to sign its orders (EIP-712 Delegate)."
input DelegateGrant {
  address: Hex!
  "random, single use" nonce: UintString!
  "milliseconds since the epoch" expiresAt: UintString!
  signature: Hex!
}
"A new key. It cannot have more scopes than the credential that creates it."
input CreateApiKeyInput { label: String! scopes: [ApiScope!]! expiresAt: Time ipAllowList: [String!] delegate: DelegateGrant }
"Tokens of a login."
type SessionPayload {
  accessToken: String!
  "valid once; each refresh returns a new one" refreshToken: String!
  "Bearer" tokenType: String!
  "expiry of the access token" expiresAt: Time!
  account: Account!
}
"Result of revokeSession."
type RevokeSessionPayload { revoked: Boolean! }
"A new key and its secret."
type CreateApiKeyPayload {
  apiKey: ApiKey!
  "pmk_<id>_<secret>, shown this once" secret: String!
}
"Result of revokeApiKey."
type RevokeApiKeyPayload { revokedId: ID! }
"Result of the e-mail mutations."
type EmailPayload { email: String! verified: Boolean! expiresAt: Time }

`;
