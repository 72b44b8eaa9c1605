// Bugs that let a thief keep what was copied for a moment: wallets' proofs, emails, notices, the address that money goes to.
import { type Mutant, plant } from '../plant.ts'

const server = 'packages/server/src'

const wallets = plant(
  {
    file: 'packages/rail-evm/src/node/wallet-signature.ts',
    tests: ['e2e/refund-address.slow.ts'],
    only: 'contract wallet',
  },
  [
    {
      name: 'wallets: any answer of a contract is a yes',
      find: 'answer.data?.slice(0, VALID.length).toLowerCase() === VALID',
      put: 'answer.data !== undefined',
      breaks: 'Whoever has the link gets back what a contract wallet paid.',
    },
    {
      name: 'wallets: gas without end',
      find: 'data, gas: GAS })',
      put: 'data })',
      breaks: 'A cent from a hostile contract keeps the nodes busy as long as they let it.',
    },
    {
      name: 'wallets: a contract that fails is a node that fails',
      find: 'if (isHalt(error)) return false',
      put: 'if (error === null) return false',
      breaks: 'Payers are told to try again for ever.',
    },
  ],
)

const accounts = [
  ...plant({ file: `${server}/login/accounts/email-change.ts`, tests: [`${server}/login/accounts/accounts.test.ts`] }, [
    {
      name: 'accounts: a cancel by the operator is told to one mailbox',
      find: 'const onFile = await store.listEmailsOnFile(tx, a.merchantId, open.oldEmail)',
      put: 'const onFile = [open.oldEmail]',
      breaks: 'Whoever took the current mailbox is the only one who hears that the way back was closed.',
    },
  ]),
  ...plant(
    { file: 'packages/embedded-postgres/src/start.ts', tests: ['packages/embedded-postgres/test/start.test.ts'] },
    [
      {
        name: 'database: started again at another address',
        find: 'running = await launch(cluster, binaries, options, running.port)',
        put: 'running = await launch(cluster, binaries, options, null)',
        breaks: 'After a full disk every call is 503 until somebody restarts Florin.',
      },
    ],
  ),
]

const notices = [
  ...plant({ file: 'packages/platform/src/mail/notices.ts', tests: ['packages/platform/src/mail/turns.test.ts'] }, [
    {
      name: 'notices: in the order in which they were caused',
      find: 'before * store.weights.length + store.weights.indexOf(weight)',
      put: '0 * before * store.weights.indexOf(weight)',
      breaks: 'The mail about a changed address stands behind dozens that a thief caused.',
    },
  ]),
  ...plant(
    { file: 'packages/platform/src/mail/notices.store.ts', tests: ['packages/platform/src/mail/turns.test.ts'] },
    [
      {
        name: 'notices: counted together',
        find: 'where merchant_id = ${a.merchantId} and weight = ${a.weight} and created_at > ${a.since}',
        put: "where merchant_id = ${a.merchantId} and ${a.weight} <> '' and created_at > ${a.since}",
        breaks: 'A hundred keys use up the mails about addresses.',
      },
    ],
  ),
  ...plant({ file: `${server}/keys/store.ts`, tests: [`${server}/keys/undo.test.ts`] }, [
    {
      name: 'undo: keys of other sessions are named',
      find: 'and shown_to_session = ${a.sessionId} and revoked_at is null',
      put: "and ${a.sessionId} <> '' and revoked_at is null",
      breaks: 'An owner who undoes a theft is led to revoke the keys of his own shop.',
    },
  ]),
  ...plant({ file: `${server}/keys/change.ts`, tests: [`${server}/keys/undo.test.ts`] }, [
    {
      name: 'undo: rotated keys are not named',
      find: 'await store.noteShown(tx, id, caller.sessionId)',
      put: 'await store.noteShown(tx, id, null)',
      breaks: 'A thief keeps the key that he rotated.',
    },
  ]),
]

/** Each is what the service did before: the attacks on a stolen session, shown to succeed without their defence. */
const theft = [
  ...plant({ file: `${server}/addresses/waiting.ts`, tests: [`${server}/addresses/theft.test.ts`] }, [
    {
      name: 'theft: a new receiving address counts at once',
      find: "if (countsAtOnce(await trust())) return { kind: 'now' }",
      put: "await trust()\n  if (wish.address !== undefined) return { kind: 'now' }",
      breaks: 'A copied token redirects all future money.',
    },
    {
      name: 'theft: a fresh sign-in from any browser counts at once',
      find: '(trust.isFresh && trust.isKnownBrowser)',
      put: 'trust.isFresh',
      breaks: 'A stolen mailbox redirects all future money.',
    },
    {
      name: 'theft: what waits is where live orders settle',
      find: 'row.waiting !== null && (!a.livemode || isRipe(row.waiting, a.now))',
      put: 'row.waiting !== null',
      breaks: 'The 24 hours are shown and protect nothing.',
    },
  ]),
  ...plant(
    {
      file: `${server}/login/sign-in.ts`,
      tests: [`${server}/addresses/theft.test.ts`],
      only: 'planted before a sign-in',
    },
    [
      {
        name: 'theft: a planted cookie becomes the owner’s browser',
        find: 'const browser = isOurs ? sent : newBrowser()',
        put: 'const browser = isOurs || sent !== null ? sent : newBrowser()',
        breaks: 'A day after the owner’s sign-in, a stolen token and the planted cookie change addresses at once.',
      },
    ],
  ),
  ...plant({ file: `${server}/login/guard.ts`, tests: [`${server}/login/confirmation.test.ts`] }, [
    {
      name: 'theft: no act asks for a fresh sign-in',
      find: "if (config.act === 'fresh' && !isFresh)",
      put: "if (config.act === 'fresh' && isFresh && !isFresh)",
      breaks: 'A copied token rotates keys and names where refunds go.',
      unseen: true,
    },
    {
      name: 'theft: a sign-in is fresh for ever',
      find: '.getTime() + config.freshSignInMs)',
      put: '.getTime() + config.freshSignInMs * 100_000)',
      breaks: 'A token that was copied last month may do what can move money.',
      unseen: true,
    },
    {
      name: 'theft: a confirmed code changes nothing',
      find: 'session.confirmedAt ?? session.createdAt',
      put: 'session.createdAt',
      breaks: 'The owner can never do what can move money without signing in again.',
      unseen: true,
    },
  ]),
]

export const takeoverMutants: readonly Mutant[] = [...wallets, ...accounts, ...notices, ...theft]
