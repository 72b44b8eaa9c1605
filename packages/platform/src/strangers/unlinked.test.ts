// Somebody's words in our mails: nothing becomes a link or a number to call, ordinary names stay as they are.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { refuseAddress, refuseAddressInNumber, unlinked, unlinkedNumber } from './unlinked.ts'

test('nothing that a mail program makes clickable is left', () => {
  for (const [text, shown] of [
    ['unlock at https://evil.example/login?u=1', 'unlock at https evil[dot]example/login?u=1'],
    ['www.evil.com', 'www[dot]evil[dot]com'],
    ['tel:+1900', 'tel +1900'],
    ['mailto:a@b.example', 'mailto a[at]b[dot]example'],
    ['call +1 900 555 000 now', 'call [number] now'],
    ['call (0900) 555-000', 'call [number])'.replace(')', '')],
    ['call 19005550000', 'call [number]'],
    ['evil。example', 'evil[dot]example'],
    ['evil․example, evil‧example', 'evil[dot]example, evil[dot]example'],
    ['EVIL\u00ad.com/x', 'EVIL[dot]com/x'],
    ['a﹫evil﹒example', 'a[at]evil[dot]example'],
    ['http：／／evil', 'http evil'],
    ['see 10.1.2.3/login', 'see 10[dot]1[dot]2[dot]3/login'],
    ['turned \u202eround\r\nBcc: x', 'turned round Bcc: x'],
  ] as const) {
    assert.equal(unlinked(text), shown)
  }
  assert.equal([...unlinked('ä'.repeat(500))].length, 120)
})

test('names, titles and numbers of shops stay as they are', () => {
  for (const text of [
    'Müller & Söhne GmbH.',
    'Mugs v1.5: two',
    'Workshop, 12 December 2026',
    'Seats 2026-12-31',
    'A/B',
  ]) {
    assert.equal(unlinked(text), text)
    refuseAddress(text, 'name')
  }
  for (const number of ['RE 2026/17', '2026000017', 'RE-2026-12-0017']) {
    assert.equal(unlinkedNumber(number, 2026), number)
    refuseAddressInNumber(number, 'number')
  }
  refuseAddress('Mugs.example', 'name')
  for (const number of ['RE.2026.17', 'No.A17', 'Nr. AB', '5550199123', 'Ausg.Nr.1', 'Rechn.No.A17/2026'])
    refuseAddressInNumber(number, 'number')
  for (const number of ['evil.example', 'evil․example', 'e\u00advil.com', '17.xn--p1ai'])
    assert.throws(() => refuseAddressInNumber(number, 'number'), /"number" takes no web address/, number)
  assert.equal(unlinkedNumber('+1 900 555 000', 2026), '+…5000')
})

test('an address or a number to call is refused in words', () => {
  const bad = [
    'https://evil.example',
    'www.evil.com',
    'evil.com/login',
    'a@b.example',
    'tel:1900',
    'a\u200b@b.example',
    'www․evil․com',
    'call +1 900 5550',
    '0900 555 000',
    'Mugs 8005550199',
    '800-555-0199',
    '8OO SSS OI99',
  ]
  for (const text of bad) assert.throws(() => refuseAddress(text, 'name'), /"name" takes no web address/, text)
})

const pick = <T>(...of: T[]) => fc.constantFrom(...of)
/** How a digit is written so that a filter does not know it and a reader does. */
const spelled = (digit: string) => {
  const n = Number(digit)
  const at = (start: number): string => String.fromCodePoint(start + n)
  return pick(
    ...[
      digit,
      digit,
      digit,
      at(0xff10),
      at(0x660),
      at(0x6f0),
      at(0x966),
      at(0x1d7ce),
      at(0x2080),
      `${digit}\ufe0f\u20e3`,
    ],
    ...(n === 0
      ? ['O', 'o', 'О', '⓪', '⓿', '〇']
      : [String.fromCodePoint(0x2460 + n - 1), String.fromCodePoint(0x2776 + n - 1)]),
    ...(n === 1 ? ['l', 'I', '一'] : []),
  )
}
const between = pick(
  '',
  '',
  ' ',
  '-',
  '\u2011',
  '\u2012',
  '_',
  ', ',
  "'",
  '~',
  '|',
  ':',
  '*',
  ' . ',
  '•',
  '/',
  '(',
  ')',
  '\u00ad',
  '\u200b',
  ' — ',
  '=',
  '^',
  '…',
)
const phoneOf = (mark: fc.Arbitrary<string>, between: fc.Arbitrary<string>) =>
  fc
    .tuple(mark, fc.stringMatching(/^[2-9][0-9]{8,11}$/), fc.stringMatching(/^[2-9]{3}$/))
    .chain(([mark, digits, plain]) =>
      fc
        .tuple(...[...digits].map((digit) => fc.tuple(spelled(digit), between)))
        // A reader has to know it for a number: some digits stay plain.
        .map((parts) => `${mark}${plain}${parts.map((part) => part.join('')).join('')}`),
    )

const runs = { numRuns: 500 }
const isFound = (text: string): void => {
  const shown = unlinked(`${text} now`)
  assert.match(shown, /\[number\]/, text)
  const left = [...shown.replaceAll('[number]', '')].filter((one) => /\p{N}/u.test(one))
  assert.ok(left.length < 7, shown)
  if (text.includes('+')) assert.throws(() => refuseAddress(text, 'name'), text)
}

test('mails of strangers: a number to call is found however it is written', () => {
  const marked = phoneOf(pick('+', '00', '('), between)
  fc.assert(
    fc.property(marked, pick('Mugs ', '', 'Hilfe: ', '客服 '), (number, before) => isFound(`${before}${number}`)),
    runs,
  )
  const said = phoneOf(pick(''), between)
  fc.assert(
    fc.property(said, pick('call ', 'Tel. ', '电话：', 'SMS '), (number, before) => isFound(`${before}${number}`)),
    runs,
  )
  // Nothing but the digits says that it is one.
  const bare = phoneOf(pick(''), pick('', ' ', '\u2011', '_', ', ', "'", '~', '|', '*', '•', '=', '\u200b'))
  fc.assert(
    fc.property(bare, pick('Mugs ', ''), (number, before) => isFound(`${before}${number} `)),
    runs,
  )
})

const dot = pick(
  '.',
  '。',
  '．',
  '｡',
  '․',
  '﹒',
  '‧',
  'ꓸ',
  '܁',
  '\u200b.',
  '.\u00ad',
  "'.'",
  '(.)',
  '*.*',
  '_._',
  ' .',
  ' . ',
  '۔',
  '⸼',
)
/** Every mark that ends a sentence in any script, but for exclamations, questions and the plain dot. */
const fullStops = Array.from({ length: 0x11_0000 }, (_, code) => code)
  .filter((code) => code < 0xd800 || code > 0xdfff)
  .map((code) => String.fromCodePoint(code))
  .filter(
    (mark) => /\p{Sentence_Terminal}/u.test(mark) && !/[!?.]/.test(mark.normalize('NFKC')) && !'‽⸮؟'.includes(mark),
  )

const host = fc.tuple(
  pick('www', 'pay', 'evil-shop', 'еvil', 'm\u00fcgs', 'ｅｖｉｌ'),
  dot,
  pick('com', 'example', 'io', 'ｃｏｍ', 'соm', 'shop', 'xn--p1ai'),
)

test('mails of strangers: no name of a host is left to read', () => {
  fc.assert(
    fc.property(host, pick('Mugs ', '', 'see ', 'http://'), ([name, point, end], before) => {
      const shown = unlinked(`${before}${name}${point}${end}`)
      assert.match(shown, /\[dot\]/, `${before}${name}${point}${end} → ${shown}`)
      assert.throws(() => refuseAddressInNumber(`${name}${point.trim()}${end}`, 'number'))
    }),
  )
  assert.ok(fullStops.includes('\ua60e') && fullStops.includes('\u0964'))
  for (const mark of [...fullStops, '\u{1d16d}']) {
    const name = `evil${mark}com`
    assert.equal(unlinked(`see ${name}`), 'see evil[dot]com', name)
    assert.throws(() => refuseAddress(`www${mark}${name}`, 'name'), name)
    assert.throws(() => refuseAddressInNumber(name, 'number'), name)
  }
  for (const text of ['Wow! Great', 'Ready? Go', 'Wow‽ Great', 'चाय। पानी', 'Kaffee… Tee'])
    assert.equal(unlinked(text), text)
  for (const text of ['evil·com', 'evil•com', 'evil・com', 'evil∙com', 'evil٠com'])
    assert.equal(unlinked(text), 'evil · com')
  assert.equal(unlinked('例子。中国'), '例子。 中国')
  assert.match(unlinked('evil.0rg now'), /evil\[dot\]0rg/)
})

test('mails of strangers: ordinary texts of shops stay as they are', () => {
  for (const text of [
    'Order 2024-11-05 #12345',
    'Order #12345 of 05.11.2024',
    'Bestellung 31.12.2026, 18:30',
    'Concert 2026-12-31 19:00–22:30',
    'Seats 24.12.2026–02.01.2027',
    'Tee 1,50 €',
    'Invoice total $1,234,567.89',
    '1.234.567,89 EUR',
    'Rp 1.250.000',
    'CHF 1’234’567.00',
    '₹12,34,567.00',
    '¥1,234,567',
    '1 234 567,00 zł',
    'Tisch 120 × 60 × 75 cm',
    'Socks, sizes 36, 37, 38, 39',
    'Eimer 5l, 10l, 20l',
    'iPhone 15 Pro 256 GB',
    'Version 2.0: 500 pages',
    'Windows 11, 3 licences',
    'Kaffee & Tee',
    'Lot 20241105',
    'Ill oil 2024',
    'A4 paper, 500 sheets, 80 g/m²',
    '½ Torte',
    'H₂O 6 × 1 l',
    'Formula 1 ticket 2026',
    'Hotel, 3 nights, room 1204',
    'قهوة عربية ٢٥٠ غرام',
    'طلب رقم ١٢٣٤٥ بتاريخ ٢٠٢٤-١١-٠٥',
    'هدية عيد ميلاد',
    'چای سبز ۵۰۰ گرم',
    'متن۔ متن',
    '中国茶 250 克',
    '订单 2024年11月5日 第12345号',
    '两个杯子。送货上门服务',
    '一杯咖啡和三百二十块蛋糕',
    'コーヒー・紅茶セット',
    'ケーキ 1,200円',
    '커피 두 잔',
    'ชาเขียว ๒๕๐ กรัม',
    'चाय २५० ग्राम',
    'תה ירוק 250 גרם',
    'Чай зелёный, 250 г',
    'Ελληνικός καφές 250 γρ',
    'col·lecció de tasses',
    'Trà xanh 250 gam',
    'Çay 250 gr',
    'Żółty kubek',
    'Crème brûlée, 6 pièces',
    'Mugs v1.5: two',
    'Il 12/12/2026 alle 20:30',
    'Müller & Söhne GmbH.',
    'Nr. 12 / 2026',
    'Abo 01/2026 - 12/2026',
    '3 Tassen 🍵',
    'T-shirt (L)',
    'Io e te',
    'Workshop 9:00-17:30',
    'Gutschein 50',
    // Words that end as a word for calling does, and a call on a day.
    'Hotel 24.12.2026',
    'Hostel 2026-12-24 18:00',
    'Mantel 24.12.2026',
    'Recall 2026-11-27',
    'Video call 24.12.2026 18:00',
    'Ring 24/12/2026',
    // Forms of companies and other words with dots, as they are written.
    'Jan B.V.',
    'Muebles S.L.',
    'Bakker N.V. & Zn.',
    'Weber G.m.b.H.',
    'Smith L.L.C.',
    'Pasta S.p.A.',
    'Moda S.r.l.',
    'Trgovina d.o.o.',
    'Obchod s.r.o.',
    'Kubki Sp. z o.o.',
    'Kahve A.Ş.',
    'Chor e.V.',
    'A.C.M.E. Inc.',
    'U.S. Parts',
    'Ph.D. Shop',
    'Tea Co., Ltd.',
    // Opening hours, sizes, round numbers and amounts of coins, years of business.
    'Brunch (10:00-18:00)',
    'Mo-Fr 10:00-12:00, 14:00-18:00',
    'Support 10:00-18:00',
    'Workshop 10.00–18.00 Uhr',
    'Markt 9–12, 14–18 Uhr',
    'Concert 24.12.2026 (19:00-22:30)',
    'Regal 40x60x20',
    'Regal (40 × 60 × 20)',
    'Kiste 120*60*75 cm',
    '1 000 000 sats',
    'Donate 1,000,000 points',
    '0.00150000 BTC',
    'Menü 12,50 / 15,00 €',
    'Saison 2026/27, Block 12, Platz 34',
    'Rechnung INV/2026-27/0042',
    'Factura 0001-00012345',
    'Format A4, A5, A6 2026',
    'Kapitel Ⅳ und Ⅷ',
    'BIO 250 g, BOSS 100 ml',
    'SS 2026, Ausg.Nr.1',
  ]) {
    assert.equal(unlinked(text), text)
    refuseAddress(text, 'name')
  }
  for (const number of [
    'RE 2026/17',
    '2026000017',
    'RE-2026-12-0017',
    'ORD_20241105_12345',
    'R#2026/0000012',
    '٢٠٢٦-٠٠٠١٧',
  ]) {
    assert.equal(unlinkedNumber(number, 2026), number)
    refuseAddressInNumber(number, 'number')
  }
  for (const number of ['1‑900‑555‑0000', '1~900~555~0000', '①⑨⓪⓪⑤⑤⑤⓪⓪', '1 900 555 000']) {
    assert.match(unlinkedNumber(number, 2026), /^…[05]{4}$/)
    assert.throws(() => refuseAddressInNumber(number, 'number'), number)
  }
})

test('mails of strangers: one host is spelled out, and the other dots of the text stay', () => {
  for (const [text, shown] of [
    ['Mugs v1.5. See evil.example now. Thanks.', 'Mugs v1.5. See evil[dot]example now. Thanks.'],
    ['Tea Co., Ltd. evil .com No. 5', 'Tea Co., Ltd. evil [dot]com No. 5'],
    ['Mugs evil.no. 5 left', 'Mugs evil[dot]no[dot] 5 left'],
    ['Nr. 5 a@b.example, 1.5 l', 'Nr. 5 a[at]b[dot]example, 1.5 l'],
  ] as const)
    assert.equal(unlinked(text), shown)
})

test('mails of strangers: a number to call is found where letters and Roman numerals stand for digits', () => {
  const written = (digit: string) => {
    const letter = { 0: ['O'], 1: ['I', 'l'], 2: ['Z'], 5: ['S'], 8: ['B'] }[digit] ?? []
    return pick(digit, digit, ...letter)
  }
  const group = (size: number) =>
    fc
      .stringMatching(new RegExp(`^[0-9]{${size}}$`))
      .chain((digits) => fc.tuple(...[...digits].map(written)).map((parts) => parts.join('')))
  const number = fc
    .tuple(group(3), group(3), group(4), pick('-', ' ', '.', '/'))
    .map(([area, first, last, sign]) => [`9${area}`, `${first}7`, `${last}34`].join(sign))
    // Half of it are digits, as a reader needs.
    .filter((text) => text.replace(/\D/g, '').length >= 8)
  fc.assert(
    fc.property(number, pick('Mugs ', 'call '), (text, before) => isFound(`${before}${text}`)),
    runs,
  )
  const roman = fc
    .stringMatching(/^[1-9]{10}$/)
    .map((digits) =>
      [...digits].map((digit, n) => (n % 2 === 0 ? digit : String.fromCodePoint(0x215f + Number(digit)))).join(''),
    )
  fc.assert(
    fc.property(roman, (text) => isFound(text)),
    runs,
  )
  for (const text of ['8OO-SSS-OI99', '9OO-5S5-ZZ34', '800 SSS 0199', 'ⅧⅠⅡ-555-0199', 'ⅷ00 ⅴⅴⅴ 0199'])
    assert.equal(unlinked(`${text} now`), '[number] now')
})

test('mails of strangers: any two ordinary parts of a title stay as they are', () => {
  const n = (min: number, max: number) => fc.integer({ min, max })
  const two = (value: number): string => String(value).padStart(2, '0')
  const time = fc.tuple(n(0, 23), n(0, 59)).map(([hour, minute]) => `${two(hour)}:${two(minute)}`)
  const day = fc.tuple(n(2024, 2030), n(1, 12), n(1, 28))
  const ordinary = fc.oneof(
    fc.tuple(time, time).map(([from, to]) => `${from}-${to}`),
    day.map(([year, month, date]) => `${year}-${two(month)}-${two(date)}`),
    day.map(([year, month, date]) => `${date}.${two(month)}.${year}`),
    fc.tuple(n(1, 300), n(1, 300), n(1, 300)).map((sizes) => `${sizes.join('x')} cm`),
    fc.tuple(n(1, 999), n(0, 99)).map(([euros, cents]) => `${euros},${two(cents)} €`),
    n(1, 99).map((millions) => `${millions} 000 000 sats`),
    n(2020, 2030).map((year) => `${year}/${two((year + 1) % 100)}`),
    n(1, 9_999).map((count) => `${count} pcs`),
  )
  const word = pick('Mugs', 'Abo', 'Kurs', 'Rechnung', 'Café', '茶', 'Чай')
  fc.assert(
    fc.property(word, ordinary, word, ordinary, (one, first, other, second) => {
      for (const text of [`${one} ${first} ${other} ${second}`, `${one} (${first})`]) {
        assert.equal(unlinked(text), text)
        refuseAddress(text, 'name')
      }
    }),
    runs,
  )
})
