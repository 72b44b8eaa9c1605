// Bugs in who gets in: sign-in, sessions, API keys.
import { type Mutant, plant } from '../plant.ts'

const server = 'packages/server/src'

const login = [
  ...plant(
    { file: 'packages/server/src/checkout/door/limit.ts', tests: ['packages/server/src/checkout/door/shares.test.ts'] },
    [
      {
        name: 'checkout: all who have the link share one limit',
        find: 'own(`${orderNo} ${isHolder ? `browser ${viewer}` : client}`)',
        put: 'own(orderNo)',
        breaks: 'A stranger with the link keeps the payer from acting.',
      },
    ],
  ),
  ...plant({ file: `${server}/checkout/browser.ts`, tests: [`${server}/checkout/door/planted-cookie.test.ts`] }, [
    {
      name: 'payer cookie: any value of the right form counts',
      find: 'value !== null && equalSecret(value, signed(deps, token, random)) ?',
      put: 'value !== null && random !== null ?',
      breaks: 'A thief plants a value and shares the pay addresses and refunds of the payer.',
    },
  ]),
  ...plant(
    { file: 'packages/platform/src/http/cookie.ts', tests: [`${server}/checkout/door/planted-cookie.test.ts`] },
    [
      {
        name: 'payer cookie: the first of two counts',
        find: ' && more.length === 0',
        put: '',
        breaks: 'Another host of the domain plants a cookie beside the payer’s.',
      },
    ],
  ),
  ...plant({ file: `${server}/login/store.ts`, tests: [`${server}/login/sign-in.test.ts`] }, [
    {
      name: 'login: a code works after its ten minutes',
      find: 'expires_at > ${now}\n    order by created_at desc',
      put: 'expires_at is not null\n    order by created_at desc',
      breaks: 'An old mail signs in.',
      unseen: true,
    },
    {
      name: 'login: a sixth guess',
      find: 'wrong_tries + 1 >= tries_max',
      put: 'wrong_tries + 1 > tries_max',
      breaks: 'A code can be guessed at once more than was said.',
      unseen: true,
    },
    {
      name: 'login: a code works twice',
      find: 'update login_codes set closed_at = ${now} where id =',
      put: 'update login_codes set closed_at = ${now} where false and id =',
      breaks: 'Whoever reads over a shoulder signs in as well.',
      unseen: true,
    },
    {
      name: 'login: any browser may guess at a code',
      find: 'and asker = ${asker} and closed_at is null and expires_at > ${now}\n    order by',
      put: 'and closed_at is null and expires_at > ${now}\n    order by',
      breaks: 'A stranger uses up the tries of a code, and the owner cannot sign in.',
      unseen: true,
    },
    {
      name: 'login: no lock on the email',
      find: "holdLock(tx, 'sign-in email', email)",
      put: "holdLock(tx, 'sign-in email', `${Math.random()}`)",
      breaks: 'Of many sign-ins with one code at the same moment several win; guesses are not counted one by one.',
      unseen: true,
    },
    {
      name: 'login: an ended session goes on',
      find: 'and s.merchant_id = ${a.merchantId} and s.revoked_at is null',
      put: 'and s.merchant_id = ${a.merchantId}',
      breaks: 'Signing out does nothing.',
      unseen: true,
      tests: [`${server}/login/session.test.ts`],
    },
    {
      name: 'login: sessions of others can be ended',
      find: 'where merchant_id = ${a.merchantId} and (${a.id}::text is null or id = ${a.id})',
      put: 'where (${a.id}::text is null or id = ${a.id})',
      breaks: 'A merchant signs all others out.',
      unseen: true,
      tests: [`${server}/login/session.test.ts`],
    },
  ]),
  ...plant({ file: `${server}/login/sign-in.ts`, tests: [`${server}/login/sign-in.test.ts`] }, [
    {
      name: 'login: who is not admitted comes in',
      find: '!isRight || !isAdmitted',
      put: '!isRight',
      breaks: 'SIGNUP=allowlist admits whoever was on the list when the mail went out.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/login/confirmation.store.ts`, tests: [`${server}/login/confirmation.test.ts`] }, [
    {
      name: 'confirmation: the code of another session',
      find: 'where session_id = ${sessionId} and closed_at is null and expires_at > ${now}',
      put: 'where closed_at is null and expires_at > ${now}',
      breaks: 'A code that was mailed for one sign-in confirms a thief’s.',
      unseen: true,
    },
    {
      name: 'confirmation: a code that is late',
      find: 'closed_at is null and expires_at > ${now}',
      put: 'closed_at is null',
      breaks: 'An old mail moves money.',
      unseen: true,
    },
    {
      name: 'confirmation: guesses without end',
      find: 'wrong_tries + 1 >= ${a.max}',
      put: 'wrong_tries + 1 >= 1000 * ${a.max}',
      breaks: 'Who has stolen a token guesses the code.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/login/rules.ts`, tests: [`${server}/login/rules.test.ts`] }, [
    {
      name: 'login: clients have no limit',
      find: 'waitFor(recent.ofClient, LOGIN_CODES_PER_HOUR_CLIENT, HOUR_MS, now),',
      put: '',
      breaks: 'One client has mails sent to the whole world.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/login/token.ts`, tests: [`${server}/login/token.test.ts`] }, [
    {
      name: 'login: a token may choose its algorithm',
      find: 'algorithms: [alg],',
      put: '',
      breaks: 'The algorithm of a token is not pinned.',
      unseen: true,
    },
    {
      name: 'login: a token that was verified once never ends',
      find: 'found.exp <= Math.floor(now.getTime() / 1000)',
      put: 'found.exp <= 0',
      breaks: 'A copied token opens the console for as long as its session is there.',
      unseen: true,
    },
    {
      name: 'login: a token is remembered by its head',
      find: "hash('sha256', token)",
      put: "hash('sha256', token.split('.')[0] ?? '')",
      breaks: 'Anybody with a token of his own is whoever was there last.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/login/guard.ts`, tests: [`${server}/login/session.test.ts`] }, [
    {
      name: 'login: everybody is an operator',
      find: 'config.operator === true && !isOperator',
      put: 'config.operator === true && isOperator === null',
      breaks: 'Every merchant sees the orders of all.',
      unseen: true,
    },
  ]),
]

const keys = [
  ...plant({ file: `${server}/keys/store.ts`, tests: [`${server}/keys/guard.test.ts`] }, [
    {
      name: 'keys: a revoked key opens',
      find: 'and k.revoked_at is null and',
      put: 'and',
      breaks: 'A stolen key cannot be shut off.',
      unseen: true,
    },
    {
      name: 'keys: a rotated key opens for ever',
      find: '(h.expires_at is null or h.expires_at > ${now})',
      put: 'true',
      breaks: 'A key that was replaced goes on working after its grace.',
      unseen: true,
    },
    {
      name: 'keys: an expired key opens',
      find: ' and (k.expires_at is null or k.expires_at > ${now})`',
      put: '`',
      breaks: 'A key works beyond the time it was made for.',
      unseen: true,
    },
    {
      name: 'keys: an ended webhook secret signs',
      find: '(api_key_id = any(${ids}) or endpoint_id = any(${ids})) and (expires_at is null or expires_at > ${now})',
      put: '(api_key_id = any(${ids}) or endpoint_id = any(${ids}))',
      breaks: 'A webhook secret that was replaced because it leaked goes on signing.',
      unseen: true,
      tests: [`${server}/webhooks/queue/deliver.test.ts`],
      only: 'during a rotation',
    },
  ]),
  ...plant({ file: `${server}/keys/store.ts`, tests: [`${server}/webhooks/feed/stream.test.ts`] }, [
    {
      name: 'keys: a stream outlives its scopes',
      find: 'and k.scopes @> ${a.scopes as Scope[]}::text[] and m.suspended_at',
      put: 'and m.suspended_at',
      breaks: 'A key whose rights were cut goes on reading orders by the stream that it has open.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/keys/guard.ts`, tests: [`${server}/keys/turns.test.ts`] }, [
    {
      name: 'access: one merchant has all calls that a process can answer',
      find: '{ perHolder: 8, atOnce:',
      put: '{ perHolder: 800, atOnce:',
      breaks: 'A shop that sends 150 calls at a time makes every other shop wait for seconds.',
    },
    {
      name: 'access: one key has all turns of its merchant',
      find: 'handler.call(this, request, reply), id)',
      put: "handler.call(this, request, reply), '')",
      breaks: 'A stolen key that only reads keeps the shop from making orders.',
    },
  ]),
  ...plant({ file: `${server}/prices/routes.ts`, tests: ['packages/server/test/console-acts.test.ts'] }, [
    {
      name: 'access: another spread is told to nobody',
      find: 'if (pricesText(before) !== pricesText(next)) {',
      put: 'if (pricesText(before) === pricesText(before) + 1) {',
      breaks: 'A thief sells below the rate, and the owner hears of it from the books.',
    },
  ]),
  ...plant({ file: 'packages/platform/src/http/paced.ts', tests: [`${server}/reports/export.limits.test.ts`] }, [
    {
      name: 'access: an export outlives its session',
      find: "if (!(await isAllowed())) throw new AppError('invalid_token')",
      put: 'await isAllowed()',
      breaks: 'A session that was ended goes on reading every order and payer of the account.',
    },
  ]),
  ...plant(
    { file: 'packages/platform/src/http/stream-rights.ts', tests: ['packages/platform/src/http/event-stream.test.ts'] },
    [
      {
        name: 'streams: told though nobody could ask for the right',
        find: 'now() - holder.seenAt <= TRUST_MS',
        put: 'now() - holder.seenAt <= 100 * TRUST_MS',
        breaks: 'Whoever cuts the look-up of rights off reads on with a revoked key.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${server}/keys/guard.ts`, tests: [`${server}/keys/guard.test.ts`] }, [
    {
      name: 'keys: scopes are not looked at',
      find: '!caller.scopes.includes(scope)',
      put: 'caller.scopes.length === 0',
      breaks: 'A key that may read makes orders and refunds.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${server}/keys/secret.ts`, tests: [`${server}/keys/secret.test.ts`] }, [
    {
      name: 'keys: the checksum is not checked',
      find: 'base62Checksum(body) === checksum ?',
      put: 'checksum !== undefined ?',
      breaks: 'A mistyped key costs a look-up, and whoever guesses gets as many as he likes.',
      unseen: true,
    },
    {
      name: 'keys: a secret opened once fits every row',
      find: '`${row.id} ${row.keyId} ',
      put: '`${row.keyId} ',
      breaks: "With another merchant's box in its row a merchant's webhooks are signed by that merchant.",
    },
    {
      name: 'keys: the secret of a row stays what it was',
      find: "${Buffer.from(row.box).toString('latin1')}",
      put: '',
      breaks: 'A secret that was put back or sealed anew does not sign.',
      unseen: true,
    },
    {
      name: 'keys: sealed secrets fit every row',
      find: '`webhook secret ${id}`',
      put: '`webhook secret ${id.length}`',
      breaks: 'Whoever can write to the database signs as another key.',
      unseen: true,
    },
  ]),
  ...plant(
    { file: `${server}/keys/rules.ts`, tests: [`${server}/keys/keys.test.ts`], only: 'webhook secrets overlap' },
    [
      {
        name: 'keys: three webhook secrets live',
        find: 'liveSecrets < WEBHOOK_SECRETS_LIVE_MAX',
        put: 'liveSecrets <= WEBHOOK_SECRETS_LIVE_MAX',
        breaks: 'A signature header has more digests than receivers were told.',
        unseen: true,
      },
    ],
  ),
]

export const accessMutants: readonly Mutant[] = [...login, ...keys]
