// Promises: from an empty install on a real chain a shop owner without a developer, with a browser alone, comes from the shop's
// name to a settled test order in at most seven clicks after signing in; then to a logo, an address on the chain, and a
// payment link in euros that a payer on a phone pays too much for. What was too much is back on the chain; merchant and payer
// are mailed, the payer under the shop's name and logo; an invoice is made, mailed, and saved as PDF.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import { toAnvil } from '@florin/contracts/anvil'
import type { Page } from 'playwright-core'
import PostalMime, { type Email } from 'postal-mime'
import { type Address, createPublicClient, erc20Abi, formatUnits } from 'viem'
import type { Devnet } from '../../packages/contracts/script/devnet.ts'
import { until } from '../florin.ts'
import { judge } from './judge.ts'
import type { ChainStage, Stage } from './stage.ts'
import { sizes, type Visitor, visit, walk, walkAndLeave } from './visitor.ts'
import { giveWallet } from './wallet.ts'

const OWNER = 'owner@bottega.example'
const PAYER = 'ann@buyer.example'
const CLIENT = 'books@client.example'
const RECEIVING = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'
const REFUND_TO = '0x8617E340B3D01FA5F11F306F4090FD50E238070D'
const TOO_MUCH = 5_000_000n

let devnet: Devnet
let stage: Stage
let owner: Visitor

/** @param who a window of the owner's. */
export function ownerWalk(scene: ChainStage, who: Visitor): void {
  ;({ stage, devnet } = scene)
  owner = who
  test('from the name to a settled test order in seven clicks', sevenClicks)
  test('the brand, the chain and a link in euros, paid too much for on a phone, and what was too much is back', tooMuch)
  test('an invoice is made, mailed, and saved as PDF by whoever got the mail', anInvoice)
}

const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

const heldBy = (who: Address): Promise<bigint> =>
  createPublicClient({ transport: toAnvil(devnet.url) }).readContract({
    ...{ address: devnet.usdc, abi: erc20Abi, functionName: 'balanceOf' },
    args: [who],
  })

/** The mail to an address whose subject begins so, as a mail program reads it. */
async function mailTo(to: string, subject: string): Promise<Email> {
  let found: Email | undefined
  await until(async () => {
    const mails = await Promise.all(stage.inbox.messages.map((text) => new PostalMime().parse(text)))
    found = mails.find((mail) => mail.to?.[0]?.address === to && mail.subject?.startsWith(subject))
    return found !== undefined
  }, `a mail to ${to}: ${subject}`)
  assert.ok(found)
  return found
}

/** A plain PNG of one colour. */
function picture(width: number, height: number): Buffer {
  const u32 = (n: number): Buffer => {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE(n)
    return bytes
  }
  const chunk = (kind: string, data: Buffer): Buffer => {
    const body = Buffer.concat([Buffer.from(kind), data])
    return Buffer.concat([u32(data.length), body, u32(crc32(body))])
  }
  const rows = Buffer.alloc((width * 3 + 1) * height, 0x60)
  for (let y = 0; y < height; y++) rows[y * (width * 3 + 1)] = 0
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk('IHDR', Buffer.concat([u32(width), u32(height), Buffer.from([8, 2, 0, 0, 0])])),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

async function signIn(page: Page): Promise<void> {
  await page.goto(`${stage.florin.url}/console/`)
  await page.getByRole('textbox', { name: 'Email', exact: true }).fill(OWNER)
  await button(page, 'Send me a code').click()
  const first = page.getByRole('textbox', { name: 'Digit 1 of 6' })
  await first.waitFor()
  await first.pressSequentially(await stage.inbox.codeFor(OWNER))
  await page.getByRole('heading', { name: 'Get your first payment' }).waitFor()
}

async function sevenClicks(): Promise<void> {
  await walk(owner, async (page) => {
    let clicks = 0
    await owner.context.exposeBinding('florinClicked', () => {
      clicks += 1
    })
    await owner.context.addInitScript(() => {
      const { florinClicked } = window as unknown as { florinClicked(): void }
      document.addEventListener('click', (event) => event.isTrusted && florinClicked(), true)
    })
    await signIn(page)
    clicks = 0
    const press = (name: string | RegExp) => button(page, name).click()
    await page.getByRole('textbox', { name: 'What payers read on the checkout' }).fill('Bottega Nova')
    await press('Save the name')
    await press('Ethereum')
    await page.getByRole('textbox', { name: 'Your address' }).fill(RECEIVING)
    await press('Save address')
    await page.getByText('Orders that name no chain settle here, on Ethereum.').waitFor()
    await press('It is the same')
    await press('Make a test order')
    await page.getByRole('textbox', { name: 'Amount' }).fill('49,90')
    await press('Create order')
    await press('Pay the test order')
    await page.getByRole('region', { name: 'Set-up guide' }).waitFor({ state: 'detached' })
    assert.ok(clicks <= 7, `${clicks} clicks`)
  })
}

async function tooMuch(): Promise<void> {
  let link = ''
  await walk(owner, async (page, faults) => {
    await page.goto(`${stage.florin.url}/console/settings`)
    await page.getByLabel('Logo file').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: picture(240, 80),
    })
    await page.getByRole('img', { name: 'Your logo' }).waitFor()
    await page.getByRole('textbox', { name: 'Accent colour' }).fill('#0a7d4f')
    await button(page, 'Save the colour').click()
    await page.getByText('The colour was changed.').waitFor()
    await page.getByRole('textbox', { name: 'Support email' }).fill('help@bottega.example')
    await button(page, 'Save the contact').click()
    await page.getByText('The contact was changed.').waitFor()

    await page.goto(`${stage.florin.url}/console/addresses`)
    await page.getByRole('button', { name: /^Base EVM/ }).click()
    await page.getByRole('textbox', { name: 'Your address' }).fill(RECEIVING)
    await button(page, 'Save address').click()
    await page.getByText('Orders that name no chain still settle on Ethereum.').waitFor()
    await button(page, 'Make Base the default').click()
    await page.getByText('Orders that name no chain settle here, on Base.').waitFor()
    await button(page, 'It is the same').click()

    await page.goto(`${stage.florin.url}/console/setup`)
    await page.getByRole('button', { name: /Make and pay a test order/ }).click()
    await button(page, 'Make another one').click()
    await button(page, 'Create order').click()
    await page.getByText('Base is a real test chain here').waitFor()
    faults.push(...(await judge(page)))

    await page.goto(`${stage.florin.url}/console/sell?way=link`)
    await page.getByRole('textbox', { name: 'Title' }).fill('Two mugs')
    await page.getByRole('textbox', { name: 'Price' }).fill('49,90')
    await page.getByLabel('Currency').first().fill('EUR')
    await page.getByRole('option', { name: 'EUR · Euro' }).click()
    await button(page, 'Create the link').click()
    link = await page.locator('code').filter({ hasText: '/pay/l/' }).innerText()
  })

  const payer = await visit(stage.browser, [stage.florin.url], sizes.phone)
  await walkAndLeave(payer, async (phone, faults) => {
    const wallet = await giveWallet(payer.context, {
      ...{ rpc: devnet.url, account: devnet.payer.address, names: ['Fox'] },
    })
    const brand = async () => {
      await phone.getByText('Bottega Nova').first().waitFor()
      const logo = phone.locator('img.merchant-logo')
      await logo.waitFor()
      assert.equal(await logo.evaluate((node: HTMLImageElement) => node.naturalWidth), 240)
      await phone.getByRole('link', { name: 'help@bottega.example' }).waitFor()
    }
    await phone.goto(link)
    await phone.getByText('€49.90').first().waitFor()
    await brand()
    await phone.getByLabel('Email').fill(PAYER)
    await button(phone, 'Continue to payment').click()
    await phone.getByRole('combobox', { name: 'Search coins and networks' }).fill('USDC base')
    await phone.getByRole('option', { name: 'USDC Base' }).first().click()
    await phone.getByRole('heading', { level: 2, name: 'Pay with USDC on Base' }).waitFor()
    const before = await phone.locator('.address').first().innerText()
    await phone.getByText('Add a refund address').click()
    await phone.getByRole('textbox', { name: 'Your address on Base' }).fill(REFUND_TO)
    await button(phone, 'Save refund address').click()
    await phone.waitForFunction((old) => document.querySelector('.address')?.textContent?.trim() !== old, before.trim())
    faults.push(...(await judge(phone)))
    wallet.addToNext(TOO_MUCH)
    await button(phone, 'Pay with a wallet in this browser').click()
    await phone.getByRole('heading', { level: 2, name: 'Paid', exact: true }).waitFor()
    await brand()
    faults.push(...(await judge(phone)))
    const accent = await phone.evaluate(() => getComputedStyle(document.documentElement).getPropertyValue('--press'))
    assert.equal(accent, '#0a7d4f')
  })

  await until(async () => (await heldBy(REFUND_TO)) > 0n, 'what was too much, back on the chain')
  assert.equal(await heldBy(REFUND_TO), TOO_MUCH)
  const settled = await heldBy(RECEIVING)

  const paid = await mailTo(OWNER, '[test] Paid: 49.90 EUR')
  assert.match(paid.text ?? '', /For: +Two mugs/)
  assert.match(paid.text ?? '', new RegExp(`Received: +${formatUnits(settled, 6)} USDC on Base`))
  const receipt = await mailTo(PAYER, '[test] Receipt: 49.90 EUR to Bottega Nova')
  const refund = await mailTo(PAYER, '[test] Refund: 5 USDC from Bottega Nova')
  assert.ok(refund.text?.includes(REFUND_TO))
  for (const mail of [receipt, refund]) {
    assert.ok(mail.html?.includes('#0a7d4f'), 'the colour of the shop')
    assert.match(mail.html ?? '', /<img src="cid:logo@florin" alt="Bottega Nova" width="192" height="64"/)
    const [logo] = mail.attachments
    assert.deepEqual([logo?.contentId, logo?.mimeType], ['<logo@florin>', 'image/png'])
    assert.match(mail.text ?? '', /The shop answers: help@bottega\.example/)
    assert.match(mail.text ?? '', /This is a test order/)
  }

  await walk(owner, async (page, faults) => {
    await page.reload()
    await page.getByRole('table', { name: 'Orders' }).getByRole('link').first().click()
    const refunds = page.getByRole('table', { name: 'Refunds' })
    await refunds.getByText('5 USDC').waitFor()
    await refunds.getByText('Sent').waitFor()
    faults.push(...(await judge(page)))
  })
}

async function anInvoice(): Promise<void> {
  let number = ''
  await walk(owner, async (page, faults) => {
    await page.goto(`${stage.florin.url}/console/sell?way=invoice`)
    assert.equal(await page.getByLabel('Currency').first().inputValue(), 'EUR · Euro', 'the one used last')
    await page.getByRole('textbox', { name: 'Client’s email' }).fill(CLIENT)
    await page.getByRole('textbox', { name: 'Item 1' }).fill('Consulting')
    await page.getByRole('textbox', { name: 'Quantity' }).fill('7,5')
    await page.getByRole('textbox', { name: 'Price (EUR)' }).fill('80')
    await page.getByRole('textbox', { name: 'Tax in percent' }).fill('19')
    await page.getByText('Total €714.00').waitFor()
    await button(page, 'Create the invoice').click()
    number = (await page.getByRole('heading', { name: /^Invoice / }).innerText()).replace('Invoice ', '')
    await page.getByText('1 time, last').waitFor()
    faults.push(...(await judge(page)))
  })
  assert.match(number, /^TEST-0{5}1$/)

  const mail = await mailTo(OWNER, `[test] Invoice ${number} from Bottega Nova`)
  assert.match(mail.text ?? '', /Total: +714\.00 EUR/)
  const toClient = stage.inbox.messages.filter((text) => text.includes(`To: ${CLIENT}`))
  assert.deepEqual(toClient, [], 'a test invoice asks nobody for money')
  // Of the sandbox, whose order the guide paid, nobody but the merchant hears.
  const receipts = stage.inbox.messages.filter((text) => text.includes(`To: ${PAYER}`))
  assert.equal(receipts.length, 2, 'one receipt and one refund, once each')
  const client = await visit(stage.browser, [stage.florin.url], sizes.phone)
  await walkAndLeave(client, async (page) => {
    await page.goto(/http:\S+\/pay\/i\/\w+/.exec(mail.text ?? '')?.[0] ?? '')
    await page.getByText('€714.00').first().waitFor()
    const saving = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Save as PDF' }).click()
    const download = await saving
    assert.ok(download.suggestedFilename().includes(number), download.suggestedFilename())
    const pdf = await readFile(await download.path())
    assert.equal(pdf.subarray(0, 5).toString('latin1'), '%PDF-')
    assert.ok(pdf.includes(`(Invoice ${number})`), 'its number is its title')
    assert.ok(pdf.subarray(-8).toString('latin1').includes('%%EOF'))
  })
}
