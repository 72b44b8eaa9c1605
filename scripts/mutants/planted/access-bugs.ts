// Planted bugs that let somebody in, or show or give them what is not theirs.
import type { PlantedBug } from '../planted-bug.ts'

export const accessBugs: readonly PlantedBug[] = [
  {
    name: 'limits: counted and not judged',
    in: 'countWithin',
    replace: ['do update set n = l.n + 1 where l.n + ${earlier} < ${limit.max}::int', 'do update set n = l.n + 1'],
    test: 'counted.test.ts › limits: many at once',
  },
  {
    name: 'idempotency: a key returns the order of another merchant',
    in: 'claimKey',
    replace: [
      'from idempotency_keys where api_key_id = ${a.owner} and key = ${key}`',
      'from idempotency_keys where key = ${key}`',
    ],
    test: 'create.test.ts › two API keys may use the same Idempotency-Key',
  },
  {
    name: 'payer cookie: a forged value is accepted',
    in: 'viewerOf',
    replace: [
      'value !== null && equalSecret(value, signed(deps, token, random)) ?',
      'value !== null && random !== null ?',
    ],
    test: 'planted-cookie.test.ts › payer cookie: values that this service did',
  },
  {
    name: 'login: a code works after it expired',
    in: 'findLiveCode',
    replace: [
      'expires_at > ${now}\n    order by created_at desc',
      'expires_at is not null\n    order by created_at desc',
    ],
    test: 'sign-in.test.ts › a code works once, for ten minutes, for its',
  },
  {
    name: 'login: wrong tries are counted without a lock',
    in: 'lockEmail',
    replace: ["holdLock(tx, 'sign-in email', email)", "holdLock(tx, 'sign-in email', `${Math.random()}`)"],
    test: 'sign-in.test.ts › wrong tries side by side are counted one',
  },
  {
    name: 'login: an ended session goes on',
    in: 'findLiveSession',
    replace: ['and s.merchant_id = ${a.merchantId} and s.revoked_at is null', 'and s.merchant_id = ${a.merchantId}'],
    test: 'session.test.ts › an ended session is refused at once, on every replica',
  },
  {
    name: 'login: an email outside the allow list signs in',
    in: 'decide',
    file: 'sign-in.ts',
    replace: ['!isRight || !isAdmitted', '!isRight'],
    test: 'sign-in.test.ts › an allow list admits who is on it, and nobody',
  },
  {
    name: 'confirmation: the code of another session is accepted',
    in: 'findLiveConfirmation',
    replace: [
      'where session_id = ${sessionId} and closed_at is null and expires_at > ${now}',
      'where closed_at is null and expires_at > ${now}',
    ],
    test: 'confirmation.test.ts › each session has a code of its own, however',
  },
  {
    name: 'console tokens: a token chooses its algorithm',
    in: 'makeTokens',
    replace: ['algorithms: [alg],', ''],
    test: 'token.test.ts › the algorithm, the type and the claims of',
  },
  {
    name: 'console tokens: a token never expires',
    in: 'makeTokens',
    replace: ['found.exp <= Math.floor(now.getTime() / 1000)', 'found.exp <= 0'],
    test: 'token.test.ts › a token says whose it is until it ends, to',
  },
  {
    name: 'login: every merchant is an operator',
    in: 'useConsoleGuard',
    replace: ['config.operator === true && !isOperator', 'config.operator === true && isOperator === null'],
    test: 'session.test.ts › an operator is known by the email, however it is written',
  },
  {
    name: 'keys: a revoked key is accepted',
    in: 'opens',
    replace: ['and k.revoked_at is null and', 'and'],
    test: 'guard.test.ts › whatever is wrong with a key, the answer',
  },
  {
    name: 'keys: a rotated key works for ever',
    in: 'opens',
    replace: ['(h.expires_at is null or h.expires_at > ${now})', 'true'],
    test: 'guard.test.ts › after a rotation the old key works until',
  },
  {
    name: 'keys: scopes are ignored',
    in: 'useKeyGuard',
    replace: ['!caller.scopes.includes(scope)', 'caller.scopes.length === 0'],
    test: 'guard.test.ts › a key does what its scopes say, and the refusal',
  },
  {
    name: 'addresses: a stolen session changes the receiving address at once',
    in: 'stepFor',
    replace: [
      "if (countsAtOnce(await trust())) return { kind: 'now' }",
      "await trust()\n  if (wish.address !== undefined) return { kind: 'now' }",
    ],
    test: 'theft.test.ts › a stolen token redirects no live money: the',
  },
  {
    name: 'addresses: a stolen mailbox changes the receiving address at once',
    in: 'countsAtOnce',
    replace: ['(trust.isFresh && trust.isKnownBrowser)', 'trust.isFresh'],
    test: 'theft.test.ts › a stolen mailbox signs in, and waits: only',
  },
  {
    name: 'confirmation: no act asks for a fresh sign-in',
    in: 'useConsoleGuard',
    replace: ["if (config.act === 'fresh' && !isFresh)", "if (config.act === 'fresh' && isFresh && !isFresh)"],
    test: 'confirmation.test.ts › every act that can move money asks an old',
  },
  {
    name: 'confirmation: a sign-in stays fresh for ever',
    in: 'freshUntil',
    replace: ['.getTime() + config.freshSignInMs)', '.getTime() + config.freshSignInMs * 100_000)'],
    test: 'confirmation.test.ts › every act that can move money asks an old',
  },
  {
    name: 'third party: live money is handed over at once',
    in: 'withWish',
    replace: ['const waits = !a.atOnce && !isSame(meanwhile, wish)', 'const waits = false && !isSame(meanwhile, wish)'],
    test: 'third-party.test.ts › third party: a thief of a session and a code',
  },
  {
    name: 'wallets: any signature takes an account over',
    in: 'requireSignature',
    replace: ['if (isSignedBy(account, text, signature.trim())) return', 'if (signature.trim() !== text) return'],
    test: 'ownership.test.ts › a signature by a key of the account takes',
  },
  {
    name: 'refunds: an old session names the refund address',
    in: 'addressOf',
    file: 'acts.ts',
    replace: ['    requireFresh(caller)\n', ''],
    test: 'own-refunds.test.ts › full or in parts, never more than the merchant',
  },
  {
    name: 'tenants: an order of another merchant is found',
    in: 'findOrder',
    replace: ['and o.merchant_id = ${a.merchantId}', ''],
    test: 'isolation.test.ts › what belongs to another merchant, or to the',
  },
  {
    name: 'tenants: a key of another merchant can be changed',
    in: 'lockKey',
    replace: [
      'where id = ${id} and merchant_id = ${merchantId} for no key update',
      'where id = ${id} for no key update',
    ],
    test: 'isolation.test.ts › what belongs to another merchant, or to the',
  },
  {
    name: 'tenants: orders settle to an address of another merchant',
    in: 'rowsOf',
    file: 'store.ts',
    replace: [
      '(select * from receiving_addresses where merchant_id = ${merchantId}) r',
      '(select * from receiving_addresses) r',
    ],
    test: 'isolation.test.ts › lists, sums, search and export have nothing',
  },
  {
    name: 'tenants: a suspended shop gets new pay addresses',
    in: 'chooseLeg',
    replace: ['  await requireOpenShop(deps, order)', ''],
    test: 'legs.test.ts › no further pay address, and those that were shown',
  },
  {
    name: 'secrets: a wrong master key starts',
    in: 'refuseOther',
    replace: ["secrets.open(row, 'master-key-check')", ''],
    test: 'master-key.test.ts › a database opens with its own key alone',
  },
  {
    name: 'settings: a master key of zeros is accepted',
    in: 'readMasterKey',
    file: 'secret-settings.ts',
    replace: ["name === 'MASTER_KEY' && isGuessableKey(value)", "name === 'MASTER_KEY' && value === ''"],
    test: 'config.test.ts › master keys that a sample shows or a hand',
  },
  {
    name: 'settings: every client counts as a proxy',
    in: 'readTrustProxy',
    replace: ['!isLoopbackInstall && isEverybody(range)', "!isLoopbackInstall && range === ''"],
    test: 'config.test.ts › off loopback a token that can be guessed',
  },
  {
    name: 'secrets: a new master key loses the recovery seed',
    in: 'sealedTables',
    replace: ['sealedNotices, sealedSeed]', 'sealedNotices]'],
    test: 'recovery.test.ts › a change of the master key keeps the seed',
  },
  {
    name: 'exit: a forged proof is accepted',
    in: 'checkProof',
    replace: ['if (vault !== vaultOf(factory, impl, route)) {', 'if (vault === factory) {'],
    test: 'proof.test.ts › whatever is changed in a proof, it is refused',
  },
  {
    name: 'exit: any code counts as the factory',
    in: 'isPinned',
    replace: ['return hexOf(keccak_256(bytes)) === runtime.hash', 'return hexOf(keccak_256(bytes)) !== "0x"'],
    test: 'exit.test.ts › nodes that do not agree, and code that is',
  },
  {
    name: 'wallets: a seed phrase is accepted and stored',
    in: 'refuseSecretFields',
    replace: [
      "if (typeof inner === 'string' && isPhrase(inner)) throw seed()",
      "if (typeof inner === 'number') throw seed()",
    ],
    test: 'refusals.test.ts › private keys and seeds are refused by name',
  },
  {
    name: 'attention: a refund address to approve is mailed to nobody',
    in: 'kinds',
    file: 'order-model/src/attention/kinds.ts',
    replace: ["refund_approval: 'approve_refund_address'", "refund_approval: 'wait'"],
    test: 'refund-address.test.ts › an address that comes with the link after the payment waits',
  },
]
