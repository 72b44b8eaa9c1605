// Words of a notice that a setting was changed: what it was and is, when and where, and what to do about it.
import type { Notice } from './notices.ts'

/**
 * @param a.meaning one line: what the setting is for
 * @param a.undo the link that puts it back; null: the change was an undo itself; left out: the reader sets it back
 */
export function changeNotice(a: {
  subject: string
  meaning: string
  before: string | null
  after: string | null
  at: Date
  baseUrl: string
  undo?: string | null
}): Pick<Notice, 'subject' | 'text'> {
  const remedy =
    a.undo === undefined
      ? ['If this was not you, sign in, end all sessions and set it back.', '']
      : a.undo === null
        ? []
        : ['If this was not you, put it back here. It also ends the session that', 'asked for it:', a.undo, '']
  return {
    subject: a.subject,
    text: [
      a.meaning,
      '',
      `Before:  ${a.before ?? 'none'}`,
      `Now:     ${a.after ?? 'none'}`,
      `Time:    ${a.at.toISOString()}`,
      `Service: ${a.baseUrl}`,
      '',
      ...remedy,
    ],
  }
}
