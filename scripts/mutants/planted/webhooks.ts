// Bugs in what merchants' servers hear: the queue, the sending, its targets, and the signature.
import { type Mutant, plant } from '../plant.ts'

const webhooks = 'packages/server/src/webhooks'
const protocol = 'packages/protocol'

const queue = [
  ...plant({ file: `${webhooks}/queue/record.store.ts`, tests: [`${webhooks}/queue/record.test.ts`] }, [
    {
      name: 'queue: an end under a lost lease counts',
      find: "q.lease_token = r.token and r.verdict <> 'retry'",
      put: "r.verdict <> 'retry'",
      breaks: 'A delivery is taken from whoever is sending it now.',
    },
    {
      name: 'queue: a failure under a lost lease counts',
      find: "q.lease_token = r.token and r.verdict = 'retry'",
      put: "r.verdict = 'retry'",
      breaks: 'A delivery is sent by two workers, and uses up its attempts twice as fast.',
    },
    {
      name: 'queue: a late success takes what is being sent',
      find: 'and state <> 3 returning delivery_id',
      put: 'returning delivery_id',
      breaks: 'The attempt under way decides nothing.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${webhooks}/queue/claim.ts`, tests: [`${webhooks}/queue/record.test.ts`] }, [
    {
      name: 'queue: a suspect is marked under a lost lease',
      find: 'where delivery_no = ${a.no} and lease_token = ${a.token}',
      put: 'where delivery_no = ${a.no}',
      breaks: 'An innocent delivery is counted as one that kills its worker.',
    },
    {
      name: 'queue: rows are given back under a lost lease',
      find: '(${a.nos.map(String)}::bigint[]) and lease_token = ${a.token}',
      put: '(${a.nos.map(String)}::bigint[])',
      breaks: 'A delivery that another worker is sending is sent once more.',
    },
    {
      name: 'queue: claimers take the same rows',
      find: 'limit w.room for update skip locked',
      put: 'limit w.room',
      breaks: 'An event is sent twice by two workers.',
      unseen: true,
      tests: [`${webhooks}/queue/claim.test.ts`],
      only: 'eight claimers',
    },
    {
      name: 'queue: lanes in front of where a scan began are left out',
      find: 'from onwards where lane is not null union all select lane from around where lane is not null',
      put: 'from onwards where lane is not null',
      breaks: 'A merchant of several hosts waits for its webhooks until chance reaches the last of them.',
      tests: [`${webhooks}/queue/claim.test.ts`],
      only: 'its turn',
    },
  ]),
  ...plant({ file: `${webhooks}/queue/round.ts`, tests: [`${webhooks}/queue/round.test.ts`] }, [
    {
      name: 'queue: the first lanes always come first',
      find: 'allot(shuffled(ready), rooms',
      put: 'allot(ready.toSorted((x, y) => Number(x.lane - y.lane)), rooms',
      breaks: 'Beside one host that hangs with a long backlog, the other hosts of its merchant wait for ever.',
      only: 'has its turn',
    },
  ]),
  ...plant({ file: `${webhooks}/queue/reap.store.ts`, tests: [`${webhooks}/queue/record.test.ts`] }, [
    {
      name: 'queue: leases that hold are taken back',
      find: 'where state = 3 and lease_until < ${a.now}',
      put: 'where state = 3 and lease_until > ${a.now}',
      breaks: 'What a dead worker held is never sent.',
      unseen: true,
    },
  ]),
  ...plant(
    { file: `${webhooks}/queue/indexed.store.ts`, tests: [`${webhooks}/queue/record.test.ts`], only: 'on the disk' },
    [
      {
        name: 'queue: results need not reach the disk',
        find: 'sql.apart({ max: 1, settings: onePlan })',
        put: "sql.apart({ max: 1, settings: { ...onePlan, synchronous_commit: 'off' } })",
        breaks: 'What a receiver took is sent to it again after a power cut, however long ago it was.',
        unseen: true,
      },
    ],
  ),
  ...plant({ file: `${webhooks}/queue/schedule.ts`, tests: [`${webhooks}/queue/schedule.test.ts`] }, [
    {
      name: 'queue: the waits are shifted',
      find: 'a.waitsMs[a.n - 1]',
      put: 'a.waitsMs[a.n]',
      breaks: 'The first retry comes after five minutes, the fifth attempt never.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${webhooks}/queue/caps.ts`, tests: [`${webhooks}/queue/allot.test.ts`] }, [
    {
      name: 'queue: a slow receiver gets one request at a time',
      find: "pace === 'hung' ? 1 : LANE_START",
      put: '1',
      breaks: 'A receiver that takes four seconds falls hours behind.',
    },
    {
      name: 'queue: slots are never given back',
      find: 'lane.inUse -= 1',
      put: 'lane.inUse -= 0',
      breaks: 'After a few deliveries a receiver hears nothing more.',
      unseen: true,
    },
  ]),
]

const sending = [
  ...plant({ file: `${webhooks}/send/send.ts`, tests: [`${webhooks}/send/send.test.ts`] }, [
    {
      name: 'sending: once more after an answer began',
      find: ' && connection.dial?.bytesRead() === this.#bytesBefore',
      put: '',
      breaks: 'A receiver that has taken an event gets it again at once.',
    },
  ]),
  ...plant({ file: `${webhooks}/send/outcome.ts`, tests: [`${webhooks}/send/send.test.ts`] }, [
    {
      name: 'sending: a redirect is a success',
      find: 'status >= 200 && status < 300',
      put: 'status >= 200 && status < 400',
      breaks: 'An event counts as delivered that no receiver took.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${webhooks}/send/address.ts`, tests: [`${webhooks}/send/address.test.ts`] }, [
    {
      name: 'targets: metadata inside an IPv6 address',
      find: "isIn(inside, neverRanges) ? 'never' : 'special'",
      put: "'special'",
      breaks: 'An allow list opens the metadata service of the cloud.',
      unseen: true,
    },
    {
      name: 'targets: IPv4 in NAT64 form is public',
      find: 'words[0] === 0x64 && words[1] === 0xff9b',
      put: 'words[0] === 0x65 && words[1] === 0xff9b',
      breaks: 'A webhook reaches the private network through a gateway.',
      unseen: true,
    },
    {
      name: 'targets: carrier-grade NAT is public',
      find: "'private', 'carrierGradeNat', 'uniqueLocal'",
      put: "'private', 'uniqueLocal'",
      breaks: 'Development settings do not reach what they are for.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${webhooks}/send/target.ts`, tests: [`${webhooks}/send/target.test.ts`] }, [
    {
      name: 'targets: one good address is enough',
      find: 'if (bad.length > 0) throw',
      put: 'if (bad.length === addresses.length) throw',
      breaks: 'A name with a public and a private address reaches the private one.',
      unseen: true,
    },
    {
      name: 'targets: an address in the URL is not judged',
      find: 'const bad = addresses.filter((_address, n) => !judged[n])',
      put: 'const bad = isLiteral ? [] : addresses.filter((_address, n) => !judged[n])',
      breaks: 'http://10.0.0.1/ is posted to.',
      unseen: true,
    },
    {
      name: 'targets: public addresses of this machine are reached',
      find: ' && !(await own.includes(address))',
      put: '',
      breaks: 'A webhook reaches what listens on this machine, past its firewall.',
    },
  ]),
  ...plant({ file: `${webhooks}/rules.ts`, tests: [`${webhooks}/rules.test.ts`] }, [
    {
      name: 'targets: plain http in live mode',
      find: "url.protocol !== 'https:' && rule.livemode",
      put: "url.protocol !== 'https:' && !rule.livemode",
      breaks: 'Orders travel in the clear.',
      unseen: true,
    },
    {
      name: 'targets: low ports',
      find: 'port !== 443 && port < 1024',
      put: 'port !== 443 && port < 24',
      breaks: 'A webhook speaks to a mail server.',
      unseen: true,
    },
  ]),
]

const signature = [
  ...plant({ file: `${protocol}/src/signature.ts`, tests: [`${protocol}/test/signature.test.ts`] }, [
    {
      name: 'signature: the first digest decides',
      find: 'for (const each of given) if (timingSafeEqual(each, wanted)',
      put: 'for (const each of given.slice(0, 1)) if (timingSafeEqual(each, wanted)',
      breaks: 'While a secret is replaced, receivers with the old one refuse every event.',
      unseen: true,
    },
    {
      name: 'signature: the time is not signed',
      find: '.update(`${t}.`).update(body)',
      put: '.update(body)',
      breaks: 'An old event can be sent again with a new time.',
      unseen: true,
    },
  ]),
  ...plant({ file: `${protocol}/src/signature-header.ts`, tests: [`${protocol}/test/signature.test.ts`] }, [
    {
      name: 'signature: old ones are accepted',
      find: 'if (age > tolerance)',
      put: 'if (age > 2 * tolerance)',
      breaks: 'An event that was recorded can be replayed longer than was said.',
      unseen: true,
    },
    {
      name: 'signature: those of the future are accepted',
      find: 'if (-age > tolerance)',
      put: 'if (-age > 1000 * tolerance)',
      breaks: 'An event can be kept for a later replay.',
      unseen: true,
    },
    {
      name: 'signature: two times in one header',
      find: 'if (more.length > 0)',
      put: 'if (more.length > 1)',
      breaks: 'Two readers of one header see two times.',
      unseen: true,
    },
  ]),
]

export const webhookMutants: readonly Mutant[] = [...queue, ...sending, ...signature]
