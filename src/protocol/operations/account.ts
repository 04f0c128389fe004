/** Logins, keys, e-mail. */
export const ACCOUNT = /* GraphQL */ `
  fragment ApiKeyFields on ApiKey { id label scopes delegateAddress ipAllowList lastUsedAt expiresAt createdAt }
  fragment AccountFields on Account {
    id address email emailVerified scopes
    apiKeys { ...ApiKeyFields }
    orderEpoch
    rateBuckets { name capacity refillPerSecond remaining }
    createdAt
  }
  fragment SessionFields on SessionPayload {
    accessToken refreshToken tokenType expiresAt
    account { ...AccountFields }
  }
  fragment EmailFields on EmailPayload { email verified expiresAt }

  query AuthChallenge($address: Hex!) { authChallenge(address: $address) { nonce typedData expiresAt } }
  query Me { me { ...AccountFields } }

  mutation CreateSession($input: CreateSessionInput!) { createSession(input: $input) { ...SessionFields } }
  mutation RefreshSession($refreshToken: String!) { refreshSession(refreshToken: $refreshToken) { ...SessionFields } }
  mutation RevokeSession { revokeSession { revoked } }
  mutation CreateApiKey($input: CreateApiKeyInput!) {
    createApiKey(input: $input) {
      apiKey { ...ApiKeyFields }
      secret
    }
  }
  mutation RevokeApiKey($id: ID!) { revokeApiKey(id: $id) { revokedId } }
  mutation RequestEmailVerification($email: String!) { requestEmailVerification(email: $email) { ...EmailFields } }
  mutation VerifyEmail($email: String!, $code: String!) { verifyEmail(email: $email, code: $code) { ...EmailFields } }
`;
