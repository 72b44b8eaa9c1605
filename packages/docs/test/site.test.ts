// Promises: no link of the site leads nowhere, by page or by anchor; the search finds every error code, every field and every
// call at the place that explains it; a page weighs at most 200 kB with everything that it loads, search included.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { brotliCompressSync, constants } from 'node:zlib'
import { errorTable } from '@florin/protocol'
import { makeSearch } from '../browser/find.ts'
import { bundle, corpusOf } from '../src/build.ts'
import { callsOf, type OpenApi, resolveRef } from '../src/reference/openapi.ts'
import { HOMELESS } from '../src/reference/pages.ts'
import { groups, readSite, urlOf } from '../src/site.ts'
import { pageHtml } from '../src/template.ts'

const docs = join(import.meta.dirname, '../../../docs')
const site = readSite(docs)
const corpus = corpusOf(site)
const search = makeSearch(corpus)
const api = JSON.parse(readFileSync(join(docs, 'openapi.json'), 'utf8')) as OpenApi
const assets = { style: '/s.css', script: '/s.js', icon: '/i.svg', search: '/q.json' }

test('every link leads to a page and every anchor to a place on it', () => {
  assert.deepEqual(site.broken, [])
  assert.ok(site.pages.flatMap(({ links }) => links).length > 150)
})

test('every call of /v1 and every object has its place in the reference', () => {
  assert.ok(!site.pages.some(({ path }) => path === HOMELESS), 'say in reference/pages.ts where it belongs')
  const objects = site.pages.find(({ path }) => path === 'api/objects')
  assert.ok((objects?.headings.length ?? 0) >= 18)
})

test('every page is reached: from the navigation or by a link of another page', () => {
  const linked = new Set(site.pages.flatMap(({ links }) => links.map((link) => link.split('#')[0])))
  const shown = new Set(groups.flatMap(({ pages }) => pages))
  const lost = site.pages.filter(({ path }) => !shown.has(path) && !linked.has(urlOf(path)))
  assert.deepEqual(
    lost.map(({ path }) => path),
    [],
  )
})

test('nothing on a page is inline, and no id is there twice', () => {
  for (const page of site.pages) {
    const html = pageHtml(page, site.pages, assets)
    assert.doesNotMatch(html, / style="|<style|<script(?! type="module" src=)| on[a-z]+="|javascript:/i, page.path)
    const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
    assert.equal(ids.length, new Set(ids).size, `${page.path} has an id twice`)
    assert.ok(page.title !== '' && page.summary !== '', `${page.path} has a title and a first paragraph`)
  }
})

test('the search finds every error code first at its own section', () => {
  for (const code of Object.keys(errorTable)) assert.equal(search(code)[0]?.url, `/docs/errors#${code}`, code)
})

test('the search finds every field of what /v1 takes and answers', () => {
  const names = new Set<string>()
  for (const page of site.pages.filter(({ path }) => path.startsWith('api/') && path !== 'api/console'))
    for (const { isRow, title } of page.entries) if (isRow) names.add(title)
  assert.ok(names.size > 120, `${names.size} fields`)
  const lost = [...names].filter(
    (name) => search(name)[0]?.title !== name && !search(name).some((hit) => hit.title === name),
  )
  assert.deepEqual(lost, [])
})

test('every call of /v1 has its place, with four languages', () => {
  for (const { path, operation } of callsOf(api).filter((call) => call.path.startsWith('/v1/'))) {
    const page = site.pages.find(
      ({ path: at, headings }) => at.startsWith('api/') && headings.some(({ text }) => text === operation.summary),
    )
    assert.ok(page, `${path} is on a page`)
    assert.ok(page.html.includes(path.replaceAll('{', '{')), path)
  }
  for (const page of site.pages.filter(({ path }) => /^api\/(?!objects|console)/.test(path))) {
    const tabs = (name: string): number => page.html.split(`data-tab="${name}"`).length - 1
    assert.ok(tabs('curl') > 0, page.path)
    assert.deepEqual([tabs('TypeScript'), tabs('Python'), tabs('PHP')], Array(3).fill(tabs('curl')), page.path)
  }
})

test('the sample of a webhook is signed as the page says', () => {
  const page = readFileSync(join(docs, 'webhooks.md'), 'utf8')
  const block = (kind: string): string => new RegExp(`^\`\`\`\\w+ ${kind}\\n(.*)\\n\`\`\``, 'm').exec(page)?.[1] ?? ''
  const header = block('header').replace('X-Service-Signature: ', '')
  const time = /t=(\d+)/.exec(header)?.[1]
  const digest = createHmac('sha256', block('secret'))
    .update(`${time}.${block('body')}`)
    .digest('hex')
  assert.equal(header, `t=${time},v1=${digest}`)
})

test('every call of /v1 lists the codes that it can be refused with, each with a link to its cure', () => {
  for (const { method, path, operation } of callsOf(api).filter((call) => call.path.startsWith('/v1/'))) {
    const codes = Object.values(operation.responses ?? {}).flatMap(
      (answer) => resolveRef(api, answer)['x-error-codes'] ?? [],
    )
    assert.ok(codes.length > 5, `${method} ${path}`)
    const section = site.pages
      .filter(({ path: at }) => at.startsWith('api/') && at !== 'api/console')
      .flatMap(({ html }) => html.split('<h2 '))
      .find((part) => part.includes(`>${method} ${path}<`))
    assert.ok(section, `${method} ${path} has a section`)
    const linked = [...section.matchAll(/href="\/docs\/errors#(\w+)"/g)].map(([, code]) => code)
    assert.deepEqual(
      codes.filter((code) => !linked.includes(code)),
      [],
      `${method} ${path}`,
    )
  }
})

test('the page about repeating names every call that takes an Idempotency-Key', () => {
  const page = readFileSync(join(docs, 'idempotency.md'), 'utf8')
  const takers = callsOf(api).filter(
    ({ path, operation }) =>
      path.startsWith('/v1/') &&
      (operation.parameters ?? []).some((one) => resolveRef(api, one).name === 'Idempotency-Key'),
  )
  assert.ok(takers.length >= 5)
  for (const { method, path } of takers) assert.ok(page.includes(`\`${method} ${path}\``), `${method} ${path}`)
})

test('every call of the console shows a body and names the codes that refuse it', () => {
  const page = site.pages.find(({ path }) => path === 'api/console')
  const calls = callsOf(api).filter(({ path }) => /^\/(api|checkout)\//.test(path))
  for (const { method, path, operation } of calls) {
    const [head, part] = page?.html.split(`>${method} ${path}<`) ?? []
    const section = part?.split('<h3 ')[0] ?? ''
    const body = operation.requestBody?.content['application/json']
    assert.ok(body === undefined || section.includes('<pre'), `${method} ${path} has no body to copy`)
    const said = `${head?.split('<h2 ')[0]} ${section}`
    for (const answer of Object.values(operation.responses ?? {})) {
      for (const code of resolveRef(api, answer)['x-error-codes'] ?? [])
        assert.ok(said.includes(`href="/docs/errors#${code}"`), `${method} ${path}: ${code}`)
    }
  }
})

test('words are found as people ask for them', () => {
  for (const [query, url] of [
    ['when to ship', '/docs/concepts'],
    ['raw body signature', '/docs/webhooks'],
    ['stripe checkout', '/docs/moving#from-stripe-checkout'],
    ['test key', '/docs/test-mode'],
    ['idempotency key', '/docs/idempotency'],
    ['rate limit', '/docs/limits'],
    ['refund after settlement', '/docs/refunds'],
  ]) {
    const urls = search(query ?? '').map((hit) => hit.url)
    assert.ok(
      urls.slice(0, 8).some((found) => found.startsWith(url ?? '')),
      `${query}: ${urls.join(' ')}`,
    )
  }
  assert.deepEqual(search('  '), [])
  assert.deepEqual(search('zzzzqqqq'), [])
})

test('a page with all that it loads is at most 200 kB', async () => {
  const sent = (text: string): number =>
    brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } }).byteLength
  const [script, style] = await Promise.all([bundle('main.ts'), bundle('site.css')])
  const shared = sent(script) + sent(style)
  const words = sent(JSON.stringify(corpus))
  const largest = site.pages
    .map((page) => ({ path: page.path, bytes: sent(pageHtml(page, site.pages, assets)) }))
    .sort((a, b) => b.bytes - a.bytes)[0]
  const whole = shared + words + (largest?.bytes ?? 0)
  console.log(
    `style and script ${shared} bytes, the search ${words} once it is opened, the largest page ${largest?.path} ${largest?.bytes}: ${whole} in all`,
  )
  assert.ok(whole <= 200_000, `${whole} bytes`)
})
