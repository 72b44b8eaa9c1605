// Texts of the mails about a receiving address: both addresses in full, so that they can be compared.
import type { Notice } from '@florin/platform/mail/notices'

export interface AddressNews {
  chainName: string
  /** What is said beside it of the new one. */
  notes?: readonly string[]
  before: string | null
  after: string | null
  at: Date
  baseUrl: string
}

type Words = Pick<Notice, 'subject' | 'text'>

const verbOf = (a: AddressNews): string => (a.after === null ? 'removed' : a.before === null ? 'set' : 'changed')

const addressesOf = (a: AddressNews, now: string): string[] => [
  ...(a.before === null ? [] : ['Before:', a.before, '']),
  ...(a.after === null ? [] : [`${now}:`, a.after, '']),
]

const notesOf = ({ notes = [] }: AddressNews): string[] => notes.flatMap((note) => [note, ''])

const footOf = (a: AddressNews): string[] => [`Time:    ${a.at.toISOString()}`, `Service: ${a.baseUrl}`, '']

const undoOf = (undo: string | null): string[] =>
  undo === null
    ? []
    : [
        'If this was not you, put it back here. It also ends the session that',
        'asked for it:',
        undo,
        '',
        'Then sign in, end all other sessions and revoke API keys that you do',
        'not know.',
        '',
      ]

/** A change that takes effect now. */
export function changedMail(a: AddressNews, undo: string | null): Words {
  return {
    subject: `A receiving address was ${verbOf(a)}`,
    text: [
      `Your receiving address on ${a.chainName} was ${verbOf(a)}.`,
      '',
      ...addressesOf(a, 'Now'),
      ...notesOf(a),
      'Orders that exist keep the address they were made with.',
      '',
      ...footOf(a),
      ...undoOf(undo),
    ],
  }
}

/** A change that live orders follow later. */
export function waitingMail(a: AddressNews & { effectiveAt: Date }, undo: string): Words {
  return {
    subject: `A receiving address will be ${verbOf(a)} on ${a.effectiveAt.toISOString()}`,
    text: [
      `Your receiving address on ${a.chainName} will be ${verbOf(a)} at`,
      a.effectiveAt.toISOString(),
      'Until then live orders settle where they did.',
      '',
      ...addressesOf(a, 'Then'),
      ...notesOf(a),
      ...footOf(a),
      'If this was not you, stop it here. It also ends the session that asked',
      'for it:',
      undo,
      '',
      'Then sign in, end all other sessions and revoke API keys that you do',
      'not know.',
      '',
    ],
  }
}

/** A waiting change has taken effect, or was cancelled. */
export function endedMail(a: AddressNews, how: 'took effect' | 'was canceled' | 'was put back'): Words {
  return {
    subject: `A change of a receiving address ${how}`,
    text: [`On ${a.chainName} a change of your receiving address ${how}.`, '', ...addressesOf(a, 'Now'), ...footOf(a)],
  }
}

interface OwnerNews {
  chainName: string
  place: string
  at: Date
  baseUrl: string
}

/** Another merchant has the keys: nothing is said of who that is. */
export function lostMail(a: OwnerNews): Words {
  return {
    subject: `Your receiving account on ${a.chainName} belongs to another account now`,
    text: [
      `Another account of this service has shown that it has the keys of this wallet`,
      `on ${a.chainName}, or the operator gave it the wallet:`,
      a.place,
      '',
      'Your new orders are not paid there any more. Orders that have an address',
      'finish on it.',
      '',
      'If the wallet is yours, make a new account in it and set that one. You can',
      'also set this one again and sign the text that you are shown.',
      '',
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
    ],
  }
}

/** The operator gave it. */
export function gotMail(a: OwnerNews): Words {
  return {
    subject: `A wallet on ${a.chainName} is yours to set`,
    text: [
      `The operator of this service gave your account this wallet on ${a.chainName}:`,
      a.place,
      '',
      'Set it as your receiving address in the console to be paid there.',
      '',
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
    ],
  }
}

/** What changed of how the addresses of an account are counted. */
export interface AccountNews {
  chainName: string
  before: { nextIndex: bigint; walletLimit: number }
  after: { nextIndex: bigint; walletLimit: number }
  at: Date
  baseUrl: string
  /** The link that takes it back; null: there is none. */
  undo: string | null
}

const accountFoot = (a: AccountNews): string[] => [
  `Time:    ${a.at.toISOString()}`,
  `Service: ${a.baseUrl}`,
  '',
  ...undoOf(a.undo),
]

/** The next order gets another address of the wallet. */
export function jumpMail(a: AccountNews): Words {
  return {
    subject: `Your ${a.chainName} orders get other addresses of your wallet`,
    text: [
      `The next order on ${a.chainName} gets the address of index ${a.after.nextIndex} of your account.`,
      `Before, it was index ${a.before.nextIndex}.`,
      '',
      `Your wallet looks at ${a.after.walletLimit} unused addresses in a row, as was said here, and does`,
      'not show payments that come further on until its limit is raised.',
      '',
      ...accountFoot(a),
    ],
  }
}

/** How many addresses may wait for a payment was changed. */
export function limitMail(a: AccountNews): Words {
  return {
    subject: `The limit of your ${a.chainName} wallet was changed`,
    text: [
      `Your wallet on ${a.chainName} is said to look at ${a.after.walletLimit} unused addresses in a row;`,
      `before, it was ${a.before.walletLimit}.`,
      '',
      'Where the wallet itself was not told, it does not show payments that',
      'come behind its own limit.',
      '',
      ...accountFoot(a),
    ],
  }
}

/** Payments count after other numbers of blocks. @param depths the new ones, as text */
export const depthMail =
  (depths: string) =>
  (a: AccountNews): Words => ({
    subject: `Payments on ${a.chainName} count after other numbers of blocks`,
    text: [
      `For orders that choose ${a.chainName} from now on, a payment to your account`,
      `has to be this many blocks deep: ${depths}.`,
      'It is never fewer than the operator of the service requires.',
      '',
      ...accountFoot(a),
      'If this was not you, sign in, end all sessions and set it back.',
      '',
    ],
  })
