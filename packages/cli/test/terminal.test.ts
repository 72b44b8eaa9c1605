// Promises: colours reach a person who has not said no to them; a question is asked where somebody can answer; no API key and
// nothing that moves the cursor is printed.
import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import fc from 'fast-check'
import { columns, confirm, oneLine, openTerminal, redacted } from '../src/terminal.ts'
import { apiKey } from './program.ts'

function aScreen(isTTY: boolean) {
  const made = () => Object.assign(new PassThrough({ encoding: 'utf8' }), { isTTY })
  return { stdin: made(), stdout: made(), stderr: made() }
}

test('colours are for terminals, unless NO_COLOR says otherwise', () => {
  const red = (environment: Record<string, string>, isTTY: boolean) =>
    openTerminal(environment, aScreen(isTTY)).paint.red('dead')
  assert.equal(red({}, true), '\u001b[31mdead\u001b[39m')
  assert.equal(red({ NO_COLOR: '' }, true), '\u001b[31mdead\u001b[39m')
  for (const [environment, isTTY] of [
    [{}, false],
    [{ NO_COLOR: '1' }, true],
    [{ TERM: 'dumb' }, true],
  ] as const)
    assert.equal(red(environment, isTTY), 'dead')
})

test('only yes is yes', async () => {
  for (const [typed, isDone] of [
    ['y', true],
    ['Yes', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
  ] as const) {
    const screen = aScreen(true)
    const asked = confirm(openTerminal({}, screen), 'Send 3 deliveries again?')
    screen.stdin.write(`${typed}\n`)
    if (isDone) await asked
    else await assert.rejects(asked, { message: 'Nothing was done.', exitCode: 1 })
    assert.match(String(screen.stderr.read()), /Send 3 deliveries again\? \[y\/N\] /)
  }
  await assert.rejects(confirm(openTerminal({}, aScreen(false)), 'Send?'), { exitCode: 2 })
})

test('an API key is never printed, wherever it comes from', () => {
  const screen = aScreen(true)
  const terminal = openTerminal({}, screen)
  terminal.out(`a ${apiKey} b`)
  terminal.note(JSON.stringify({ key: apiKey }))
  assert.equal(screen.stdout.read(), 'a florin_test_… b\n')
  assert.equal(screen.stderr.read(), '{"key":"florin_test_…"}\n')
  assert.equal(redacted('florin_test_order'), 'florin_test_order')
})

test('text from elsewhere stays on its line and within its width', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 80 }), (text, max) => {
      const line = oneLine(text, max)
      assert.ok(line.length <= max)
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}\n]/u)
    }),
  )
  assert.equal(oneLine(' a\n\tb \u001b[2J', 80), 'a b \ufffd[2J')
})

test('columns line up, and a painted cell is as wide as a plain one', () => {
  const rows = [
    ['a', 'bbb', 'c'],
    ['aaaa', 'b', ''],
  ]
  const paint = (text: string, column: number) => (column === 0 ? `<${text}>` : text)
  assert.deepEqual(columns(rows, paint), ['<a>     bbb  c', '<aaaa>  b'])
})

test('what others wrote cannot move the cursor or turn the reading, on a screen with colours and without', () => {
  const evil = 'a\u001b[2J\u001b]0;x\u0007\u009b1A\r\u202eb\u007f'
  const shown = 'a\\u001b[2J\\u001b]0;x\\u0007\\u009b1A\\u000d\\u202eb\\u007f'
  for (const isTTY of [true, false]) {
    const screen = aScreen(isTTY)
    const terminal = openTerminal({}, screen)
    terminal.out(evil)
    terminal.note(`${terminal.notePaint.red('florin:')} ${evil}`)
    assert.equal(screen.stdout.read(), `${shown}\n`)
    assert.equal(screen.stderr.read(), `${isTTY ? '\u001b[31mflorin:\u001b[39m' : 'florin:'} ${shown}\n`)
  }
  const screen = aScreen(false)
  openTerminal({}, screen).out(JSON.stringify({ note: `\\${evil}` }))
  assert.deepEqual(JSON.parse(String(screen.stdout.read())), { note: `\\${evil}` })
})
