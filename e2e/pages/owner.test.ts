// Promises: from an empty install a shop owner without a developer, with a browser alone, comes from the shop's name to a
// settled test order in at most seven clicks after signing in, the guide never losing the thread; and the shop's logo,
// colour and contact stand on the page that a payer sees on a phone.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { crc32, deflateSync } from 'node:zlib'
import type { Page } from 'playwright-core'
import { openStage } from './stage.ts'
import { sizes, visit } from './visitor.ts'

const stage = await openStage()
after(() => stage.close())

const OWNER = 'owner@bottega.example'
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true })

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
  await page.getByRole('textbox', { name: 'Email' }).fill(OWNER)
  await button(page, 'Send me a code').click()
  const first = page.getByRole('textbox', { name: 'Digit 1 of 6' })
  await first.waitFor()
  await first.pressSequentially(await stage.inbox.codeFor(OWNER))
  await page.getByRole('heading', { name: 'Get your first payment' }).waitFor()
}

test('from the name to a settled test order in seven clicks, and the brand on a phone', async () => {
  const origins = [stage.florin.url, stage.shop.origin]
  const owner = await visit(stage.browser, origins, { ...sizes.desk, reducedMotion: 'reduce' })
  try {
    const { page, context, faults } = owner
    page.setDefaultTimeout(40_000)
    let clicks = 0
    await context.exposeBinding('florinClicked', () => {
      clicks += 1
    })
    await context.addInitScript(() => {
      const { florinClicked } = window as unknown as { florinClicked(): void }
      document.addEventListener('click', (event) => event.isTrusted && florinClicked(), true)
    })
    await signIn(page)
    clicks = 0
    const press = (name: string | RegExp) => button(page, name).click()
    await page.getByRole('textbox', { name: 'What payers read on the checkout' }).fill('Bottega Nova')
    await press('Save the name')
    await press('Base')
    await page.getByRole('textbox', { name: 'Your address' }).fill('0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed')
    await press('Save address')
    await page.getByText('Orders that name no chain settle here, on Base.').waitFor()
    await press('It is the same')
    await press('Make a test order')
    await page.getByRole('textbox', { name: 'Amount' }).fill('49,90')
    await press('Create order')
    const link = page.getByRole('link', { name: 'See the checkout' })
    await link.waitFor()
    const checkoutUrl = await link.getAttribute('href')
    await press('Pay the test order')
    await page.getByRole('region', { name: 'Set-up guide' }).waitFor({ state: 'detached' })
    assert.ok(clicks <= 7, `${clicks} clicks`)

    await page.goto(`${stage.florin.url}/console/settings`)
    await page.getByLabel('Logo file').setInputFiles({
      name: 'logo.png',
      mimeType: 'image/png',
      buffer: picture(240, 80),
    })
    await page.getByRole('img', { name: 'Your logo' }).waitFor()
    await page.getByRole('textbox', { name: 'Accent colour' }).fill('#0a7d4f')
    await press('Save the colour')
    await page.getByText('The colour was changed.').waitFor()
    await page.getByRole('textbox', { name: 'Support email' }).fill('help@bottega.example')
    await press('Save the contact')
    await page.getByText('The contact was changed.').waitFor()
    assert.deepEqual(faults, [])

    const payer = await visit(stage.browser, origins, sizes.phone)
    try {
      await payer.page.goto(checkoutUrl ?? '')
      await payer.page.getByRole('heading', { level: 2, name: 'Paid' }).waitFor()
      await payer.page.getByText('Bottega Nova').first().waitFor()
      const logo = payer.page.locator('img.merchant-logo')
      await logo.waitFor()
      assert.equal(await logo.evaluate((node: HTMLImageElement) => node.naturalWidth), 240)
      await payer.page.getByRole('link', { name: 'help@bottega.example' }).waitFor()
      const accent = await payer.page.evaluate(() =>
        getComputedStyle(document.documentElement).getPropertyValue('--press'),
      )
      assert.equal(accent, '#0a7d4f')
      assert.deepEqual(payer.faults, [])
    } finally {
      await payer.close()
    }
  } finally {
    await owner.close()
  }
})
