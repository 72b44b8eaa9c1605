// A merchant moves its account to another email and an operator stops, suspends and closes it: in browsers, with the codes
// and links of real mails, from sign-ins that are no longer fresh.
import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { until } from '../florin.ts'
import { call, type Merchant, signUp } from '../merchant.ts'
import { isFailedRequest } from './console-states/index.ts'
import { judge } from './judge.ts'
import type { Stage } from './stage.ts'
import { sizes, type Visitor, visit } from './visitor.ts'

export const OPERATOR = 'operator@florin.example'
/** Long enough for a call to be sent again on a machine that stalls, short enough to wait for. */
export const FRESH_S = 15

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

/** Whoever has this session, at the console. */
async function atConsole(stage: Stage, who: Merchant): Promise<Visitor> {
  const visitor = await visit(stage.browser, [stage.florin.url], { ...sizes.desk, reducedMotion: 'reduce' })
  const session = { token: who.token, email: who.email, expiresAt: new Date(Date.now() + 3_600_000).toISOString() }
  await visitor.page.addInitScript((text) => {
    if (sessionStorage.getItem('begun') !== null) return
    sessionStorage.setItem('begun', 'yes')
    localStorage.setItem('florin.session', text)
  }, JSON.stringify(session))
  return visitor
}

async function growOld(stage: Stage, who: Merchant): Promise<void> {
  const url = `${stage.florin.url}/api/v1/boss/confirmation`
  const isFresh = async () =>
    (await call<{ data: { is_fresh: boolean } }>(url, 'GET', { headers: who.console })).body.data.is_fresh
  while (await isFresh()) await wait(500)
}

/** Answers the question for a code, where it comes. @returns whether it came. */
async function confirm(stage: Stage, page: Page, who: Merchant, done: ReturnType<Page['getByText']>): Promise<boolean> {
  const field = page.getByLabel('Code from the mail')
  await field.or(done).first().waitFor()
  if (!(await field.isVisible())) return false
  assert.deepEqual(await judge(page), [], 'the question for a code')
  await field.fill(await stage.inbox.codeFor(who.email))
  await button(page, 'Confirm').click()
  await done.first().waitFor()
  return true
}

/** The newest mail to an address with this subject: its links. */
async function linksTo(stage: Stage, to: string, subject: string): Promise<string[]> {
  const find = () =>
    stage.inbox.messages.findLast((text) => text.includes(`To: ${to}`) && text.includes(`Subject: ${subject}`))
  await until(() => find() !== undefined, `a mail to ${to}: ${subject}`)
  return [...(find() ?? '').matchAll(/http:\/\/\S+\/mail\/[0-9A-Za-z]{32}/g)].map(([link]) => link)
}

export async function walkAccounts(stage: Stage): Promise<void> {
  const { url } = stage.florin
  const owner = await signUp(url, stage.inbox, 'accounts@shop.example')
  const boss = await signUp(url, stage.inbox, OPERATOR)
  const [merchant, operator] = [await atConsole(stage, owner), await atConsole(stage, boss)]
  try {
    await growOld(stage, owner)
    await merchant.page.goto(`${url}/console/settings`)
    assert.equal(await askForEmail(stage, merchant.page, owner, 'first@shop.example'), true, 'a code is asked for')
    await cancelAsOperator(stage, operator.page, boss, owner)
    await merchant.page.reload()
    await askForEmail(stage, merchant.page, owner, 'second@shop.example')
    await followLinks(stage, merchant.page, owner)
    await suspendAndClose(stage, operator.page, boss, owner)
    // Refusals that were answered by a code, and the session that ended, are all that went wrong.
    const faults = [...merchant.faults, ...operator.faults]
    assert.deepEqual(
      faults.filter((fault) => !isFailedRequest(fault) && !fault.includes('Failed to load resource')),
      [],
    )
    const failed = faults.filter((fault) => /^\d{3} for /.test(fault)).map((fault) => fault.slice(0, 3))
    assert.ok(
      failed.every((status) => status === '403' || status === '401'),
      faults.join('; '),
    )
  } finally {
    await merchant.close()
    await operator.close()
  }
}

async function askForEmail(stage: Stage, page: Page, owner: Merchant, email: string): Promise<boolean> {
  await page.getByRole('textbox', { name: 'New email' }).fill(email)
  await button(page, 'Change the email').click()
  const open = page.getByRole('region', { name: 'Change of email' }).getByText(email)
  const wasAsked = await confirm(stage, page, owner, open)
  assert.deepEqual(await judge(page), [], 'settings with a change of email')
  return wasAsked
}

async function manage(page: Page, account: Merchant, act: string, reason: string): Promise<void> {
  await button(page, `Manage ${account.email}`).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${act}`) }).click()
  await page.getByRole('textbox', { name: 'Reason' }).fill(reason)
}

async function cancelAsOperator(stage: Stage, page: Page, boss: Merchant, owner: Merchant): Promise<void> {
  await growOld(stage, boss)
  await page.goto(`${url(stage)}/console/accounts`)
  await page.getByRole('searchbox', { name: 'Find an account' }).fill(owner.email)
  await page.getByText('Changes to first@shop.example, asked for by the merchant').waitFor()
  assert.deepEqual(await judge(page), [], 'accounts')
  await manage(page, owner, 'Cancel the change', 'the owner did not ask')
  await button(page, 'Cancel the change').click()
  const wasAsked = await confirm(stage, page, boss, page.getByText('The change of email was canceled.'))
  assert.equal(wasAsked, true, 'an operator is asked for a code as well')
  await page.getByText('Changes to first@shop.example').waitFor({ state: 'detached' })
}

/** The new mailbox says yes, the old one stops it, and revokes the key that the ended session had made. */
async function followLinks(stage: Stage, page: Page, owner: Merchant): Promise<void> {
  const opened = await visit(stage.browser, [url(stage)], { ...sizes.phone, javaScriptEnabled: true })
  const mail = opened.page
  try {
    const [yes = ''] = await linksTo(stage, 'second@shop.example', 'Confirm your new email')
    await mail.goto(yes)
    assert.deepEqual(await judge(mail), [], 'the page of a link')
    await button(mail, 'Yes, change it').click()
    await mail.getByText('The other mailbox has to say yes as well').waitFor()
    const [, stop = ''] = await linksTo(stage, owner.email, 'The email of your account is to change')
    await mail.goto(stop)
    await button(mail, 'Stop the change').click()
    await mail.getByText('The change is stopped. The session that asked for it has ended.').waitFor()
    await mail.getByText(`"shop" (${owner.apiKey.slice(0, 16)}...${owner.apiKey.slice(-4)}), test, made`).waitFor()
    assert.deepEqual(await judge(mail), [], 'the page that names keys')
    await mail.getByRole('link', { name: 'Revoke this key' }).click()
    await button(mail, 'Revoke the key').click()
    await mail.getByText('The key is revoked.').waitFor()
    assert.deepEqual(opened.faults, [])
  } finally {
    await opened.close()
  }
  assert.equal((await call(`${url(stage)}/v1/orders`, 'GET', { headers: owner.key })).status, 401)
  await page.reload()
  await page.getByRole('textbox', { name: 'Email', exact: true }).waitFor()
}

async function suspendAndClose(stage: Stage, page: Page, boss: Merchant, owner: Merchant): Promise<void> {
  const signIn = async (): Promise<string | undefined> => {
    const auth = `${url(stage)}/api/v1/auth`
    await call(`${auth}/code`, 'POST', { body: { email: owner.email } })
    const code = await stage.inbox.codeFor(owner.email)
    const body = { email: owner.email, code }
    const answer = await call<{ error?: { code: string } }>(`${auth}/login`, 'POST', { body })
    return answer.body.error?.code
  }
  await manage(page, owner, 'Suspend', 'a complaint of a payer')
  await button(page, 'Suspend the account').click()
  await confirm(stage, page, boss, page.getByText('The account was suspended.'))
  await page.getByRole('table').getByText('Suspended', { exact: true }).waitFor()
  assert.equal(await signIn(), 'merchant_suspended')
  await manage(page, owner, 'Close', 'as the law asks')
  const close = button(page, 'Close the account')
  assert.equal(await close.isDisabled(), true, 'not before the email was typed')
  await page.getByRole('textbox', { name: `Type ${owner.email}` }).fill(owner.email)
  assert.deepEqual(await judge(page), [], 'the question before closing')
  await close.click()
  await confirm(stage, page, boss, page.getByText('The account was closed.'))
  await page.getByRole('table').getByText('Closed', { exact: true }).waitFor()
  await until(
    () => stage.inbox.messages.some((text) => text.includes(`To: ${owner.email}`) && text.includes('as the law asks')),
    'a mail about the closing',
  )
}

const url = (stage: Stage): string => stage.florin.url
