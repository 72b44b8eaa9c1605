// One meaning of a day: an order at 23:30 UTC, and an invoice that it pays, as merchants of three time zones see them everywhere.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { sendDueMail } from '@florin/platform/mail/send'
import {
  addDays,
  DAY_MS,
  dayOf,
  HOUR_MS,
  type Invoice,
  type Order,
  type StatsSeries,
  startOfDay,
} from '@florin/protocol'
import { type ConsoleUser, type TestConsole, testConsole } from '../../test/console.ts'
import { sendOrderMails } from '../orders/tell/order-mails.ts'

/** The texts of a PDF, by each of its fonts' own tables of letters. */
function textsOf(pdf: Buffer): string[] {
  const raw = pdf.toString('latin1')
  const streams = [...raw.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, body = '']) => {
    try {
      return [inflateSync(Buffer.from(body, 'latin1')).toString('latin1')]
    } catch {
      return []
    }
  })
  const tables = streams
    .filter((text) => text.includes('beginbfrange'))
    .map((text) => {
      const letters = new Map<number, string>()
      for (const [, first = '', , list = ''] of text.matchAll(/<(\w{4})> <(\w{4})> \[([^\]]*)\]/g)) {
        for (const [n, [, code = '']] of [...list.matchAll(/<(\w+)>/g)].entries()) {
          letters.set(Number.parseInt(first, 16) + n, Buffer.from(code, 'hex').swap16().toString('utf16le'))
        }
      }
      return letters
    })
  return streams.flatMap((stream) =>
    [...stream.matchAll(/\[([^\]]*)\] TJ/g)].flatMap(([, run = '']) => {
      const glyphs = [...run.matchAll(/<(\w+)>/g)].flatMap(([, hex = '']) => hex.match(/\w{4}/g) ?? [])
      return tables.map((table) => glyphs.map((glyph) => table.get(Number.parseInt(glyph, 16)) ?? '?').join(''))
    }),
  )
}

/** Moves the clock to 23:30 UTC of a day two days ahead. */
function toHalfPastEleven(at: TestConsole): Date {
  const now = at.clock.now().getTime()
  at.clock.advance(Math.floor(now / DAY_MS) * DAY_MS + 2 * DAY_MS + 23.5 * HOUR_MS - now)
  return at.clock.now()
}

const call = async (
  at: TestConsole,
  user: ConsoleUser,
  method: 'PATCH' | 'POST' | 'GET',
  url: string,
  payload?: object,
) =>
  at.app.inject({
    ...{ method, url: url.startsWith('/') ? url : `/api/v1/boss/${url}`, headers: user.merchant.headers },
    ...(payload === undefined ? {} : { payload }),
  })

test('days: an order at 23:30 UTC → overview, list, export, mail and PDF say the same day of the zone', async (t) => {
  const at = await testConsole(t)
  const moment = toHalfPastEleven(at)
  const utcDay = moment.toISOString().slice(0, 10)
  const cases = [
    ['Asia/Tokyo', addDays(utcDay, 1), 'T08:30:00.000+09:00', '08:30 AM GMT+9'],
    ['America/New_York', utcDay, /T1[89]:30:00.000-0[45]:00/, /0[67]:30 PM E[SD]T/],
    ['Asia/Kathmandu', addDays(utcDay, 1), 'T05:15:00.000+05:45', '05:15 AM GMT+5:45'],
  ] as const
  for (const [zone, day, offset, clock] of cases) {
    const user = await at.another()
    assert.equal((await call(at, user, 'PATCH', 'merchant', { time_zone: zone })).statusCode, 200)
    assert.equal(dayOf(moment, zone), day)
    const due = await user.post<Invoice>('invoices?livemode=false', {
      ...{ due_date: day, lines: [{ description: 'Work', unit_price: '10' }] },
    })
    assert.equal(due.data.due_date, day)
    const start = await at.app.inject({ method: 'POST', url: new URL(due.data.url).pathname, ...form })
    assert.equal(start.statusCode, 303)
    const [order] = (await user.get<{ data: Order[] }>('orders?livemode=false')).data.data
    assert.ok(order !== undefined && order.created_at === moment.toISOString(), 'the API stays in UTC')
    for (const action of ['pay', 'settle']) await user.post(`test/orders/${order.order_no}/simulate`, { action })

    // The overview: the bucket that the order is in begins where the day does.
    const [from, to] = [startOfDay(addDays(day, -2), zone), startOfDay(addDays(day, 3), zone)]
    const range = `from=${from.toISOString()}&to=${to.toISOString()}`
    const { data } = await user.get<StatsSeries>(`stats/series?livemode=false&metric=orders&bucket=day&${range}`)
    assert.equal(data.time_zone, zone)
    assert.deepEqual(
      data.points.map(({ at: begin, value }) => [dayOf(new Date(begin), zone), value]),
      [-2, -1, 0, 1, 2].map((n) => [addDays(day, n), n === 0 ? 1 : 0]),
    )
    // The list, by the bounds of the day.
    const listed = async (n: number) => {
      const bounds = [0, 1].map((end) => startOfDay(addDays(day, n + end), zone).toISOString())
      const url = `orders?livemode=false&created_from=${bounds[0]}&created_to=${bounds[1]}`
      return (await user.get<{ data: Order[] }>(url)).data.data.length
    }
    assert.deepEqual([await listed(-1), await listed(0), await listed(1)], [0, 1, 0])
    // The export: each time with its offset, the file named by the day.
    const file = await call(at, user, 'GET', 'orders/export?format=csv&livemode=false')
    const [, row = ''] = file.payload.split('\r\n')
    assert.ok(row.includes(`"${day}T`), row)
    assert.match(row, offset instanceof RegExp ? offset : new RegExp(offset.replace('+', '\\+')))
    assert.match(String(file.headers['content-disposition']), new RegExp(`-${day}\\.csv`))
    // Mail, page and PDF.
    while ((await sendOrderMails(at.deps)) > 0);
    while ((await sendDueMail(at.deps)) > 0);
    const mail = at.mailbox.mails.find((one) => one.to === user.merchant.email && one.subject.includes('Paid: 10'))
    const written = new Intl.DateTimeFormat('en', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day))
    const says = (text: string): void => {
      const plain = text.replaceAll(/\s/g, ' ')
      assert.ok(plain.includes(`${written} at `), plain)
      assert.match(plain, clock instanceof RegExp ? clock : new RegExp(clock.replace('+', '\\+')))
    }
    says(mail?.text ?? '')
    says((await at.app.inject({ url: new URL(due.data.url).pathname })).payload)
    says(textsOf((await at.app.inject({ url: new URL(due.data.pdf_url).pathname })).rawPayload).join('\n'))
  }
})

test('days: an unpaid invoice → overdue from the end of its day in the zone on', async (t) => {
  const at = await testConsole(t)
  const moment = toHalfPastEleven(at)
  const late: [string, string][] = []
  for (const zone of ['Pacific/Kiritimati', 'Asia/Kathmandu', 'Pacific/Pago_Pago']) {
    const user = await at.another()
    await call(at, user, 'PATCH', 'merchant', { time_zone: zone })
    const day = dayOf(moment, zone)
    const lines = [{ description: 'Work', unit_price: '10' }]
    const refused = await user.post('invoices?livemode=false', { due_date: addDays(day, -1), lines })
    assert.deepEqual([refused.status, refused.error?.param], [422, 'due_date'])
    const { data: invoice } = await user.post<Invoice>('invoices?livemode=false', { due_date: day, lines })
    const end = startOfDay(addDays(day, 1), zone)
    const statuses: string[] = []
    const asked = at.clock.now().getTime()
    for (const ms of [end.getTime() - 1, end.getTime()]) {
      at.clock.advance(ms - at.clock.now().getTime())
      const [one] = (await user.get<{ data: Invoice[] }>(`invoices?livemode=false&status=overdue`)).data.data
      const { data: read } = await user.get<Invoice>(`invoices/${invoice.id}`)
      assert.equal(one?.status ?? 'open', read.status, 'the list says what the invoice says')
      statuses.push(read.status)
    }
    at.clock.advance(asked - at.clock.now().getTime())
    assert.deepEqual(statuses, ['open', 'overdue'], zone)
    late.push([zone, end.toISOString()])
  }
  assert.equal(new Set(late.map(([, end]) => end)).size, 3)
})

const form = { headers: { 'content-type': 'application/x-www-form-urlencoded' }, payload: '' }
